// Uploads one document with its description. It closes by its buttons only; "Abbrechen" cancels a running upload.
import { useForm } from "react-hook-form";
import { useUploadDocument } from "../../api/documents";
import { Dialog } from "../../components/Dialog";
import { DialogForm } from "../../components/DialogForm";
import { ChosenFile } from "../../components/FileItem";
import { FilePicker } from "../../components/FilePicker";
import { SubmitButton, useFormDraft } from "../../components/Form";
import { requiredText, TextField } from "../../components/fields";
import { ErrorNote } from "../../components/states";
import { showToast } from "../../components/toasts";
import { UploadProgress } from "../../components/UploadProgress";
import { useOneFile } from "../../components/useOneFile";
import { useTransfer } from "../../components/useTransfer";
import { focusesFirstField } from "../../lib/touch";
import { files, documents as texts } from "../../texts";

export function UploadDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Dialog title={texts.uploadTitle} isOpen={isOpen} onClose={onClose} isBlocking>
      <UploadForm onClose={onClose} />
    </Dialog>
  );
}

function UploadForm({ onClose }: { onClose: () => void }) {
  const upload = useUploadDocument();
  const form = useForm({ defaultValues: { description: "" } });
  const draft = useFormDraft(form, "document", "new");
  const { share, run, cancel } = useTransfer();
  const { file, error: fileError, pick, remove } = useOneFile();
  return (
    <DialogForm
      form={form}
      draft={draft}
      failure={texts.uploadFailed}
      onClose={onClose}
      onCancel={cancel}
      onSave={async ({ description }) => {
        // The button is disabled without a file.
        if (file === null) return;
        const fields = { file, description };
        const requestId = draft.requestIdFor(fields);
        await run((transfer) => upload.mutateAsync({ fields, requestId, transfer }));
        showToast(texts.uploaded);
      }}
      submit={
        <SubmitButton icon="upload" isDisabled={file === null || share !== null}>
          {files.upload}
        </SubmitButton>
      }
    >
      <TextField
        control={form.control}
        name="description"
        label={texts.columns.description}
        autoFocus={focusesFirstField()}
        rules={requiredText(texts.descriptionMissing)}
      />
      {file !== null && <ChosenFile file={file} onRemove={share === null ? remove : undefined} />}
      {share === null ? <FilePicker onPick={pick} /> : <UploadProgress share={share} />}
      {fileError !== null && <ErrorNote>{fileError}</ErrorNote>}
    </DialogForm>
  );
}

// Uploads one document with its description. Closes by its buttons only; "Abbrechen" cancels a running upload.
import { useForm } from "react-hook-form";
import { Dialog } from "../../components/Dialog";
import { DialogForm } from "../../components/DialogForm";
import { ChosenFile } from "../../components/FileItem";
import { FilePicker } from "../../components/FilePicker";
import { SubmitButton } from "../../components/Form";
import { useFormDraft } from "../../components/FormDraft";
import { requiredText, TextField } from "../../components/fields";
import { ErrorNote } from "../../components/states";
import { files, documents as texts } from "../../components/texts";
import { showToast } from "../../components/toasts";
import { UploadProgress } from "../../components/UploadProgress";
import { useSingleFile } from "../../components/useSingleFile";
import { useTransfer } from "../../components/useTransfer";
import { focusesFirstField } from "../../lib/touch";

export function UploadDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Dialog title={texts.uploadTitle} isOpen={isOpen} onClose={onClose} isBlocking>
      <UploadForm onClose={onClose} />
    </Dialog>
  );
}

function UploadForm({ onClose }: { onClose: () => void }) {
  const form = useForm({ defaultValues: { description: "" } });
  const draft = useFormDraft(form, "document", "new");
  const { share, run, cancel } = useTransfer();
  const { file, error: fileError, pick, remove } = useSingleFile();
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
        const fieldsFor = (dpfId: string) => ({ dpfId, ...fields });
        await run((transfer) => draft.send("UploadUserDocument", fields, fieldsFor, transfer));
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

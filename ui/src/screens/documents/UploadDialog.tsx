// Uploads one document with its description. It closes by its buttons only; "Abbrechen" cancels what is under way.
import { useForm } from "react-hook-form";
import { useUploadDocument } from "../../api/documents";
import { TransferCancelled } from "../../api/transfer";
import { Button } from "../../components/Button";
import { Dialog, DialogActions, DialogBody } from "../../components/Dialog";
import { ChosenFile } from "../../components/FileItem";
import { FilePicker } from "../../components/FilePicker";
import { DraftNote, Form, SubmitButton, useFormDraft } from "../../components/Form";
import { TextField } from "../../components/fields";
import { ErrorNote } from "../../components/states";
import { showToast } from "../../components/toasts";
import { UploadProgress } from "../../components/UploadProgress";
import { useOneFile } from "../../components/useOneFile";
import { useTransfer } from "../../components/useTransfer";
import { isTouchScreen } from "../../lib/touch";
import { files, general, documents as texts } from "../../texts";
import { descriptionRules } from "./descriptionRules";

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
  const transfer = useTransfer();
  const { file, error: fileError, pick, remove } = useOneFile();
  const { share } = transfer;

  function cancel() {
    transfer.cancel();
    draft.clear();
    onClose();
  }
  return (
    <Form
      form={form}
      failure={texts.uploadFailed}
      onSubmit={async ({ description }) => {
        if (file === null) return;
        try {
          await transfer.run((progress) =>
            upload.mutateAsync({ fields: { file, description }, transfer: progress }),
          );
        } catch (error) {
          if (error instanceof TransferCancelled) return;
          throw error;
        }
        draft.clear();
        showToast(texts.uploaded);
        onClose();
      }}
    >
      <DialogBody>
        <div className="form">
          <DraftNote draft={draft} />
          <TextField
            control={form.control}
            name="description"
            label={texts.columns.description}
            // A dialog stays hidden until the keyboard on the screen is there, and on some phones none comes by itself.
            autoFocus={!isTouchScreen()}
            rules={descriptionRules}
          />
          {file !== null && <ChosenFile file={file} onRemove={share === null ? remove : undefined} />}
          {share === null ? <FilePicker onPick={pick} /> : <UploadProgress share={share} />}
          {fileError !== null && <ErrorNote>{fileError}</ErrorNote>}
        </div>
      </DialogBody>
      <DialogActions>
        <Button onPress={cancel}>{general.cancel}</Button>
        <SubmitButton icon="upload" isDisabled={file === null || share !== null}>
          {files.upload}
        </SubmitButton>
      </DialogActions>
    </Form>
  );
}

// Changes a document's description. Closes by its buttons only, because it holds input.
import { useForm } from "react-hook-form";
import { useEditDocument } from "../../api/documents";
import type { Document } from "../../api/generated/Document";
import { Button } from "../../components/Button";
import { Dialog, DialogActions, DialogBody } from "../../components/Dialog";
import { DraftNote, Form, SubmitButton, useFormDraft } from "../../components/Form";
import { TextField } from "../../components/fields";
import { showToast } from "../../components/toasts";
import { isTouchScreen } from "../../lib/touch";
import { general, documents as texts } from "../../texts";
import { descriptionRules } from "./descriptionRules";

type Opening = { document: Document; onClose: () => void };

export function DescriptionDialog({ isOpen, ...opening }: Opening & { isOpen: boolean }) {
  return (
    <Dialog title={opening.document.name} isOpen={isOpen} onClose={opening.onClose} isBlocking>
      <DescriptionForm {...opening} />
    </Dialog>
  );
}

function DescriptionForm({ document, onClose }: Opening) {
  const edit = useEditDocument(document.dpfId);
  const stored = { description: document.description };
  const form = useForm({ defaultValues: stored });
  const draft = useFormDraft(form, "description", document.dpfId, stored);

  function cancel() {
    draft.clear();
    onClose();
  }
  return (
    <Form
      form={form}
      onSubmit={async ({ description }) => {
        await edit.mutateAsync(description);
        draft.clear();
        showToast(general.saved);
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
        </div>
      </DialogBody>
      <DialogActions>
        <Button onPress={cancel}>{general.cancel}</Button>
        <SubmitButton icon="save">{general.save}</SubmitButton>
      </DialogActions>
    </Form>
  );
}

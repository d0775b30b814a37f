// Edits a document's description. Closes by its buttons only, because it holds input.
import { useForm } from "react-hook-form";
import type { Document } from "../../api/generated/Document";
import { Dialog } from "../../components/Dialog";
import { DialogForm } from "../../components/DialogForm";
import { SubmitButton } from "../../components/Form";
import { useFormDraft } from "../../components/FormDraft";
import { requiredText, TextField } from "../../components/fields";
import { documents as texts } from "../../components/texts";
import { showToast } from "../../components/toasts";
import { focusesFirstField } from "../../lib/touch";
import { general } from "../../texts";

type Opening = { document: Document; onClose: () => void };

export function DescriptionDialog({ isOpen, ...opening }: Opening & { isOpen: boolean }) {
  return (
    <Dialog title={opening.document.name} isOpen={isOpen} onClose={opening.onClose} isBlocking>
      <DescriptionForm {...opening} />
    </Dialog>
  );
}

function DescriptionForm({ document, onClose }: Opening) {
  const stored = { description: document.description };
  const form = useForm({ defaultValues: stored });
  const draft = useFormDraft(form, "description", document.dpfId, stored);
  return (
    <DialogForm
      form={form}
      draft={draft}
      onClose={onClose}
      onSave={async (fields) => {
        await draft.send("EditUserDocument", fields, () => ({ dpfId: document.dpfId, ...fields }));
        showToast(general.saved);
      }}
      submit={<SubmitButton icon="save">{general.save}</SubmitButton>}
    >
      <TextField
        control={form.control}
        name="description"
        label={texts.columns.description}
        autoFocus={focusesFirstField()}
        rules={requiredText(texts.descriptionMissing)}
      />
    </DialogForm>
  );
}

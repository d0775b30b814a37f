// Changes the name and the contact of a space.
import { useForm } from "react-hook-form";
import type { Space } from "../../api/spaces";
import { Dialog } from "../../components/Dialog";
import { DialogForm } from "../../components/DialogForm";
import { SubmitButton } from "../../components/Form";
import { useFormDraft } from "../../components/FormDraft";
import { requiredText, TextField } from "../../components/fields";
import { showToast } from "../../components/toasts";
import { general } from "../../texts";
import { list, settings as texts } from "./texts";

type Opening = { space: Space; onClose: () => void };

export function EditSpaceDialog({ isOpen, ...opening }: Opening & { isOpen: boolean }) {
  return (
    <Dialog title={texts.editTitle} isOpen={isOpen} onClose={opening.onClose} isBlocking>
      <EditSpace {...opening} />
    </Dialog>
  );
}

function EditSpace({ space: { dpfId, name, contact }, onClose }: Opening) {
  const stored = { name, contact };
  const form = useForm({ defaultValues: stored });
  const draft = useFormDraft(form, "space", dpfId, stored);
  return (
    <DialogForm
      form={form}
      draft={draft}
      onClose={onClose}
      onSave={async (values) => {
        const fields = { name: values.name.trim(), contact: values.contact.trim() };
        await draft.send("SaveSpace", values, () => ({ space: dpfId, ...fields }));
        showToast(general.saved);
      }}
      submit={<SubmitButton icon="save">{general.save}</SubmitButton>}
    >
      <TextField
        control={form.control}
        name="name"
        label={list.name}
        maxLength={60}
        rules={requiredText(list.nameMissing)}
      />
      <TextField
        control={form.control}
        name="contact"
        label={texts.contact}
        hint={texts.contactHint}
        maxLength={60}
      />
    </DialogForm>
  );
}

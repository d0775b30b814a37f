// Sets a new password, typed twice. Closes by its buttons only; the password isn't kept as a draft.
import { useForm, useWatch } from "react-hook-form";
import { type PasswordFields, useSavePassword } from "../../api/account";
import { NewPasswordFields } from "../../components/accountFields";
import { Dialog } from "../../components/Dialog";
import { DialogForm } from "../../components/DialogForm";
import { SubmitButton } from "../../components/Form";
import { profile } from "../../components/texts/profile";
import { showToast } from "../../components/toasts";
import { focusesFirstField } from "../../lib/touch";
import { general } from "../../texts";

type Opening = { email: string; onClose: () => void };

export function PasswordDialog({ title, isOpen, ...opening }: Opening & { title: string; isOpen: boolean }) {
  return (
    <Dialog title={title} isOpen={isOpen} onClose={opening.onClose} isBlocking>
      <PasswordForm {...opening} />
    </Dialog>
  );
}

function PasswordForm({ email, onClose }: Opening) {
  const save = useSavePassword();
  const form = useForm<PasswordFields>({ defaultValues: { password: "", repeatPassword: "" } });
  const typed = useWatch({ control: form.control });
  const isIncomplete = !typed.password || !typed.repeatPassword;

  async function submit(fields: PasswordFields) {
    await save.mutateAsync(fields);
    showToast(profile.passwordSaved);
  }
  return (
    <DialogForm
      form={form}
      failure={general.failed}
      onSave={submit}
      onClose={onClose}
      submit={
        <SubmitButton icon="save" isDisabled={isIncomplete}>
          {general.save}
        </SubmitButton>
      }
    >
      <NewPasswordFields form={form} email={email} autoFocus={focusesFirstField()} />
    </DialogForm>
  );
}

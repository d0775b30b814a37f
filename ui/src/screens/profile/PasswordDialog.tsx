// Sets a new password, typed twice. Closes by its buttons only; the password isn't kept as a draft.
import { useForm, useWatch } from "react-hook-form";
import { type PasswordFields, useSavePassword } from "../../api/account";
import { NewPasswordFields } from "../../components/accountFields";
import { Button } from "../../components/Button";
import { Dialog, DialogActions, DialogBody } from "../../components/Dialog";
import { Form, SubmitButton } from "../../components/Form";
import { showToast } from "../../components/toasts";
import { focusesFirstField } from "../../lib/touch";
import { general, profile } from "../../texts";

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
    onClose();
  }
  return (
    <Form form={form} onSubmit={submit} failure={general.failed}>
      <DialogBody>
        <div className="stack">
          <NewPasswordFields form={form} email={email} autoFocus={focusesFirstField()} />
        </div>
      </DialogBody>
      <DialogActions>
        <Button onPress={onClose}>{general.cancel}</Button>
        <SubmitButton icon="save" isDisabled={isIncomplete}>
          {general.save}
        </SubmitButton>
      </DialogActions>
    </Form>
  );
}

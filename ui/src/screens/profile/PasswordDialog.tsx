// Asks for a new password, twice. It closes by its buttons only; the password isn't kept as a draft.
import { useForm, useWatch } from "react-hook-form";
import { type PasswordFields, useSavePassword } from "../../api/account";
import { Button } from "../../components/Button";
import { Dialog, DialogActions, DialogBody } from "../../components/Dialog";
import { Form, SubmitButton } from "../../components/Form";
import { PasswordField } from "../../components/fields";
import { showToast } from "../../components/toasts";
import { focusesFirstField } from "../../lib/touch";
import { general, profile } from "../../texts";

type Opening = { email: string; onClose: () => void };

export function PasswordDialog({ isOpen, ...opening }: Opening & { isOpen: boolean }) {
  return (
    <Dialog title={profile.changePassword} isOpen={isOpen} onClose={opening.onClose} isBlocking>
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
          {/* For password managers: the account of the new password. */}
          <input hidden readOnly autoComplete="username" value={email} />
          <PasswordField
            control={form.control}
            name="password"
            label={profile.password}
            hint={profile.passwordHint}
            autoComplete="new-password"
            autoFocus={focusesFirstField()}
          />
          <PasswordField
            control={form.control}
            name="repeatPassword"
            label={profile.repeatPassword}
            autoComplete="new-password"
            rules={{
              validate: (repeated) => repeated === form.getValues("password") || profile.passwordsDiffer,
            }}
          />
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

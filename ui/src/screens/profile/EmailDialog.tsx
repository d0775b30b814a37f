// Requests a change of the e-mail address. The new address is used once its owner has opened the link sent to it.
import { useForm } from "react-hook-form";
import { useChangeEmail } from "../../api/accountLinks";
import { EmailField } from "../../components/accountFields";
import { Button } from "../../components/Button";
import { Dialog, DialogActions, DialogBody } from "../../components/Dialog";
import { Form, SubmitButton } from "../../components/Form";
import { requiredText } from "../../components/fields";
import { showToast } from "../../components/toasts";
import { focusesFirstField } from "../../lib/touch";
import { general, profile, registration } from "../../texts";

export function EmailDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Dialog title={profile.changeEmail} isOpen={isOpen} onClose={onClose} isBlocking>
      <EmailForm onClose={onClose} />
    </Dialog>
  );
}

function EmailForm({ onClose }: { onClose: () => void }) {
  const change = useChangeEmail();
  const form = useForm({ defaultValues: { email: "" } });

  async function submit({ email }: { email: string }) {
    await change.mutateAsync(email.trim());
    showToast(profile.emailAsked(email.trim()));
    onClose();
  }
  return (
    <Form form={form} onSubmit={submit} failure={general.failed}>
      <DialogBody>
        <EmailField
          control={form.control}
          name="email"
          label={profile.newEmail}
          hint={profile.newEmailHint}
          autoFocus={focusesFirstField()}
          rules={requiredText(registration.emailMissing)}
        />
      </DialogBody>
      <DialogActions>
        <Button onPress={onClose}>{general.cancel}</Button>
        <SubmitButton>{profile.sendLink}</SubmitButton>
      </DialogActions>
    </Form>
  );
}

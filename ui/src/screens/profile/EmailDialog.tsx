// Requests a change of the e-mail address. The new address is used once its owner has opened the link sent to it.
import { useForm } from "react-hook-form";
import { useChangeEmail } from "../../api/accountLinks";
import { registration } from "../../components/account/texts";
import { EmailField } from "../../components/accountFields";
import { Dialog } from "../../components/Dialog";
import { DialogForm } from "../../components/DialogForm";
import { SubmitButton } from "../../components/Form";
import { requiredText } from "../../components/fields";
import { profile } from "../../components/texts/profile";
import { showToast } from "../../components/toasts";
import { focusesFirstField } from "../../lib/touch";
import { general } from "../../texts";

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
  }
  return (
    <DialogForm
      form={form}
      failure={general.failed}
      onSave={submit}
      onClose={onClose}
      submit={<SubmitButton>{profile.sendLink}</SubmitButton>}
    >
      <EmailField
        control={form.control}
        name="email"
        label={profile.newEmail}
        hint={profile.newEmailHint}
        autoFocus={focusesFirstField()}
        rules={requiredText(registration.emailMissing)}
      />
    </DialogForm>
  );
}

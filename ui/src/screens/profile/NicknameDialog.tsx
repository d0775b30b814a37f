// Asks for another nickname.
import { useForm } from "react-hook-form";
import { useSaveProfile } from "../../api/profile";
import { NicknameField } from "../../components/accountFields";
import { Button } from "../../components/Button";
import { Dialog, DialogActions, DialogBody } from "../../components/Dialog";
import { Form, SubmitButton } from "../../components/Form";
import { requiredText } from "../../components/fields";
import { showToast } from "../../components/toasts";
import { useRequests } from "../../components/useRequests";
import { useTransfer } from "../../components/useTransfer";
import { focusesFirstField } from "../../lib/touch";
import { general, profile, registration } from "../../texts";

type Opening = { nickname: string; onClose: () => void };

export function NicknameDialog({ isOpen, ...opening }: Opening & { isOpen: boolean }) {
  return (
    <Dialog title={profile.changeNickname} isOpen={isOpen} onClose={opening.onClose} isBlocking>
      <NicknameForm {...opening} />
    </Dialog>
  );
}

function NicknameForm({ nickname: stored, onClose }: Opening) {
  const save = useSaveProfile();
  const requests = useRequests("nickname", "own");
  const { run } = useTransfer();
  const form = useForm({ defaultValues: { nickname: stored } });

  async function submit(typed: { nickname: string }) {
    const fields = { nickname: typed.nickname.trim(), photo: null, removePhoto: null };
    const requestId = requests.idFor(fields);
    await run((transfer) => save.mutateAsync({ fields, requestId, transfer }));
    requests.forget();
    showToast(general.saved);
    onClose();
  }
  return (
    <Form form={form} onSubmit={submit} failure={general.saveFailed}>
      <DialogBody>
        <NicknameField
          control={form.control}
          name="nickname"
          label={profile.newNickname}
          hint={registration.nicknameHint}
          autoFocus={focusesFirstField()}
          rules={requiredText(registration.nicknameMissing)}
        />
      </DialogBody>
      <DialogActions>
        <Button onPress={onClose}>{general.cancel}</Button>
        <SubmitButton icon="save">{general.save}</SubmitButton>
      </DialogActions>
    </Form>
  );
}

// Changes the nickname.
import { useForm } from "react-hook-form";
import { NicknameField } from "../../components/accountFields";
import { Button } from "../../components/Button";
import { Dialog, DialogActions, DialogBody } from "../../components/Dialog";
import { Form, SubmitButton } from "../../components/Form";
import { requiredText } from "../../components/fields";
import { showToast } from "../../components/toasts";
import { useIntent } from "../../components/useIntent";
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
  const intent = useIntent("nickname", "own");
  const { run } = useTransfer();
  const form = useForm({ defaultValues: { nickname: stored } });

  async function submit(typed: { nickname: string }) {
    const fields = { nickname: typed.nickname.trim(), photo: null, removePhoto: null };
    await run((transfer) => intent.send("SaveProfile", fields, () => fields, { transfer }));
    intent.forget();
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

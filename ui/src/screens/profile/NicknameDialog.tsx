// Changes the nickname.
import { useForm } from "react-hook-form";
import { registration } from "../../components/account/texts";
import { NicknameField } from "../../components/accountFields";
import { Dialog } from "../../components/Dialog";
import { DialogForm } from "../../components/DialogForm";
import { SubmitButton } from "../../components/Form";
import { requiredText } from "../../components/fields";
import { profile } from "../../components/texts/profile";
import { showToast } from "../../components/toasts";
import { useIntent } from "../../components/useIntent";
import { useTransfer } from "../../components/useTransfer";
import { focusesFirstField } from "../../lib/touch";
import { general } from "../../texts";

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
    await run((transfer) => intent.send("SaveProfile", fields, () => fields, transfer));
    showToast(general.saved);
  }
  return (
    <DialogForm
      form={form}
      onSave={submit}
      onClose={onClose}
      submit={<SubmitButton icon="save">{general.save}</SubmitButton>}
    >
      <NicknameField
        control={form.control}
        name="nickname"
        label={profile.newNickname}
        hint={registration.nicknameHint}
        autoFocus={focusesFirstField()}
        rules={requiredText(registration.nicknameMissing)}
      />
    </DialogForm>
  );
}

// Creates a link with which somebody can create one account.
import { useState } from "react";
import { useForm } from "react-hook-form";
import { useAdminAction } from "../../api/admin";
import type { AdminLink } from "../../api/generated/AdminLink";
import { NicknameField } from "../../components/accountFields";
import { Button } from "../../components/Button";
import { Dialog, DialogActions, DialogBody } from "../../components/Dialog";
import { Form, SubmitButton } from "../../components/Form";
import { TextField } from "../../components/fields";
import { general } from "../../texts";
import { LinkField } from "./LinkField";
import { page, accounts as texts } from "./texts";

const usualDays = "7";

export function InviteDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Dialog title={texts.invite} isOpen={isOpen} onClose={onClose} isBlocking>
      <Invite onClose={onClose} />
    </Dialog>
  );
}

function Invite({ onClose }: { onClose: () => void }) {
  const invite = useAdminAction("InviteAccount");
  const [link, setLink] = useState<AdminLink | null>(null);
  const form = useForm({ defaultValues: { nickname: "", days: usualDays } });
  if (link !== null) {
    return (
      <>
        <DialogBody>
          <LinkField link={link} />
        </DialogBody>
        <DialogActions>
          <Button onPress={onClose}>{general.close}</Button>
        </DialogActions>
      </>
    );
  }
  return (
    <Form
      form={form}
      failure={page.failed}
      onSubmit={async ({ nickname, days }) =>
        setLink(await invite.mutateAsync({ nickname: nickname.trim(), days: Number(days) }))
      }
    >
      <DialogBody>
        <div className="stack">
          <p>{texts.inviteHint}</p>
          <NicknameField control={form.control} name="nickname" label={texts.nickname} />
          <TextField
            control={form.control}
            name="days"
            label={texts.days}
            inputMode="numeric"
            maxLength={2}
          />
        </div>
      </DialogBody>
      <DialogActions>
        <Button onPress={onClose}>{general.cancel}</Button>
        <SubmitButton>{texts.makeLink}</SubmitButton>
      </DialogActions>
    </Form>
  );
}

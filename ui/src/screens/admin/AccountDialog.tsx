// The dialog with the actions on one account.
import { useState } from "react";
import { useForm } from "react-hook-form";
import { useAdminAction, useMailOutbox } from "../../api/admin";
import type { AdminAccount } from "../../api/generated/AdminAccount";
import type { AdminLink } from "../../api/generated/AdminLink";
import { EmailField } from "../../components/accountFields";
import { Button } from "../../components/Button";
import { Dialog, DialogActions, DialogBody } from "../../components/Dialog";
import { DialogForm } from "../../components/DialogForm";
import { SubmitButton } from "../../components/Form";
import { requiredText, TextField } from "../../components/fields";
import { ErrorNote, errorText } from "../../components/states";
import { showToast } from "../../components/toasts";
import { sizeText } from "../../lib/sizes";
import { general } from "../../texts";
import { Buttons } from "./Facts";
import { LinkField } from "./LinkField";
import { page, quotaText, accounts as texts } from "./texts";

type Opening = { account: AdminAccount; onClose: () => void };

/** An action with a step of its own before it runs. */
type ConfirmedAction = "quota" | "removal";

const titles = { quota: texts.quotaTitle, removal: texts.removeTitle };

export function AccountDialog({ account, onClose }: Opening) {
  const [confirming, setConfirming] = useState<ConfirmedAction | null>(null);
  const { email } = account;
  return (
    <Dialog
      title={confirming === null ? email : titles[confirming](email)}
      isOpen
      onClose={onClose}
      isBlocking={confirming !== null}
    >
      {confirming === null && <Actions account={account} onClose={onClose} onConfirm={setConfirming} />}
      {confirming === "quota" && <Quota account={account} onClose={onClose} />}
      {confirming === "removal" && <Removal account={account} onClose={onClose} />}
    </Dialog>
  );
}

function Actions({ account, onClose, onConfirm }: Opening & { onConfirm: (form: ConfirmedAction) => void }) {
  const { email, disabled, operator, own } = account;
  const [link, setLink] = useState<AdminLink | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const hasMailServer = (useMailOutbox().data?.server ?? "") !== "";
  const reset = useAdminAction("ResetAccount");
  const change = useAdminAction("ChangeAccount");
  const logOut = useAdminAction("LogOutAccount");

  /** Awaits a call and shows its outcome: a toast, or the error in the dialog. */
  async function perform(work: Promise<unknown>, done: string) {
    setFailure(null);
    await work.then(
      () => showToast(done),
      (error: unknown) => setFailure(errorText(error, page.failed)),
    );
  }
  async function makeLink() {
    setFailure(null);
    await reset.mutateAsync({ email }).then(setLink, (error: unknown) => {
      setFailure(errorText(error, page.failed));
    });
  }
  return (
    <>
      <DialogBody>
        <div className="stack">
          <p className="quiet">{texts.created(account.created)}</p>
          {link && <LinkField link={link} />}
          {failure !== null && <ErrorNote>{failure}</ErrorNote>}
          <Buttons isStacked>
            {!disabled && hasMailServer && (
              <Button
                icon="forward"
                onPress={() => perform(reset.mutateAsync({ email, byMail: true }), texts.mailed(email))}
              >
                {texts.resetByMail}
              </Button>
            )}
            {!disabled && (
              <Button icon="key" onPress={makeLink}>
                {texts.resetByLink}
              </Button>
            )}
            <Button
              icon="logout"
              onPress={() => perform(logOut.mutateAsync({ email }), texts.loggedOut(email))}
            >
              {texts.logOut}
            </Button>
            <Button
              icon="user"
              onPress={() =>
                perform(
                  change.mutateAsync({ email, operator: !operator }),
                  operator ? texts.demoted(email) : texts.promoted(email),
                )
              }
            >
              {operator ? texts.demote : texts.promote}
            </Button>
            {!own && (
              <Button
                icon={disabled ? "check" : "close"}
                onPress={() =>
                  perform(
                    change.mutateAsync({ email, disabled: !disabled }),
                    disabled ? texts.enabledNow(email) : texts.disabledNow(email),
                  )
                }
              >
                {disabled ? texts.enable : texts.disable}
              </Button>
            )}
            <Button icon="save" onPress={() => onConfirm("quota")}>
              {texts.quota}
            </Button>
            <Button variant="danger" icon="delete" onPress={() => onConfirm("removal")}>
              {texts.remove}
            </Button>
          </Buttons>
        </div>
      </DialogBody>
      <DialogActions>
        <Button onPress={onClose}>{general.close}</Button>
      </DialogActions>
    </>
  );
}

function Quota({ account: { email, usedBytes, quotaBytes, ownQuota }, onClose }: Opening) {
  const save = useAdminAction("SaveQuota");
  const form = useForm({ defaultValues: { quota: ownQuota ? quotaText(quotaBytes) : "" } });
  return (
    <DialogForm
      form={form}
      failure={page.failed}
      onSave={async ({ quota }) => {
        await save.mutateAsync({ email, quota: quota.trim() });
        showToast(texts.quotaSaved(email));
      }}
      onClose={onClose}
      submit={<SubmitButton>{general.save}</SubmitButton>}
    >
      <TextField
        control={form.control}
        name="quota"
        label={texts.quotaMost}
        hint={texts.quotaHint}
        maxLength={40}
      />
      <p className="quiet">{texts.quotaLower(sizeText(usedBytes))}</p>
    </DialogForm>
  );
}

/** Confirms the deletion: the admin types the address, so that a slip of the finger deletes nothing. */
function Removal({ account: { email }, onClose }: Opening) {
  const remove = useAdminAction("DeleteAccount");
  const form = useForm({ defaultValues: { typed: "" } });
  return (
    <DialogForm
      form={form}
      failure={page.failed}
      onSave={async ({ typed }) => {
        await remove.mutateAsync({ email, typed: typed.trim() });
        showToast(texts.removed(email));
      }}
      onClose={onClose}
      submit={<SubmitButton variant="danger">{texts.remove}</SubmitButton>}
    >
      <p>{texts.removeWarning}</p>
      <p>{texts.removeShared}</p>
      <EmailField
        control={form.control}
        name="typed"
        label={texts.typed}
        rules={requiredText(texts.typedMissing)}
      />
    </DialogForm>
  );
}

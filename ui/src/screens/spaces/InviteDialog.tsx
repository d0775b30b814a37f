// Makes a link with a QR code that invites into a space. The link is shown once: the server keeps only its digest.
import { useId, useState } from "react";
import { useForm, useWatch } from "react-hook-form";
import { type InvitationLink, isClub, Role, roles, type Space, useInvite } from "../../api/spaces";
import { Button } from "../../components/Button";
import { Dialog, DialogActions, DialogBody } from "../../components/Dialog";
import { Form, SubmitButton } from "../../components/Form";
import { TextField } from "../../components/fields";
import { RadioGroup } from "../../components/RadioGroup";
import { spaces } from "../../components/spaces/texts";
import { showToast } from "../../components/toasts";
import { general } from "../../texts";
import "../../styles/stage.css";
import styles from "./InviteDialog.module.css";
import { members, invitations as texts } from "./texts";

type Opening = { space: Space; onClose: () => void };

export function InviteDialog({ isOpen, ...opening }: Opening & { isOpen: boolean }) {
  return (
    <Dialog title={texts.inviteTo(opening.space.name)} isOpen={isOpen} onClose={opening.onClose} isBlocking>
      <Invite {...opening} />
    </Dialog>
  );
}

function Invite({ space, onClose }: Opening) {
  const [made, setMade] = useState<InvitationLink | null>(null);
  if (made !== null) return <Made made={made} onClose={onClose} />;
  return <InviteForm space={space} onMade={setMade} onClose={onClose} />;
}

type Values = { role: string; forWhom: "one" | "several"; uses: string; days: string };

function inRange(from: number, to: number) {
  return (text: string) =>
    (/^\d+$/.test(text.trim()) && Number(text) >= from && Number(text) <= to) || texts.outOfRange(from, to);
}

function InviteForm({ space, onMade, onClose }: Opening & { onMade: (made: InvitationLink) => void }) {
  const invite = useInvite();
  const form = useForm<Values>({
    defaultValues: { role: String(Role.member), forWhom: "one", uses: "50", days: "7" },
  });
  const { control } = form;
  const [role, forWhom] = useWatch({ control, name: ["role", "forWhom"] });
  async function make({ uses, days }: Values) {
    const made = await invite.mutateAsync({
      space: space.dpfId,
      // In a household all do everything.
      ...(isClub(space) && { role: Number(role) }),
      days: Number(days),
      uses: forWhom === "one" ? 1 : Number(uses),
    });
    onMade(made);
  }
  return (
    <Form form={form} onSubmit={make}>
      <DialogBody>
        <div className="stack">
          {isClub(space) && (
            <RadioGroup
              as="rows"
              aria-label={texts.role}
              value={role}
              choices={roles.toReversed().map((code) => ({
                value: String(code),
                text: spaces.roleOf(code),
                about: members.roleAbout[code],
              }))}
              onChange={(next) => form.setValue("role", next)}
            />
          )}
          <RadioGroup
            as="rows"
            aria-label={texts.forWhom}
            value={forWhom}
            choices={[
              { value: "one", text: texts.one, about: texts.oneAbout },
              { value: "several", text: texts.several, about: texts.severalAbout },
            ]}
            onChange={(next) => form.setValue("forWhom", next as Values["forWhom"])}
          />
          {forWhom === "several" && (
            <TextField
              control={control}
              name="uses"
              label={texts.uses}
              inputMode="numeric"
              maxLength={2}
              rules={{ validate: inRange(2, 50) }}
            />
          )}
          <TextField
            control={control}
            name="days"
            label={texts.days}
            inputMode="numeric"
            maxLength={2}
            rules={{ validate: inRange(1, 30) }}
          />
        </div>
      </DialogBody>
      <DialogActions>
        <Button onPress={onClose}>{general.cancel}</Button>
        <SubmitButton icon="qr">{texts.make}</SubmitButton>
      </DialogActions>
    </Form>
  );
}

function Made({ made: { link, img, ends }, onClose }: { made: InvitationLink; onClose: () => void }) {
  const id = useId();
  const share = navigator.share?.bind(navigator);
  // Pages over plain http have no clipboard: a tap selects the whole link.
  const clipboard = navigator.clipboard as Clipboard | undefined;
  async function copy() {
    await clipboard?.writeText(link).then(
      () => showToast(texts.copied),
      () => {},
    );
  }
  return (
    <>
      <DialogBody>
        <div className={styles.made}>
          <img className={styles.code} src={`data:image/png;base64,${img}`} alt={texts.qr} />
          <p>{texts.scan}</p>
          <div className={styles.field}>
            <label htmlFor={id}>{texts.link}</label>
            <input
              id={id}
              className={styles.link}
              readOnly
              value={link}
              onFocus={({ currentTarget }) => currentTarget.select()}
            />
            <p className="quiet">{texts.once(ends)}</p>
          </div>
          <div className={styles.ways}>
            {clipboard && (
              <Button icon="documents" onPress={copy}>
                {texts.copy}
              </Button>
            )}
            {share && (
              <Button icon="forward" onPress={() => share({ url: link }).catch(() => {})}>
                {texts.send}
              </Button>
            )}
          </div>
        </div>
      </DialogBody>
      <DialogActions>
        <Button variant="primary" onPress={onClose}>
          {general.close}
        </Button>
      </DialogActions>
    </>
  );
}

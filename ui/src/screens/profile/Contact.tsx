// How finders of lost equipment reach the pilot: a line on the stickers, also shown to whoever scans one.
import { useForm } from "react-hook-form";
import { useLocation, useNavigate } from "react-router";
import { Button, ButtonLink } from "../../components/Button";
import { Dialog, DialogActions, DialogBody } from "../../components/Dialog";
import { Form, SubmitButton } from "../../components/Form";
import { TextField } from "../../components/fields";
import { showToast } from "../../components/toasts";
import { useIntent } from "../../components/useIntent";
import { focusesFirstField } from "../../lib/touch";
import { general } from "../../texts";
import { urls } from "../../urls";
import { Action, ActionCard } from "./ActionCard";
import { contactLine as texts } from "./texts";

const maxLength = 60;

/** The contact and its dialog, which has an address for the links on the labels page. */
export function Contact({ contact }: { contact: string }) {
  const { pathname, hash } = useLocation();
  const navigate = useNavigate();
  const show = (url: string) => navigate(url, { replace: true, preventScrollReset: true });
  return (
    <ActionCard title={texts.title}>
      <Action hint={contact === "" ? texts.hint : texts.is(contact)}>
        <Button icon="edit" onPress={() => show(urls.contact)}>
          {contact === "" ? texts.set : texts.change}
        </Button>
      </Action>
      <Action hint={texts.labelsHint}>
        <ButtonLink to={urls.labels} icon="qr">
          {texts.labels}
        </ButtonLink>
      </Action>
      <Dialog
        title={texts.dialog}
        isOpen={pathname + hash === urls.contact}
        onClose={() => show(urls.profile)}
        isBlocking
      >
        <ContactForm contact={contact} onClose={() => show(urls.profile)} />
      </Dialog>
    </ActionCard>
  );
}

function ContactForm({ contact, onClose }: { contact: string; onClose: () => void }) {
  const intent = useIntent("contact", "own");
  const form = useForm({ defaultValues: { text: contact } });
  async function submit(typed: { text: string }) {
    const fields = { text: typed.text.trim() };
    await intent.send("SaveContact", fields, () => fields);
    intent.forget();
    showToast(general.saved);
    onClose();
  }
  return (
    <Form form={form} onSubmit={submit} failure={general.saveFailed}>
      <DialogBody>
        <TextField
          control={form.control}
          name="text"
          label={texts.field}
          hint={texts.fieldHint}
          maxLength={maxLength}
          autoFocus={focusesFirstField()}
        />
      </DialogBody>
      <DialogActions>
        <Button onPress={onClose}>{general.cancel}</Button>
        <SubmitButton icon="save">{general.save}</SubmitButton>
      </DialogActions>
    </Form>
  );
}

// How finders of lost equipment reach the pilot: a line on the stickers, also shown to whoever scans one.
import { useForm } from "react-hook-form";
import { Button, ButtonLink } from "../../components/Button";
import { Dialog } from "../../components/Dialog";
import { DialogForm } from "../../components/DialogForm";
import { SubmitButton } from "../../components/Form";
import { TextField } from "../../components/fields";
import { showToast } from "../../components/toasts";
import { useIntent } from "../../components/useIntent";
import { focusesFirstField } from "../../lib/touch";
import { general } from "../../texts";
import { urls } from "../../urls";
import { Action, ProfileFold } from "./ProfileFold";
import { contactLine as texts } from "./texts";
import { useAddressDialog } from "./useAddressDialog";

const maxLength = 60;

/** The contact and its dialog, which has an address for the links on the labels page. */
export function Contact({ contact }: { contact: string }) {
  const { isOpen, open, close } = useAddressDialog(urls.contact);
  return (
    <ProfileFold title={texts.title} note={contact}>
      <Action hint={contact === "" ? texts.hint : texts.is(contact)}>
        <Button icon="edit" onPress={open}>
          {contact === "" ? texts.set : texts.change}
        </Button>
      </Action>
      <Action hint={texts.labelsHint}>
        <ButtonLink to={urls.labels} icon="qr">
          {texts.labels}
        </ButtonLink>
      </Action>
      <Dialog title={texts.dialog} isOpen={isOpen} onClose={close} isBlocking>
        <ContactForm contact={contact} onClose={close} />
      </Dialog>
    </ProfileFold>
  );
}

function ContactForm({ contact, onClose }: { contact: string; onClose: () => void }) {
  const intent = useIntent("contact", "own");
  const form = useForm({ defaultValues: { text: contact } });
  async function submit(typed: { text: string }) {
    const fields = { text: typed.text.trim() };
    await intent.send("SaveContact", fields, () => fields);
    showToast(general.saved);
  }
  return (
    <DialogForm
      form={form}
      onSave={submit}
      onClose={onClose}
      submit={<SubmitButton icon="save">{general.save}</SubmitButton>}
    >
      <TextField
        control={form.control}
        name="text"
        label={texts.field}
        hint={texts.fieldHint}
        maxLength={maxLength}
        autoFocus={focusesFirstField()}
      />
    </DialogForm>
  );
}

// Asks for consent to the technically necessary cookies. A native `<dialog>`: the first screen of a first visit waits
// for no library.

import { useId } from "react";
import { useForm } from "react-hook-form";
import { Link } from "react-router";
import { Button } from "../../components/Button";
import { DialogActions, DialogBody } from "../../components/Dialog";
import dialog from "../../components/Dialog.module.css";
import { Form, SubmitButton } from "../../components/Form";
import { Checkbox } from "../../components/fields";
import { ErrorNote } from "../../components/states";
import { layout } from "../../texts";
import { urls } from "../../urls";
import styles from "./ConsentDialog.module.css";
import { consent } from "./texts";

type Answers = { onAccept: () => void; onClose: () => void };

export function ConsentDialog({ isOpen, ...answers }: Answers & { isOpen: boolean }) {
  const title = useId();
  if (!isOpen) return null;
  return (
    <dialog
      ref={open}
      className={`${dialog.backdrop} ${styles.dialog}`}
      data-entering=""
      aria-labelledby={title}
      // Escape must not close the dialog while React considers it open.
      onCancel={(event) => {
        event.preventDefault();
        answers.onClose();
      }}
      onPointerDown={({ target, currentTarget }) => target === currentTarget && answers.onClose()}
    >
      <div className={dialog.frame} data-entering="">
        <div className={dialog.dialog}>
          <h2 id={title} className={dialog.title} tabIndex={-1}>
            {consent.title}
          </h2>
          <ConsentForm {...answers} />
        </div>
      </div>
    </dialog>
  );
}

/** Opens the dialog and focuses its title, so that it is read first. Closing returns the focus to where it was. */
function open(element: HTMLDialogElement | null) {
  element?.showModal();
  element?.querySelector("h2")?.focus();
  return () => element?.close();
}

function ConsentForm({ onAccept, onClose }: Answers) {
  const form = useForm({ defaultValues: { necessary: false } });

  async function submit({ necessary }: { necessary: boolean }) {
    if (necessary) onAccept();
    else form.setError("necessary", { message: consent.missing });
  }
  const { errors } = form.formState;
  return (
    <Form form={form} onSubmit={submit}>
      <DialogBody>
        <div className="stack">
          <p>
            {consent.explanation}{" "}
            <Link to={urls.dataprivacy} target="_blank" rel="noopener">
              {layout.dataprivacy}
              <span className="visually-hidden"> {layout.newTab}</span>
            </Link>
          </p>
          <Checkbox control={form.control} name="necessary" label={consent.necessary} />
          {errors.necessary && <ErrorNote>{errors.necessary.message}</ErrorNote>}
        </div>
      </DialogBody>
      <DialogActions>
        <Button onPress={onClose}>{consent.decline}</Button>
        <SubmitButton>{consent.accept}</SubmitButton>
      </DialogActions>
    </Form>
  );
}

// A form that fills a dialog: its fields, and below them "Abbrechen" and the button that submits it. Both close the dialog
// and end the draft. Knows nothing of what is saved.
import type { ReactNode } from "react";
import type { FieldValues, UseFormReturn } from "react-hook-form";
import { general } from "../texts";
import { Button } from "./Button";
import { DialogActions, DialogBody } from "./Dialog";
import { DraftNote, Form, type FormDraft } from "./Form";

/** Goes into a `Dialog` that is `isBlocking`. `onSave` throws what the call threw, and then the dialog stays. */
export function DialogForm<Values extends FieldValues>({
  form,
  draft,
  failure = general.saveFailed,
  submit,
  onSave,
  onCancel,
  onClose,
  children,
}: {
  form: UseFormReturn<Values>;
  draft: FormDraft;
  /** Said when no answer came. */
  failure?: string;
  /** The button that submits the form. */
  submit: ReactNode;
  onSave: (values: Values) => Promise<unknown>;
  /** What "Abbrechen" does before the dialog closes. */
  onCancel?: () => void;
  onClose: () => void;
  children: ReactNode;
}) {
  function cancel() {
    onCancel?.();
    draft.clear();
    onClose();
  }
  return (
    <Form
      form={form}
      failure={failure}
      onSubmit={async (values) => {
        await onSave(values);
        draft.clear();
        onClose();
      }}
    >
      <DialogBody>
        <div className="stack">
          <DraftNote draft={draft} />
          {children}
        </div>
      </DialogBody>
      <DialogActions>
        <Button onPress={cancel}>{general.cancel}</Button>
        {submit}
      </DialogActions>
    </Form>
  );
}

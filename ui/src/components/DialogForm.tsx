// A form that fills a dialog: fields, "Abbrechen" and a submit button. Both buttons close the dialog and delete the
// draft. Independent of calls.
import type { ReactNode } from "react";
import type { FieldValues, UseFormReturn } from "react-hook-form";
import { general } from "../texts";
import { Button } from "./Button";
import { DialogActions, DialogBody } from "./Dialog";
import { Form } from "./Form";
import { DraftNote, type FormDraft } from "./FormDraft";

/** Goes into a `Dialog` that is `isBlocking`. When `onSave` throws, the dialog stays open and shows the error. */
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
  /** Absent where typed values must not be stored. */
  draft?: FormDraft;
  /** Shown when no answer came. */
  failure?: string;
  /** The label of the submit button. */
  submit: ReactNode;
  onSave: (values: Values) => Promise<unknown>;
  /** Called by "Abbrechen" before the dialog closes. */
  onCancel?: () => void;
  onClose: () => void;
  children: ReactNode;
}) {
  function cancel() {
    onCancel?.();
    draft?.clear();
    onClose();
  }
  return (
    <Form
      form={form}
      failure={failure}
      onSubmit={async (values) => {
        await onSave(values);
        draft?.clear();
        onClose();
      }}
    >
      <DialogBody>
        <div className="stack">
          {draft && <DraftNote draft={draft} />}
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

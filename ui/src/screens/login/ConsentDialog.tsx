// Asks for the consent to the technically necessary cookies.
import { useForm } from "react-hook-form";
import { Link } from "react-router";
import { Button } from "../../components/Button";
import { Dialog, DialogActions, DialogBody } from "../../components/Dialog";
import { Form, SubmitButton } from "../../components/Form";
import { Checkbox } from "../../components/fields";
import { ErrorNote } from "../../components/states";
import { consent, layout } from "../../texts";
import { urls } from "../../urls";

type Answers = { onAccept: () => void; onClose: () => void };

export function ConsentDialog({ isOpen, ...answers }: Answers & { isOpen: boolean }) {
  return (
    <Dialog title={consent.title} isOpen={isOpen} onClose={answers.onClose}>
      <ConsentForm {...answers} />
    </Dialog>
  );
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

// A rating and a message to whoever runs the server. It closes by its buttons only; what is typed is kept as a draft, so
// that a session that ends meanwhile doesn't lose it.
import { useForm } from "react-hook-form";
import { useSendFeedback } from "../../api/feedback";
import { Button } from "../../components/Button";
import { Dialog, DialogActions, DialogBody } from "../../components/Dialog";
import { DraftNote, Form, SubmitButton, useFormDraft } from "../../components/Form";
import { RadioChoice, TextArea } from "../../components/fields";
import { showToast } from "../../components/toasts";
import { feedback, general } from "../../texts";
import { version } from "../../version";

const toastDurationMs = 5_000;

const ratings = Array.from({ length: 10 }, (_, index) => String(index + 1)).map((rating) => ({
  value: rating,
  text: rating,
}));

export function FeedbackDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Dialog title={feedback.title} isOpen={isOpen} onClose={onClose} isBlocking>
      <FeedbackForm onClose={onClose} />
    </Dialog>
  );
}

function FeedbackForm({ onClose }: { onClose: () => void }) {
  const send = useSendFeedback();
  const form = useForm({ defaultValues: { rate: "5", message: "" } });
  const draft = useFormDraft(form, "feedback", "new");

  function cancel() {
    draft.clear();
    onClose();
  }
  return (
    <Form
      form={form}
      failure={general.failed}
      onSubmit={async (values) => {
        await send.mutateAsync({ ...values, version });
        draft.clear();
        showToast(feedback.sent, toastDurationMs);
        onClose();
      }}
    >
      <DialogBody>
        <div className="form feedback">
          <DraftNote draft={draft} />
          <RadioChoice
            control={form.control}
            name="rate"
            label={feedback.rating}
            hint={feedback.ratingHint}
            choices={ratings}
          />
          <TextArea
            control={form.control}
            name="message"
            label={feedback.message}
            hint={feedback.messageHint}
            rows={10}
            rules={{ validate: (message) => message.trim() !== "" || feedback.messageMissing }}
          />
        </div>
      </DialogBody>
      <DialogActions>
        <Button onPress={cancel}>{general.cancel}</Button>
        <SubmitButton>{feedback.send}</SubmitButton>
      </DialogActions>
    </Form>
  );
}

// The fields of the feedback, kept as a draft so that the end of a session doesn't lose them.
import { useForm } from "react-hook-form";
import { DialogForm } from "../../components/DialogForm";
import { SubmitButton } from "../../components/Form";
import { useFormDraft } from "../../components/FormDraft";
import { RadioChoice, TextArea } from "../../components/fields";
import { feedback } from "../../components/texts/feedback";
import { showToast } from "../../components/toasts";
import { general } from "../../texts";
import { version } from "../../version";
import styles from "./FeedbackForm.module.css";

const toastDurationMs = 5_000;

const ratings = Array.from({ length: 10 }, (_, index) => String(index + 1)).map((rating) => ({
  value: rating,
  text: rating,
}));

export function FeedbackForm({ onClose }: { onClose: () => void }) {
  const form = useForm({ defaultValues: { rate: "5", message: "" } });
  const draft = useFormDraft(form, "feedback", "new");
  return (
    <DialogForm
      form={form}
      draft={draft}
      failure={general.failed}
      onClose={onClose}
      onSave={async (values) => {
        await draft.send("SendFeedback", values, () => ({ ...values, version }));
        showToast(feedback.sent, toastDurationMs);
      }}
      submit={<SubmitButton>{feedback.send}</SubmitButton>}
    >
      <div className={`stack ${styles.feedback}`}>
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
    </DialogForm>
  );
}

// Sends a rating and a message to the operator of the server. Closes by its buttons only.
import { Dialog } from "../../components/Dialog";
import { later } from "../../components/later";
import { feedback } from "../../texts";

const FeedbackForm = later(async () => (await import("./FeedbackForm")).FeedbackForm);

export function FeedbackDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Dialog title={feedback.title} isOpen={isOpen} onClose={onClose} isBlocking>
      <FeedbackForm onClose={onClose} />
    </Dialog>
  );
}

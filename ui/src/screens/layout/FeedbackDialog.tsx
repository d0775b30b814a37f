// Sends a rating and a message to the operator of the server. Closes by its buttons only.
import { Dialog } from "../../components/Dialog";
import { deferred } from "../../components/deferred";
import { feedback } from "../../texts";

const FeedbackForm = deferred(async () => (await import("./FeedbackForm")).FeedbackForm);

export function FeedbackDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Dialog title={feedback.title} isOpen={isOpen} onClose={onClose} isBlocking>
      <FeedbackForm onClose={onClose} />
    </Dialog>
  );
}

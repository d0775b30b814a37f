// A rating and a message to the operator of the server. It closes by its buttons only. Its form is loaded when it is
// opened, or ahead of that: no first page waits for the code of forms.
import { lazy, Suspense } from "react";
import { Dialog } from "../../components/Dialog";
import { feedback } from "../../texts";

export const loadFeedbackForm = () => import("./FeedbackForm");

const FeedbackForm = lazy(async () => ({ default: (await loadFeedbackForm()).FeedbackForm }));

export function FeedbackDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Dialog title={feedback.title} isOpen={isOpen} onClose={onClose} isBlocking>
      <Suspense>
        <FeedbackForm onClose={onClose} />
      </Suspense>
    </Dialog>
  );
}

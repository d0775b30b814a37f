// Asks before a logout that would discard queued writes.
import { type ReactNode, useState } from "react";
import { useQueueState } from "../offline/queueState";
import { waitingLine } from "../texts";
import { ConfirmDialog } from "./Dialog";

/** `logOut` is called at once when nothing is queued. */
export function useLogoutQuestion(logOut: () => unknown): { ask: () => unknown; question: ReactNode } {
  const count = useQueueState().entries.length;
  const [queued, setQueued] = useState(0);
  const [isAsking, setAsking] = useState(false);
  function ask() {
    if (count === 0) return logOut();
    setQueued(count);
    setAsking(true);
  }
  const question = (
    <ConfirmDialog
      question={waitingLine.logoutQuestion(queued)}
      isOpen={isAsking}
      onClose={() => setAsking(false)}
      onYes={logOut}
      isDangerous
    />
  );
  return { ask, question };
}

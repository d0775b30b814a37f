// Asks before a logout that would discard what waits on this device.
import { type ReactNode, useState } from "react";
import { useQueueState } from "../offline/queueState";
import { waitingLine } from "../texts";
import { ConfirmDialog } from "./Dialog";

/** `logOut` is called at once when nothing waits. */
export function useLogoutQuestion(logOut: () => unknown): { ask: () => unknown; question: ReactNode } {
  const count = useQueueState().entries.length;
  const [asked, setAsked] = useState(0);
  const [isAsking, setAsking] = useState(false);
  function ask() {
    if (count === 0) return logOut();
    setAsked(count);
    setAsking(true);
  }
  const question = (
    <ConfirmDialog
      question={waitingLine.logoutQuestion(asked)}
      isOpen={isAsking}
      onClose={() => setAsking(false)}
      onYes={logOut}
      isDangerous
    />
  );
  return { ask, question };
}

// Writes that wait on this device for a login of their pilot, and the button that discards them.
import { useState } from "react";
import { Button } from "../../components/Button";
import { ConfirmDialog } from "../../components/Dialog";
import { InfoNote } from "../../components/states";
import { type OtherQueue, otherQueues } from "../../offline/otherQueues";
import { deleteQueue } from "../../offline/queueState";
import { waitingLine } from "../../texts";
import { waitingWrites as texts } from "./waitingTexts";

export function WaitingWrites() {
  const [queues, setQueues] = useState(() => otherQueues(""));
  const [doomed, setDoomed] = useState<OtherQueue | null>(null);
  function discard() {
    if (doomed === null) return;
    deleteQueue(doomed.account);
    setQueues(queues.filter((queue) => queue !== doomed));
  }
  return (
    <>
      {queues.map((queue) => (
        <InfoNote
          key={queue.account}
          icon="clock"
          action={
            <Button variant="quiet" onPress={() => setDoomed(queue)}>
              {texts.discard}
            </Button>
          }
        >
          {texts.of(queue.nickname, queue.count)}
        </InfoNote>
      ))}
      {doomed !== null && (
        <ConfirmDialog
          question={waitingLine.othersQuestion(doomed.nickname)}
          isOpen
          onClose={() => setDoomed(null)}
          onYes={discard}
          isDangerous
        >
          <p>{waitingLine.othersHint}</p>
        </ConfirmDialog>
      )}
    </>
  );
}

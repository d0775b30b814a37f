// The button that deletes a flight that was started by mistake. Just after the start one tap undoes it; later the
// button asks first.
import { useEffect, useState } from "react";
import type { Flight } from "../../api/generated/Flight";
import { useWrite } from "../../api/useWrite";
import { undoableMs } from "../../lib/justStarted";
import { Button } from "../Button";
import { ConfirmDialog } from "../Dialog";
import { focusHeadingIfLost } from "../focusHeading";
import { ErrorNote, errorText } from "../states";
import { flights } from "../texts/flights";
import { showToast } from "../toasts";
import styles from "./DiscardFlight.module.css";

/** `onDone`: called after the deletion. */
export function DiscardFlight({ flight, onDone }: { flight: Flight; onDone?: (() => void) | undefined }) {
  const remove = useWrite("DeleteFlight");
  const isUndo = useUndoable(flight.dpfId);
  const [isAsking, setAsking] = useState(false);
  const [error, setError] = useState<string | null>(null);

  async function discard() {
    setError(null);
    try {
      await remove.mutateAsync({ dpfId: flight.dpfId });
      if (isUndo) showToast(flights.startUndone);
      onDone?.();
      focusHeadingIfLost();
    } catch (failure) {
      setError(errorText(failure, flights.deleteFailed));
    }
  }

  return (
    <>
      {isUndo ? (
        <Button key="undo" icon="activate" onPress={discard}>
          {flights.undoStart}
        </Button>
      ) : (
        <span className={styles.discard}>
          <Button key="discard" icon="delete" onPress={() => setAsking(true)}>
            <span className="visually-hidden">{flights.discardWhat} </span>
            {flights.discard}
          </Button>
        </span>
      )}
      {error !== null && (
        <div className={styles.error}>
          <ErrorNote>{error}</ErrorNote>
        </div>
      )}
      <ConfirmDialog
        question={flights.discardQuestion}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onYes={discard}
        isDangerous
      >
        <p className="quiet">{flights.deleteWhich(flight.copter.name, flight.startTime, flight.location)}</p>
        <p className="quiet">{flights.deleteAlong}</p>
      </ConfirmDialog>
    </>
  );
}

function useUndoable(dpfId: string): boolean {
  const [isUndoable, setUndoable] = useState(() => undoableMs(dpfId) > 0);
  useEffect(() => {
    const timer = setTimeout(() => setUndoable(false), undoableMs(dpfId));
    return () => clearTimeout(timer);
  }, [dpfId]);
  return isUndoable;
}

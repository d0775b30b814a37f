// Says that a shared item is in an open flight. Who keeps the gear may free it from the flight of another member.
// Nothing for other items.
import { useState } from "react";
import type { Equipment } from "../../api/generated/Equipment";
import { mayKeep } from "../../api/spaces";
import { useWrite } from "../../api/useWrite";
import { formatDate, shortTime, wallClock } from "../../lib/dates";
import { general } from "../../texts";
import { Button } from "../Button";
import { ConfirmDialog } from "../Dialog";
import { ErrorNote, errorText, InfoNote } from "../states";
import { showToast } from "../toasts";
import { spaces as texts } from "./texts";

export function InUse({ item }: { item: Equipment }) {
  const free = useWrite("FreeEquipment");
  const [isAsking, setAsking] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const { name, dpfId, inUse } = item;
  if (!inUse) return null;
  const since = shortTime(inUse.since, formatDate(wallClock()));
  if (inUse.mine) return <InfoNote icon="start">{texts.inOwnFlight(name, since)}</InfoNote>;
  async function release() {
    setFailure(null);
    try {
      await free.mutateAsync({ dpfId });
      showToast(texts.freed(name));
    } catch (error) {
      setFailure(errorText(error, general.saveFailed));
    }
  }
  return (
    <>
      <InfoNote
        icon="start"
        action={
          mayKeep(item) && (
            <Button onPress={() => setAsking(true)}>
              {texts.free}
              <span className="visually-hidden"> {name}</span>
            </Button>
          )
        }
      >
        {texts.inUse(name, inUse.by, since)}
      </InfoNote>
      {failure !== null && <ErrorNote>{failure}</ErrorNote>}
      <ConfirmDialog
        question={texts.freeQuestion(name)}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onYes={release}
        yes={texts.free}
        no={general.cancel}
      >
        <p>{texts.freeHint}</p>
      </ConfirmDialog>
    </>
  );
}

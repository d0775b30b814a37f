// What the pilot had flown before Fluglog, and its dialog.
import { useAnswer } from "../../api/answers";
import type { PriorFlights } from "../../api/generated/PriorFlights";
import { Button } from "../../components/Button";
import { priorText } from "../../components/prior/priorValues";
import { prior as texts } from "../../components/prior/texts";
import { usePriorDialog } from "../../components/prior/usePriorDialog";
import { Action, ProfileFold } from "./ProfileFold";

export function BeforeFluglog() {
  const stored = useAnswer("GetPriorFlights", {}).data;
  const dialog = usePriorDialog(undefined, stored);
  const text = stored === undefined ? "" : priorText(stored);
  return (
    <ProfileFold title={texts.title} note={text}>
      {stored !== undefined && <Stored stored={stored} onEdit={dialog.open} />}
      {dialog.dialog}
    </ProfileFold>
  );
}

function Stored({ stored, onEdit }: { stored: PriorFlights; onEdit: () => void }) {
  const text = priorText(stored);
  const until = stored.until === "" ? "" : texts.until(stored.until);
  const about = text === "" ? [] : [text, until, stored.note].filter((part) => part !== "");
  return (
    <>
      {about.length > 0 && <p>{about.join(", ")}</p>}
      <Action hint={texts.hint}>
        <Button icon="edit" onPress={onEdit}>
          {text === "" ? texts.add : texts.change}
        </Button>
      </Action>
    </>
  );
}

// What the pilot had flown before Fluglog, and its dialog.
import { useAnswer } from "../../api/answers";
import { Button } from "../../components/Button";
import { priorText } from "../../components/prior/priorValues";
import { prior as texts } from "../../components/prior/texts";
import { usePriorDialog } from "../../components/prior/usePriorDialog";
import { Action, ProfileFold } from "./ProfileFold";

export function BeforeFluglog() {
  const stored = useAnswer("GetPriorFlights", {}).data;
  const dialog = usePriorDialog(undefined, stored);
  if (stored === undefined) return null;
  const { until, note } = stored;
  const about = [until === "" ? "" : texts.until(until), note].filter((text) => text !== "").join(", ");
  const isEmpty = priorText(stored) === "";
  return (
    <ProfileFold title={texts.title} note={priorText(stored)}>
      <Action hint={[about, texts.hint].filter((text) => text !== "").join(". ")}>
        <Button icon="edit" onPress={dialog.open}>
          {isEmpty ? texts.add : texts.change}
        </Button>
      </Action>
      {dialog.dialog}
    </ProfileFold>
  );
}

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
  const text = priorText(stored);
  const isEmpty = text === "";
  const until = stored.until === "" ? "" : texts.until(stored.until);
  const about = isEmpty ? [] : [text, until, stored.note].filter((part) => part !== "");
  return (
    <ProfileFold title={texts.title} note={text}>
      {about.length > 0 && <p>{about.join(", ")}</p>}
      <Action hint={texts.hint}>
        <Button icon="edit" onPress={dialog.open}>
          {isEmpty ? texts.add : texts.change}
        </Button>
      </Action>
      {dialog.dialog}
    </ProfileFold>
  );
}

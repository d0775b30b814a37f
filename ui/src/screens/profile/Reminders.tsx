// "Erinnerungen": whether mails about packs with maintenance hints are sent. The switch takes effect at once.
import { useAnswer } from "../../api/answers";
import { useWrite } from "../../api/useWrite";
import { Switch } from "../../components/Switch";
import { ErrorNote, errorText } from "../../components/states";
import { general } from "../../texts";
import { ActionCard } from "./ActionCard";
import { reminders as texts } from "./texts";

export function Reminders() {
  const reminder = useAnswer("GetReminder", {});
  const save = useWrite("SaveReminder");
  // Nothing to switch until the state is loaded.
  if (reminder.data === undefined) return null;
  return (
    <ActionCard title={texts.title}>
      <Switch isSelected={reminder.data.on} onChange={(on) => save.mutate({ on })}>
        {texts.packs}
      </Switch>
      <p className="quiet">{texts.packsHint}</p>
      {save.error && <ErrorNote>{errorText(save.error, general.saveFailed)}</ErrorNote>}
    </ActionCard>
  );
}

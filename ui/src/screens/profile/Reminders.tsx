// "Erinnerungen": whether mails about packs, maintenance and proofs are sent. The switch takes effect at once.
import { useAnswer } from "../../api/answers";
import { useWrite } from "../../api/useWrite";
import { Switch } from "../../components/Switch";
import { ErrorNote, errorText } from "../../components/states";
import { general } from "../../texts";
import { ProfileFold } from "./ProfileFold";
import { reminders as texts } from "./texts";

export function Reminders() {
  const reminder = useAnswer("GetReminder", {});
  const save = useWrite("SaveReminder");
  const isOn = reminder.data?.on;
  return (
    <ProfileFold title={texts.title} note={isOn === undefined ? "" : isOn ? texts.on : texts.off}>
      {isOn !== undefined && (
        <Switch isSelected={isOn} onChange={(on) => save.mutate({ on })}>
          {texts.mails}
        </Switch>
      )}
      <p className="quiet">{texts.hint}</p>
      {save.error && <ErrorNote>{errorText(save.error, general.saveFailed)}</ErrorNote>}
    </ProfileFold>
  );
}

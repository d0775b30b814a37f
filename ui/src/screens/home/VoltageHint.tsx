// Hints at imported flights with suspect voltages, with the link to correct them.
import { useSuspectVoltages } from "../../api/voltages";
import { ButtonLink } from "../../components/Button";
import { InfoNote } from "../../components/states";
import { urls } from "../../urls";
import { voltageHint as texts } from "./texts";

export function VoltageHint() {
  const doubts = useSuspectVoltages().data ?? [];
  if (doubts.length === 0) return null;
  const canBeMended = doubts.some(({ isMendable }) => isMendable);
  return (
    <InfoNote
      icon="battery"
      action={
        <ButtonLink to={urls.voltages} variant="quiet">
          {canBeMended ? texts.mend : texts.look}
        </ButtonLink>
      }
    >
      {texts.found(doubts.length)}
    </InfoNote>
  );
}

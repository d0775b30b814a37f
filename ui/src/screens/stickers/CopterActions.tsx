// The action on a copter's sheet: starts a flight like its last one, with charged packs; one tap undoes the start.
import { useNavigate } from "react-router";
import { useFlyableEquipments } from "../../api/equipment";
import type { AllEquipments } from "../../api/generated/AllEquipments";
import type { Equipment } from "../../api/generated/Equipment";
import type { FlightRow } from "../../api/generated/FlightRow";
import { Kind } from "../../api/generated/Kind";
import { useLastFlightOf } from "../../api/stickers";
import { chosenItems, presetFromFlight } from "../../components/start/readyFlight";
import { usePosition } from "../../components/start/usePosition";
import { useStartDefaults } from "../../components/start/useStartDefaults";
import { useStartFlight } from "../../components/start/useStartFlight";
import { errorText } from "../../components/states";
import { flights } from "../../components/texts/flights";
import { showToast } from "../../components/toasts";
import { urls } from "../../urls";
import { ActionButton } from "./ActionButton";
import { takeBackFlight } from "./PackActions";
import { stickers as texts } from "./texts";
import { undoMs } from "./undo";

type OnFailure = (text: string | null) => void;

export function CopterActions({ copter, onFailure }: { copter: Equipment; onFailure: OnFailure }) {
  const all = useFlyableEquipments().data;
  const last = useLastFlightOf(copter.dpfId);
  return last && all ? <LikeLast last={last} all={all} onFailure={onFailure} /> : <Prepare about="" />;
}

function Prepare({ about }: { about: string }) {
  const navigate = useNavigate();
  return (
    <ActionButton
      icon="start"
      title={texts.choose}
      about={about}
      isMain
      onPress={() => navigate(urls.flightConfig)}
    />
  );
}

function LikeLast({ last, all, onFailure }: { last: FlightRow; all: AllEquipments; onFailure: OnFailure }) {
  const navigate = useNavigate();
  const starting = useStartFlight(last.dpfId);
  const known = useStartDefaults(last, usePosition().place);
  const { choice, notReady } = presetFromFlight(last, all);
  if (notReady > 0 || choice.copter === "") return <Prepare about={texts.noPack} />;
  const packs = chosenItems(choice, all).filter(({ type }) => type === Kind.Battery);
  const start = known(packs);
  async function startNow() {
    onFailure(null);
    try {
      const dpfId = await starting.start(choice, start);
      navigate(urls.home);
      showToast(texts.started, undoMs, {
        text: texts.undo,
        onPress: () => void takeBackFlight(dpfId),
      });
    } catch (error) {
      onFailure(errorText(error, flights.unanswered));
    }
  }
  const about = [...packs.map(({ name }) => name), start.location].filter((text) => text !== "");
  return (
    <ActionButton
      icon="start"
      title={texts.startLikeLast}
      about={about.join(" · ")}
      isMain
      onPress={startNow}
    />
  );
}

// Actions on a pack's sheet: charged, flown, stored, empty. Each is sent, or queued while offline.
import { useRef, useState } from "react";
import { useNavigate } from "react-router";
import { ApiError } from "../../api/client";
import { useFlyableEquipments } from "../../api/equipment";
import type { Equipment } from "../../api/generated/Equipment";
import { perform, requestIdOf } from "../../api/perform";
import { useLastFlightOf } from "../../api/stickers";
import { usePosition } from "../../components/start/usePosition";
import { useStartDefaults } from "../../components/start/useStartDefaults";
import { fieldsOf } from "../../components/start/useStartFlight";
import { errorText } from "../../components/states";
import { showToast } from "../../components/toasts";
import { formatClock, wallClock } from "../../lib/dates";
import { newId } from "../../lib/ids";
import { formatQuantity } from "../../lib/numbers";
import { emptyVolts, fullVolts } from "../../offline/cells";
import { wasQueued } from "../../offline/queueState";
import { general } from "../../texts";
import { urls } from "../../urls";
import { ActionButton } from "./ActionButton";
import { pastFlightLike } from "./actions";
import type { Outcome } from "./OutcomePage";
import { stickers as texts } from "./texts";
import { undoMs } from "./undo";

export function PackActions({
  pack,
  onOutcome,
  onFailure,
}: {
  pack: Equipment;
  onOutcome: (outcome: Outcome) => void;
  onFailure: (text: string | null) => void;
}) {
  const [reading] = useState(newId);
  const volts = emptyVolts(pack);
  const { dpfId, name } = pack;

  async function attempt(action: () => Promise<void>) {
    onFailure(null);
    try {
      await action();
    } catch (error) {
      onFailure(errorText(error, general.saveFailed));
    }
  }
  /** Sends a quick charge, and keeps its request id for undo. */
  async function quickCharge(
    action: "QuickCharge" | "QuickStore",
    shown: Pick<Outcome, "title" | "text" | "state">,
  ) {
    const fields = { battery: dpfId };
    const request = await requestIdOf(action, fields);
    await perform(action, fields, request);
    onOutcome({
      ...shown,
      item: dpfId,
      undo: () => perform("Undo", { undo: request }, newId()),
    });
  }
  const clock = () => formatClock(new Date());
  const markCharged = () =>
    quickCharge("QuickCharge", {
      title: `${texts.charged}.`,
      text: texts.isCharged(name, voltsOf(fullVolts(pack)), clock()),
      state: "full",
    });
  const markStored = () =>
    quickCharge("QuickStore", {
      title: `${texts.stored}.`,
      text: texts.isStored(name, clock()),
      state: "storage",
    });
  async function markEmpty() {
    if (volts === null) throw new ApiError(400, texts.unknownCells, null);
    const fields = { battery: dpfId, reading, voltage: volts, kind: 0 };
    await perform("SaveBatteryReading", fields, newId());
    onOutcome({
      title: `${texts.empty}.`,
      text: texts.isEmpty(name, clock()),
      state: "empty",
      item: dpfId,
      undo: () => perform("DeleteBatteryReading", { battery: dpfId, dpfId: reading }, newId()),
    });
  }
  const perCell =
    pack.storageVoltage === null || pack.cells === null ? null : pack.storageVoltage / pack.cells;
  return (
    <>
      <ActionButton
        icon="bolt"
        title={texts.charged}
        about={pack.lastCharging ? texts.chargingEnds : chargedTo(pack)}
        isMain
        onPress={() => attempt(markCharged)}
      />
      <FlownAction pack={pack} attempt={attempt} />
      <ActionButton
        icon="retire"
        title={texts.stored}
        about={perCell === null ? "" : texts.perCell(formatQuantity(perCell, "V"))}
        onPress={() => attempt(markStored)}
      />
      <ActionButton
        icon="battery-low"
        title={texts.empty}
        about={voltsOf(volts)}
        onPress={() => attempt(markEmpty)}
      />
    </>
  );
}

function voltsOf(volts: number | null): string {
  return volts === null ? "" : formatQuantity(volts, "V");
}

function chargedTo(pack: Equipment): string {
  const volts = voltsOf(fullVolts(pack));
  return volts === "" ? "" : texts.chargedTo(volts);
}

/**
 * Adds a past flight like the last one with this pack, and opens its form. Without such a flight, opens an empty form.
 */
function FlownAction({
  pack,
  attempt,
}: {
  pack: Equipment;
  attempt: (action: () => Promise<void>) => Promise<void>;
}) {
  const navigate = useNavigate();
  const all = useFlyableEquipments().data;
  const last = useLastFlightOf(pack.dpfId);
  const known = useStartDefaults(last, usePosition().place);
  const dpfId = useRef(newId());
  const like = last && all ? pastFlightLike(last, all, wallClock()) : null;
  async function add() {
    const flown = last && all ? pastFlightLike(last, all, wallClock()) : null;
    if (flown === null) {
      navigate(urls.addFlight);
      return;
    }
    const { config, ...times } = flown;
    const flight = { ...fieldsOf(known([pack])), ...times };
    const id = dpfId.current;
    const answer = await perform("AddFlight", { config, flight, dpfId: id }, id);
    dpfId.current = newId();
    navigate(urls.editFlight(id));
    const undo = () => takeBackFlight(id).then(() => navigate(urls.home));
    showToast(wasQueued(answer) ? texts.flightKept : texts.flightAdded, undoMs, {
      text: texts.undo,
      onPress: () => void undo(),
    });
  }
  const about = [last?.copter.name, like?.flightTime ? formatQuantity(like.flightTime, "min") : undefined];
  return (
    <ActionButton
      icon="start"
      title={texts.flown}
      about={like ? about.filter((text) => text !== undefined).join(", ") : ""}
      onPress={() => attempt(add)}
    />
  );
}

/** Deletes the flight, and shows whether that worked. */
export async function takeBackFlight(dpfId: string): Promise<void> {
  try {
    await perform("DeleteFlight", { dpfId }, newId());
    showToast(texts.undone);
  } catch (error) {
    showToast(errorText(error, texts.undoFailed));
  }
}

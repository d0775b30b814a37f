// The choice before a flight: its defaults, and which items can fly. Knows no widgets and no calls.
import type { AllEquipments } from "../../api/generated/AllEquipments";
import type { Equipment } from "../../api/generated/Equipment";
import type { FlightItem } from "../../api/generated/FlightItem";
import type { FlightRow } from "../../api/generated/FlightRow";
import { Kind } from "../../api/generated/Kind";
import type { Payload } from "../../api/generated/Payload";
import { parseDateTime, sortableTime } from "../../lib/dates";

export type Choice = { copter: string; equipments: string[]; payloads: Payload[] };

export const emptyChoice: Choice = { copter: "", equipments: [], payloads: [] };

export function byKind(all: AllEquipments): Record<Kind, Equipment[]> {
  return {
    [Kind.Copter]: all.copters,
    [Kind.Battery]: all.batteries,
    [Kind.Goggles]: all.goggles,
    [Kind.Transmitter]: all.sender,
    [Kind.VideoCamera]: all.videoCams,
  };
}

/** "flown": since it was charged. "unknown": no charging was ever recorded. */
export type ChargeState = "charged" | "unknown" | "flown" | "charging";

export function chargeState({ lastChargeTime, lastFlight, lastCharging }: Equipment): ChargeState {
  if (lastCharging !== null) return "charging";
  const [charged, flown] = [parseDateTime(lastChargeTime), parseDateTime(lastFlight)];
  if (charged === null) return "unknown";
  return flown === null || charged.compare(flown) > 0 ? "charged" : "flown";
}

/** The preset batteries first, then those that are charged. */
export function inReach(batteries: Equipment[], preset: readonly string[]): Equipment[] {
  const rank = (battery: Equipment) =>
    preset.includes(battery.dpfId) ? 0 : chargeState(battery) === "charged" ? 1 : 2;
  return batteries.toSorted((one, other) => rank(one) - rank(other));
}

export type Preset = {
  choice: Choice;
  /** How many items of the last flight are no longer in use. */
  dropped: number;
  /** How many batteries of the last flight have no ready one of their sort. */
  notReady: number;
};

export const noPreset: Preset = { choice: emptyChoice, dropped: 0, notReady: 0 };

/** As the last flight: its items that are still active, and for its batteries those of the same sort that are ready. */
export function likeFlight(flight: FlightRow, all: AllEquipments): Preset {
  const flown = flight.equipments.filter((item) => item.type === Kind.Battery);
  const ready = readyBatteries(flown, all.batteries);
  const others = flight.equipments.filter((item) => item.type !== Kind.Battery);
  const choice = activeOnly(
    {
      copter: flight.copter.dpfId,
      equipments: [...ready, ...others].map((item) => item.dpfId),
      payloads: flight.payloads,
    },
    all,
  );
  const dropped = ready.length + others.length - choice.equipments.length + (choice.copter === "" ? 1 : 0);
  return { choice, dropped, notReady: flown.length - ready.length };
}

/** For each flown battery another of its sort that can fly, or itself; charged ones first, and the longest unused of those. */
function readyBatteries(flown: FlightItem[], batteries: Equipment[]): Equipment[] {
  const ready: Equipment[] = [];
  const wasFlown = (battery: Equipment) => flown.some((item) => item.dpfId === battery.dpfId);
  const rank = (battery: Equipment) =>
    (chargeState(battery) === "charged" ? 0 : 2) + (wasFlown(battery) ? 1 : 0);
  const ranked = batteries
    .filter((battery) => ["charged", "unknown"].includes(chargeState(battery)))
    .toSorted(
      (one, other) =>
        rank(one) - rank(other) || sortableTime(one.lastFlight) - sortableTime(other.lastFlight),
    );
  for (const item of flown) {
    const found = ranked.find((battery) => isSameSort(battery, item) && !ready.includes(battery));
    if (found) ready.push(found);
  }
  return ready;
}

function isSameSort(battery: Equipment, { dpfId, model }: FlightItem): boolean {
  return battery.dpfId === dpfId || (model !== "" && battery.model === model);
}

/** The choice without items that were retired since. */
export function activeOnly(choice: Choice, all: AllEquipments): Choice {
  const { [Kind.Copter]: copters, ...others } = byKind(all);
  const active = new Set(
    Object.values(others)
      .flat()
      .map((item) => item.dpfId),
  );
  return {
    copter: copters.some((item) => item.dpfId === choice.copter) ? choice.copter : "",
    equipments: choice.equipments.filter((dpfId) => active.has(dpfId)),
    payloads: choice.payloads,
  };
}

/** The items of a choice. */
export function chosenItems(choice: Choice, all: AllEquipments): Equipment[] {
  const chosen = new Set([choice.copter, ...choice.equipments]);
  return Object.values(byKind(all))
    .flat()
    .filter((item) => chosen.has(item.dpfId));
}

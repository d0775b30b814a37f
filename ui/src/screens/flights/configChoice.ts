// The choice before a flight: its defaults, and which items can fly. Knows no widgets and no calls.
import type { AllEquipments } from "../../api/generated/AllEquipments";
import type { Equipment } from "../../api/generated/Equipment";
import type { FlightRow } from "../../api/generated/FlightRow";
import { Kind } from "../../api/generated/Kind";
import type { Payload } from "../../api/generated/Payload";
import { parseDateTime } from "../../lib/dates";

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

/** Whether a battery was charged since it flew last. */
export function isCharged({ lastChargeTime, lastFlight, lastCharging }: Equipment): boolean {
  const [charged, flown] = [parseDateTime(lastChargeTime), parseDateTime(lastFlight)];
  return lastCharging === null && charged !== null && (flown === null || charged.compare(flown) > 0);
}

/** Charged batteries before the others. */
export function chargedFirst(batteries: Equipment[]): Equipment[] {
  return [...batteries.filter(isCharged), ...batteries.filter((battery) => !isCharged(battery))];
}

/** The last flight's items that are still active; `dropped` counts the others. */
export function likeFlight(flight: FlightRow, all: AllEquipments): { choice: Choice; dropped: number } {
  const choice: Choice = {
    copter: flight.copter.dpfId,
    equipments: flight.equipments.map((item) => item.dpfId),
    payloads: flight.payloads,
  };
  const usable = activeOnly(choice, all);
  const dropped = flight.equipments.length - usable.equipments.length + (usable.copter === "" ? 1 : 0);
  return { choice: usable, dropped };
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

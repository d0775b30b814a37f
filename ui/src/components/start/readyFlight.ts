// The flight that is ready to start: the choice of equipment, which packs are ready, and the known fields. Pure.
import type { AllEquipments } from "../../api/generated/AllEquipments";
import type { Equipment } from "../../api/generated/Equipment";
import type { Flight } from "../../api/generated/Flight";
import type { FlightItem } from "../../api/generated/FlightItem";
import type { FlightRow } from "../../api/generated/FlightRow";
import { Kind } from "../../api/generated/Kind";
import type { Payload } from "../../api/generated/Payload";
import { parseDateTime, sortableTime, utcOf } from "../../lib/dates";
import { type Coordinates, isSamePlace } from "../../lib/gps";

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

/** Why a pack isn't ready; "flown": since it was charged. */
type NotReadyReason = "charging" | "flying" | "low" | "empty" | "storage" | "flown";

/** Why the pack isn't ready; null when it is, or its state isn't known. */
export function notReadyReason(battery: Equipment): NotReadyReason | null {
  const { state, lastCharging } = battery;
  if (lastCharging !== null) return "charging";
  switch (state) {
    case "charging":
    case "flying":
    case "low":
    case "empty":
    case "storage":
      return state;
    case "full":
      return null;
    default:
      return isFlownSinceCharged(battery) ? "flown" : null;
  }
}

/** Whether the pack counts as charged. Without a recorded charge, that isn't known. */
export function isCharged(battery: Equipment): boolean {
  return notReadyReason(battery) === null && (battery.state === "full" || battery.lastChargeTime !== "");
}

function isFlownSinceCharged({ lastChargeTime, lastFlight }: Equipment): boolean {
  const [charged, flown] = [parseDateTime(lastChargeTime), parseDateTime(lastFlight)];
  return charged !== null && flown !== null && utcOf(charged) <= utcOf(flown);
}

/** Sorts batteries: preset ones first, then charged ones, of the preset's type before others. */
export function byReadiness(batteries: Equipment[], preset: readonly string[]): Equipment[] {
  const wanted = batteries.filter((battery) => preset.includes(battery.dpfId));
  const isWanted = (battery: Equipment) => wanted.some((one) => isSameType(one, battery));
  const rank = (battery: Equipment) => {
    if (preset.includes(battery.dpfId)) return 0;
    if (isCharged(battery)) return isWanted(battery) ? 1 : 2;
    return notReadyReason(battery) === null ? 3 : 4;
  };
  return batteries.toSorted((one, other) => rank(one) - rank(other));
}

/** Sorts items: preset ones first, the pilot's own before shared ones, then by last flight, newest first. */
export function byLastUse(items: Equipment[], preset: readonly string[]): Equipment[] {
  const rank = ({ dpfId, space }: Equipment) => (preset.includes(dpfId) ? 0 : space ? 2 : 1);
  return items.toSorted(
    (one, other) => rank(one) - rank(other) || sortableTime(other.lastFlight) - sortableTime(one.lastFlight),
  );
}

/** The first `count` items and the chosen ones. A single further item isn't left out. */
export function shortlist(items: Equipment[], chosen: readonly string[], count: number): Equipment[] {
  if (items.length <= count + 1) return items;
  return items.filter((item, position) => position < count || chosen.includes(item.dpfId));
}

export type Preset = {
  choice: Choice;
  /** Number of items of the last flight that are retired. */
  dropped: number;
  /** Number of batteries of the last flight without a ready one of their type. */
  notReady: number;
};

export const noPreset: Preset = { choice: emptyChoice, dropped: 0, notReady: 0 };

/** The preset from the last flight: its active items, and ready batteries of the same type. */
export function presetFromFlight(flight: FlightRow, all: AllEquipments): Preset {
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

/** Ready packs like those of the flight. */
export function packsLike(flight: Pick<FlightRow, "equipments">, batteries: Equipment[]): string[] {
  const flown = flight.equipments.filter((item) => item.type === Kind.Battery);
  return readyBatteries(flown, batteries).map(({ dpfId }) => dpfId);
}

/**
 * A ready pack of the same type for each flown one: charged ones first, the longest unused before; the flown one last.
 */
function readyBatteries(flown: FlightItem[], batteries: Equipment[]): Equipment[] {
  const ready: Equipment[] = [];
  const wasFlown = (battery: Equipment) => flown.some((item) => item.dpfId === battery.dpfId);
  const rank = (battery: Equipment) => (isCharged(battery) ? 0 : 2) + (wasFlown(battery) ? 1 : 0);
  const ranked = batteries
    .filter((battery) => notReadyReason(battery) === null && !battery.doubtful)
    .toSorted(
      (one, other) =>
        rank(one) - rank(other) || sortableTime(one.lastFlight) - sortableTime(other.lastFlight),
    );
  for (const item of flown) {
    const known = batteries.find(({ dpfId }) => dpfId === item.dpfId) ?? item;
    const found = ranked.find((battery) => isSameType(battery, known) && !ready.includes(battery));
    if (found) ready.push(found);
  }
  return ready;
}

type PackType = { dpfId: string; model: string; batteryType?: string; capacity?: number | null };

/** Whether packs have the same model, or without one the same battery type and capacity. */
export function isSameType(one: PackType, other: PackType): boolean {
  if (one.dpfId === other.dpfId) return true;
  if (one.model !== "" || other.model !== "") return one.model === other.model;
  const [sort, otherSort] = [one, other].map(({ batteryType = "", capacity = null }) =>
    batteryType === "" && capacity === null ? null : `${batteryType} ${capacity}`,
  );
  return sort !== null && sort === otherSort;
}

/**
 * The next pack for each one of a flight: of its type, charged, the longest unused first. Null when there aren't
 * enough.
 */
export function nextPacks(flight: { equipments: FlightItem[] }, batteries: Equipment[]): Equipment[] | null {
  const flown = flight.equipments.filter((item) => item.type === Kind.Battery);
  const isFlown = ({ dpfId }: Equipment) => flown.some((item) => item.dpfId === dpfId);
  const ready = batteries
    .filter((battery) => isCharged(battery) && !isFlown(battery) && !battery.doubtful)
    .toSorted((one, other) => sortableTime(one.lastFlight) - sortableTime(other.lastFlight));
  const next: Equipment[] = [];
  for (const item of flown) {
    const known = batteries.find(({ dpfId }) => dpfId === item.dpfId) ?? item;
    const found = ready.find((battery) => isSameType(battery, known) && !next.includes(battery));
    if (!found) return null;
    next.push(found);
  }
  return next;
}

/** Whether there is another pack, charged or not, of the type of one that flies. */
export function hasOthersOfType(flight: { equipments: FlightItem[] }, batteries: Equipment[]): boolean {
  const flown = flight.equipments.filter(({ type }) => type === Kind.Battery);
  const others = batteries.filter(({ dpfId }) => !flown.some((pack) => pack.dpfId === dpfId));
  return flown.some((pack) => {
    const known = batteries.find(({ dpfId }) => dpfId === pack.dpfId) ?? pack;
    return others.some((other) => isSameType(other, known));
  });
}

/** The flight's configuration with these packs instead of its own. */
export function withPacks(
  flight: { copter: FlightItem; equipments: FlightItem[]; payloads: Payload[] },
  packs: Equipment[],
): Choice {
  const others = flight.equipments.filter((item) => item.type !== Kind.Battery);
  return {
    copter: flight.copter.dpfId,
    equipments: [...packs, ...others].map((item) => item.dpfId),
    payloads: flight.payloads,
  };
}

/** The chosen packs after a tap: the first tapped pack replaces the proposed ones, each further one is added. */
export function afterTap(chosen: string[], tappedTo: string[], proposed: readonly string[]): string[] {
  const isProposal = chosen.length > 0 && chosen.length === proposed.length;
  if (!isProposal || !chosen.every((dpfId) => proposed.includes(dpfId))) return tappedTo;
  const added = tappedTo.filter((dpfId) => !chosen.includes(dpfId));
  return added.length > 0 ? added : tappedTo;
}

/** Fields that a flight shares with the next one of the day. */
type PreviousFlight = Pick<FlightRow, "startTime" | "location" | "startLatitude" | "startLongitude"> &
  Partial<Pick<Flight, "flightMode" | "weatherConditions" | "purpose">>;

/** Known fields of a flight that starts now; null and "" aren't known. */
export type StartDefaults = {
  location: string;
  startLatitude: number | null;
  startLongitude: number | null;
  batteryStartVoltage: number | null;
  flightMode: string | null;
  weatherConditions: string;
  purpose: string;
};

/**
 * Known fields of a flight that starts now. The place is the device's position, named like in earlier flights from
 * there, or else that of the last flight of the day. The voltage is that of the charged packs, if equal. `today` is
 * this device's date.
 */
export function startDefaults(
  {
    last,
    flights,
    packs,
    position,
  }: {
    last: PreviousFlight | null;
    flights: readonly FlightRow[];
    packs: readonly Equipment[];
    position: Coordinates | null;
  },
  today: string,
): StartDefaults {
  const before = last !== null && isOnDay(last, today) ? last : null;
  return {
    ...placeOf(before, flights, position),
    batteryStartVoltage: voltageOf(packs),
    flightMode: before?.flightMode ?? null,
    weatherConditions: before?.weatherConditions ?? "",
    purpose: before?.purpose ?? "",
  };
}

/** Whether a flight started on this day, as "01.03.2026". */
export function isOnDay({ startTime }: { startTime: string }, day: string): boolean {
  return startTime.startsWith(`${day} `);
}

/** Fields that the next flight of a series takes over. */
export function defaultsFromFlight(flight: Flight, packs: readonly Equipment[]): StartDefaults {
  const { location, startLatitude, startLongitude, flightMode, weatherConditions, purpose } = flight;
  const batteryStartVoltage = voltageOf(packs);
  return {
    ...{ location, startLatitude, startLongitude, batteryStartVoltage },
    ...{ flightMode, weatherConditions, purpose },
  };
}

function placeOf(before: PreviousFlight | null, flights: readonly FlightRow[], position: Coordinates | null) {
  if (position === null) {
    return {
      location: before?.location ?? "",
      startLatitude: before?.startLatitude ?? null,
      startLongitude: before?.startLongitude ?? null,
    };
  }
  return {
    location: placeNamed(flights, position),
    startLatitude: position.latitude,
    startLongitude: position.longitude,
  };
}

/** The place's name in the newest flight that started there; "" when there is none. */
export function placeNamed(flights: readonly FlightRow[], position: Coordinates): string {
  const there = flights.find(
    ({ location, startLatitude: latitude, startLongitude: longitude }) =>
      location !== "" &&
      latitude !== null &&
      longitude !== null &&
      isSamePlace({ latitude, longitude }, position),
  );
  return there?.location ?? "";
}

function voltageOf(packs: readonly Equipment[]): number | null {
  const voltages = packs.map((pack) => (isCharged(pack) ? pack.stateVoltage : null));
  const [first = null] = voltages;
  return voltages.every((voltage) => voltage === first) ? first : null;
}

/** Items that were in use at this time. */
export function usableAt(time: string, active: Equipment[], retired: Equipment[]): Equipment[] {
  const wasInUse = ({ deactivateTime }: Equipment) => sortableTime(deactivateTime) >= sortableTime(time);
  return [...active, ...retired.filter(wasInUse)];
}

/** For each pack the next one of its type in the list, cyclically. */
export function followingPacks(packs: readonly Equipment[], all: readonly Equipment[]): Equipment[] {
  return packs.map((pack) => {
    const sort = all.filter((other) => isSameType(pack, other));
    return sort[(sort.indexOf(pack) + 1) % sort.length] ?? pack;
  });
}

/**
 * The preset with items created on the way to this flight: the newest copter, as many packs as flew last, and
 * everything else.
 */
export function withCreatedItems(preset: Preset, created: readonly string[], all: AllEquipments): Preset {
  const { choice } = preset;
  const copter = created.findLast((dpfId) => all.copters.some((item) => item.dpfId === dpfId));
  const isPack = (dpfId: string) => all.batteries.some((pack) => pack.dpfId === dpfId);
  const equipments = [
    ...withCreatedPacks(choice.equipments.filter(isPack), created, all.batteries),
    ...new Set([...choice.equipments, ...created].filter((dpfId) => !isPack(dpfId))),
  ];
  return { ...preset, choice: activeOnly({ ...choice, copter: copter ?? choice.copter, equipments }, all) };
}

/** Created packs come first, the last charged one before the others; a set stays together. */
function withCreatedPacks(
  chosen: readonly string[],
  created: readonly string[],
  batteries: Equipment[],
): string[] {
  const newest = created.toReversed();
  const made = batteries
    .filter(({ dpfId }) => created.includes(dpfId))
    .toSorted((one, other) => newest.indexOf(one.dpfId) - newest.indexOf(other.dpfId))
    .toSorted((one, other) => freshness(other) - freshness(one));
  const set = made.filter((pack) => pack.set != null && pack.set.dpfId === made[0]?.set?.dpfId);
  const count = Math.max(1, chosen.length, set.length);
  const wanted = [...(set.length > 1 ? set : made).map(({ dpfId }) => dpfId), ...chosen];
  return [...new Set(wanted)].slice(0, count);
}

/** When a pack was charged, as a number that grows; 0 if it isn't charged. */
function freshness(battery: Equipment): number {
  return isCharged(battery) ? sortableTime(battery.lastChargeTime) : 0;
}

/** The choice without retired items. */
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

export function chosenItems(choice: Choice, all: AllEquipments): Equipment[] {
  const chosen = new Set([choice.copter, ...choice.equipments]);
  return Object.values(byKind(all))
    .flat()
    .filter((item) => chosen.has(item.dpfId));
}

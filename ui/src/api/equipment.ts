// The calls that read equipment items, and what an answer about one shows. Knows no forms.
import { refresh, refreshOne, setCached, updateAllCached, updateCached, useAnswer } from "./answers";
import { cache } from "./cache";
import type { Fields } from "./client";
import type { AllEquipments } from "./generated/AllEquipments";
import type { Equipment } from "./generated/Equipment";
import { Kind } from "./generated/Kind";

/**
 * The list of one kind, either the active or the retired items. Fresh until something changes or the user comes back.
 */
export function useEquipments(type: Kind, deactivated: boolean) {
  const fresh = { staleTime: Number.POSITIVE_INFINITY, refetchOnWindowFocus: "always" } as const;
  return useAnswer("GetEquipments", { type, deactivated }, fresh);
}

export function useEquipment(dpfId: string, isWanted = true) {
  return useAnswer("GetEquipment", { dpfId }, { enabled: isWanted });
}

/** All active items of every kind, to choose from for a flight. */
export function useAllEquipments(isWanted = true) {
  return useAnswer("GetAllEquipments", {}, { enabled: isWanted });
}

const ofEquipment = [
  "GetEquipment",
  "GetEquipments",
  "GetAllEquipments",
  "GetChargings",
  "GetBatteryPassport",
  "GetBatteryHints",
] as const;

/** After any change of an item or of its figures from flights. */
export function refreshEquipment(): Promise<void> {
  cache.invalidateQueries({
    predicate: ({ queryKey: [name, fields] }) =>
      name === "GetFlights" && (fields as Fields<"GetFlights">).equipment != null,
  });
  return refresh(...ofEquipment);
}

const byName = new Intl.Collator("de", { numeric: true });

/** Updates every cached list of a kind at once; the caller refetches them. */
export function updateCachedLists(type: Kind, changed: (item: Equipment) => Equipment): void {
  updateAllCached("GetEquipments", (list, of) => (of.type === type ? list.map(changed) : list));
}

/**
 * A list of one view with the item as it is now: in its place by name, or removed when it belongs to the other view.
 */
export function withItem(list: Equipment[], item: Equipment, deactivated: boolean): Equipment[] {
  const others = list.filter((other) => other.dpfId !== item.dpfId);
  if ((item.deactivateTime !== "") !== deactivated) return others;
  return [...others, item].sort((one, other) => byName.compare(one.name, other.name));
}

/** Puts the answer into every cached list and the item's own entry. */
export function setCachedItem(item: Equipment | undefined): void {
  if (!item) return;
  setCached("GetEquipment", { dpfId: item.dpfId }, item);
  for (const deactivated of [false, true]) {
    updateCached("GetEquipments", { type: item.type, deactivated }, (list) =>
      withItem(list, item, deactivated),
    );
  }
  const list = listInAll[item.type];
  updateCached("GetAllEquipments", {}, (all) => ({ ...all, [list]: withItem(all[list], item, false) }));
  refreshOne("GetAllEquipments", {});
}

const listInAll = {
  [Kind.Copter]: "copters",
  [Kind.Battery]: "batteries",
  [Kind.Goggles]: "goggles",
  [Kind.Transmitter]: "sender",
  [Kind.VideoCamera]: "videoCams",
} as const satisfies Record<Kind, keyof AllEquipments>;

/** The fields of a kind's form as typed, plus `type`. */
export type EquipmentFields = Fields<"SaveNewEquipment">["equipment"];

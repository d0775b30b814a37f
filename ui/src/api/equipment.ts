// Reads equipment items, and updates cached answers about them. Independent of forms.
import { refresh, refreshOne, setCached, updateAllCached, updateCached, useAnswer } from "./answers";
import { cache } from "./cache";
import type { Fields } from "./client";
import type { AllEquipments } from "./generated/AllEquipments";
import type { Equipment } from "./generated/Equipment";
import { Kind } from "./generated/Kind";
import { mayUse } from "./spaces";

/** The active or the retired items of a kind. Fresh until something changes or the window gets the focus. */
export function useEquipments(type: Kind, deactivated: boolean) {
  const fresh = { staleTime: Number.POSITIVE_INFINITY, refetchOnWindowFocus: "always" } as const;
  return useAnswer("GetEquipments", { type, deactivated }, fresh);
}

export function useEquipment(dpfId: string, isWanted = true) {
  return useAnswer("GetEquipment", { dpfId }, { enabled: isWanted });
}

/** All active items of every kind. */
export function useAllEquipments() {
  return useAnswer("GetAllEquipments", {});
}

/** The active items that the pilot may fly. */
export function useFlyableEquipments(isWanted = true) {
  return useAnswer("GetAllEquipments", {}, { enabled: isWanted, partOf: flyableOf });
}

/** Refetched when a screen opens: somebody may have shared an item just now. */
export function useNewestFlyableEquipments() {
  return useAnswer("GetAllEquipments", {}, { staleTime: 0, partOf: flyableOf });
}

function flyableOf({ copters, batteries, goggles, sender, videoCams }: AllEquipments): AllEquipments {
  return {
    copters: copters.filter(mayUse),
    batteries: batteries.filter(mayUse),
    goggles: goggles.filter(mayUse),
    sender: sender.filter(mayUse),
    videoCams: videoCams.filter(mayUse),
  };
}

const ofEquipment = [
  "GetEquipment",
  "GetEquipments",
  "GetAllEquipments",
  "GetChargings",
  "GetBatteryPassport",
  "GetBatteryHints",
  "GetMaintenance",
  "GetReminders",
  "GetJobRuns",
  "GetSharedUses",
] as const;

/** Invalidates everything that depends on items or on their figures from flights. */
export function refreshEquipment(): Promise<void> {
  cache.invalidateQueries({
    predicate: ({ queryKey: [name, fields] }) =>
      name === "GetFlights" && (fields as Fields<"GetFlights">).equipment != null,
  });
  return refresh(...ofEquipment);
}

const byName = new Intl.Collator("de", { numeric: true });

/** Updates every cached list of a kind; the caller refetches them. */
export function updateCachedLists(type: Kind, changed: (item: Equipment) => Equipment): void {
  updateAllCached("GetEquipments", (list, of) => (of.type === type ? list.map(changed) : list));
}

/**
 * The list of a view (active or retired) with the item: at its place by name, or removed if it belongs to the other
 * view.
 */
export function withItem(list: Equipment[], item: Equipment, deactivated: boolean): Equipment[] {
  const others = list.filter((other) => other.dpfId !== item.dpfId);
  if ((item.deactivateTime !== "") !== deactivated) return others;
  return [...others, item].sort((one, other) => byName.compare(one.name, other.name));
}

/** Updates the item's own answer and every cached list that has it. */
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

/** The fields of a kind's form as typed, and its `type`. */
export type EquipmentFields = Fields<"SaveNewEquipment">["equipment"];

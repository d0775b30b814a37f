// The calls about equipment items: reading lists and single items, saving, retiring and reactivating. Knows no forms;
// numbers are sent as they were typed.
import { useMutation, useQuery } from "@tanstack/react-query";
import { callUrl } from "../urls";
import { cache } from "./cache";
import { call, type Fields, get, type Write, write } from "./client";
import type { AllEquipments } from "./generated/AllEquipments";
import type { Equipment } from "./generated/Equipment";
import { Kind } from "./generated/Kind";
import { useTap } from "./useTap";

export const equipmentKey = ["equipment"] as const;
const itemKey = (dpfId: string) => [...equipmentKey, "item", dpfId] as const;
const listKey = (type: Kind, deactivated: boolean) => [...equipmentKey, "list", type, deactivated] as const;
const allKey = [...equipmentKey, "all"] as const;

/**
 * The list of one kind, either the active or the retired items. Fresh until something changes or the user comes back.
 */
export function useEquipments(type: Kind, deactivated: boolean) {
  return useQuery({
    queryKey: listKey(type, deactivated),
    queryFn: () => call("GetEquipments", { type, deactivated }),
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: "always",
  });
}

export function useEquipment(dpfId: string) {
  return useQuery({
    queryKey: itemKey(dpfId),
    queryFn: () => call("GetEquipment", { dpfId }),
  });
}

/** All active items of every kind, to choose from for a flight. */
export function useAllEquipments(isWanted = true) {
  return useQuery({
    queryKey: allKey,
    enabled: isWanted,
    queryFn: () => get<AllEquipments>(callUrl("GetAllEquipments")),
  });
}

/** After any change of an item or of its figures from flights. */
export function refreshEquipment(): Promise<void> {
  return cache.invalidateQueries({ queryKey: equipmentKey });
}

const byName = new Intl.Collator("de", { numeric: true });

/** Updates every cached list of a kind at once; the caller refetches them. */
export function changeInLists(type: Kind, change: (item: Equipment) => Equipment): void {
  cache.setQueriesData<Equipment[]>({ queryKey: [...equipmentKey, "list", type] }, (list) =>
    list?.map(change),
  );
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
function updateCache(item: Equipment): void {
  cache.setQueryData(itemKey(item.dpfId), item);
  for (const deactivated of [false, true]) {
    cache.setQueryData<Equipment[]>(
      listKey(item.type, deactivated),
      (list) => list && withItem(list, item, deactivated),
    );
  }
  const list = listInAll[item.type];
  cache.setQueryData<AllEquipments>(
    allKey,
    (all) => all && { ...all, [list]: withItem(all[list], item, false) },
  );
  cache.invalidateQueries({ queryKey: allKey });
}

const listInAll = {
  [Kind.Copter]: "copters",
  [Kind.Battery]: "batteries",
  [Kind.Goggles]: "goggles",
  [Kind.Transmitter]: "sender",
  [Kind.VideoCamera]: "videoCams",
} as const satisfies Record<Kind, keyof AllEquipments>;

/** Refused because another tab was quicker, or done and the answer lost: the lists may be out of date. */
function refetchOnError(): void {
  refreshEquipment();
}

/** The fields of a kind's form as typed, plus `type`. */
export type EquipmentFields = Fields<"SaveNewEquipment">["equipment"];

export function useSaveNewEquipment() {
  return useMutation({
    mutationFn: ({ fields, requestId }: Write<EquipmentFields>) =>
      write("SaveNewEquipment", { equipment: fields }, requestId),
    onSuccess: updateCache,
    onError: refetchOnError,
  });
}

export function useSaveEditEquipment(dpfId: string) {
  return useMutation({
    mutationFn: ({ fields, requestId }: Write<EquipmentFields>) =>
      write("SaveEditEquipment", { equipment: { ...fields, dpfId } }, requestId),
    onSuccess: updateCache,
    onError: refetchOnError,
  });
}

export function useDeactivateEquipment(dpfId: string) {
  return useMutation({
    mutationFn: ({ fields, requestId }: Write<{ info: string }>) =>
      write("DeactivateEquipment", { dpfId, ...fields }, requestId),
    onSuccess: updateCache,
    onError: refetchOnError,
  });
}

export function useActivateEquipment() {
  return useTap((dpfId, requestId) => write("ActivateEquipment", { dpfId }, requestId), {
    onSuccess: updateCache,
    onError: refetchOnError,
  });
}

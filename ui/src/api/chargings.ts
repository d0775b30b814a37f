// The calls about a battery's chargings: starting, finishing, editing, and the history, which also has the flights.
// Their keys lie below the equipment's in the cache, so a change of the equipment refetches them. Knows no forms;
// numbers are sent as they were typed.
import { useMutation, useQuery } from "@tanstack/react-query";
import { cache } from "./cache";
import { call, type Write, write } from "./client";
import { changeInLists, equipmentKey, refreshEquipment } from "./equipment";
import type { Charging } from "./generated/Charging";
import type { Chargings } from "./generated/Chargings";
import { Kind } from "./generated/Kind";

const historyKey = (battery: string) => [...equipmentKey, "chargings", battery] as const;

export function useChargings(battery: string, isWanted = true) {
  return useQuery({
    queryKey: historyKey(battery),
    queryFn: () => call("GetChargings", { battery }),
    enabled: isWanted,
  });
}

/** The fields of a charging's form; a start sends only those that belong to it. */
export type ChargingFields = Record<Exclude<keyof Charging, "dpfId" | "battery" | "flight">, string>;

/** Shows the answer at once, then refetches everything that depends on it. */
function updateCache(charging: Charging): void {
  const isOpen = charging.chargeEndTime === "";
  changeInLists(Kind.Battery, (item) => {
    if (item.dpfId !== charging.battery) return item;
    if (!isOpen && item.lastCharging?.dpfId !== charging.dpfId) return item;
    return { ...item, lastCharging: isOpen ? charging : null };
  });
  cache.setQueryData<Chargings>(
    historyKey(charging.battery),
    (history) =>
      history && {
        ...history,
        chargings: history.chargings.map((other) => (other.dpfId === charging.dpfId ? charging : other)),
      },
  );
  refreshEquipment();
}

/** Refused because another device was quicker, or done and the answer lost: the lists may be out of date. */
function refetchOnError(): void {
  refreshEquipment();
}

/** Without `dpfId` it starts one; with it, it finishes the open one or changes a finished one. */
export function useSaveCharging(battery: string, dpfId: string | null) {
  return useMutation({
    mutationFn: ({ fields, requestId }: Write<ChargingFields>) => {
      const { chargeStartTime, fromVoltage, fromCellVoltage } = fields;
      const sent = dpfId === null ? { chargeStartTime, fromVoltage, fromCellVoltage } : { ...fields, dpfId };
      return write("SaveCharging", { battery, ...sent }, requestId);
    },
    onSuccess: updateCache,
    onError: refetchOnError,
  });
}

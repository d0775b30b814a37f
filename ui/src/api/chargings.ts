// The calls about a battery's chargings: starting, finishing, editing, and the history, which flights write into too.
// It lies below the equipment in the cache, so what changes the one asks for the other. Knows nothing of forms; numbers
// travel as the text that was typed.
import { useMutation, useQuery } from "@tanstack/react-query";
import { cache } from "./cache";
import { call, type Write, write } from "./client";
import { changeInLists, equipmentKey, refreshEquipment } from "./equipment";
import type { Charging } from "./generated/Charging";
import type { Chargings } from "./generated/Chargings";
import { Kind } from "./generated/Kind";

const historyKey = (battery: string) => [...equipmentKey, "chargings", battery] as const;

export function useChargings(battery: string) {
  return useQuery({
    queryKey: historyKey(battery),
    queryFn: () => call("GetChargings", { battery }),
  });
}

/** The form of a charging; a start sends what belongs to it. */
export type ChargingFields = Record<Exclude<keyof Charging, "dpfId" | "battery" | "flight">, string>;

/** Shows the answer at once, then asks for what follows from it. */
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

/** Refused because another device was quicker, or done and the answer lost: what is shown may be out of date. */
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

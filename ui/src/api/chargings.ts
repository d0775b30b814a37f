// Chargings of a battery: starting, finishing, editing, and the history, which includes flights. Numbers are sent as
// they were typed. Independent of forms.
import type { ChargingFields } from "../offline/values";
import { updateCached, useAnswer } from "./answers";
import { refreshEquipment, updateCachedLists } from "./equipment";
import type { Charging } from "./generated/Charging";
import { Kind } from "./generated/Kind";

export function useChargings(battery: string, isWanted = true) {
  return useAnswer("GetChargings", { battery }, { enabled: isWanted });
}

/** Updates the cached answers, then refetches everything that depends on the charging. */
export function setCachedCharging(charging: Charging | undefined): void {
  if (!charging) return;
  const isOpen = charging.chargeEndTime === "";
  updateCachedLists(Kind.Battery, (item) => {
    if (item.dpfId !== charging.battery) return item;
    if (!isOpen && item.lastCharging?.dpfId !== charging.dpfId) return item;
    return { ...item, lastCharging: isOpen ? charging : null };
  });
  updateCached("GetChargings", { battery: charging.battery }, (history) => ({
    ...history,
    chargings: history.chargings.map((other) => (other.dpfId === charging.dpfId ? charging : other)),
  }));
  refreshEquipment();
}

/** The fields to send. A start sends only those of a start; the new charging gets the id `charging`. */
export function chargingFields(battery: string, dpfId: string | null, fields: ChargingFields) {
  const { chargeStartTime, fromVoltage, fromCellVoltage } = fields;
  return (charging: string) =>
    dpfId === null
      ? { battery, charging, chargeStartTime, fromVoltage, fromCellVoltage }
      : { battery, ...fields, dpfId };
}

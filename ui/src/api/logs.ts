// Logs of equipment items and of flights. Independent of forms.
import { refresh, updateAllCached, useAnswer } from "./answers";
import type { Log } from "./generated/Log";

export type LogSubject = { kind: "equipment" | "flight"; dpfId: string };

export function useEquipmentLogs(dpfId: string) {
  return useAnswer("GetEquipmentLogs", { dpfId });
}

export function useFlightLogs(dpfId: string) {
  return useAnswer("GetFlightLogs", { dpfId });
}

export function refreshLogs(): Promise<void> {
  return refresh("GetEquipmentLogs", "GetFlightLogs");
}

/**
 * Updates the cached lists, so that the next edit begins with the stored values. Undefined: it was deleted meanwhile.
 */
export function setCachedLog(saved: Log | undefined): void {
  const shown = (logs: Log[]) => logs.map((log) => (log.dpfId === saved?.dpfId ? saved : log));
  updateAllCached("GetEquipmentLogs", (list) => ({ ...list, logs: shown(list.logs) }));
  updateAllCached("GetFlightLogs", (list) => ({ ...list, logs: shown(list.logs) }));
}

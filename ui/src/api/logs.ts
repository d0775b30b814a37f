// The calls about logs of equipment items and of flights. Knows no forms.
import { refresh, updateAllCached, useAnswer } from "./answers";
import type { Log } from "./generated/Log";

/** The subject of a log. */
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

/** In the lists at once: the next edit begins with what is stored. Nothing when it was deleted since. */
export function setCachedLog(saved: Log | undefined): void {
  const shown = (logs: Log[]) => logs.map((log) => (log.dpfId === saved?.dpfId ? saved : log));
  updateAllCached("GetEquipmentLogs", (list) => ({ ...list, logs: shown(list.logs) }));
  updateAllCached("GetFlightLogs", (list) => ({ ...list, logs: shown(list.logs) }));
}

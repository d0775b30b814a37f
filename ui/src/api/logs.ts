// The calls about logs of equipment items and of flights. Knows no forms.
import { changeAll, refresh, useAnswer } from "./answers";
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
export function showLog(saved: Log | undefined): void {
  const shown = (logs: Log[]) => logs.map((log) => (log.dpfId === saved?.dpfId ? saved : log));
  changeAll("GetEquipmentLogs", (list) => ({ ...list, logs: shown(list.logs) }));
  changeAll("GetFlightLogs", (list) => ({ ...list, logs: shown(list.logs) }));
}

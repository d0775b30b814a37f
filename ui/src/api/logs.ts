// The calls about logs of equipment items and of flights. Knows no forms.
import { useMutation, useQuery } from "@tanstack/react-query";
import { newId } from "../lib/ids";
import { cache } from "./cache";
import { call, write } from "./client";
import type { EquipmentLogs } from "./generated/EquipmentLogs";
import type { FlightLogs } from "./generated/FlightLogs";
import type { Log } from "./generated/Log";
import { type Upload, upload } from "./transfer";
import { useTap } from "./useTap";

/** The subject of a log. */
export type LogSubject = { kind: "equipment" | "flight"; dpfId: string };

const logsKey = ["logs"] as const;
const subjectKey = ({ kind, dpfId }: LogSubject) => [...logsKey, kind, dpfId] as const;

export function useEquipmentLogs(dpfId: string) {
  return useQuery({
    queryKey: subjectKey({ kind: "equipment", dpfId }),
    queryFn: () => call("GetEquipmentLogs", { dpfId }),
  });
}

export function useFlightLogs(dpfId: string) {
  return useQuery({
    queryKey: subjectKey({ kind: "flight", dpfId }),
    queryFn: () => call("GetFlightLogs", { dpfId }),
  });
}

export function refreshLogs(): Promise<void> {
  return cache.invalidateQueries({ queryKey: logsKey });
}

/** In the lists at once: the next edit begins with what is stored. Nothing when it was deleted since. */
function showSaved(saved: Log | undefined): void {
  cache.setQueriesData<EquipmentLogs | FlightLogs>(
    { queryKey: logsKey },
    (list) => list && { ...list, logs: list.logs.map((log) => (log.dpfId === saved?.dpfId ? saved : log)) },
  );
}

export type LogFields = { info: string; time: string; file: File | null };

export function useSaveLog({ kind, dpfId }: LogSubject) {
  const name = kind === "equipment" ? "SaveEquipmentLog" : "SaveFlightLog";
  return useMutation({
    mutationFn: async ({ fields, requestId, transfer }: Upload<LogFields>) => {
      const send = (id: string) => upload(name, { dpfId, ...fields }, id, transfer);
      const saved: Log | undefined = await send(requestId);
      // It was saved before and deleted since: save it again.
      return saved ?? send(newId());
    },
    onSettled: () => void refreshLogs(),
  });
}

export type LogChange = LogFields & { removeDocument: boolean };

export function useEditLog(dpfId: string) {
  return useMutation({
    mutationFn: ({ fields, requestId, transfer }: Upload<LogChange>) => {
      const { removeDocument, ...rest } = fields;
      return upload(
        "EditLog",
        { dpfId, ...rest, removeDocument: removeDocument || null },
        requestId,
        transfer,
      );
    },
    onSuccess: showSaved,
    onSettled: () => void refreshLogs(),
  });
}

export function useDeleteLog() {
  return useTap((dpfId, requestId) => write("DeleteLog", { dpfId }, requestId), {
    onSuccess: refreshLogs,
    onError: () => void refreshLogs(),
  });
}

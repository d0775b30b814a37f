// The calls about logs of equipment items and of flights. What a lost answer leaves unknown is looked up before another
// try, so that trying again doesn't make a second log. Knows nothing of forms.
import { useMutation, useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import { cache } from "./cache";
import { call, NetworkFailure } from "./client";
import type { EquipmentLogs } from "./generated/EquipmentLogs";
import type { FlightLogs } from "./generated/FlightLogs";
import type { Log } from "./generated/Log";
import { type Transfer, upload } from "./transfer";

/** What a log belongs to. */
export type LogSubject = { kind: "equipment" | "flight"; dpfId: string };

const logsKey = ["logs"] as const;
const subjectKey = ({ kind, dpfId }: LogSubject) => [...logsKey, kind, dpfId] as const;

function getEquipmentLogs(dpfId: string): Promise<EquipmentLogs> {
  return call<EquipmentLogs>("GetEquipmentLogs", { dpfId });
}

function getFlightLogs(dpfId: string): Promise<FlightLogs> {
  return call<FlightLogs>("GetFlightLogs", { dpfId });
}

export function useEquipmentLogs(dpfId: string) {
  return useQuery({
    queryKey: subjectKey({ kind: "equipment", dpfId }),
    queryFn: () => getEquipmentLogs(dpfId),
  });
}

export function useFlightLogs(dpfId: string) {
  return useQuery({ queryKey: subjectKey({ kind: "flight", dpfId }), queryFn: () => getFlightLogs(dpfId) });
}

async function getLogs({ kind, dpfId }: LogSubject): Promise<Log[]> {
  return (await (kind === "equipment" ? getEquipmentLogs(dpfId) : getFlightLogs(dpfId))).logs;
}

function refreshLogs(): Promise<void> {
  return cache.invalidateQueries({ queryKey: logsKey });
}

export type LogFields = { info: string; time: string; file: File | null };

function isSavedAs(log: Log, { info, time, file }: LogFields): boolean {
  return (
    log.info === info.trim() && log.time === time && (log.documentObj?.name ?? null) === (file?.name ?? null)
  );
}

export function useSaveLog(subject: LogSubject) {
  const isAnswerLost = useRef(false);
  return useMutation({
    mutationFn: async ({ fields, transfer }: { fields: LogFields; transfer: Transfer }) => {
      if (isAnswerLost.current) {
        const saved = (await getLogs(subject)).find((log) => isSavedAs(log, fields));
        isAnswerLost.current = false;
        if (saved) return saved;
      }
      const name = subject.kind === "equipment" ? "SaveEquipmentLog" : "SaveFlightLog";
      try {
        return await upload<Log>(name, { dpfId: subject.dpfId, ...fields }, transfer);
      } catch (error) {
        isAnswerLost.current = error instanceof NetworkFailure;
        throw error;
      }
    },
    onSettled: () => void refreshLogs(),
  });
}

export type LogChange = LogFields & { removeDocument: boolean };

export function useEditLog(dpfId: string) {
  return useMutation({
    mutationFn: ({ fields, transfer }: { fields: LogChange; transfer: Transfer }) => {
      const { removeDocument, ...rest } = fields;
      return upload<Log>("EditLog", { dpfId, ...rest, removeDocument: removeDocument || null }, transfer);
    },
    onSettled: () => void refreshLogs(),
  });
}

export function useDeleteLog() {
  return useMutation({
    mutationFn: (dpfId: string) => call("DeleteLog", { dpfId }),
    onSuccess: refreshLogs,
    onError: () => void refreshLogs(),
  });
}

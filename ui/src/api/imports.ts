// The calls about flights from files: upload, look, columns of tables, acceptance, and taking the acceptance back. Knows no
// choices.
import { keepPreviousData, useMutation, useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import { newId } from "../lib/ids";
import { cache } from "./cache";
import { call, NetworkFailure, type Write, write } from "./client";
import { refreshEquipment } from "./equipment";
import { forgetFlight, refreshFlights } from "./flights";
import type { Accepted } from "./generated/Accepted";
import type { Import } from "./generated/Import";
import { refreshLogs } from "./logs";
import { type Upload, upload } from "./transfer";
import { useTap } from "./useTap";

const importsKey = ["imports"] as const;
const listKey = [...importsKey, "list"] as const;
const oneKey = (dpfId: string) => [...importsKey, "one", dpfId] as const;

/** Minutes by which the times of files are moved, by the file's place. */
export type Shifts = Record<string, number>;

/** Twenty large files, one after the other, on a small machine. */
const evaluationMs = 10 * 60_000;

/** Those that wait to be accepted, the newest first. */
export function useImports() {
  return useQuery({ queryKey: listKey, queryFn: () => call("GetImports") });
}

/** Another device may have accepted it meanwhile. */
export function useImport(dpfId: string, shifts: Shifts, { isWanted }: { isWanted: boolean }) {
  return useQuery({
    queryKey: [...oneKey(dpfId), shifts],
    queryFn: () => call("GetImport", { dpfId, shifts: JSON.stringify(shifts) }),
    enabled: isWanted,
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: "always",
  });
}

function know(found: Import): void {
  if (found.dpfId !== null) cache.setQueryData([...oneKey(found.dpfId), {}], found);
}

function refreshList(): void {
  cache.invalidateQueries({ queryKey: listKey });
}

/** Aborted, it ends the work of the server, too. */
export function useUploadImport() {
  return useMutation({
    mutationFn: async ({ fields, requestId, transfer }: Upload<{ files: File[] }>) => {
      const send = (id: string) =>
        upload("UploadImport", fields, id, { ...transfer, standstillMs: evaluationMs });
      const found: Import | undefined = await send(requestId);
      // They were uploaded before, and the import is over: look at them again.
      return found ?? send(newId());
    },
    onSuccess: know,
    onSettled: refreshList,
  });
}

export type ColumnMapping = { file: number; mapping: string };

export function useMapColumns(dpfId: string) {
  return useMutation({
    mutationFn: async ({ fields, requestId }: Write<ColumnMapping>) => {
      const mapped: Import | undefined = await write("MapImportColumns", { dpfId, ...fields }, requestId);
      // It was mapped, and is over since: fail as the server does.
      return mapped ?? call("GetImport", { dpfId });
    },
    onSuccess: (mapped) => {
      cache.removeQueries({ queryKey: oneKey(dpfId), type: "inactive" });
      know(mapped);
      cache.invalidateQueries({ queryKey: oneKey(dpfId) });
      refreshList();
    },
  });
}

/** All of it or nothing. Sent again with the same choices, the answer is the same. */
export function useAcceptImport(dpfId: string) {
  return useMutation({
    mutationFn: ({ fields, requestId }: Write<{ choices: string }>) =>
      write("AcceptImport", { dpfId, ...fields }, requestId),
    onSuccess: ({ completed }) => {
      refreshFlights(completed);
      refreshLogs();
      refreshList();
    },
    // Another device was quicker, or an item has changed.
    onError: (error) => {
      if (error instanceof NetworkFailure) return;
      refreshEquipment();
      cache.invalidateQueries({ queryKey: importsKey });
    },
  });
}

export function useDiscardImport() {
  return useTap((dpfId, requestId) => write("DiscardImport", { dpfId }, requestId), {
    onSuccess: refreshList,
    onError: refreshList,
  });
}

/** Deletes the flights that an acceptance created. Tried again, it goes on where it stopped. */
export function useUndoImport() {
  const requests = useRef(new Map<string, string>());
  const gone = useRef(new Set<string>());
  return useMutation({
    mutationFn: async ({ created }: Accepted) => {
      for (const dpfId of created.filter((one) => !gone.current.has(one))) {
        const requestId = requests.current.get(dpfId) ?? newId();
        requests.current.set(dpfId, requestId);
        await write("DeleteFlight", { dpfId }, requestId);
        gone.current.add(dpfId);
        forgetFlight(dpfId);
      }
    },
    onSettled: () => refreshFlights([]),
  });
}

// Imports of flights from files, and updates of cached answers about them. Independent of the choices on screen.
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { keyOf, refresh, setCached, useAnswer } from "./answers";
import { cache } from "./cache";
import { call } from "./client";
import type { Import } from "./generated/Import";

/** Time shift of each file in minutes, by the file's index. */
export type Shifts = Record<string, number>;

/** Time for twenty large files, evaluated sequentially on a small machine. */
export const evaluationMs = 10 * 60_000;

/** Imports that aren't accepted yet, the newest first. */
export function useImports() {
  return useAnswer("GetImports", {});
}

const importFields = (dpfId: string, shifts: Shifts) => ({ dpfId, shifts: JSON.stringify(shifts) });

/** Refetched on focus: another device may have accepted it meanwhile. */
export function useImport(dpfId: string, shifts: Shifts, { isWanted }: { isWanted: boolean }) {
  return useQuery({
    queryKey: keyOf("GetImport", importFields(dpfId, shifts)),
    queryFn: () => call("GetImport", importFields(dpfId, shifts)),
    enabled: isWanted,
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: "always",
  });
}

export function setCachedImport(found: Import): void {
  if (found.dpfId !== null) setCached("GetImport", importFields(found.dpfId, {}), found);
}

/** After columns were mapped: drops the answers with other time shifts. */
export function setCachedMapping(mapped: Import | undefined, dpfId: string): void {
  const looks = keyOf("GetImport", { dpfId });
  cache.removeQueries({ queryKey: looks, type: "inactive" });
  if (mapped) setCachedImport(mapped);
  cache.invalidateQueries({ queryKey: looks });
  refreshImportList();
}

export function refreshImportList(): void {
  refresh("GetImports");
}

export function refreshImports(): void {
  refresh("GetImports", "GetImport");
}

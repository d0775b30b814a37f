// The calls that read flights from files, and what an answer about an import shows. Knows no choices.
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { keyOf, refresh, setCached, useAnswer } from "./answers";
import { cache } from "./cache";
import { call } from "./client";
import type { Import } from "./generated/Import";

/** Minutes by which the times of files are moved, by the file's place. */
export type Shifts = Record<string, number>;

/** Twenty large files, one after the other, on a small machine. */
export const evaluationMs = 10 * 60_000;

/** Those that wait to be accepted, the newest first. */
export function useImports() {
  return useAnswer("GetImports", {});
}

const importFields = (dpfId: string, shifts: Shifts) => ({ dpfId, shifts: JSON.stringify(shifts) });

/** Another device may have accepted it meanwhile. */
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

/** After its columns were chosen: looks with other times are forgotten. */
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

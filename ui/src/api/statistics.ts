// The dashboard's figures: texts that are ready to be shown, computed by the server.
import { useQuery } from "@tanstack/react-query";
import { cache } from "./cache";
import { call } from "./client";

const statisticsKey = ["statistics"] as const;

export function useStatistics() {
  return useQuery({ queryKey: statisticsKey, queryFn: () => call("GetStatistics") });
}

/** The months from the first finished flight to the last, oldest first; with an item, of the flights that it was on. */
export function useFlightMonths(item?: string) {
  return useQuery({
    queryKey: [...statisticsKey, "months", item ?? null],
    queryFn: () => call("GetFlightMonths", { equipment: item }),
  });
}

/** After anything that changes a finished flight. */
export function refreshStatistics(): Promise<void> {
  return cache.invalidateQueries({ queryKey: statisticsKey });
}

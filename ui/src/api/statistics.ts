// The dashboard's figures as texts, computed by the server.
import { refresh, useAnswer } from "./answers";

export function useStatistics() {
  return useAnswer("GetStatistics", {});
}

/** The months from the first finished flight to the last, oldest first; with an item, of its flights. */
export function useFlightMonths(item?: string) {
  return useAnswer("GetFlightMonths", item === undefined ? {} : { equipment: item });
}

/** Invalidates what depends on finished flights. */
export function refreshStatistics(): Promise<void> {
  return refresh("GetStatistics", "GetFlightMonths", "GetReview");
}

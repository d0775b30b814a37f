// The dashboard's figures: texts that are ready to be shown, computed by the server.
import { refresh, useAnswer } from "./answers";

export function useStatistics() {
  return useAnswer("GetStatistics", {});
}

/** The months from the first finished flight to the last, oldest first; with an item, of the flights that it was on. */
export function useFlightMonths(item?: string) {
  return useAnswer("GetFlightMonths", item === undefined ? {} : { equipment: item });
}

/** After anything that changes a finished flight. */
export function refreshStatistics(): Promise<void> {
  return refresh("GetStatistics", "GetFlightMonths", "GetReview");
}

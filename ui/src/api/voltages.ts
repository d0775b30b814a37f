// Suspect voltages: those of imported flights that can't be the pack's.
import { refresh, setCached, useAnswer } from "./answers";
import { refreshFlights } from "./flights";
import type { VoltageDoubt } from "./generated/VoltageDoubt";

/** Suspect voltages, the newest flight first. Refetched each time: typing a voltage resolves one. */
export function useSuspectVoltages() {
  return useAnswer("GetVoltageDoubts", {}, { staleTime: 0 });
}

/** Stores what is left after voltages were corrected or confirmed. */
export function setCachedSuspectVoltages(left: VoltageDoubt[]): void {
  setCached("GetVoltageDoubts", {}, left);
  refreshFlights([]);
  refresh("GetFlight");
}

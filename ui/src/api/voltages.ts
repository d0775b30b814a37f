// The calls about voltages of flights from files that aren't those of the pack.
import { refresh, setCached, useAnswer } from "./answers";
import { refreshFlights } from "./flights";
import type { VoltageDoubt } from "./generated/VoltageDoubt";

/** The newest flight first. A voltage that is typed ends the doubt, so each look asks again. */
export function useSuspectVoltages() {
  return useAnswer("GetVoltageDoubts", {}, { staleTime: 0 });
}

/** After voltages of flights were mended, or are right as they are. */
export function setCachedSuspectVoltages(left: VoltageDoubt[]): void {
  setCached("GetVoltageDoubts", {}, left);
  refreshFlights([]);
  refresh("GetFlight");
}

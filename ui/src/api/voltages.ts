// The calls about voltages of flights from files that aren't those of the pack.
import { useAnswer } from "./answers";

/** The newest flight first. A voltage that is typed ends the doubt, so each look asks again. */
export function useVoltageDoubts() {
  return useAnswer("GetVoltageDoubts", {}, { staleTime: 0 });
}

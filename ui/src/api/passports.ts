// The passport of a battery: all that is known of it.
import { useAnswer } from "./answers";

export function usePassport(dpfId: string) {
  return useAnswer("GetBatteryPassport", { dpfId });
}

import { useAnswer } from "./answers";

export function usePassport(dpfId: string) {
  return useAnswer("GetBatteryPassport", { dpfId });
}

// The state of a pack as text.
import type { Equipment } from "../../api/generated/Equipment";
import { formatQuantity } from "../../lib/numbers";
import { flights } from "../../texts";
import { chargeState } from "./readyFlight";

/** "25,2 V · geladen"; "" when nothing is known. */
export function batteryState(battery: Equipment): string {
  const voltage = battery.currentCharge === null ? "" : formatQuantity(battery.currentCharge, "V");
  return [voltage, flights.chargeStates[chargeState(battery)]].filter((text) => text !== "").join(" · ");
}

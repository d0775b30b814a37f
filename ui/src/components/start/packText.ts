// The state of a pack as text.
import type { Equipment } from "../../api/generated/Equipment";
import { formatQuantity } from "../../lib/numbers";
import { flights } from "../../texts";
import { doubtOf, isCharged } from "./readyFlight";

/** "geladen", "am Ladegerät"; "" when nothing is known. */
export function stateOfPack(battery: Equipment): string {
  const doubt = doubtOf(battery);
  if (doubt !== null) return flights.doubts[doubt];
  return isCharged(battery) ? flights.charged : "";
}

/** "25,2 V · geladen" */
export function batteryState(battery: Equipment): string {
  const voltage = battery.currentCharge === null ? "" : formatQuantity(battery.currentCharge, "V");
  return [voltage, stateOfPack(battery)].filter((text) => text !== "").join(" · ");
}

// The state of a pack as text.
import type { Equipment } from "../../api/generated/Equipment";
import { formatQuantity } from "../../lib/numbers";
import { equipment, flights } from "../../texts";
import { isCharged, notReadyReason } from "./readyFlight";

/** State of a pack: "voll", "lädt"; "" when it isn't known. */
export function stateOfPack(battery: Equipment): string {
  if (battery.lastCharging !== null) return equipment.states.charging;
  if (notReadyReason(battery) === "flown") return flights.flownSince;
  if (battery.state !== null) return equipment.states[battery.state];
  return isCharged(battery) ? flights.charged : "";
}

/** Voltage and state of a pack: "25,2 V · voll". */
export function batteryState(battery: Equipment): string {
  const voltage = battery.stateVoltage === null ? "" : formatQuantity(battery.stateVoltage, "V");
  return [voltage, stateOfPack(battery)].filter((text) => text !== "").join(" · ");
}

// The flight that a tap on a pack's sheet records, and the input of the number pad. Pure functions: no React, no
// server.
import type { AllEquipments } from "../../api/generated/AllEquipments";
import type { FlightRow } from "../../api/generated/FlightRow";
import { activeOnly, type Choice } from "../../components/start/readyFlight";
import { addMinutes, type DayTime, formatDateTime } from "../../lib/dates";

/** A flight that has just ended. */
type PastFlight = { config: Choice; startTime: string; flightTime: number | null };

/**
 * Prefills a flight like the pack's last one, landed just now, with the equipment still in use. Null if its copter is
 * retired.
 */
export function pastFlightLike(last: FlightRow, all: AllEquipments, now: DayTime): PastFlight | null {
  const { copter, equipments, payloads, flightTime } = last;
  const flown = { copter: copter.dpfId, equipments: equipments.map(({ dpfId }) => dpfId), payloads };
  const config = activeOnly(flown, all);
  if (config.copter === "") return null;
  const minutes = Math.round(flightTime ?? 0);
  return { config, startTime: formatDateTime(addMinutes(now, -minutes)), flightTime };
}

/** Returns the number after a digit was typed: no leading zero, at most three digits. */
export function withDigit(before: string, digit: string): string {
  if (before === "" && digit === "0") return "";
  return before.length < 3 ? before + digit : before;
}

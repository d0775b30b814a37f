// The meaning of a tap on the sheet of a pack. Rules only: no widgets and no calls.
import type { CalendarDateTime } from "@internationalized/date";
import type { AllEquipments } from "../../api/generated/AllEquipments";
import type { FlightRow } from "../../api/generated/FlightRow";
import { activeOnly, type Choice } from "../../components/start/readyFlight";
import { formatDateTime } from "../../lib/dates";

/** A flight that has just ended. */
type Flown = { config: Choice; startTime: string; flightTime: number | null };

/**
 * As the last one with a pack, and as long: its gear as far as it is in use, just landed. Null when its copter isn't.
 */
export function flownLike(last: FlightRow, all: AllEquipments, now: CalendarDateTime): Flown | null {
  const { copter, equipments, payloads, flightTime } = last;
  const flown = { copter: copter.dpfId, equipments: equipments.map(({ dpfId }) => dpfId), payloads };
  const config = activeOnly(flown, all);
  if (config.copter === "") return null;
  const minutes = Math.round(flightTime ?? 0);
  return { config, startTime: formatDateTime(now.subtract({ minutes })), flightTime };
}

/** A number as it is typed on the pad: no zero in front, and at most three digits. */
export function typed(before: string, digit: string): string {
  if (before === "" && digit === "0") return "";
  return before.length < 3 ? before + digit : before;
}

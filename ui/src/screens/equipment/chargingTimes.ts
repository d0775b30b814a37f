// The order of a charging's times. Of its own, because it needs the library of calendars, as the date fields do.
import { getLocalTimeZone, toZoned } from "@internationalized/date";
import { pickedTime } from "../../components/dateText";
import { parseDateTime } from "../../lib/dates";

/**
 * Whether a charging would end before it starts, counting both instants of an hour that the clocks repeat. Ignores
 * texts that are no times, which another rule reports.
 */
export function endsBeforeStart(start: string, end: string): boolean {
  const [from, to] = [pickedTime(parseDateTime(start)), pickedTime(parseDateTime(end))];
  if (from === null || to === null) return false;
  const zone = getLocalTimeZone();
  return toZoned(to, zone, "later").compare(toZoned(from, zone, "earlier")) < 0;
}

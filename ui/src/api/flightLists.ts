// How a flight takes its place in lists of flights, newest start first, of which only the first pages may be there.
// Rules only: no cache, no server.
import { sortableTime } from "../lib/dates";
import type { FlightRow } from "./generated/FlightRow";

/** A page stays the last one when it loses a row, and any other one remains followed by others. */
export type FlightsPage = { rows: FlightRow[]; isLast: boolean };

/** As the server orders them: of two in the same minute the later id comes first. */
function isBefore(one: FlightRow, other: FlightRow): boolean {
  const minutes = sortableTime(one.startTime) - sortableTime(other.startTime);
  return minutes > 0 || (minutes === 0 && one.dpfId > other.dpfId);
}

/** The pages with the flight as it now is, or without it when it is null. One that is older than every row comes with its page. */
export function withFlight(pages: FlightsPage[], dpfId: string, flight: FlightRow | null): FlightsPage[] {
  const at = pages.findIndex(
    ({ rows, isLast }) => flight && (isLast || rows.some((row) => !isBefore(row, flight))),
  );
  return pages.map(({ rows, isLast }, position) => {
    const others = rows.filter((row) => row.dpfId !== dpfId);
    if (flight === null || position !== at) return { rows: others, isLast };
    const place = others.findIndex((row) => isBefore(flight, row));
    return { rows: others.toSpliced(place === -1 ? others.length : place, 0, flight), isLast };
  });
}

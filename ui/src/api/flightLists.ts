// Updates paged lists of flights, newest start first, of which only the first pages may be loaded. Rules only: no
// cache, no server.
import { sortableTime } from "../lib/dates";
import type { FlightRow } from "./generated/FlightRow";

/** A last page that loses a row is still the last one, and every other page is still followed by another. */
export type FlightsPage = { rows: FlightRow[]; isLast: boolean };

/** The server's order: in the same minute the later id comes first. */
function isBefore(one: FlightRow, other: FlightRow): boolean {
  const minutes = sortableTime(one.startTime) - sortableTime(other.startTime);
  return minutes > 0 || (minutes === 0 && one.dpfId > other.dpfId);
}

/**
 * The pages with the flight as it is now, or without it when it is null. A flight that is older than every loaded row
 * is left to its own page.
 */
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

// Updates paged lists of flights, newest start first, of which only the first pages may be loaded. Pure: no cache, no
// server.
import { sortableTime } from "../lib/dates";
import type { FlightRow } from "./generated/FlightRow";

/** `isLast` doesn't depend on the number of rows: a page that loses a row stays last or followed as it was. */
export type FlightsPage = { rows: FlightRow[]; isLast: boolean };

/** The server's order: by start, then by id, newest first. */
function isBefore(one: FlightRow, other: FlightRow): boolean {
  const minutes = sortableTime(one.startTime) - sortableTime(other.startTime);
  return minutes > 0 || (minutes === 0 && one.dpfId > other.dpfId);
}

/**
 * The pages with the flight inserted, moved, or removed when it is null. A flight older than every loaded row belongs
 * to a page that isn't loaded. Only the lists have the paths of flights, so that the row's own one stays.
 */
export function withFlight(pages: FlightsPage[], dpfId: string, flight: FlightRow | null): FlightsPage[] {
  const known = pages.flatMap(({ rows }) => rows).find((row) => row.dpfId === dpfId);
  const at = pages.findIndex(
    ({ rows, isLast }) => flight && (isLast || rows.some((row) => !isBefore(row, flight))),
  );
  return pages.map(({ rows, isLast }, position) => {
    const others = rows.filter((row) => row.dpfId !== dpfId);
    if (flight === null || position !== at) return { rows: others, isLast };
    const shown = known ? { ...flight, path: known.path } : flight;
    const place = others.findIndex((row) => isBefore(flight, row));
    return { rows: others.toSpliced(place === -1 ? others.length : place, 0, shown), isLast };
  });
}

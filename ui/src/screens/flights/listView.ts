// The view of the flight list: its filters and its order. Kept in the address, so that reloading, going back and
// sharing the address show the same list. Pure functions: no React, no server.
import type { FlightRow } from "../../api/generated/FlightRow";
import { sortableTime } from "../../lib/dates";
import { matchesWords } from "../../lib/search";

/** Columns of the table, by their names in the address. */
export const sortNames = {
  startTime: "startzeit",
  location: "ort",
  distance: "strecke",
  maximumDistance: "entfernung",
  speed: "geschwindigkeit",
  flightTime: "flugzeit",
  maximumAltitude: "hoehe",
  copter: "copter",
} as const;

export type SortColumn = keyof typeof sortNames;

export type Sort = { column: SortColumn; isDescending: boolean };

/** Filters and order. `year` is "2026", `copter` a dpfId; an empty text doesn't filter. */
export type ListView = { text: string; year: string; copter: string; sort: Sort };

const newestFirst: Sort = { column: "startTime", isDescending: true };

export const wholeList: ListView = { text: "", year: "", copter: "", sort: newestFirst };

export function viewOf(parameters: URLSearchParams): ListView {
  return {
    text: (parameters.get("suche") ?? "").trim(),
    year: parameters.get("jahr") ?? "",
    copter: parameters.get("copter") ?? "",
    sort: sortOf(parameters.get("sortierung") ?? ""),
  };
}

/** Parses "-flugzeit" as longest first. */
function sortOf(text: string): Sort {
  const isDescending = text.startsWith("-");
  const name = isDescending ? text.slice(1) : text;
  const column = (Object.keys(sortNames) as SortColumn[]).find((one) => sortNames[one] === name);
  return column ? { column, isDescending } : newestFirst;
}

export function sortText({ column, isDescending }: Sort): string {
  return (isDescending ? "-" : "") + sortNames[column];
}

/** Encodes a view for the address, which omits defaults. */
export function parametersOf({ text, year, copter, sort }: ListView): URLSearchParams {
  const named = {
    suche: text,
    jahr: year,
    copter,
    sortierung: isNewestFirst(sort) ? "" : sortText(sort),
  };
  return new URLSearchParams(Object.entries(named).filter(([, value]) => value !== ""));
}

export function isNewestFirst(sort: Sort): boolean {
  return sort.column === newestFirst.column && sort.isDescending === newestFirst.isDescending;
}

/** Whether a filter is set. */
export function isNarrowed({ text, year, copter }: ListView): boolean {
  return text !== "" || year !== "" || copter !== "";
}

/**
 * Returns the order after a press on a column's heading: the column's natural order, or its reverse if it is already
 * set.
 */
export function nextSort(sort: Sort, column: SortColumn): Sort {
  if (sort.column === column) return { column, isDescending: !sort.isDescending };
  return { column, isDescending: column !== "location" && column !== "copter" };
}

/**
 * Returns the flights of this view in its order; the open one stays on top. `rows` are newest first, like the server's
 * answer.
 */
export function flightsIn(rows: FlightRow[], view: ListView): FlightRow[] {
  const { year, copter, text, sort } = view;
  const shown = rows.filter(
    (row) =>
      (year === "" || yearOf(row) === year) &&
      (copter === "" || row.copter.dpfId === copter) &&
      matchesWords(text, wordsOf(row)),
  );
  return openFirst(inOrder(shown, sort));
}

export function openFirst(rows: FlightRow[]): FlightRow[] {
  return [...rows.filter((row) => row.open), ...rows.filter((row) => !row.open)];
}

function yearOf({ startTime }: FlightRow): string {
  return startTime.slice(6, 10);
}

/** Returns the texts of a flight that the search matches. */
function wordsOf({ startTime, location, copter, equipments, payloads }: FlightRow): string[] {
  const items = [copter, ...equipments].flatMap(({ name, model }) => [name, model]);
  return [startTime, location, ...items, ...payloads.map(({ name }) => name)];
}

const german = new Intl.Collator("de", { numeric: true });

/** Sorts stably; flights without a value come last in both directions. */
function inOrder(rows: FlightRow[], sort: Sort): FlightRow[] {
  if (isNewestFirst(sort)) return rows;
  const { column, isDescending } = sort;
  const sign = isDescending ? -1 : 1;
  const keyed = rows.map((row) => ({ row, key: keyOf(row, column) }));
  keyed.sort((a, b) => {
    if (a.key === null || b.key === null) return Number(a.key === null) - Number(b.key === null);
    const order = typeof a.key === "string" ? german.compare(a.key, String(b.key)) : a.key - Number(b.key);
    return sign * order;
  });
  return keyed.map(({ row }) => row);
}

function keyOf(row: FlightRow, column: SortColumn): string | number | null {
  switch (column) {
    case "startTime":
      return sortableTime(row.startTime);
    case "location":
      return row.location === "" ? null : row.location;
    case "copter":
      return row.copter.name;
    default:
      return row[column];
  }
}

/** Returns the years with flights, newest first. */
export function yearsOf(rows: FlightRow[]): string[] {
  return [...new Set(rows.map(yearOf))].sort().reverse();
}

/** Returns the copters by name; a renamed copter has the name of its newest flight. */
export function coptersOf(rows: FlightRow[]): { dpfId: string; name: string }[] {
  const copters = new Map<string, { dpfId: string; name: string }>();
  for (const { copter } of rows) if (!copters.has(copter.dpfId)) copters.set(copter.dpfId, copter);
  return [...copters.values()].sort((a, b) => german.compare(a.name, b.name));
}

/** Returns the sum of flight times in min. */
export function totalMinutes(rows: FlightRow[]): number {
  return rows.reduce((sum, row) => sum + (row.flightTime ?? 0), 0);
}

// Groups the flights of a list by day, in their order. Pure functions: no React, no server.

import type { FlightRow } from "../../api/generated/FlightRow";
import { parseDate, utcOf, wallClock, weekday } from "../../lib/dates";
import { formatMinutes, formatQuantity } from "../../lib/numbers";
import { filter } from "./texts";

export type Day = {
  /** "04.11.2026" */
  date: string;
  /** "Mi, 4. November", with the year unless it is this one. */
  heading: string;
  /** "Mi, 4.", under its month. */
  short: string;
  /** "November 2026" */
  month: string;
  /** "4 Flüge · 43 min · 20,1 km"; "" while more flights of this day may follow. */
  sums: string;
};

const months = new Intl.DateTimeFormat("de-DE", { month: "long", timeZone: "UTC" });

function dateOf({ startTime }: FlightRow): string {
  return startTime.slice(0, 10);
}

/** Returns the days of all flights by date. `isWhole`: no flights follow. Open flights are left out of the sums;
 * the sum of one flight is the flight. */
export function daysOf(rows: FlightRow[], isWhole: boolean): Map<string, Day> {
  const byDate = new Map<string, FlightRow[]>();
  for (const row of rows) {
    if (row.open) continue;
    const others = byDate.get(dateOf(row));
    if (others) others.push(row);
    else byDate.set(dateOf(row), [row]);
  }
  const last = isWhole ? undefined : rows.at(-1);
  const days = new Map<string, Day>();
  for (const [date, flown] of byDate) {
    const isCut = last !== undefined && dateOf(last) === date;
    days.set(date, { date, ...named(date), sums: isCut || flown.length === 1 ? "" : sumsOf(flown) });
  }
  return days;
}

function named(date: string): Pick<Day, "heading" | "short" | "month"> {
  const day = parseDate(date);
  if (!day) return { heading: date, short: date, month: "" };
  const month = months.format(utcOf(day));
  const short = `${weekday(day)}, ${day.day}.`;
  const isThisYear = day.year === wallClock().year;
  return {
    heading: `${short} ${month}${isThisYear ? "" : ` ${day.year}`}`,
    short,
    month: `${month} ${day.year}`,
  };
}

function sumsOf(rows: FlightRow[]): string {
  const sum = (values: (number | null)[], format: (total: number) => string) => {
    const known = values.filter((value) => value !== null);
    return known.length === 0 ? "" : format(known.reduce((total, value) => total + value, 0));
  };
  return [
    filter.count(rows.length, rows.length),
    sum(
      rows.map(({ flightTime }) => flightTime),
      formatMinutes,
    ),
    sum(
      rows.map(({ distance }) => distance),
      (total) => formatQuantity(total, "km"),
    ),
  ]
    .filter((text) => text !== "")
    .join(" · ");
}

/** Consecutive flights of one day; `day` is null for the open flight and in lists that aren't sorted by time. */
export type Group = { day: Day | null; rows: FlightRow[] };

export function groupsOf(rows: FlightRow[], days: Map<string, Day> | null): Group[] {
  const groups: Group[] = [];
  for (const row of rows) {
    const day = (!row.open && days?.get(dateOf(row))) || null;
    const group = groups.at(-1);
    if (group && group.day === day) group.rows.push(row);
    else groups.push({ day, rows: [row] });
  }
  return groups;
}

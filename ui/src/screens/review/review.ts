// Derives from the server's answer what the look back shows: days as squares, sums, the strongest month, the line of
// the year. Pure functions: no React, no server.
import type { FlightMonth } from "../../api/generated/FlightMonth";
import type { Review } from "../../api/generated/Review";
import type { ReviewDay } from "../../api/generated/ReviewDay";

/** The selection in the address. `year`: "" for the latest one, "alle", or "2026". */
export type ReviewView = { year: string; copter: string; place: string };

export const everyYear = "alle";

export function viewOf(parameters: URLSearchParams): ReviewView {
  const year = parameters.get("jahr") ?? "";
  const copter = parameters.get("copter") ?? "";
  return {
    year: year === everyYear || /^(19|20)\d\d$/.test(year) ? year : "",
    copter,
    // Only one of both: the server has no figures of a copter at a place.
    place: copter === "" ? (parameters.get("ort") ?? "") : "",
  };
}

/** Encodes a selection for the address, which omits defaults. */
export function parametersOf({ year, copter, place }: ReviewView): URLSearchParams {
  const named = { jahr: year, copter, ort: place };
  return new URLSearchParams(Object.entries(named).filter(([, value]) => value !== ""));
}

const dayMs = 86_400_000;

/** Returns the days since 1970 of "2026-05-03". */
function dayNumber(day: string): number {
  return Math.round(Date.parse(`${day}T00:00Z`) / dayMs);
}

/** Returns "03.05.2026" for "2026-05-03". */
export function germanDay(day: string): string {
  const [year, month, date] = day.split("-");
  return `${date}.${month}.${year}`;
}

/** Returns the level of a day: 0 without a flight, up to 4. */
export function levelOf(flights: number): 0 | 1 | 2 | 3 | 4 {
  if (flights <= 0) return 0;
  if (flights === 1) return 1;
  if (flights === 2) return 2;
  return flights < 5 ? 3 : 4;
}

/** A day of the calendar: its column is its week, its row the day of the week from Monday. */
export type Square = { day: string; column: number; row: number; level: 0 | 1 | 2 | 3 | 4 };

/** Months of a year as columns of weeks. */
export type Calendar = {
  columns: number;
  squares: Square[];
  /** Column in which each month begins. */
  months: { month: number; column: number }[];
};

/** Returns the calendar of the months `first` to `last` (from 0) of a year. */
export function calendarOf(
  year: number,
  flown: ReadonlyMap<string, ReviewDay>,
  [first, last]: [number, number],
): Calendar {
  const start = Date.UTC(year, first, 1);
  const end = Date.UTC(year, last + 1, 1);
  const shift = (new Date(start).getUTCDay() + 6) % 7;
  const days = Math.round((end - start) / dayMs);
  const columnOf = (position: number) => Math.floor((position + shift) / 7);
  const months: Calendar["months"] = [];
  const squares = Array.from({ length: days }, (_, position): Square => {
    const date = new Date(start + position * dayMs);
    if (date.getUTCDate() === 1) months.push({ month: date.getUTCMonth(), column: columnOf(position) });
    const day = date.toISOString().slice(0, 10);
    return {
      day,
      column: columnOf(position),
      row: (position + shift) % 7,
      level: levelOf(flown.get(day)?.flights ?? 0),
    };
  });
  return { columns: columnOf(days - 1) + 1, squares, months };
}

/** Returns the flown day nearest to a place in the calendar, at most `reach` squares away. */
export function flownNear(
  { squares }: Calendar,
  place: { column: number; row: number },
  reach: number,
): string | null {
  const flown = squares
    .filter(({ level }) => level > 0)
    .map((square) => ({
      day: square.day,
      far: Math.hypot(square.column + 0.5 - place.column, square.row + 0.5 - place.row),
    }))
    .filter(({ far }) => far <= reach);
  return flown.toSorted((a, b) => a.far - b.far)[0]?.day ?? null;
}

/** Returns the length of the longest series of days with a flight. */
export function longestSeries(days: readonly ReviewDay[]): number {
  let [longest, running, last] = [0, 0, Number.NaN];
  for (const { day } of days) {
    const number = dayNumber(day);
    running = number === last + 1 ? running + 1 : 1;
    longest = Math.max(longest, running);
    last = number;
  }
  return longest;
}

/** Groups days by year, latest year first. */
export function daysByYear(days: readonly ReviewDay[]): { year: number; days: ReviewDay[] }[] {
  const years = new Map<number, ReviewDay[]>();
  for (const day of days) {
    const year = Number(day.day.slice(0, 4));
    const own = years.get(year);
    if (own) own.push(day);
    else years.set(year, [day]);
  }
  return [...years].map(([year, own]) => ({ year, days: own })).reverse();
}

/** Returns the month with the most minutes, and its number of days with a flight; null if no flight has a time. */
export function strongestMonth({ months, days }: Pick<Review, "months" | "days">) {
  const strongest = months.toSorted((a, b) => b.minutes - a.minutes)[0];
  if (strongest === undefined || strongest.minutes === 0) return null;
  const flown = days.filter(({ day }) => day.startsWith(strongest.month)).length;
  return { month: Number(strongest.month.slice(5)) - 1, minutes: strongest.minutes, days: flown };
}

/** A line that rises with every flight: x and y from 0 to 1. */
export type Line = { x: number; y: number }[];

/** Returns the running total of the days' minutes, scaled by `most` minutes. */
export function lineOf(
  days: readonly ReviewDay[],
  [from, to]: [number, number],
  until: number,
  most: number,
): Line {
  let sum = 0;
  const place = (day: number) => (day - from) / Math.max(1, to - from);
  const high = () => (most === 0 ? 0 : sum / most);
  const line: Line = [{ x: 0, y: 0 }];
  for (const { day, minutes } of days) {
    const x = place(dayNumber(day));
    line.push({ x, y: high() });
    sum += minutes;
    line.push({ x, y: high() });
  }
  line.push({ x: place(until), y: high() });
  return line;
}

/** Like {@link lineOf}, but from the totals of months, because days of the year before aren't known. */
export function lineOfMonths(months: readonly FlightMonth[], most: number): Line {
  let sum = 0;
  const line: Line = [{ x: 0, y: 0 }];
  months.forEach(({ minutes }, position) => {
    sum += minutes;
    line.push({ x: (position + 1) / months.length, y: most === 0 ? 0 : sum / most });
  });
  return line;
}

/** Returns the time span of the line, in days since 1970, and the day up to which it is drawn. */
export function spanOf(
  days: readonly ReviewDay[],
  year: number | null,
  today: string,
): { span: [number, number]; until: number } {
  const now = dayNumber(today);
  if (year !== null) {
    const span: [number, number] = [dayNumber(`${year}-01-01`), dayNumber(`${year}-12-31`)];
    return { span, until: Math.min(span[1], Math.max(now, lastDay(days))) };
  }
  const first = days[0] ? dayNumber(days[0].day) : now;
  const last = lastDay(days);
  return { span: [first - 1, last], until: last };
}

function lastDay(days: readonly ReviewDay[]): number {
  const last = days.at(-1);
  return last ? dayNumber(last.day) : Number.NEGATIVE_INFINITY;
}

export function sumOf(months: readonly { minutes: number }[]): number {
  return months.reduce((sum, { minutes }) => sum + minutes, 0);
}

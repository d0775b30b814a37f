// German dates and times as text: DD.MM.YYYY and dd.MM.yyyy HH:mm, in the pilot's wall clock without a zone.
// Independent of widgets, and of their library of calendars, for which no first page waits.
import { believed } from "./clock";

/** A day of the Gregorian calendar; January is 1. */
export type Day = { readonly year: number; readonly month: number; readonly day: number };

/** A time on a wall clock, to the minute. */
export type DayTime = Day & { readonly hour: number; readonly minute: number };

export const earliestDate: Day = { year: 1900, month: 1, day: 1 };
export const latestDate: Day = { year: 2099, month: 12, day: 31 };

const datePattern = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/;
const dateTimePattern = /^(\d{1,2})\.(\d{1,2})\.(\d{4}),?\s+(\d{1,2}):(\d{2})$/;

/** Parses a day between 1900 and 2099; null for anything else. */
export function parseDate(text: string): Day | null {
  const parts = datePattern.exec(text.trim());
  return parts ? realDate(Number(parts[3]), Number(parts[2]), Number(parts[1])) : null;
}

export function parseDateTime(text: string): DayTime | null {
  const parts = dateTimePattern.exec(text.trim());
  if (!parts) return null;
  const date = realDate(Number(parts[3]), Number(parts[2]), Number(parts[1]));
  const hour = Number(parts[4]);
  const minute = Number(parts[5]);
  return date && hour <= 23 && minute <= 59 ? { ...date, hour, minute } : null;
}

/** Whether a text is a date outside of the years that date fields accept. */
export function isOutsideYears(text: string): boolean {
  const year = /^\d{1,2}\.\d{1,2}\.(\d{4})\b/.exec(text.trim())?.[1];
  return year !== undefined && (Number(year) < earliestDate.year || Number(year) > latestDate.year);
}

function realDate(year: number, month: number, day: number): Day | null {
  // Date.UTC takes the 31st of February for a day of March: a date that changes doesn't exist.
  const date = new Date(Date.UTC(year, month - 1, day));
  const isReal = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return isReal && year >= earliestDate.year && year <= latestDate.year ? { year, month, day } : null;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, "0");
}

export function formatDate(date: Day): string {
  return `${twoDigits(date.day)}.${twoDigits(date.month)}.${String(date.year).padStart(4, "0")}`;
}

export function formatTime(time: Pick<DayTime, "hour" | "minute">): string {
  return `${twoDigits(time.hour)}:${twoDigits(time.minute)}`;
}

export function formatDateTime(time: DayTime): string {
  return `${formatDate(time)} ${formatTime(time)}`;
}

/** The wall clock in this device's zone, to the minute: that of its pilot, also when the device's own is wrong. */
export function wallClock(date: Date = believed()): DayTime {
  return {
    year: date.getFullYear(),
    month: date.getMonth() + 1,
    day: date.getDate(),
    hour: date.getHours(),
    minute: date.getMinutes(),
  };
}

/** A time in ms since 1970 as if it were that of UTC: for order and distance on the wall clock. */
export function utcOf({ year, month, day, hour = 0, minute = 0 }: Day & Partial<DayTime>): number {
  return Date.UTC(year, month - 1, day, hour, minute);
}

/** The time that the wall clock shows `minutes` minutes later. It is never put forward or back. */
export function addMinutes(time: DayTime, minutes: number): DayTime {
  const sum = new Date(utcOf(time) + minutes * 60_000);
  return {
    year: sum.getUTCFullYear(),
    month: sum.getUTCMonth() + 1,
    day: sum.getUTCDate(),
    hour: sum.getUTCHours(),
    minute: sum.getUTCMinutes(),
  };
}

/** The moment at which the wall clock in this device's zone shows a time, in ms since 1970; null for no time. */
export function momentOf(text: string): number | null {
  const time = parseDateTime(text);
  return time && new Date(time.year, time.month - 1, time.day, time.hour, time.minute).getTime();
}

/** Returns the moment of a text as an instant: "2026-03-01T09:05:00.000Z". */
export function instantOf(text: string): string | null {
  const ms = momentOf(text);
  return ms === null ? null : new Date(ms).toISOString();
}

/** "14:05" of a moment on this device. */
export function formatClock(date: Date): string {
  return formatTime({ hour: date.getHours(), minute: date.getMinutes() });
}

const weekdays = ["So", "Mo", "Di", "Mi", "Do", "Fr", "Sa"];

/** Weekday: "Mo" to "So". */
export function weekday(date: Day): string {
  return weekdays[new Date(utcOf(date)).getUTCDay()] ?? "";
}

/** "02.03.2026 09:05" as the number 202603020905, fast enough to sort thousands; 0 for "". */
export function sortableTime(time: string): number {
  if (time === "") return 0;
  const [, day, month, year, hour, minute] = /^(..)\.(..)\.(....) (..):(..)$/.exec(time) ?? [];
  return Number(`${year}${month}${day}${hour}${minute}`);
}

/** Whole minutes between two wall clock times; negative when the second is earlier. */
export function minutesBetween(from: DayTime, to: DayTime): number {
  return (utcOf(to) - utcOf(from)) / 60_000;
}

/** Shortens "20.11.2026 16:43": to "16:43" today, to "20.11. 16:43" this year. */
export function shortTime(time: string, today: string): string {
  const [date = "", clock = ""] = time.split(" ");
  if (date === today) return clock;
  return date.slice(6) === today.slice(6) ? `${date.slice(0, 6)} ${clock}` : time;
}

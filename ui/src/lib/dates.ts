// German dates and times as text: DD.MM.YYYY and dd.MM.yyyy HH:mm, in the pilot's wall clock without a zone.
// Independent of widgets.
import { CalendarDate, CalendarDateTime, getDayOfWeek } from "@internationalized/date";
import { believed } from "./clock";

export const earliestDate = new CalendarDate(1900, 1, 1);
export const latestDate = new CalendarDate(2099, 12, 31);

const datePattern = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/;
const dateTimePattern = /^(\d{1,2})\.(\d{1,2})\.(\d{4}),?\s+(\d{1,2}):(\d{2})$/;

/** Parses a day between 1900 and 2099; null for anything else. */
export function parseDate(text: string): CalendarDate | null {
  const parts = datePattern.exec(text.trim());
  return parts ? realDate(Number(parts[3]), Number(parts[2]), Number(parts[1])) : null;
}

export function parseDateTime(text: string): CalendarDateTime | null {
  const parts = dateTimePattern.exec(text.trim());
  if (!parts) return null;
  const date = realDate(Number(parts[3]), Number(parts[2]), Number(parts[1]));
  const hour = Number(parts[4]);
  const minute = Number(parts[5]);
  if (!date || hour > 23 || minute > 59) return null;
  return new CalendarDateTime(date.year, date.month, date.day, hour, minute);
}

/** Whether a text is a date outside of the years that date fields accept. */
export function isOutsideYears(text: string): boolean {
  const year = /^\d{1,2}\.\d{1,2}\.(\d{4})\b/.exec(text.trim())?.[1];
  return year !== undefined && (Number(year) < earliestDate.year || Number(year) > latestDate.year);
}

function realDate(year: number, month: number, day: number): CalendarDate | null {
  // CalendarDate clamps the 31st of February to the end of the month: a date that changed doesn't exist.
  const date = new CalendarDate(year, month, day);
  const isReal = date.year === year && date.month === month && date.day === day;
  return isReal && date.compare(earliestDate) >= 0 && date.compare(latestDate) <= 0 ? date : null;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, "0");
}

export function formatDate(date: { day: number; month: number; year: number }): string {
  return `${twoDigits(date.day)}.${twoDigits(date.month)}.${String(date.year).padStart(4, "0")}`;
}

export function formatTime(time: { hour: number; minute: number }): string {
  return `${twoDigits(time.hour)}:${twoDigits(time.minute)}`;
}

export function formatDateTime(time: CalendarDateTime): string {
  return `${formatDate(time)} ${formatTime(time)}`;
}

/** The wall clock in this device's zone, to the minute: that of its pilot, also when the device's own is wrong. */
export function wallClock(date: Date = believed()): CalendarDateTime {
  return new CalendarDateTime(
    date.getFullYear(),
    date.getMonth() + 1,
    date.getDate(),
    date.getHours(),
    date.getMinutes(),
  );
}

/** The moment at which the wall clock in this device's zone shows a time, in ms since 1970; null for no time. */
export function momentOf(text: string): number | null {
  const time = parseDateTime(text);
  return time && new Date(time.year, time.month - 1, time.day, time.hour, time.minute).getTime();
}

/** That moment as an instant: "2026-03-01T09:05:00.000Z". */
export function instantOf(text: string): string | null {
  const ms = momentOf(text);
  return ms === null ? null : new Date(ms).toISOString();
}

/** "14:05" of a moment on this device. */
export function formatClock(date: Date): string {
  return formatTime({ hour: date.getHours(), minute: date.getMinutes() });
}

const weekdays = ["Mo", "Di", "Mi", "Do", "Fr", "Sa", "So"];

/** Weekday: "Mo" to "So". */
export function weekday(date: CalendarDate | CalendarDateTime): string {
  return weekdays[getDayOfWeek(date, "de-DE")] ?? "";
}

/** "02.03.2026 09:05" as the number 202603020905, fast enough to sort thousands; 0 for "". */
export function sortableTime(time: string): number {
  if (time === "") return 0;
  const [, day, month, year, hour, minute] = /^(..)\.(..)\.(....) (..):(..)$/.exec(time) ?? [];
  return Number(`${year}${month}${day}${hour}${minute}`);
}

/** Whole minutes between two wall clock times; negative when the second is earlier. */
export function minutesBetween(from: CalendarDateTime, to: CalendarDateTime): number {
  return Math.round((to.toDate("UTC").getTime() - from.toDate("UTC").getTime()) / 60_000);
}

/** Shortens "20.11.2026 16:43": to "16:43" today, to "20.11. 16:43" this year. */
export function shortTime(time: string, today: string): string {
  const [date = "", clock = ""] = time.split(" ");
  if (date === today) return clock;
  return date.slice(6) === today.slice(6) ? `${date.slice(0, 6)} ${clock}` : time;
}

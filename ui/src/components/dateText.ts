// Converts between a date picker's value, the form's text, and half-typed segments. Independent of widgets.
import { CalendarDate, CalendarDateTime } from "@internationalized/date";
import {
  type Day,
  type DayTime,
  formatDate,
  formatDateTime,
  formatTime,
  isOutsideYears,
  parseDate,
  parseDateTime,
} from "../lib/dates";
import { general } from "../texts";
import { dates } from "./texts/dates";

export type PickedDate = CalendarDate | CalendarDateTime | null;

/** The form's value for a date of which only some parts are typed. */
export const incomplete = "?";

export function pickedDay({ year, month, day }: Day): CalendarDate {
  return new CalendarDate(year, month, day);
}

export function pickedTime(time: DayTime): CalendarDateTime;
export function pickedTime(time: DayTime | null): CalendarDateTime | null;
export function pickedTime(time: DayTime | null): CalendarDateTime | null {
  return time && new CalendarDateTime(time.year, time.month, time.day, time.hour, time.minute);
}

export function toValue(text: string, withTime: boolean): PickedDate {
  if (withTime) return pickedTime(parseDateTime(text));
  const day = parseDate(text);
  return day && pickedDay(day);
}

export function toText(value: PickedDate): string {
  if (value === null) return "";
  return value instanceof CalendarDateTime ? formatDateTime(value) : formatDate(value);
}

/** The error, or undefined. Names a day that doesn't exist, because the picker can't show it. */
export function dateError(text: string, withTime: boolean): string | undefined {
  if (text === "" || toValue(text, withTime) !== null) return undefined;
  if (isOutsideYears(text)) return dates.badYear;
  return text === incomplete ? general.invalid : `${general.invalid}: ${text}`;
}

/** A pasted date; a day without a time is its beginning, a year of two digits one of this century. */
export function pastedValue(pasted: string, withTime: boolean): PickedDate {
  const text = pasted.trim().replace(/^\d+\.\d+\.(?=\d\d\b)/, "$&20");
  const time = parseDateTime(text);
  const day = time ?? parseDate(text);
  if (!withTime) return day && pickedDay(day);
  return pickedTime(time ?? (day && { ...day, hour: 0, minute: 0 }));
}

/** A part of the date as the picker shows it. */
export type Part = {
  type: string;
  value?: number | null | undefined;
  isPlaceholder: boolean;
  isEditable: boolean;
};

/** A year of two digits is one of this century. */
function fullYear(year: number): number {
  return year < 100 ? 2000 + year : year;
}

/** The segments as the form's text: "" when all are empty, else the date, real or not. */
export function textOfParts(parts: readonly Part[], withTime: boolean): string {
  const typed = parts.filter((part) => part.isEditable);
  const empty = typed.filter((part) => part.isPlaceholder);
  if (empty.length === typed.length) return "";
  if (empty.length > 0) return incomplete;
  const shown = (type: string) => typed.find((part) => part.type === type)?.value ?? Number.NaN;
  const day = formatDate({ day: shown("day"), month: shown("month"), year: fullYear(shown("year")) });
  return withTime ? `${day} ${formatTime({ hour: shown("hour"), minute: shown("minute") })}` : day;
}

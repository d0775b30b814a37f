// Converts between a flight and the editor's form, whose values are all texts. Pure functions: no React, no server.
import { ApiError } from "../../api/client";
import { each, numberFields, textFields } from "../../api/flightFields";
import type { FlightChanges } from "../../api/flights";
import type { Flight } from "../../api/generated/Flight";
import type { FlightFields } from "../../api/generated/FlightFields";
import { flights } from "../../components/texts/flights";
import type { Moment } from "../../lib/clock";
import {
  addMinutes,
  type DayTime,
  formatDateTime,
  minutesBetween,
  parseDateTime,
  utcOf,
  wallClock,
} from "../../lib/dates";
import { minutesSinceStart, type Running } from "../../lib/flightClock";
import {
  coordinatesToInput,
  firstTwoNumbers,
  isLatitude,
  isLongitude,
  parseCoordinates,
} from "../../lib/gps";
import { numberToInput, parseNumber } from "../../lib/numbers";

export type FlightMode = "new" | "finish" | "edit";

type NumberField = (typeof numberFields)[number];
type TextField = (typeof textFields)[number];

export type FlightValues = Record<
  NumberField | TextField | "startTime" | "startGps" | "endGps" | "flightMode",
  string
>;

export const emptyFlight: FlightValues = {
  startTime: "",
  startGps: "",
  endGps: "",
  flightMode: "0",
  ...each(textFields, () => ""),
  ...each(numberFields, () => ""),
};

const flightFields = Object.keys(emptyFlight) as (keyof FlightValues)[];

/** Fields that are known only after the landing. */
export const fieldsOfEnd: ReadonlySet<string> = new Set<keyof FlightValues>([
  "endGps",
  ...numberFields.filter((name) => name !== "batteryStartVoltage"),
]);

/** The part of a flight that the form edits. */
type EditableFlight = FlightFields & Pick<Flight, "startTime">;

export function toValues(flight: EditableFlight): FlightValues {
  return {
    startTime: flight.startTime,
    startGps: coordinatesToInput(flight.startLatitude, flight.startLongitude),
    endGps: coordinatesToInput(flight.endLatitude, flight.endLongitude),
    flightMode: flight.flightMode,
    ...each(textFields, (name) => flight[name]),
    ...each(numberFields, (name) => numberToInput(flight[name])),
  };
}

const pauseMinutes = 5;

/** Returns when a flight of these minutes ended. */
export function endOf({ startTime, flightTime }: FlightValues): DayTime | null {
  const start = parseDateTime(startTime);
  return start && addMinutes(start, wholeMinutes(flightTime));
}

function wholeMinutes(text: string): number {
  return Math.ceil(parseNumber(text) ?? 0);
}

/**
 * Returns the start of a past flight with these minutes. It has just ended, or, in a series, began one change of packs
 * after the flight `before`, or sooner if that would be too late.
 */
export function pastStart(flightTime: string, before: DayTime | null, now: DayTime = wallClock()): string {
  const latest = addMinutes(now, -wholeMinutes(flightTime));
  if (before === null) return formatDateTime(latest);
  const next = earlier(addMinutes(before, pauseMinutes), latest);
  const start = utcOf(next) < utcOf(before) ? before : next;
  return formatDateTime(earlier(start, now));
}

function earlier(one: DayTime, other: DayTime): DayTime {
  return utcOf(one) < utcOf(other) ? one : other;
}

/** Returns the form's values for the next flight of a past series, without the values that were read off. */
export function nextInSeries(values: FlightValues, now: DayTime = wallClock()): FlightValues {
  const { location, startGps, flightMode, weatherConditions, purpose } = values;
  const end = endOf(values);
  const startTime = end ? pastStart("", end, now) : "";
  return { ...emptyFlight, startTime, location, startGps, flightMode, weatherConditions, purpose };
}

/** Returns the fields that differ from the loaded flight, so that concurrent changes of others are kept. */
export function changedFields(values: FlightValues, loaded: EditableFlight, mode: FlightMode): FlightChanges {
  const before = toValues(loaded);
  return fieldsOf(
    values,
    (name) => values[name].trim() !== before[name].trim() && !(mode === "new" && fieldsOfEnd.has(name)),
  );
}

/** Returns the filled-in fields, for a flight that isn't stored yet. */
export function enteredFields(values: FlightValues): FlightChanges & { startTime: string } {
  return {
    ...fieldsOf(values, (name) => values[name].trim() !== ""),
    startTime: values.startTime,
  };
}

function fieldsOf(values: FlightValues, isSent: (name: keyof FlightValues) => boolean): FlightChanges {
  const fields: FlightChanges = {};
  for (const name of flightFields.filter(isSent)) {
    const value = values[name].trim();
    if (name === "startGps" || name === "endGps") {
      const place = parseCoordinates(value);
      const end = name === "startGps" ? "start" : "end";
      fields[`${end}Latitude`] = place?.latitude ?? "";
      fields[`${end}Longitude`] = place?.longitude ?? "";
    } else {
      fields[name] = value;
    }
  }
  return fields;
}

/** Validates a GPS text: empty, or a place on earth. */
export function gpsError(text: string): string | undefined {
  if (text.trim() === "") return undefined;
  const numbers = firstTwoNumbers(text);
  if (numbers === null) return flights.gpsInvalid;
  if (!isLatitude(numbers.latitude)) return flights.badLatitude;
  if (!isLongitude(numbers.longitude)) return flights.badLongitude;
  return undefined;
}

const formFields: Record<string, keyof FlightValues> = {
  startLatitude: "startGps",
  startLongitude: "startGps",
  endLatitude: "endGps",
  endLongitude: "endGps",
  maxDistance: "maximumDistance",
};

/** Translates the server's error to the form's field names, and its status to what it means for a flight. */
export function withFormFieldNames(error: unknown): unknown {
  if (!(error instanceof ApiError)) return error;
  if (error.status === 403) return new ApiError(403, flights.notYours, null);
  if (error.field === null) return error;
  return new ApiError(error.status, error.text, formFields[error.field] ?? error.field);
}

const longestProposalMinutes = 180;
const clockToleranceMinutes = 2;

/** Returns the minutes from the start to the landing, or until now; "" if that is implausible. */
export function proposedFlightTime(flight: Running, landed?: Moment): string {
  const minutes = minutesSinceStart(flight, landed);
  return minutes === null || minutes > longestProposalMinutes ? "" : String(Math.max(minutes, 1));
}

/** Returns for how many minutes a flight has been open if that is longer than a flight takes; else null. */
export function minutesTooLong(flight: Running): number | null {
  const minutes = minutesSinceStart(flight);
  return minutes !== null && minutes > longestProposalMinutes ? minutes : null;
}

/** Whether the start time is in the future by this device's clock, so that one of the two is wrong. */
export function isInFuture(startTime: string): boolean {
  const start = parseDateTime(startTime);
  return start !== null && minutesBetween(wallClock(), start) > clockToleranceMinutes;
}

// Conversions between a flight and the editor's form, whose values are all texts: the form's values of a flight, and
// the fields that a changed form sends. Knows no widgets.
import { ApiError } from "../../api/client";
import type { FlightFields } from "../../api/flights";
import type { Flight } from "../../api/generated/Flight";
import { formatDateTime, minutesBetween, parseDateTime, wallClock } from "../../lib/dates";
import {
  coordinatesToInput,
  firstTwoNumbers,
  isLatitude,
  isLongitude,
  parseCoordinates,
} from "../../lib/gps";
import { numberToInput, parseNumber } from "../../lib/numbers";
import { flights } from "../../texts";

export type FlightMode = "new" | "finish" | "edit";

export type FlightValues = {
  startTime: string;
  location: string;
  startGps: string;
  endGps: string;
  flightTime: string;
  maximumAltitude: string;
  distance: string;
  maximumDistance: string;
  speed: string;
  batteryStartVoltage: string;
  batteryEndVoltage: string;
  consumedCapacity: string;
  flightMode: string;
  weatherConditions: string;
  purpose: string;
  notes: string;
};

export const emptyFlight: FlightValues = {
  startTime: "",
  location: "",
  startGps: "",
  endGps: "",
  flightTime: "",
  maximumAltitude: "",
  distance: "",
  maximumDistance: "",
  speed: "",
  batteryStartVoltage: "",
  batteryEndVoltage: "",
  consumedCapacity: "",
  flightMode: "0",
  weatherConditions: "",
  purpose: "",
  notes: "",
};

const flightFields = Object.keys(emptyFlight) as (keyof FlightValues)[];

/** The fields that aren't known before the flight. */
const hiddenWhenNew = new Set<keyof FlightValues>([
  "endGps",
  "flightTime",
  "maximumAltitude",
  "distance",
  "maximumDistance",
  "speed",
  "batteryEndVoltage",
  "consumedCapacity",
]);

export const numberFields = [
  "flightTime",
  "maximumAltitude",
  "distance",
  "maximumDistance",
  "speed",
  "batteryStartVoltage",
  "batteryEndVoltage",
  "consumedCapacity",
] as const satisfies readonly (keyof FlightValues)[];

/** What the form knows of a flight. */
export type Logged = Pick<
  Flight,
  | Exclude<keyof FlightValues, "startGps" | "endGps">
  | "startLatitude"
  | "startLongitude"
  | "endLatitude"
  | "endLongitude"
>;

export function toValues(flight: Logged): FlightValues {
  return {
    startTime: flight.startTime,
    location: flight.location,
    startGps: coordinatesToInput(flight.startLatitude, flight.startLongitude),
    endGps: coordinatesToInput(flight.endLatitude, flight.endLongitude),
    flightTime: numberToInput(flight.flightTime),
    maximumAltitude: numberToInput(flight.maximumAltitude),
    distance: numberToInput(flight.distance),
    maximumDistance: numberToInput(flight.maximumDistance),
    speed: numberToInput(flight.speed),
    batteryStartVoltage: numberToInput(flight.batteryStartVoltage),
    batteryEndVoltage: numberToInput(flight.batteryEndVoltage),
    consumedCapacity: numberToInput(flight.consumedCapacity),
    flightMode: flight.flightMode,
    weatherConditions: flight.weatherConditions,
    purpose: flight.purpose,
    notes: flight.notes,
  };
}

const pauseMinutes = 5;

/** The form for the next flight of a series that is over: a pack's change later, without what was read off. */
export function laterAgain(values: FlightValues): FlightValues {
  const { location, startGps, flightMode, weatherConditions, purpose } = values;
  const minutes = Math.ceil(parseNumber(values.flightTime) ?? 0) + pauseMinutes;
  const start = parseDateTime(values.startTime);
  const startTime = start ? formatDateTime(start.add({ minutes })) : "";
  return { ...emptyFlight, startTime, location, startGps, flightMode, weatherConditions, purpose };
}

/** Only fields that differ from the flight as it was loaded: somebody else's changes stay. */
export function changedFields(values: FlightValues, loaded: Logged, mode: FlightMode): FlightFields {
  const before = toValues(loaded);
  return fieldsOf(
    values,
    (name) => values[name].trim() !== before[name].trim() && !(mode === "new" && hiddenWhenNew.has(name)),
  );
}

/** Only what was entered, for a flight that isn't there yet. */
export function enteredFields(values: FlightValues): FlightFields & { startTime: string } {
  return {
    ...fieldsOf(values, (name) => values[name].trim() !== ""),
    startTime: values.startTime,
  };
}

function fieldsOf(values: FlightValues, isSent: (name: keyof FlightValues) => boolean): FlightFields {
  const fields: FlightFields = {};
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

/** The rule of a GPS text: empty, or a place on earth. */
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

/** The server's error with the form's name of its field, and with the meaning that its status has for a flight. */
export function namedAsInForm(error: unknown): unknown {
  if (!(error instanceof ApiError)) return error;
  if (error.status === 403) return new ApiError(403, `${error.text} ${flights.notYoursHint}`, null);
  if (error.field === null) return error;
  return new ApiError(error.status, error.text, formFields[error.field] ?? error.field);
}

const longestProposalMinutes = 180;
const clockToleranceMinutes = 2;

/** Minutes from the start until now, as the default flight time; "" when that can't be it. */
export function proposedFlightTime(startTime: string): string {
  const start = parseDateTime(startTime);
  if (!start) return "";
  const minutes = minutesBetween(start, wallClock());
  return minutes < 0 || minutes > longestProposalMinutes ? "" : String(Math.max(minutes, 1));
}

/** How many minutes a flight is open, when that is longer than a flight takes; null else. */
export function minutesTooLong(startTime: string): number | null {
  const start = parseDateTime(startTime);
  const minutes = start ? minutesBetween(start, wallClock()) : 0;
  return minutes > longestProposalMinutes ? minutes : null;
}

/** Whether the start time is in the future by this device's clock, so that one of the two is wrong. */
export function isInFuture(startTime: string): boolean {
  const start = parseDateTime(startTime);
  return start !== null && minutesBetween(wallClock(), start) > clockToleranceMinutes;
}

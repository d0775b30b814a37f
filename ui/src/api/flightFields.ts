// Names of a flight's fields without its start, by the type of their values, and a flight without values.
import type { FlightFields } from "./generated/FlightFields";

export const numberFields = [
  "flightTime",
  "maximumAltitude",
  "distance",
  "maximumDistance",
  "speed",
  "batteryStartVoltage",
  "batteryEndVoltage",
  "consumedCapacity",
] as const satisfies readonly (keyof FlightFields)[];
export const textFields = [
  "location",
  "weatherConditions",
  "purpose",
  "notes",
] as const satisfies readonly (keyof FlightFields)[];

/** Returns an object with a value for each name. */
export function each<Name extends string, Value>(names: readonly Name[], value: (name: Name) => Value) {
  return Object.fromEntries(names.map((name) => [name, value(name)])) as Record<Name, Value>;
}

/** A flight of which nothing is known. */
export const noFields: FlightFields = {
  startLatitude: null,
  startLongitude: null,
  endLatitude: null,
  endLongitude: null,
  flightMode: "0",
  ...each(textFields, () => ""),
  ...each(numberFields, () => null),
};

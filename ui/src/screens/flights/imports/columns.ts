// The meanings of a table's columns: the options, and the mapping that follows from the choice. Pure functions.
import type { ImportFile } from "../../../api/generated/ImportFile";
import { imports } from "../../../texts";

/** A word of a mapping; "" for a column without a meaning. */
export type Meaning = keyof typeof imports.meanings;

const metres = ["m", "ft"];
const unitsByMeaning: Partial<Record<Meaning, string[]>> = {
  flightTime: ["min", "s", "h"],
  distance: ["km", "m", "mi", "ft"],
  maximumAltitude: metres,
  maximumDistance: [...metres, "km"],
  speed: ["km/h", "m/s", "mph", "kn"],
  batteryStartVoltage: ["V", "mV"],
  batteryEndVoltage: ["V", "mV"],
  consumedCapacity: ["mAh", "Ah"],
};

export const meanings = Object.keys(imports.meanings) as Meaning[];

/** Returns the units of a meaning, the usual one first; empty if there is no choice. */
export function unitsOf(meaning: Meaning, guess = ""): string[] {
  const units = unitsByMeaning[meaning] ?? [];
  const isNew = units.length > 0 && guess !== "" && !units.some((unit) => isSameUnit(unit, guess));
  return isNew ? [...units, guess] : units;
}

function isSameUnit(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

export type ColumnChoice = { meaning: Meaning; unit: string };

type TableChoice = { columns: ColumnChoice[]; decimal: string; dateOrder: string };

/** Returns the server's guess. */
export function guessOf({ columns, decimal, dateOrder }: ImportFile): TableChoice {
  return {
    columns: (columns ?? []).map(({ guess, unit }) => {
      const meaning = meanings.find((word) => word === guess) ?? "";
      const units = unitsOf(meaning, unit);
      return { meaning, unit: units.find((one) => isSameUnit(one, unit)) ?? units[0] ?? "" };
    }),
    decimal: decimal || ",",
    dateOrder: dateOrder || "dmy",
  };
}

/** Whether the choice has exactly one date and no other meaning twice. */
export function isUsable({ columns }: TableChoice): boolean {
  const count = (word: Meaning) => columns.filter(({ meaning }) => meaning === word).length;
  const isTwice = meanings.some((word) => word !== "" && word !== "notes" && count(word) > 1);
  return !isTwice && count("date") + count("dateTime") === 1;
}

/** Encodes the mapping for the server. */
export function mappingOf({ columns, decimal, dateOrder }: TableChoice, separator: string): string {
  const chosen = columns
    .map((column, place) => ({ ...column, place }))
    .filter(({ meaning }) => meaning !== "");
  return JSON.stringify({
    columns: Object.fromEntries(chosen.map(({ place, meaning }) => [place, meaning])),
    units: Object.fromEntries(
      chosen.filter(({ unit }) => unit !== "").map(({ place, unit }) => [place, unit.toLowerCase()]),
    ),
    separator: separator || ";",
    decimal,
    dateOrder,
  });
}

// The meanings of a table's columns: the options, and the mapping that follows from the choice. Pure functions.
import type { ImportFile } from "../../../api/generated/ImportFile";
import type { ImportQuestion } from "../../../api/generated/ImportQuestion";
import { meaningTexts } from "./texts";

/** A word of a mapping; "" for a column without a meaning. */
export type Meaning = keyof typeof meaningTexts;

const metres = ["m", "ft"];
const unitsByMeaning: Partial<Record<Meaning, string[]>> = {
  flightTime: ["min", "s", "h", "mm:ss", "h:mm", "h:mm:ss"],
  distance: ["km", "m", "mi", "ft"],
  maximumAltitude: metres,
  maximumDistance: [...metres, "km"],
  speed: ["km/h", "m/s", "mph", "kn"],
  batteryStartVoltage: ["V", "mV"],
  batteryEndVoltage: ["V", "mV"],
  consumedCapacity: ["mAh", "Ah"],
  weight: ["g", "kg"],
};

export const meanings = Object.keys(meaningTexts) as Meaning[];

/** Returns the units of a meaning, the usual one first; empty if there is no choice. */
export function unitsOf(meaning: Meaning, guess = ""): string[] {
  const units = unitsByMeaning[meaning] ?? [];
  const isNew = units.length > 0 && guess !== "" && !units.some((unit) => isSameUnit(unit, guess));
  return isNew ? [...units, guess] : units;
}

function isSameUnit(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/** The meaning of a column, its unit, and its decimal sign if that is another than the table's. */
export type ColumnChoice = { meaning: Meaning; unit: string; decimal?: string };

export type TableChoice = {
  columns: ColumnChoice[];
  decimal: string;
  dateOrder: string;
  /** The year of the first date, for dates without one. */
  year?: number;
};

/** Returns the server's guess. */
export function guessOf({ columns, decimal, dateOrder, year }: ImportFile): TableChoice {
  return {
    columns: (columns ?? []).map(({ guess, unit, decimal }) => {
      const meaning = meanings.find((word) => word === guess) ?? "";
      const units = unitsOf(meaning, unit);
      const own = units.find((one) => isSameUnit(one, unit)) ?? units[0] ?? "";
      return { meaning, unit: own, ...(decimal !== "" && { decimal }) };
    }),
    decimal: decimal || ",",
    dateOrder: dateOrder || "dmy",
    ...(year !== null && { year }),
  };
}

/** Hours and minutes of a duration may stand in two columns. */
const repeatable: Meaning[] = ["", "notes", "battery", "flightTime"];

/** Whether the choice has exactly one date and no other meaning twice, except the repeatable ones. */
export function isUsable({ columns }: TableChoice): boolean {
  const count = (word: Meaning) => columns.filter(({ meaning }) => meaning === word).length;
  const isTwice = meanings.some((word) => !repeatable.includes(word) && count(word) > 1);
  return !isTwice && count("date") + count("dateTime") === 1;
}

/** Returns the choice with the answer to a question. */
export function withAnswer(
  table: TableChoice,
  { member, column }: ImportQuestion,
  value: string,
): TableChoice {
  const withColumn = (change: Partial<ColumnChoice>) => ({
    ...table,
    columns: table.columns.map((old, place) => (place === column ? { ...old, ...change } : old)),
  });
  switch (member) {
    case "decimals":
      return withColumn({ decimal: value });
    case "units":
      return withColumn({ unit: value });
    case "dateOrder":
      return { ...table, dateOrder: value };
    default:
      return { ...table, year: Number(value) };
  }
}

/** Encodes the mapping for the server. */
export function mappingOf({ columns, decimal, dateOrder, year }: TableChoice, separator: string): string {
  const chosen = columns
    .map((column, place) => ({ ...column, place }))
    .filter(({ meaning }) => meaning !== "");
  const decimals = chosen.flatMap(({ place, decimal }) => (decimal ? [[place, decimal]] : []));
  return JSON.stringify({
    columns: Object.fromEntries(chosen.map(({ place, meaning }) => [place, meaning])),
    units: Object.fromEntries(
      chosen.filter(({ unit }) => unit !== "").map(({ place, unit }) => [place, unit.toLowerCase()]),
    ),
    separator: separator || ";",
    decimal,
    ...(decimals.length > 0 && { decimals: Object.fromEntries(decimals) }),
    dateOrder,
    ...(year !== undefined && { year }),
  });
}

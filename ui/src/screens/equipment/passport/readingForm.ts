// The form of a reading: its values, the fields that are sent, and pasted lines. Pure functions: no React, no server.
import type { BatteryPassport } from "../../../api/generated/BatteryPassport";
import type { BatteryReading } from "../../../api/generated/BatteryReading";
import { isNumberText, numberToInput, parseNumber } from "../../../lib/numbers";

export type Values = {
  kind: string;
  volts: string[];
  ohms: string[];
  voltage: string;
  temperature: string;
  charger: string;
  swollen: boolean;
  damaged: boolean;
  time: string;
  info: string;
};

export type Column = "volts" | "ohms";

function listOf(values: number[], cells: number): string[] {
  return Array.from({ length: Math.max(cells, values.length) }, (_, cell) =>
    numberToInput(values[cell] ?? null),
  );
}

/** Returns the form's values for a reading, or for a new one with this `kind` and `time`. */
export function valuesOf(reading: BatteryReading | null, cells: number, kind: number, time: string): Values {
  return {
    kind: String(reading?.kind ?? kind),
    volts: listOf(reading?.cellVoltages ?? [], cells),
    ohms: listOf(reading?.resistances ?? [], cells),
    voltage: numberToInput(reading?.voltage ?? null),
    temperature: numberToInput(reading?.temperature ?? null),
    charger: reading?.charger ?? "",
    swollen: reading?.swollen ?? false,
    damaged: reading?.damaged ?? false,
    time: reading?.time ?? time,
    info: reading?.info ?? "",
  };
}

/** Returns the fields to send: the values of all cells, or none. */
export function entriesOf({ volts, ohms, ...values }: Values) {
  const list = (cells: string[]) => (cells.every((cell) => cell.trim() === "") ? "" : cells.join(";"));
  return { ...values, cellVoltages: list(volts), resistances: list(ohms) };
}

/** Returns the index of the first empty field of a column in which another one is filled. */
export function missingIn(cells: string[]): number | null {
  const first = cells.findIndex((cell) => cell.trim() === "");
  return first === -1 || cells.every((cell) => cell.trim() === "") ? null : first;
}

/** Returns the most likely kind of a reading, given what was done with the pack today. */
export function likelyKind({ timeline }: BatteryPassport, today: string): number {
  const last = timeline.find(({ deed }) => deed !== "reading");
  if (last === undefined || last.time.split(" ")[0] !== today) return 0;
  if (last.deed === "charge") return 1;
  return last.deed === "flight" ? 2 : 0;
}

/**
 * Returns the numbers of a pasted line, as texts: "4,1;4,2", "4.19 4.20 4.18", "Zelle 1: 4,19 V, Zelle 2: 4,20 V".
 * Without semicolons, whole numbers are skipped as the cells' positions if another number has decimals.
 */
export function numbersIn(text: string): string[] {
  const parts = text.split(";").map((part) => part.trim());
  if (parts.length > 1 && parts.every(isNumberText)) return parts.map(plain);
  const found = text.match(/\d+(?:[.,]\d+)?/g) ?? [];
  const decimals = found.filter((number) => /[.,]/.test(number));
  return (decimals.length > 0 ? decimals : found).map(plain);
}

function plain(text: string): string {
  return numberToInput(parseNumber(text));
}

/**
 * Returns the columns after a line was pasted into one of them: it fills that column from the first cell, and the other
 * one too if it has twice as many numbers. Null for a single number, which is pasted as usual.
 */
export function pasted(
  text: string,
  column: Column,
  { volts, ohms }: Pick<Values, Column>,
): Pick<Values, Column> | null {
  const numbers = numbersIn(text);
  const cells = volts.length;
  if (numbers.length < 2) return null;
  if (numbers.length === 2 * cells) return { volts: numbers.slice(0, cells), ohms: numbers.slice(cells) };
  const fill = (before: string[]) => before.map((value, cell) => numbers[cell] ?? value);
  return column === "volts" ? { volts: fill(volts), ohms } : { volts, ohms: fill(ohms) };
}

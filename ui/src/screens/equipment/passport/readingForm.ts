// The rules of the form of a reading: its values, what is sent of them, and what a pasted line says. Rules only: no
// React, no server.
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

/** Of a reading, or of a new one, which has `kind` and is of `time`. */
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

/** As they are sent: the values of all cells, or nothing. */
export function entriesOf({ volts, ohms, ...values }: Values) {
  const list = (cells: string[]) => (cells.every((cell) => cell.trim() === "") ? "" : cells.join(";"));
  return { ...values, cellVoltages: list(volts), resistances: list(ohms) };
}

/** The first field of a column that is empty while another one isn't. */
export function missingIn(cells: string[]): number | null {
  const first = cells.findIndex((cell) => cell.trim() === "");
  return first === -1 || cells.every((cell) => cell.trim() === "") ? null : first;
}

/** What was done with the pack today decides what is measured most likely. */
export function likelyKind({ timeline }: BatteryPassport, today: string): number {
  const last = timeline.find(({ deed }) => deed !== "reading");
  if (last === undefined || last.time.split(" ")[0] !== today) return 0;
  if (last.deed === "charge") return 1;
  return last.deed === "flight" ? 2 : 0;
}

/**
 * The numbers of a pasted line, as texts: "4,1;4,2", "4.19 4.20 4.18", "Zelle 1: 4,19 V, Zelle 2: 4,20 V". Without
 * semicolons whole numbers are counts as soon as there are decimals.
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
 * The columns after a line was pasted into one of them: it fills that column from the first cell, and the other one
 * too when it has twice as many numbers. null when it is a single number, which goes where it was pasted.
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

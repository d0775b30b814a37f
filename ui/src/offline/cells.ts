// The state of a cell by its voltage and chemistry, as the server has it: for the time in which it doesn't answer,
// and for packs that are said to be empty. Pure.
import { Chemistry } from "../api/generated/Chemistry";
import type { Equipment } from "../api/generated/Equipment";
import type { PackState } from "../api/generated/PackState";

type Limits = { low: number; empty: number; storage: number; partial: number; full: number };

/** V; up to each of them, without it, a cell is in that state. `full`: as much as it takes. */
const lipoLimits: Limits = { low: 3.3, empty: 3.7, storage: 3.9, partial: 4.1, full: 4.2 };
const lihvLimits: Limits = { low: 3.3, empty: 3.75, storage: 3.95, partial: 4.25, full: 4.35 };
const liionLimits: Limits = { low: 2.9, empty: 3.4, storage: 3.8, partial: 4.1, full: 4.2 };

type Pack = Pick<Equipment, "cells" | "chemistry" | "batteryType" | "model">;

function limitsOf({ chemistry, batteryType, model }: Pack): Limits {
  switch (chemistry ?? [batteryType, model].map(chemistryNamedIn).find((said) => said !== null)) {
    case Chemistry.HighVoltage:
      return lihvLimits;
    case Chemistry.Ion:
      return liionLimits;
    default:
      return lipoLimits;
  }
}

/** Where the pilot hasn't said it. */
function chemistryNamedIn(text: string): Chemistry | null {
  const words = text.toLowerCase().split(/[^\p{L}\p{N}]+/u);
  const letters = words.join("");
  if (letters.includes("lihv") || words.includes("hv")) return Chemistry.HighVoltage;
  if (letters.includes("liion") || letters.includes("lithiumion")) return Chemistry.Ion;
  return letters.includes("lipo") ? Chemistry.Polymer : null;
}

const states = ["low", "empty", "storage", "partial"] as const;

/** The state of a pack that rests at so many volts; null while nobody knows its cells. */
export function stateAt(pack: Pack, volts: number): PackState | null {
  if (pack.cells === null) return null;
  const limits = limitsOf(pack);
  // In millivolts, because a tenth has no exact number.
  const millivolts = Math.round((volts * 1000) / pack.cells);
  return states.find((state) => millivolts < Math.round(limits[state] * 1000)) ?? "full";
}

/** Volts of a pack that is charged; null while nobody knows its cells. */
export function fullVolts(pack: Pack): number | null {
  return ofCells(pack, limitsOf(pack).full);
}

/** Volts that an empty pack has at most; null while nobody knows its cells. */
export function emptyVolts(pack: Pack): number | null {
  return ofCells(pack, limitsOf(pack).empty - 0.01);
}

function ofCells({ cells }: Pack, volts: number): number | null {
  return cells === null ? null : Math.round(cells * volts * 100) / 100;
}

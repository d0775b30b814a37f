// State of a pack by cell voltage and chemistry, with the server's limits: for the time without the server. Pure.
import { Chemistry } from "../api/generated/Chemistry";
import type { Equipment } from "../api/generated/Equipment";
import type { PackState } from "../api/generated/PackState";

type Limits = { low: number; empty: number; storage: number; partial: number; full: number };

/** Upper limits (exclusive) of the states in V; `full` is the voltage of a charged cell. */
const lipoLimits: Limits = { low: 3.3, empty: 3.7, storage: 3.9, partial: 4.1, full: 4.2 };
const lihvLimits: Limits = { low: 3.3, empty: 3.75, storage: 3.95, partial: 4.25, full: 4.35 };
const liionLimits: Limits = { low: 2.9, empty: 3.4, storage: 3.8, partial: 4.1, full: 4.2 };

type Pack = Pick<Equipment, "cells" | "chemistry" | "batteryType" | "model">;

function limitsOf({ chemistry, batteryType, model }: Pack): Limits {
  switch (chemistry ?? [batteryType, model].map(chemistryNamedIn).find((named) => named !== null)) {
    case Chemistry.HighVoltage:
      return lihvLimits;
    case Chemistry.Ion:
      return liionLimits;
    default:
      return lipoLimits;
  }
}

/** The chemistry that a free text names. */
function chemistryNamedIn(text: string): Chemistry | null {
  const words = text.toLowerCase().split(/[^\p{L}\p{N}]+/u);
  const letters = words.join("");
  if (letters.includes("lihv") || words.includes("hv")) return Chemistry.HighVoltage;
  if (letters.includes("liion") || letters.includes("lithiumion")) return Chemistry.Ion;
  return letters.includes("lipo") ? Chemistry.Polymer : null;
}

const states = ["low", "empty", "storage", "partial"] as const;

/** The state of a pack at this resting voltage; null if its number of cells isn't known. */
export function stateAt(pack: Pack, volts: number): PackState | null {
  if (pack.cells === null) return null;
  const limits = limitsOf(pack);
  // In whole millivolts: floating-point tenths aren't exact.
  const millivolts = Math.round((volts * 1000) / pack.cells);
  return states.find((state) => millivolts < Math.round(limits[state] * 1000)) ?? "full";
}

/** V of a charged pack; null if its number of cells isn't known. */
export function fullVolts(pack: Pack): number | null {
  return ofCells(pack, limitsOf(pack).full);
}

/** Highest V of an empty pack; null if its number of cells isn't known. */
export function emptyVolts(pack: Pack): number | null {
  return ofCells(pack, limitsOf(pack).empty - 0.01);
}

function ofCells({ cells }: Pack, volts: number): number | null {
  return cells === null ? null : Math.round(cells * volts * 100) / 100;
}

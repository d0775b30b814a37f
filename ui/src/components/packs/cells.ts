// The number of a pack's cells, and the voltage that they can have.
import type { Equipment } from "../../api/generated/Equipment";
import { packs as texts } from "./texts";

type Cells = Pick<Equipment, "cells" | "cellsGuessed" | "batteryType" | "model" | "name">;

/** V that no cell reaches; one of a LiHV pack is full at 4.35 V. */
const maxCellVoltage = 5;

/** Most cells in series of a pack. */
const maxCells = 14;

/** Whether the number of cells was entered: one that was guessed from a low voltage is too small. */
export function areCellsEntered({ cells, cellsGuessed, batteryType, model, name }: Cells): boolean {
  const said = new RegExp(`(?<![\\w.,])${cells} ?s(?![a-zäöüß])`, "i");
  return cells !== null && (!cellsGuessed || said.test([batteryType, model, name].join("\n")));
}

/** Asks about a voltage that is more than these packs have in series: a comma is easily forgotten. Null otherwise. */
export function doubtOf(volts: number | null, packs: readonly Cells[]): string | null {
  const isKnown = packs.length > 0 && packs.every(areCellsEntered);
  const cells = isKnown
    ? packs.reduce((sum, pack) => sum + (pack.cells ?? 0), 0)
    : maxCells * Math.max(packs.length, 1);
  if (volts === null || volts <= cells * maxCellVoltage) return null;
  return isKnown ? texts.tooMuchFor(cells) : texts.tooMuch;
}

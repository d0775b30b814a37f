// Voltages that a pack can't have.
import { expect, test } from "vitest";
import { doubtOf } from "./cells";

const unknown = { cells: null, cellsGuessed: true, batteryType: "", model: "", name: "Akku 1" };
const entered = (cells: number) => ({ ...unknown, cells, cellsGuessed: false });

test("A voltage that no cell of the pack reaches looks like a missing comma", () => {
  const question = "So viel haben 6 Zellen nicht. Fehlt ein Komma?";
  expect(doubtOf(252, [entered(6)])).toBe(question);
  expect(doubtOf(38, [entered(1)])).toBe("So viel hat eine Zelle nicht. Fehlt ein Komma?");
  expect(doubtOf(26.1, [entered(6)])).toBeNull();
  expect(doubtOf(0, [entered(6)])).toBeNull();
  expect(doubtOf(null, [entered(6)])).toBeNull();
});

test("Packs that are used together may be in series", () => {
  expect(doubtOf(50.4, [entered(6), entered(6)])).toBeNull();
  expect(doubtOf(252, [entered(6), entered(6)])).toBe("So viel haben 12 Zellen nicht. Fehlt ein Komma?");
});

test("Where the cells aren't known, only what no pack has is doubted", () => {
  const question = "So viel hat kein Akku. Fehlt ein Komma?";
  expect(doubtOf(252, [])).toBe(question);
  expect(doubtOf(58.8, [])).toBeNull();
  expect(doubtOf(252, [unknown])).toBe(question);
  // A number that was guessed from a low voltage is too small; the name says the right one.
  expect(doubtOf(25.2, [{ ...entered(4), cellsGuessed: true }])).toBeNull();
  expect(doubtOf(252, [{ ...entered(6), cellsGuessed: true, name: "6S 1300" }])).toContain("6 Zellen");
});

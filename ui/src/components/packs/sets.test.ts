// Which packs are a set, and what it is called.
import { expect, test } from "vitest";
import type { Equipment } from "../../api/generated/Equipment";
import { allPacksOf, describeSet, incompleteSets, setsOf } from "./sets";

const pack = (dpfId: string, set: string | null, cells: number | null) =>
  ({ dpfId, cells, set: set === null ? null : { dpfId: set, name: `Satz ${set}` } }) as Equipment;

test("packs of one set are one, and sets come by name as Germans count", () => {
  const packs = [pack("a", "10", 6), pack("b", null, 6), pack("c", "2", 6), pack("d", "10", 6)];
  const sets = setsOf(packs);
  expect(sets.map(({ name, packs }) => [name, packs.length])).toEqual([
    ["Satz 2", 1],
    ["Satz 10", 2],
  ]);
});

test("the others of a set are offered once one of it is chosen, and no longer when all are", () => {
  const sets = setsOf([
    pack("a", "1", 6),
    pack("b", "1", 6),
    pack("c", "1", 6),
    pack("d", "2", 6),
    pack("e", "2", 6),
  ]);
  const offered = (chosen: string[]) =>
    incompleteSets(sets, chosen).map(({ name, packs }) => [name, packs.map(({ dpfId }) => dpfId)]);
  expect(offered([])).toEqual([]);
  expect(offered(["a", "x"])).toEqual([["Satz 1", ["b", "c"]]]);
  expect(offered(["a", "b", "c", "e"])).toEqual([["Satz 2", ["d"]]]);
  expect(offered(["a", "b", "c", "d", "e"])).toEqual([]);
});

test.each([
  [[6, 6], "2 × 6S"],
  [[6, 4], "2 Akkus"],
  [[6, null], "2 Akkus"],
  [[null, null], "2 Akkus"],
])("a set of packs with %o cells is %s", (cells, text) => {
  const packs = cells.map((count, place) => pack(String(place), "1", count));
  expect(describeSet({ dpfId: "1", name: "Lang", packs })).toBe(text);
  expect(allPacksOf({ dpfId: "1", name: "Lang", packs })).toEqual({ name: "Satz „Lang“", ids: ["0", "1"] });
});

// The hints of packs as lists show them.
import { expect, test } from "vitest";
import type { PackHint } from "./generated/PackHint";
import { firstSentenceOf, mostUrgentOf } from "./packs";

const hint = (dpfId: string, text: string) => ({ dpfId, text }) as PackHint;

test.each([
  ["Seit 3 Tagen voll. Fliegen oder auf Lagerspannung bringen (etwa 22,9 V).", "Seit 3 Tagen voll."],
  ["Aufgebläht. Nicht mehr laden, nach Angaben des Herstellers entsorgen.", "Aufgebläht."],
  [
    "Zelle 3: 7,0 mΩ, 1,6-mal so viel wie am Anfang (4,4).",
    "Zelle 3: 7,0 mΩ, 1,6-mal so viel wie am Anfang (4,4).",
  ],
])("of %j a list says %j", (text, short) => {
  expect(firstSentenceOf(hint("a", text))).toBe(short);
});

test("each pack stands once, with the first of its hints", () => {
  const hints = [hint("b", "1"), hint("a", "2"), hint("b", "3")];
  expect(mostUrgentOf(hints).map(({ text }) => text)).toEqual(["1", "2"]);
});

// The form of a reading: pasted lines, what is sent, and the likely kind.
import fc from "fast-check";
import { expect, test } from "vitest";
import type { BatteryPassport } from "../../../api/generated/BatteryPassport";
import { entriesOf, likelyKind, missingIn, numbersIn, pasted, valuesOf } from "./readingForm";

test.each([
  ["4,1;4,2;4,1", ["4,1", "4,2", "4,1"]],
  ["4.1;4.2;4.1", ["4,1", "4,2", "4,1"]],
  ["4,1;4.2; 4,1 ", ["4,1", "4,2", "4,1"]],
  ["4;5;4", ["4", "5", "4"]],
  ["4,1;4;4,2", ["4,1", "4", "4,2"]],
  ["4.1,4.2,4.1", ["4,1", "4,2", "4,1"]],
  ["4,19 4,20 4,18", ["4,19", "4,2", "4,18"]],
  ["Zelle 1: 4,19 V, Zelle 2: 4,20 V", ["4,19", "4,2"]],
  ["C1 4.19V | C2 4.20V", ["4,19", "4,2"]],
  ["4\t5\t4", ["4", "5", "4"]],
  ["kein Wert", []],
])("%s are the numbers %o", (text, numbers) => {
  expect(numbersIn(text)).toEqual(numbers);
});

const empty = valuesOf(null, 3, 0, "10.05.2026 10:00");

test("a pasted line fills its column, and both when it has the values of both", () => {
  expect(pasted("4,1;4,2;4,1", "volts", empty)).toEqual({ volts: ["4,1", "4,2", "4,1"], ohms: ["", "", ""] });
  expect(pasted("5 6 5", "ohms", empty)).toEqual({ volts: ["", "", ""], ohms: ["5", "6", "5"] });
  expect(pasted("4,1 4,2 4,1 5,0 6,0 5,5", "ohms", empty)).toEqual({
    volts: ["4,1", "4,2", "4,1"],
    ohms: ["5", "6", "5,5"],
  });
  expect(pasted("4,1;4,2", "volts", { ...empty, volts: ["", "", "4"] })?.volts).toEqual(["4,1", "4,2", "4"]);
  expect(pasted("4,1", "volts", empty)).toBe(null);
  expect(pasted("", "volts", empty)).toBe(null);
});

test("all cells are sent, or none", () => {
  expect(entriesOf(empty)).toMatchObject({ cellVoltages: "", resistances: "" });
  const typed = { ...empty, volts: ["3,8", "3,81", "3,8"] };
  expect(entriesOf(typed)).toMatchObject({ cellVoltages: "3,8;3,81;3,8", resistances: "" });
  expect(missingIn(typed.volts)).toBe(null);
  expect(missingIn(typed.ohms)).toBe(null);
  expect(missingIn(["3,8", " ", "3,8"])).toBe(1);
});

test.each([
  [[], 0],
  [[["charge", "10.05.2026 09:00"]], 1],
  [
    [
      ["reading", "10.05.2026 09:30"],
      ["flight", "10.05.2026 09:00"],
    ],
    2,
  ],
  [[["storage", "10.05.2026 09:00"]], 0],
  [[["charge", "09.05.2026 09:00"]], 0],
])("after %o today the kind %i is likely", (deeds, kind) => {
  const timeline = deeds.map(([deed, time]) => ({ deed, time }));
  expect(likelyKind({ timeline } as BatteryPassport, "10.05.2026")).toBe(kind);
});

test("no pasted text breaks the form", () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const filled = pasted(text, "volts", empty);
      expect(filled === null || filled.volts.length === 3).toBe(true);
    }),
  );
});

// The rule of number fields, and numbers in German.
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  endOfHours,
  formatMinutes,
  formatNumber,
  formatQuantity,
  hoursText,
  isNumberText,
  looksGrouped,
  numberToInput,
  parseNumber,
  roundMean,
} from "./numbers";

const decimals = fc
  .tuple(
    fc.integer({ min: 0, max: 999_999_999 }),
    fc.option(fc.integer({ min: 0, max: 9999 }), { nil: null }),
  )
  .map(([whole, fraction]) => ({
    whole: String(whole),
    fraction: fraction === null ? null : String(fraction),
  }));

test("dot and comma mean the same", () => {
  fc.assert(
    fc.property(decimals, fc.constantFrom(".", ","), ({ whole, fraction }, sign) => {
      const text = fraction === null ? whole : `${whole}${sign}${fraction}`;
      expect(parseNumber(text)).toBe(Number(fraction === null ? whole : `${whole}.${fraction}`));
    }),
  );
});

test("a number from the server comes back from its input text unchanged", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 99_999_999 }), (hundredths) => {
      expect(parseNumber(numberToInput(hundredths / 100))).toBe(hundredths / 100);
    }),
  );
});

test.each([
  "",
  " ",
  "-1",
  "+1",
  "1e9",
  "1.5.2",
  "1,5,2",
  "1.000,5",
  "abc",
  "1 2",
  "NaN",
  "Infinity",
  "1234567890",
  "0x10",
  ".",
  ",",
])("%j is no number", (text) => {
  expect(isNumberText(text)).toBe(false);
  expect(parseNumber(text)).toBeNull();
});

test("digits may be missing on one side of the comma", () => {
  expect(parseNumber(",5")).toBe(0.5);
  expect(parseNumber("5,")).toBe(5);
});

test("every parsed number is finite and not negative", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(..."0123456789.,-e ") }), (text) => {
      const number = parseNumber(text);
      if (number !== null) expect(number >= 0 && number < 1e9).toBe(true);
    }),
  );
});

test("numbers read German", () => {
  expect(formatNumber(1234.567)).toBe("1.234,57");
  expect(formatNumber(null)).toBe("-");
  expect(formatQuantity(3.85, "V")).toBe("3,85\u00a0V");
  expect(formatQuantity(null, "V")).toBe("-");
  expect(numberToInput(12.5)).toBe("12,5");
  expect(numberToInput(null)).toBe("");
});

test("decimals that could be read as German thousands are recognized", () => {
  for (const text of ["1.300", "12.500", " 999.000 "]) expect(looksGrouped(text), text).toBe(true);
  for (const text of ["1.3", "0.300", "1300", "1.3000", ".300", "1300.500", "1,300", ""]) {
    expect(looksGrouped(text), text).toBe(false);
  }
});

test("a mean has no more digits than what it was made of", () => {
  for (const [text, rounded] of [
    ["51,98 m", "52 m"],
    ["1.124,92 mAh", "1.125 mAh"],
    ["65,25 km/h", "65,3 km/h"],
    ["45,5 km/h", "45,5 km/h"],
    ["3,85 m", "3,85 m"],
    ["999,96 m", "1.000 m"],
    ["100 m", "100 m"],
    ["1 h 05 min", "1 h 05 min"],
    ["", ""],
  ]) {
    expect(roundMean(text ?? "")).toBe(rounded);
  }
});

test("minutes are read as hours and minutes from one hour on", () => {
  expect(formatMinutes(0)).toBe("0\u00a0min");
  expect(formatMinutes(59.4)).toBe("59\u00a0min");
  expect(formatMinutes(59.6)).toBe("1\u00a0h 00\u00a0min");
  expect(formatMinutes(65)).toBe("1\u00a0h 05\u00a0min");
  expect(formatMinutes(60_000)).toBe("1.000\u00a0h 00\u00a0min");
});

test("A sum of decimals is rounded as the exact one", () => {
  const sum = [8.2, 6.6, 16.9, 3.8].reduce((total, minutes) => total + minutes, 0);
  expect(sum).toBeLessThan(35.5);
  expect([formatMinutes(sum), hoursText(sum)]).toEqual(["36\u00a0min", "0:36"]);
});

test("An axis of durations ends at ten minutes, or at a whole hour", () => {
  const ends = [0, 12, 50, 51, 60, 61, 252].map((minutes) => endOfHours(minutes));
  expect(ends.map(({ text }) => text.replace("\u00a0", " "))).toEqual([
    "10 min",
    "20 min",
    "50 min",
    "1 h",
    "1 h",
    "2 h",
    "5 h",
  ]);
  expect(ends.map(({ high }) => high)).toEqual([10, 20, 50, 60, 60, 120, 300]);
});

test("Hours are written with their minutes", () => {
  expect([0, 59.6, 1842, 73_984, -90].map(hoursText)).toEqual(["0:00", "1:00", "30:42", "1.233:04", "1:30"]);
});

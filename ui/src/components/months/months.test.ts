// The months of the chart: always twelve.
import fc from "fast-check";
import { expect, test } from "vitest";
import { lastMonths, minutesOf, monthsOf, totalOf, yearsOf } from "./months";

const flown = [
  { month: "2025-11", flights: 3, minutes: 41 },
  { month: "2025-12", flights: 0, minutes: 0 },
  { month: "2026-01", flights: 1, minutes: 7 },
];

test("the last twelve end with the last flight's month and go on over New Year", () => {
  const shown = lastMonths(flown);
  expect(shown.map(({ month }) => month)).toEqual([
    "2025-02",
    "2025-03",
    "2025-04",
    "2025-05",
    "2025-06",
    "2025-07",
    "2025-08",
    "2025-09",
    "2025-10",
    "2025-11",
    "2025-12",
    "2026-01",
  ]);
  expect(shown.slice(-3)).toEqual(flown);
  expect(totalOf(shown)).toEqual({ flights: 4, minutes: 48 });
});

test("a year is all of its months and none of another's", () => {
  expect(monthsOf(flown, "2025").map(({ flights }) => flights)).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 0]);
  expect(monthsOf(flown, "2026").at(0)).toEqual(flown[2]);
});

test("for every last month there are twelve, each after the one before", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1900, max: 2099 }), fc.integer({ min: 1, max: 12 }), (year, month) => {
      const last = `${year}-${String(month).padStart(2, "0")}`;
      const shown = lastMonths([{ month: last, flights: 1, minutes: 1 }]).map((one) => one.month);
      expect(new Set(shown).size).toBe(12);
      expect(shown.toSorted()).toEqual(shown);
      expect(shown.at(-1)).toBe(last);
    }),
  );
});

test("years are those with a flight, newest first", () => {
  expect(yearsOf(flown)).toEqual(["2026", "2025"]);
  expect(yearsOf([{ month: "2025-12", flights: 0, minutes: 0 }])).toEqual([]);
});

test("An item's minutes are the sum of its months, unless others flew it, too", () => {
  expect(minutesOf({ usageTime: 0.8 }, flown)).toBe(48);
  expect(minutesOf({ usageTime: 0.8 }, undefined)).toBeUndefined();
  expect(minutesOf({ usageTime: 1.8 }, flown)).toBeUndefined();
  expect(minutesOf({ usageTime: 1 }, [])).toBeUndefined();
});

// Days of the flight list, their headings and sums.
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { FlightRow } from "../../api/generated/FlightRow";
import { daysOf, groupsOf } from "./days";

function flight(
  startTime: string,
  flightTime: number | null,
  distance: number | null,
  open = false,
): FlightRow {
  return { dpfId: startTime, startTime, flightTime, distance, open } as FlightRow;
}

beforeAll(() => void vi.useFakeTimers({ now: new Date(2026, 10, 28, 12) }));
afterAll(() => void vi.useRealTimers());

const rows = [
  flight("04.11.2026 18:00", null, null, true),
  flight("04.11.2026 16:43", 14.7, 8.59),
  flight("04.11.2026 15:38", 6.9, null),
  flight("31.10.2026 13:07", 4.5, 2.49),
  flight("31.10.2025 09:00", null, null),
];

const sums = (isWhole: boolean) =>
  [...daysOf(rows, isWhole).values()].map((day) => day.sums.replaceAll("\u00a0", " "));

test("a day has its weekday, its month with the year, and the sums of several flights", () => {
  const days = [...daysOf(rows, true).values()];
  expect(days.map(({ heading }) => heading)).toEqual([
    "Mi, 4. November",
    "Sa, 31. Oktober",
    "Fr, 31. Oktober 2025",
  ]);
  expect(days.map(({ short }) => short)).toEqual(["Mi, 4.", "Sa, 31.", "Fr, 31."]);
  expect(days.map(({ month }) => month)).toEqual(["November 2026", "Oktober 2026", "Oktober 2025"]);
  expect(sums(true)).toEqual(["2 Flüge · 22 min · 8,59 km", "", ""]);
});

test("the sums of a day wait until all its flights are there", () => {
  expect(sums(false)).toEqual(["2 Flüge · 22 min · 8,59 km", "", ""]);
});

test("the open flight belongs to no day, and every other flight to its own", () => {
  const groups = groupsOf(rows, daysOf(rows, true));
  expect(groups.map(({ day, rows: own }) => [day?.date ?? null, own.length])).toEqual([
    [null, 1],
    ["04.11.2026", 2],
    ["31.10.2026", 1],
    ["31.10.2025", 1],
  ]);
});

test("a list in another order has no days", () => {
  expect(groupsOf(rows, null)).toEqual([{ day: null, rows }]);
});

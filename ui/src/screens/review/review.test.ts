import { expect, test } from "vitest";
import type { ReviewDay } from "../../api/generated/ReviewDay";
import {
  calendarOf,
  daysByYear,
  flownNear,
  levelOf,
  lineOf,
  lineOfMonths,
  longestSeries,
  parametersOf,
  spanOf,
  strongestMonth,
  viewOf,
} from "./review";

function flown(...days: [day: string, flights: number, minutes: number][]): ReviewDay[] {
  return days.map(([day, flights, minutes]) => ({ day, flights, minutes }));
}

const byDay = (days: ReviewDay[]) => new Map(days.map((day) => [day.day, day]));

test("What is looked back on is kept in the address, and nonsense there counts as nothing", () => {
  const asked = { year: "2025", copter: "", place: "p" };
  expect(viewOf(parametersOf(asked))).toEqual(asked);
  expect(viewOf(parametersOf({ year: "alle", copter: "c", place: "" })).year).toBe("alle");
  expect(viewOf(new URLSearchParams("jahr=20255&copter=c&ort=p"))).toEqual({
    year: "",
    copter: "c",
    place: "",
  });
});

test("A day is the darker the more was flown", () => {
  expect([0, 1, 2, 3, 4, 5, 40].map(levelOf)).toEqual([0, 1, 2, 3, 3, 4, 4]);
});

test("The calendar has each day of its months once, in the row of its weekday", () => {
  const days = flown(["2024-02-29", 1, 5], ["2024-12-31", 6, 60]);
  const year = calendarOf(2024, byDay(days), [0, 11]);
  expect(year.squares.length).toBe(366);
  expect(year.columns).toBe(53);
  expect(year.squares.at(0)).toEqual({ day: "2024-01-01", column: 0, row: 0, level: 0 });
  expect(year.squares.find(({ day }) => day === "2024-02-29")).toMatchObject({ column: 8, row: 3, level: 1 });
  expect(year.squares.at(-1)).toEqual({ day: "2024-12-31", column: 52, row: 1, level: 4 });
  expect(year.months.map(({ month }) => month)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);

  const half = calendarOf(2026, new Map(), [6, 11]);
  expect(half.squares.length).toBe(184);
  expect(half.squares.at(0)).toMatchObject({ day: "2026-07-01", column: 0, row: 2 });
  expect(half.months[0]).toEqual({ month: 6, column: 0 });
});

test("A touch of the calendar means the flown day that is nearest, if one is near", () => {
  const calendar = calendarOf(2026, byDay(flown(["2026-01-05", 1, 1], ["2026-01-07", 1, 1])), [0, 11]);
  expect(flownNear(calendar, { column: 1.2, row: 0.9 }, 2)).toBe("2026-01-05");
  expect(flownNear(calendar, { column: 1.2, row: 2.4 }, 2)).toBe("2026-01-07");
  expect(flownNear(calendar, { column: 30, row: 3 }, 2)).toBeNull();
});

test("A series goes on over the end of a month, a year and summer time", () => {
  expect(longestSeries([])).toBe(0);
  const days = flown(["2025-12-30", 1, 1], ["2025-12-31", 1, 1], ["2026-01-01", 1, 1], ["2026-01-03", 1, 1]);
  expect(longestSeries(days)).toBe(3);
  expect(longestSeries(flown(["2026-03-28", 1, 1], ["2026-03-29", 1, 1], ["2026-03-30", 1, 1]))).toBe(3);
});

test("The days of all years stand year by year, the latest first", () => {
  const days = flown(["2024-05-01", 1, 1], ["2026-01-01", 1, 1], ["2026-01-02", 1, 1]);
  expect(daysByYear(days).map(({ year, days: own }) => [year, own.length])).toEqual([
    [2026, 2],
    [2024, 1],
  ]);
});

test("The strongest month is the one with the most minutes", () => {
  const months = [
    { month: "2026-01", flights: 9, minutes: 20 },
    { month: "2026-02", flights: 1, minutes: 30 },
  ];
  const days = flown(["2026-01-09", 9, 20], ["2026-02-03", 1, 30]);
  expect(strongestMonth({ months, days })).toEqual({ month: 1, minutes: 30, days: 1 });
  expect(strongestMonth({ months: [{ month: "2026-01", flights: 1, minutes: 0 }], days: [] })).toBeNull();
});

test("The line of a year rises on each day with a flight and ends today", () => {
  const days = flown(["2026-01-01", 1, 10], ["2026-12-31", 1, 30]);
  const { span, until } = spanOf(days.slice(0, 1), 2026, "2026-07-01");
  expect(lineOf(days.slice(0, 1), span, until, 40).at(-1)).toEqual({ x: 181 / 364, y: 0.25 });
  const whole = spanOf(days, 2026, "2027-02-01");
  expect(lineOf(days, whole.span, whole.until, 40).at(-1)).toEqual({ x: 1, y: 1 });
  const all = spanOf(days, null, "2027-02-01");
  expect(all.until - all.span[0]).toBe(365);
  expect(spanOf([], null, "2027-02-01").span[0]).not.toBeNaN();
  expect(lineOfMonths([{ month: "2025-01", flights: 1, minutes: 10 }], 40).at(-1)).toEqual({ x: 1, y: 0.25 });
});

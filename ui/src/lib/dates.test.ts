// German dates: formatting and parsing are inverse, and days that don't exist aren't parsed.
import { CalendarDateTime } from "@internationalized/date";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  formatDate,
  formatDateTime,
  minutesBetween,
  parseDate,
  parseDateTime,
  shortTime,
  wallClock,
  weekday,
} from "./dates";

const moments = fc
  .date({ min: new Date(Date.UTC(1900, 0, 1)), max: new Date(Date.UTC(2099, 11, 31)), noInvalidDate: true })
  .map(
    (date) =>
      new CalendarDateTime(
        date.getUTCFullYear(),
        date.getUTCMonth() + 1,
        date.getUTCDate(),
        date.getUTCHours(),
        date.getUTCMinutes(),
      ),
  );

test("every moment from 1900 to 2099 comes back from its text", () => {
  fc.assert(
    fc.property(moments, (moment) => {
      expect(parseDateTime(formatDateTime(moment))?.toString()).toBe(moment.toString());
      expect(formatDate(parseDate(formatDate(moment)) ?? { day: 0, month: 0, year: 0 })).toBe(
        formatDate(moment),
      );
    }),
  );
});

test("a day counts exactly when the calendar has it", () => {
  fc.assert(
    fc.property(fc.nat(40), fc.nat(15), fc.integer({ min: 1890, max: 2110 }), (day, month, year) => {
      const date = new Date(Date.UTC(year, month - 1, day));
      const exists =
        year >= 1900 &&
        year <= 2099 &&
        date.getUTCMonth() === month - 1 &&
        date.getUTCDate() === day &&
        month >= 1;
      expect(parseDate(`${day}.${month}.${year}`) !== null).toBe(exists);
    }),
  );
});

test.each([
  "",
  "31.02.2026",
  "29.02.2025",
  "1.1.26",
  "2026-02-01",
  "32.01.2026",
  "00.01.2026",
  "?",
  "01.01.2026 10:00",
])("%j is no date", (text) => expect(parseDate(text)).toBeNull());

test.each(["01.01.2026", "01.01.2026 24:00", "01.01.2026 10:60", "01.01.2026 1000", "31.04.2026 10:00"])(
  "%j is no date with a time",
  (text) => expect(parseDateTime(text)).toBeNull(),
);

test("short and pasted forms are read", () => {
  expect(parseDate("1.3.2026")?.toString()).toBe("2026-03-01");
  expect(parseDateTime(" 1.3.2026 9:05 ")?.toString()).toBe("2026-03-01T09:05:00");
  expect(parseDateTime("24.12.2025, 18:30")?.toString()).toBe("2025-12-24T18:30:00");
});

test("minutes between two moments add up", () => {
  fc.assert(
    fc.property(moments, fc.integer({ min: -100_000, max: 100_000 }), (moment, minutes) => {
      expect(minutesBetween(moment, moment.add({ minutes }))).toBe(minutes);
    }),
  );
});

test("the wall clock is the device's, to the minute", () => {
  expect(wallClock(new Date(2026, 1, 3, 4, 5, 59)).toString()).toBe("2026-02-03T04:05:00");
});

test("weeks start with Mo", () => {
  expect(weekday(new CalendarDateTime(2026, 11, 16))).toBe("Mo");
  expect(weekday(new CalendarDateTime(2026, 11, 22))).toBe("So");
});

test("a time is said without what everybody knows", () => {
  expect(shortTime("20.11.2026 16:43", "20.11.2026")).toBe("16:43");
  expect(shortTime("19.11.2026 16:43", "20.11.2026")).toBe("19.11. 16:43");
  expect(shortTime("20.11.2025 16:43", "20.11.2026")).toBe("20.11.2025 16:43");
});

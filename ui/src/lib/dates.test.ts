// German dates: formatting and parsing are inverse, and days that don't exist aren't parsed. The calendar and the wall
// clock are those of the library that the date fields have, also when the clocks of the zone change.
import {
  CalendarDateTime,
  fromDate,
  getDayOfWeek,
  toCalendarDateTime,
  toZoned,
} from "@internationalized/date";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  addMinutes,
  type DayTime,
  formatDate,
  formatDateTime,
  minutesBetween,
  momentOf,
  parseDate,
  parseDateTime,
  shortTime,
  utcOf,
  wallClock,
  weekday,
} from "./dates";

/** Time zone of the unit tests, in which clocks are put forward and back. */
const zone = "Europe/Berlin";
const minuteMs = 60_000;

/** The minute of a time of UTC as a wall clock. */
function dayTime(ms: number): DayTime {
  const date = new Date(ms);
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()];
  return { year, month, day, hour: date.getUTCHours(), minute: date.getUTCMinutes() };
}

function ofLibrary({ year, month, day, hour, minute }: DayTime): CalendarDateTime {
  return new CalendarDateTime(year, month, day, hour, minute);
}

/** The last Sunday of a month, on which the clocks change at 1:00 of UTC. */
function clockChange(year: number, month: number): number {
  const last = new Date(Date.UTC(year, month, 0, 1));
  return last.getTime() - last.getUTCDay() * 1_440 * minuteMs;
}

const years = fc.integer({ min: 1900, max: 2098 });
/** Ends of years, of February, and the days on which clocks change. */
const borders = fc.oneof(
  years.map((year) => Date.UTC(year + 1, 0, 1)),
  years.map((year) => Date.UTC(year, 2, 1)),
  fc
    .tuple(fc.integer({ min: 1996, max: 2098 }), fc.constantFrom(3, 10))
    .map(([year, month]) => clockChange(year, month)),
);
const instants = fc.oneof(
  fc
    .date({ min: new Date(Date.UTC(1900, 0, 2)), max: new Date(Date.UTC(2099, 11, 30)), noInvalidDate: true })
    .map((date) => date.getTime()),
  fc
    .tuple(borders, fc.integer({ min: -3_000, max: 3_000 }))
    .map(([border, minutes]) => border + minutes * minuteMs),
);
const moments = instants.map(dayTime);

test("every date and time from 1900 to 2099 comes back from its text", () => {
  fc.assert(
    fc.property(moments, (moment) => {
      expect(parseDateTime(formatDateTime(moment))).toEqual(moment);
      const { year, month, day } = moment;
      expect(parseDate(formatDate(moment))).toEqual({ year, month, day });
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
  expect(parseDate("1.3.2026")).toEqual({ year: 2026, month: 3, day: 1 });
  expect(parseDateTime(" 1.3.2026 9:05 ")).toEqual({ year: 2026, month: 3, day: 1, hour: 9, minute: 5 });
  const christmas = { year: 2025, month: 12, day: 24, hour: 18, minute: 30 };
  expect(parseDateTime("24.12.2025, 18:30")).toEqual(christmas);
});

test("adding minutes gives the calendar's time, and the difference is those minutes", () => {
  fc.assert(
    fc.property(moments, fc.integer({ min: -100_000, max: 100_000 }), (moment, minutes) => {
      const later = addMinutes(moment, minutes);
      expect(ofLibrary(later).toString()).toBe(ofLibrary(moment).add({ minutes }).toString());
      expect(minutesBetween(moment, later)).toBe(minutes);
    }),
  );
});

test("times sort in the calendar's order, and days have the calendar's weekdays", () => {
  fc.assert(
    fc.property(moments, moments, (one, other) => {
      const order = Math.sign(ofLibrary(one).compare(ofLibrary(other)));
      expect(Math.sign(utcOf(one) - utcOf(other))).toBe(order);
      const days = ["Mo", "Di", "Mi", "Do", "Fr", "Sa", "So"];
      expect(weekday(one)).toBe(days[getDayOfWeek(ofLibrary(one), "de-DE")]);
    }),
  );
});

test("the wall clock is that of the zone, to the minute, and its times are read as instants of the zone", () => {
  // Winter and summer differ: the tests run in the zone.
  const noons = [0, 6].map((month) => wallClock(new Date(Date.UTC(2026, month, 1, 12))).hour);
  expect(noons).toEqual([13, 14]);
  fc.assert(
    fc.property(instants, moments, (ms, moment) => {
      const shown = toCalendarDateTime(fromDate(new Date(ms), zone)).set({ second: 0, millisecond: 0 });
      expect(ofLibrary(wallClock(new Date(ms))).toString()).toBe(shown.toString());
      // Of an hour that the clocks repeat the first, and of one that they leave out the time after.
      const then = toZoned(ofLibrary(moment), zone, "compatible").toDate().getTime();
      expect(momentOf(formatDateTime(moment))).toBe(then);
    }),
    { numRuns: 1_000 },
  );
});

test("a time is shown without today's date and without the current year", () => {
  expect(shortTime("20.11.2026 16:43", "20.11.2026")).toBe("16:43");
  expect(shortTime("19.11.2026 16:43", "20.11.2026")).toBe("19.11. 16:43");
  expect(shortTime("20.11.2025 16:43", "20.11.2026")).toBe("20.11.2025 16:43");
});

// The editor sends the changed fields and no others, under the server's names.
import fc from "fast-check";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ApiError } from "../../api/client";
import { noFields } from "../../api/flightFields";
import type { Flight } from "../../api/generated/Flight";
import { addMinutes, formatDateTime, parseDateTime } from "../../lib/dates";
import {
  changedFields,
  emptyFlight,
  enteredFields,
  gpsError,
  isInFuture,
  minutesTooLong,
  nextInSeries,
  pastStart,
  proposedFlightTime,
  toValues,
  withFormFieldNames,
} from "./flightForm";

const flight: Flight = {
  dpfId: "f1",
  startTime: "01.03.2026 09:05",
  startInstant: null,
  endInstant: null,
  ...noFields,
  location: "Elbe",
  startLatitude: 53.551086,
  startLongitude: 9.993682,
  flightTime: 12.5,
  maximumAltitude: 80,
  distance: 1.25,
  maximumDistance: 300,
  maxDistance: 300,
  batteryStartVoltage: 16.8,
  weatherConditions: "sonnig",
  notes: "eins\nzwei",
  weight: 674.5,
  copter: { dpfId: "c1", type: 0, name: "Brummer", model: "Cinelog35", weight: 338 },
  equipments: [],
  payloads: [],
  images: [],
  open: true,
};

beforeEach(() => {
  vi.useFakeTimers({ now: new Date(2026, 2, 1, 9, 30) });
});
afterEach(() => {
  vi.useRealTimers();
});

test("an untouched form sends nothing, whatever the flight holds", () => {
  const number = fc.option(
    fc.integer({ min: 0, max: 99_999 }).map((hundredths) => hundredths / 100),
    { nil: null },
  );
  const degrees = fc.option(fc.double({ min: -90, max: 90, noNaN: true }), { nil: null });
  fc.assert(
    fc.property(
      fc.record({
        flightTime: number,
        speed: number,
        startLatitude: degrees,
        startLongitude: degrees,
        notes: fc.string(),
      }),
      (some) => {
        const any = { ...flight, ...some };
        for (const mode of ["new", "finish", "edit"] as const) {
          expect(changedFields(toValues(any), any, mode)).toEqual({});
        }
      },
    ),
  );
});

test("typed values are sent unchanged, cleared ones as an empty text", () => {
  const values = { ...toValues(flight), distance: "2,5", location: "", speed: " 45 ", flightMode: "2" };
  expect(changedFields(values, flight, "edit")).toEqual({
    distance: "2,5",
    location: "",
    speed: "45",
    flightMode: "2",
  });
});

test("a place is sent as two numbers, and an empty one clears both", () => {
  const values = { ...toValues(flight), startGps: "", endGps: "53,6 10,1" };
  expect(changedFields(values, flight, "finish")).toEqual({
    startLatitude: "",
    startLongitude: "",
    endLatitude: 53.6,
    endLongitude: 10.1,
  });
});

test("a new flight sends none of the hidden fields", () => {
  const values = {
    ...toValues(flight),
    flightTime: "1",
    endGps: "1 1",
    batteryEndVoltage: "14",
    notes: "neu",
  };
  expect(changedFields(values, flight, "new")).toEqual({ notes: "neu" });
});

test("a GPS text is empty or a place on earth", () => {
  expect(gpsError(" ")).toBeUndefined();
  expect(gpsError("53,5 9,9")).toBeUndefined();
  expect(gpsError("Hamburg")).toMatch(/^Ungültige Eingabe/);
  expect(gpsError("91 9")).toBe("Die geografische Breite muss zwischen -90 und 90 liegen.");
  expect(gpsError("53 181")).toBe("Die geografische Länge muss zwischen -180 und 180 liegen.");
});

test("the server's field names lead to the form's fields", () => {
  const field = (name: string | null) =>
    (withFormFieldNames(new ApiError(400, "Nein", name)) as ApiError).field;
  expect(field("startLongitude")).toBe("startGps");
  expect(field("endLatitude")).toBe("endGps");
  expect(field("maxDistance")).toBe("maximumDistance");
  expect(field("speed")).toBe("speed");
  expect(field(null)).toBeNull();
});

const begun = (startTime: string) => ({ dpfId: "f1", startTime });

test("the proposed flight time is whole minutes from the start until now", () => {
  const now = { year: 2026, month: 3, day: 1, hour: 9, minute: 30 };
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 180 }), (minutes) => {
      expect(proposedFlightTime(begun(formatDateTime(addMinutes(now, -minutes))))).toBe(String(minutes));
    }),
  );
  expect(proposedFlightTime(begun("01.03.2026 09:30"))).toBe("1");
});

test("nothing is proposed that can't be a flight time", () => {
  expect(proposedFlightTime(begun("01.03.2026 09:31"))).toBe("");
  expect(proposedFlightTime(begun("01.03.2026 06:29"))).toBe("");
  expect(proposedFlightTime(begun("28.02.2026 09:30"))).toBe("");
  expect(proposedFlightTime(begun(""))).toBe("");
});

test("a start in the future is recognized, with a tolerance for the clock", () => {
  expect(isInFuture("01.03.2026 09:32")).toBe(false);
  expect(isInFuture("01.03.2026 09:33")).toBe(true);
  expect(isInFuture("")).toBe(false);
});

test("a new flight sends every value that was entered", () => {
  const values = { ...emptyFlight, startTime: "01.03.2026 09:05", flightTime: " 6,9 ", startGps: "53,5 9,9" };
  expect(enteredFields(values)).toEqual({
    startTime: "01.03.2026 09:05",
    flightTime: "6,9",
    flightMode: "0",
    startLatitude: 53.5,
    startLongitude: 9.9,
  });
});

test("the next flight of a series begins a change of packs after this one, without what was read off", () => {
  const next = nextInSeries({ ...toValues(flight), startTime: "31.12.2025 23:50" });
  expect(next).toEqual({
    ...emptyFlight,
    startTime: "01.01.2026 00:08",
    location: "Elbe",
    startGps: "53.551086, 9.993682",
    weatherConditions: "sonnig",
  });
  expect(nextInSeries({ ...emptyFlight, startTime: "01.03.2026 09:05" }).startTime).toBe("01.03.2026 09:10");
});

test("a past flight has just ended, until its start is known", () => {
  const now = parseDateTime("26.03.2026 00:05");
  if (!now) throw new Error("no time");
  expect(pastStart("", null, now)).toBe("26.03.2026 00:05");
  expect(pastStart("6,2", null, now)).toBe("25.03.2026 23:58");
  expect(pastStart("abc", null, now)).toBe("26.03.2026 00:05");
});

test("the next flight of a series begins after the one before and never in the future", () => {
  const now = parseDateTime("26.03.2026 21:44");
  if (!now) throw new Error("no time");
  const start = (before: string, minutes: string) => pastStart(minutes, parseDateTime(before), now);
  expect(start("25.03.2026 12:00", "7")).toBe("25.03.2026 12:05");
  // Less than the time for changing packs ago, or less than the flight's minutes.
  expect(start("26.03.2026 21:42", "")).toBe("26.03.2026 21:44");
  expect(start("26.03.2026 21:36", "7")).toBe("26.03.2026 21:37");
  expect(start("26.03.2026 21:42", "7")).toBe("26.03.2026 21:42");
  // A typed start may lie slightly in the future.
  expect(start("26.03.2026 21:46", "7")).toBe("26.03.2026 21:44");
  const flown = { ...emptyFlight, startTime: "26.03.2026 21:37", flightTime: "7" };
  expect(nextInSeries(flown, now).startTime).toBe("26.03.2026 21:44");
});

test("a flight is open for too long after three hours", () => {
  expect(minutesTooLong(begun("01.03.2026 06:30"))).toBeNull();
  expect(minutesTooLong(begun("01.03.2026 06:29"))).toBe(181);
  expect(minutesTooLong(begun("26.02.2026 09:30"))).toBe(3 * 1440);
  expect(minutesTooLong(begun("02.03.2026 09:30"))).toBeNull();
});

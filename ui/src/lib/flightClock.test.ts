// However the clocks of devices and server are wrong, are set while a flight runs, or show another zone: a flight lasts
// as long as it lasted.
import fc from "fast-check";
import { afterEach, expect, test, vi } from "vitest";
import { type Moment, moment } from "./clock";
import { formatDateTime, wallClock } from "./dates";
import { minutesSinceStart, msSinceStart, type OwnStart, ownStart, rememberOwnStart } from "./flightClock";

const noon = Date.UTC(2026, 10, 24, 12);
const minute = 60_000;
const day = 1_440 * minute;

afterEach(() => {
  vi.useRealTimers();
  localStorage.clear();
});

/** A clock that is off from the true time. */
const at = (time: number, off: number) => time + off;
/** A device's moment: `heard` is how far it believes to be ahead of the server. */
const on = (time: number, device: number, heard: number): Moment => ({
  device: at(time, device),
  server: at(time, device) - heard,
});
/** The flight as the server stores it: in whole seconds. */
const started = (own: OwnStart, startTime = "24.11.2026 13:00") => ({
  dpfId: own.dpfId,
  startTime,
  startInstant: `${new Date(own.server).toISOString().slice(0, 19)}Z`,
});

const wrong = fc.oneof(fc.constant(0), fc.integer({ min: -4 * day, max: 4 * day }));
/** Clocks are set by more than a flight takes. */
const set = fc.oneof(
  fc.constant(0),
  fc.integer({ min: 20 * minute, max: 4 * day }),
  fc.integer({ min: -4 * day, max: -20 * minute }),
);
const lasting = fc.integer({ min: 0, max: 15 * minute });

test("a flight lasts as long by a device that didn't start it, however wrong both devices are", () => {
  fc.assert(
    fc.property(wrong, wrong, wrong, lasting, (one, other, server, ms) => {
      const own = { dpfId: "f1", ...on(noon, one, one - server) };
      const found = msSinceStart(started(own), on(noon + ms, other, other - server), null) ?? -1;
      expect(Math.abs(found - ms)).toBeLessThan(1_000);
    }),
  );
});

test("a flight lasts as long by the device that started it, though one of the clocks is set meanwhile", () => {
  fc.assert(
    fc.property(wrong, wrong, set, fc.boolean(), lasting, (device, server, by, isDevice, ms) => {
      const own = { dpfId: "f1", ...on(noon, device, device - server) };
      const [deviceThen, serverThen] = isDevice ? [device + by, server] : [device, server + by];
      const now = on(noon + ms, deviceThen, deviceThen - serverThen);
      const found = msSinceStart(started(own), now, own) ?? -1;
      expect(Math.abs(found - ms)).toBeLessThan(1_000);
    }),
  );
});

test("a device that didn't know yet how wrong it is counts by its own clock", () => {
  fc.assert(
    fc.property(wrong, lasting, (device, ms) => {
      const own = { dpfId: "f1", ...on(noon, device, 0) };
      const found = msSinceStart(started(own), on(noon + ms, device, device), own) ?? -1;
      expect(Math.abs(found - ms)).toBeLessThan(1_000);
    }),
  );
});

test("neither the zone nor the change to summer time is part of a flight", () => {
  const change = Date.UTC(2026, 2, 29, 1);
  for (const [from, minutes] of [
    [change - 5 * minute, 12],
    [change - 60 * minute, 75],
    [Date.UTC(2026, 9, 25, 0, 55), 20],
  ] as const) {
    const own = { dpfId: "f1", ...on(from + 4_000, 0, 0) };
    for (const hours of [-8, 0, 2, 9]) {
      const startTime = formatDateTime(wallClock(new Date(from + hours * 60 * minute)));
      const now = on(from + 4_000 + minutes * minute, 0, 0);
      expect(minutesSinceStart(started(own, startTime), now, null)).toBe(minutes);
    }
  }
});

test("a corrected start counts by its instant, not by the press", () => {
  const own = { dpfId: "f1", ...on(noon, 0, 0) };
  const corrected = { ...started(own), startInstant: new Date(noon - 5 * minute).toISOString() };
  expect(minutesSinceStart(corrected, on(noon + 3 * minute, 0, 0), own)).toBe(8);
});

test("a start without an instant is on the clock of this device", () => {
  vi.useFakeTimers({ now: new Date(2026, 2, 1, 9, 30, 50) });
  const open = { dpfId: "f1", startTime: "01.03.2026 09:18" };
  expect(minutesSinceStart(open)).toBe(12);
  expect(minutesSinceStart({ ...open, startTime: "01.03.2026 09:32" })).toBeNull();
  expect(minutesSinceStart({ ...open, startTime: "" })).toBeNull();
});

test("a device remembers the start that was pressed last", () => {
  expect(ownStart()).toBeNull();
  rememberOwnStart({ dpfId: "f1", ...moment() });
  rememberOwnStart({ dpfId: "f2", ...moment() });
  expect(ownStart()?.dpfId).toBe("f2");
});

// What a pilot presses carries the time on the wall and its instant; what was typed keeps its time.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { recordServerTime } from "../lib/clock";
import { ownStart } from "../lib/flightClock";
import * as moments from "./moments";

const now = new Date(2026, 2, 1, 9, 5, 20);
const config = { copter: "c1" };

beforeEach(() => {
  vi.useFakeTimers({ now });
  recordServerTime(now.toUTCString(), Date.now());
});
afterEach(() => {
  vi.useRealTimers();
  localStorage.clear();
});

let requests = 0;
const withMoment = (name: string, fields: object, requestId = `r${++requests}`) =>
  moments.withMoment(name, fields, requestId);
const iso = (time: Date) => time.toISOString();

test("a start is now on this device's clock, and the device remembers it", () => {
  expect(withMoment("CreateFlight", { config, dpfId: "f1" })).toEqual({
    ...{ config, dpfId: "f1", startTime: "01.03.2026 09:05", startInstant: iso(now) },
  });
  expect(ownStart()).toEqual({ dpfId: "f1", device: now.getTime(), server: now.getTime() });
});

test("on a device whose clock is wrong what is pressed has the true time", () => {
  for (const minutes of [20, -20, 600, 3 * 1440]) {
    vi.setSystemTime(now.getTime() + minutes * 60_000);
    recordServerTime(now.toUTCString(), Date.now());
    const { startTime, startInstant } = withMoment("CreateFlight", { config, dpfId: "f1" }) as never;
    expect(startTime).toBe("01.03.2026 09:05");
    expect(Math.abs(Date.parse(startInstant) - now.getTime())).toBeLessThanOrEqual(2_000);
    const charged = withMoment("QuickCharge", { battery: "b1" });
    expect(charged).toMatchObject({ battery: "b1", time: "01.03.2026 09:05" });
  }
});

test("an end has its instant, and an edit none", () => {
  const flight = { dpfId: "f1", flightTime: "5" };
  expect(withMoment("SaveFlight", { flight, endFlight: true })).toEqual({
    ...{ flight, endFlight: true, endInstant: iso(now) },
  });
  expect(withMoment("SaveFlight", { flight, endFlight: false })).toEqual({ flight, endFlight: false });
  expect(withMoment("EditLog", { dpfId: "l1", info: "", time: "" })).toEqual({
    dpfId: "l1",
    info: "",
    time: "",
  });
});

test("a typed time keeps its instant in this device's zone", () => {
  const startTime = "28.02.2026 18:30";
  const startInstant = iso(new Date(2026, 1, 28, 18, 30));
  const flight = { startTime, flightTime: "5" };
  expect(withMoment("AddFlight", { config, flight })).toEqual({ config, flight, startInstant });
  expect(withMoment("SaveBatteryReading", { battery: "b1", time: startTime })).toEqual({
    ...{ battery: "b1", time: startTime, instant: startInstant },
  });
});

test("what was kept is sent as it was pressed", () => {
  const kept = { startTime: "28.02.2026 18:30", startInstant: "2026-02-28T17:30:12.000Z" };
  for (const [name, fields] of [
    ["CreateFlight", { config, dpfId: "f1", ...kept }],
    ["AddFlight", { config, flight: kept, startInstant: kept.startInstant }],
    ["QuickStore", { battery: "b1", time: kept.startTime, instant: kept.startInstant }],
  ] as const) {
    expect(withMoment(name, fields)).toEqual(fields);
  }
});

test("a request that is sent again keeps its time, and a start that is pressed again gets a new one", () => {
  const charged = withMoment("QuickCharge", { battery: "b1" }, "q");
  const landed = { flight: { dpfId: "f1" }, endFlight: true };
  vi.setSystemTime(now.getTime() + 60_000);
  expect(withMoment("QuickCharge", { battery: "b1" }, "q")).toEqual(charged);
  const ended = withMoment("SaveFlight", landed, "e");
  withMoment("CreateFlight", { config, dpfId: "f2" }, "f2");
  vi.setSystemTime(now.getTime() + 120_000);
  expect(withMoment("SaveFlight", landed, "e")).toEqual(ended);
  expect(withMoment("CreateFlight", { config, dpfId: "f2" }, "f2")).toMatchObject({
    startTime: "01.03.2026 09:07",
  });
});

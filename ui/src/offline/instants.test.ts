// A queued write has the time at which it happened, whatever was wrong with the device's clock then.
import { expect, test } from "vitest";
import { formatDateTime, instantOf, wallClock } from "../lib/dates";
import { atTime, withInstant } from "./instants";
import type { QueueableWrite, QueuedWrite } from "./queuedWrites";

const minute = 60_000;
const pressed = new Date(2026, 10, 24, 14, 5, 20).getTime();
const shown = (ms: number) => formatDateTime(wallClock(new Date(ms)));
const iso = (ms: number) => new Date(ms).toISOString();
const config = { copter: "c1" };

const queued = (write: QueueableWrite, madeAt = pressed) => ({ ...write, madeAt }) as QueuedWrite;
const now = (ms: number, ahead = 0) => ({ device: ms, server: ms - ahead });

/** Pressed on a device that is ahead and doesn't know it. */
const start = (at: number) =>
  queued({ call: "CreateFlight", fields: { config, startTime: shown(at), startInstant: iso(at) } }, at);
const charge = (at: number) =>
  queued({ call: "QuickCharge", fields: { battery: "b1", time: shown(at), instant: iso(at) } }, at);

test("a write whose time is plausible is sent as it was pressed", () => {
  for (const entry of [start(pressed), charge(pressed)]) {
    expect(withInstant(entry, now(pressed + minute))).toEqual(entry);
    expect(withInstant(entry, now(pressed - 4 * minute))).toEqual(entry);
  }
});

test("a write of a clock that turned out to be ahead happened as long ago as this clock says", () => {
  for (const ahead of [20 * minute, 600 * minute, 3 * 1440 * minute]) {
    const at = pressed + ahead;
    const later = now(at + 6 * minute, ahead);
    const { fields } = withInstant(start(at), later) as Extract<QueuedWrite, { call: "CreateFlight" }>;
    expect(fields).toMatchObject({ startTime: shown(pressed), startInstant: iso(pressed) });
    const charged = withInstant(charge(at), later);
    expect(charged.fields).toMatchObject({ time: shown(pressed), instant: iso(pressed) });
  }
});

test("what a clock that was set back says of the future is left to the pilot, and so is what was typed", () => {
  const at = pressed + 600 * minute;
  expect(withInstant(start(at), now(pressed))).toEqual(start(at));
  const typed = atTime(start(pressed), shown(pressed + 60 * minute));
  expect(withInstant(typed, now(pressed + minute))).toEqual(typed);
});

test("a write of an earlier version gets the instant of its time in this device's zone", () => {
  const flight = { startTime: "24.11.2026 14:05" };
  for (const write of [
    { call: "CreateFlight", fields: { config, ...flight } },
    { call: "AddFlight", fields: { config, flight } },
  ] as QueueableWrite[]) {
    const instant = instantOf(flight.startTime);
    expect(withInstant(queued(write), now(pressed)).fields).toMatchObject({ startInstant: instant });
  }
  const edit = queued({ call: "EditLog", fields: { dpfId: "l1", info: "", time: flight.startTime } });
  expect(withInstant(edit, now(pressed))).toEqual(edit);
});

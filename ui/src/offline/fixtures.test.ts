// Entries that waited on a device before an update: today's code shows it and sends it, whichever version kept it. A
// fixture is never changed.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { flightsCreatedHere, flightWithQueued, withQueued } from "./overlay";
import { add, nextToSend, removed, resetInterrupted } from "./queue";
import type { QueuedWrite } from "./queuedWrites";

const kept = (version: number): QueuedWrite[] =>
  JSON.parse(readFileSync(join(import.meta.dirname, `fixtures/queue-${version}.json`), "utf8"));

/** The calls in the order in which they are sent, if each arrives. */
function sent(entries: QueuedWrite[]): string[] {
  let rest = resetInterrupted(entries);
  const calls: string[] = [];
  for (let one = nextToSend(rest, 0); one !== null; one = nextToSend(rest, 0)) {
    calls.push(`${one.call} ${one.object}`);
    rest = removed(rest, one);
  }
  return calls;
}

test("a queue of version 1 is sent in its order, but for what is for the pilot", () => {
  expect(sent(kept(1))).toEqual([
    "AddFlight f1",
    "CreateFlight f2",
    "SaveFlight f3",
    "DeleteFlight f4",
    "SaveCharging ch1",
    "SaveEquipmentLog l1",
    "SaveFlightLog l2",
    "EditLog l3",
    "DeleteLog l4",
  ]);
});

test("a queue of version 1 is shown, and goes on with what is done now", () => {
  const entries = kept(1);
  expect(flightsCreatedHere(entries)).toMatchObject([
    { dpfId: "f1", open: false, location: "Wiese", batteryEndVoltage: 21.4 },
    { dpfId: "f2", open: true, location: "Deich" },
  ]);
  const edited = entries.find(({ object }) => object === "f3")?.flight;
  expect(edited && flightWithQueued(edited, entries).notes).toBe("böig");
  const made = { batteryType: "LiPo", model: "", chemistry: null, state: "empty" };
  const pack = { ...made, dpfId: "b1", type: 1, lastCharging: null, lastFlight: "", cells: 6 };
  expect(withQueued("GetEquipment", {}, pack, entries)).toMatchObject({ state: "charging" });
  const fields = { battery: "b1", time: "24.11.2026 16:00" };
  const now = { ...kept(1)[4], call: "QuickCharge", fields, object: "r99", requestId: "r99" } as QueuedWrite;
  const both = add(entries, now);
  expect(both).toHaveLength(entries.length + 1);
  expect(withQueued("GetEquipment", {}, pack, both)).toMatchObject({ state: "full", lastCharging: null });
});

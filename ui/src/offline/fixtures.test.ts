// Entries that waited on a device before an update: today's code shows it and sends it, whichever version kept it. A
// fixture is never changed.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readDraft } from "../lib/drafts";
import { takeEarlierRequests } from "./earlierDrafts";
import { flightsCreatedHere, flightWithQueued, withQueued } from "./overlay";
import { add, removed, resetInterrupted, writesToSend } from "./queue";
import type { QueuedWrite } from "./queuedWrites";

const kept = (version: number): QueuedWrite[] =>
  JSON.parse(readFileSync(join(import.meta.dirname, `fixtures/queue-${version}.json`), "utf8"));

/** The calls in the order in which they are sent, if each arrives. */
function sent(entries: QueuedWrite[]): string[] {
  let rest = resetInterrupted(entries);
  const calls: string[] = [];
  for (let [one] = writesToSend(rest, 0); one; [one] = writesToSend(rest, 0)) {
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

test("a queue of version 1 is shown, and takes new entries", () => {
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

test("requests of 1.5.0 without an answer are pressed again under their ids, and drafts stay", () => {
  const drafts = JSON.parse(
    readFileSync(join(import.meta.dirname, "fixtures/drafts-1.5.0.json"), "utf8"),
  ) as Record<string, unknown>;
  for (const [key, draft] of Object.entries(drafts)) localStorage.setItem(key, JSON.stringify(draft));
  const [account, item] = ["00000000000000aa", "01a21c27-9e6d-726a-a73a-89b0b35d491a"];
  const taken = takeEarlierRequests(account);
  expect(
    taken.map(({ form, record, requestId, call, fields }) => ({ form, record, requestId, call, fields })),
  ).toEqual([
    {
      ...{ form: "equipment", record: "new-1", requestId: item, call: "SaveNewEquipment" },
      fields: { dpfId: item, equipment: { type: 1, name: "Adler" } },
    },
    {
      ...{
        form: "DeleteBatterySet",
        record: '{"set":"s1"}',
        requestId: "01a21c27-9e76-79c1-b5a2-81844300bf9f",
      },
      ...{ call: "DeleteBatterySet", fields: { set: "s1" } },
    },
    {
      ...{ form: "nextFlight", record: "f1", requestId: "01a21c27-9e7e-75c0-bd41-736a1df97b05" },
      ...{ call: "CreateFlight", fields: { dpfId: "01a21c27-9e7e-75c0-bd41-736a1df97b05" } },
    },
  ]);
  expect(taken.map(({ content, object }) => [content, object])).toEqual([
    ['{"name":"Adler","type":1}', item],
    ["", "01a21c27-9e76-79c1-b5a2-81844300bf9f"],
    ['{"copter":"c1","equipments":["b1"],"payloads":[]}', "01a21c27-9e7e-75c0-bd41-736a1df97b05"],
  ]);
  expect(Object.keys(localStorage)).toEqual([`fluglog.draft.${account}/equipment/new-1`]);
  expect(readDraft({ account, form: "equipment", record: "new-1" }, 1795768700000)?.values).toEqual({
    name: "Adler",
  });
  expect(takeEarlierRequests(account)).toEqual([]);
});

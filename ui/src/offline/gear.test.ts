// A space's equipment and its packs while writes wait: what the own waiting writes end is over on this device.
import { expect, test } from "vitest";
import type { Chargings } from "../api/generated/Chargings";
import type { Equipment } from "../api/generated/Equipment";
import type { EquipmentLogs } from "../api/generated/EquipmentLogs";
import { battery, charging, flight, flightItem, item, reminder } from "../test/objects";
import { targetOf } from "./order";
import { withQueued } from "./overlay";
import type { QueueableWrite, QueuedWrite } from "./queuedWrites";

function queued(write: QueueableWrite, more: Partial<QueuedWrite> = {}): QueuedWrite {
  return {
    ...write,
    ...targetOf(write, "r1"),
    problem: null,
    state: "waiting",
    flight: null,
    ...more,
  } as QueuedWrite;
}

const startTime = "21.11.2026 14:05";
const own = flight({ dpfId: "f1", copter: flightItem({ dpfId: "i1" }), startTime, open: true });
const flown = item({ dpfId: "i1", inUse: { by: "Anna", since: startTime } });

function shown(entry: QueuedWrite, before: Equipment): Equipment {
  return withQueued("GetEquipment", {}, before, [entry]) as Equipment;
}

test("After the end of the own flight, or without it, nobody flies the item any more", () => {
  const ended = { call: "SaveFlight", fields: { flight: { dpfId: "f1" }, endFlight: true } } as const;
  expect(shown(queued(ended, { flight: own }), flown).inUse).toBeUndefined();
  const deleted = { call: "DeleteFlight", fields: { dpfId: "f1" } } as const;
  expect(shown(queued(deleted, { flight: own }), flown).inUse).toBeUndefined();
  const others = { ...flown, inUse: { by: "Ben", since: "21.11.2026 15:00" } };
  expect(shown(queued(deleted, { flight: own }), others).inUse).toEqual(others.inUse);
});

test("Packs that are stored or charged already don't wait for it; one that is to be measured does", () => {
  const lines = [
    reminder({ dpfId: "b1" }),
    reminder({ dpfId: "b2", rule: "unchecked" }),
    reminder({ dpfId: "b3" }),
  ];
  const stored = queued({ call: "QuickStore", fields: { battery: "b1;b2", time: startTime } });
  expect(withQueued("GetReminders", {}, lines, [stored])).toEqual(lines.slice(1));
  expect(shown(stored, battery({ dpfId: "b3", state: "full" })).state).toBe("full");
});

test("What waits to be added can be corrected, and of finished chargings only what could be before", () => {
  const log = queued({
    call: "SaveEquipmentLog",
    fields: { dpfId: "b1", log: "l1", info: "Beule", time: startTime },
  });
  const empty = { name: "", equipmentName: "", logs: [] };
  const { logs } = withQueued("GetEquipmentLogs", { dpfId: "b1" }, empty, [log]) as EquipmentLogs;
  expect(logs.map(({ mine }) => mine)).toEqual([true]);
  const edit = queued({
    call: "SaveCharging",
    fields: { battery: "b1", dpfId: "c1", chargeEndTime: startTime },
  });
  const mine = (before: Partial<Chargings["chargings"][number]>) => {
    const history = { equipmentName: "", chargings: [charging(before)] };
    const { chargings } = withQueued("GetChargings", { battery: "b1" }, history, [edit]) as Chargings;
    return chargings[0]?.mine;
  };
  expect(mine({})).toBe(true);
  expect(mine({ chargeEndTime: startTime })).toBeUndefined();
  expect(mine({ chargeEndTime: startTime, mine: true })).toBe(true);
});

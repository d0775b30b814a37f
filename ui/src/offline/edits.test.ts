// An edit that waited, beside what was changed on the server meanwhile.
import { expect, test } from "vitest";
import { editedFields, mergeEdit, withFieldsEdited } from "./edits";
import { withChoices } from "./queue";
import type { QueuedWrite } from "./queuedWrites";

test("an edit replaces the values it was typed over, and asks about those changed elsewhere", () => {
  const there = { dpfId: "f1", location: "Platz", notes: "dort", batteryEndVoltage: 21.4, speed: null };
  const typed = { location: "Wiese", batteryEndVoltage: "21,4", speed: "40", notes: "hier" };
  const base = { location: "Heide", batteryEndVoltage: null, speed: null, notes: "" };
  expect(mergeEdit(typed, base, there)).toEqual({
    values: { batteryEndVoltage: "21,4", speed: "40", notes: "dort\nhier" },
    conflicts: [{ field: "location", here: "Wiese", there: "Platz" }],
  });
});

const charging = {
  call: "SaveCharging",
  fields: {
    battery: "b1",
    dpfId: "ch1",
    chargeEndTime: "24.11.2026 15:10",
    toVoltage: "25,2",
    charged: "1100",
  },
  base: { chargeEndTime: "", toVoltage: "", charged: "1100" },
  problem: null,
} as unknown as Extract<QueuedWrite, { call: "SaveCharging" }>;

test("of a charging the fields that nobody changed here are as the server has them", () => {
  const typed = editedFields(charging) ?? {};
  const there = { chargeEndTime: "", toVoltage: "25,1", charged: "1300" };
  expect(mergeEdit(typed, charging.base, there)).toEqual({
    values: { chargeEndTime: "24.11.2026 15:10", charged: "1300" },
    conflicts: [{ field: "toVoltage", here: "25,2", there: "25,1" }],
  });
  expect(withFieldsEdited(charging, { charged: "1300" }).fields).toMatchObject({
    dpfId: "ch1",
    charged: "1300",
  });
});

test("a new charging and a quick charge are no edits", () => {
  expect(editedFields({ call: "SaveCharging", fields: { battery: "b1", charging: "ch1" } })).toBeNull();
  expect(editedFields({ call: "QuickCharge", fields: { battery: "b1" } })).toBeNull();
});

test("what the pilot takes from here is sent, what stays as on the server isn't, and nothing at all is no entry", () => {
  const conflict = { field: "info", here: "Props neu", there: "Motor neu" };
  const fields = { dpfId: "l1", info: "Props neu", time: "24.11.2026 15:00" };
  const base = { info: "", time: "24.11.2026 15:00" };
  const edit = {
    call: "EditLog",
    fields,
    base,
    state: "stuck",
    problem: { kind: "clash", clashes: [conflict] },
  };
  const log = edit as unknown as QueuedWrite;
  expect(withChoices(log, [{ ...conflict, choice: "here" }])).toMatchObject({
    state: "waiting",
    problem: null,
    fields: { dpfId: "l1", info: "Props neu" },
    base: { info: "Motor neu" },
  });
  expect(withChoices(log, [{ ...conflict, choice: "there" }])).toBeNull();
});

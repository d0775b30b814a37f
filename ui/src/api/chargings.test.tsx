// The fields of a charging's start, and the lists right after a charging was saved.
import { expect, test } from "vitest";
import type { ChargingFields } from "../offline/values";
import { keyOf } from "./answers";
import { cache } from "./cache";
import { chargingFields } from "./chargings";
import { answers, callsOf, withFakeServer } from "./fakeServer";
import type { Charging } from "./generated/Charging";
import type { Equipment } from "./generated/Equipment";
import { perform } from "./perform";

withFakeServer();

const charging: Charging = {
  dpfId: "c1",
  battery: "b1",
  chargeStartTime: "01.05.2026 10:00",
  chargeEndTime: "",
  fromVoltage: 21.6,
  toVoltage: null,
  fromCellVoltage: null,
  toCellVoltage: null,
  charged: null,
  flight: null,
  details: null,
};
const typed: ChargingFields = {
  chargeStartTime: "01.05.2026 10:00",
  fromVoltage: "21,60",
  fromCellVoltage: "",
  chargeEndTime: "",
  toVoltage: "",
  toCellVoltage: "",
  charged: "",
  endCellVoltages: "",
  resistances: "",
  current: "",
  charger: "",
  measuredCapacity: "",
};

async function save(dpfId: string | null): Promise<void> {
  await perform("SaveCharging", chargingFields("b1", dpfId, typed)("c1"), "r1");
}

test("a started charging is sent with its start time and start voltage only", async () => {
  answers.SaveCharging = [{ status: 200, body: charging }];
  await save(null);
  expect(Object.fromEntries(callsOf("SaveCharging")[0] ?? [])).toEqual({
    requestId: "r1",
    battery: "b1",
    charging: "c1",
    chargeStartTime: "01.05.2026 10:00",
    fromVoltage: "21,60",
    fromCellVoltage: "",
  });
});

test("the list shows at once that a charging is open, and that it isn't any more", async () => {
  const listKey = keyOf("GetEquipments", { type: 1, deactivated: false });
  cache.setQueryData(listKey, [
    { dpfId: "b1", lastCharging: null },
    { dpfId: "b2", lastCharging: null },
  ]);
  const open = () =>
    cache.getQueryData<Equipment[]>(listKey)?.map((item) => item.lastCharging?.dpfId ?? null);
  const end = { chargeEndTime: "01.05.2026 11:00", toVoltage: 25.2, charged: 1100 };
  answers.SaveCharging = [
    { status: 200, body: charging },
    { status: 200, body: { ...charging, dpfId: "c0", ...end } },
    { status: 200, body: { ...charging, ...end } },
  ];
  await save(null);
  expect(open()).toEqual(["c1", null]);
  await save("c0");
  expect(open(), "an older one was edited").toEqual(["c1", null]);
  await save("c1");
  expect(open()).toEqual([null, null]);
  expect(callsOf("SaveCharging")[2]?.get("dpfId")).toBe("c1");
});

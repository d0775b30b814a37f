// Starting a charging when an answer is lost, and what is shown at once after saving.
import { QueryClientProvider } from "@tanstack/react-query";
import { act, renderHook } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { cache } from "./cache";
import { type ChargingFields, isStartedAs, useSaveCharging } from "./chargings";
import { ApiError, NetworkFailure } from "./client";
import { equipmentKey } from "./equipment";
import type { Charging } from "./generated/Charging";
import type { Equipment } from "./generated/Equipment";

// Tells React that act() is meant.
Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

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
};
const typed: ChargingFields = {
  chargeStartTime: "01.05.2026 10:00",
  fromVoltage: "21,60",
  fromCellVoltage: "",
  chargeEndTime: "",
  toVoltage: "",
  toCellVoltage: "",
  charged: "",
};

/** What the server does with the next call of a name; "lost" is no answer. */
type Answer = "lost" | { status: number; body: unknown };

let answers: Record<string, Answer[]>;
let calls: { name: string; fields: URLSearchParams }[];

beforeEach(() => {
  answers = {};
  calls = [];
  vi.stubGlobal("fetch", async (url: string, init: RequestInit) => {
    const name = url.split("/").at(-1) ?? "";
    calls.push({ name, fields: new URLSearchParams(init.body as URLSearchParams) });
    const answer = answers[name]?.shift() ?? "lost";
    if (answer === "lost") throw new TypeError("network");
    const isText = typeof answer.body === "string";
    return new Response(isText ? String(answer.body) : JSON.stringify(answer.body), {
      status: answer.status,
      headers: { "Content-Type": isText ? "text/plain" : "application/json" },
    });
  });
});
afterEach(() => {
  cache.clear();
  vi.unstubAllGlobals();
});

const wrapper = ({ children }: { children: ReactNode }) => (
  <QueryClientProvider client={cache}>{children}</QueryClientProvider>
);
const saves = () => calls.filter(({ name }) => name === "SaveCharging");
const battery = (lastCharging: Charging | null): Answer => ({
  status: 200,
  body: { dpfId: "b1", lastCharging },
});

function save(dpfId: string | null) {
  const { result } = renderHook(() => useSaveCharging("b1", dpfId), { wrapper });
  return (fields: ChargingFields) => act(() => result.current.mutateAsync(fields));
}

test("a start sends what belongs to a start", async () => {
  answers = { SaveCharging: [{ status: 200, body: charging }] };
  await save(null)(typed);
  expect(Object.fromEntries(saves()[0]?.fields ?? [])).toEqual({
    battery: "b1",
    chargeStartTime: "01.05.2026 10:00",
    fromVoltage: "21,60",
    fromCellVoltage: "",
  });
});

test("after a lost answer another try finds the charging and doesn't start a second one", async () => {
  const start = save(null);
  answers = { SaveCharging: ["lost"], GetEquipment: [battery(charging)] };
  await expect(start(typed)).rejects.toBeInstanceOf(NetworkFailure);
  expect(await start(typed)).toEqual(charging);
  expect(saves()).toHaveLength(1);
});

test("when nothing had been started, another try starts it, and only after the server could be asked", async () => {
  const start = save(null);
  answers = {
    SaveCharging: ["lost", { status: 200, body: charging }],
    GetEquipment: ["lost", battery(null)],
  };
  await expect(start(typed)).rejects.toBeInstanceOf(NetworkFailure);
  await expect(start(typed)).rejects.toBeInstanceOf(NetworkFailure);
  expect(saves()).toHaveLength(1);
  expect(await start(typed)).toEqual(charging);
  expect(saves()).toHaveLength(2);
});

test("a charging that another device has started is no success", async () => {
  const start = save(null);
  const other = { ...charging, fromVoltage: 20 };
  answers = { SaveCharging: ["lost", { status: 409, body: "Nein." }], GetEquipment: [battery(other)] };
  await expect(start(typed)).rejects.toBeInstanceOf(NetworkFailure);
  await expect(start(typed)).rejects.toBeInstanceOf(ApiError);
});

test("the list shows at once that a charging is open, and that it isn't any more", async () => {
  const listKey = [...equipmentKey, "list", 1, false];
  cache.setQueryData(listKey, [
    { dpfId: "b1", lastCharging: null },
    { dpfId: "b2", lastCharging: null },
  ]);
  const open = () =>
    cache.getQueryData<Equipment[]>(listKey)?.map((item) => item.lastCharging?.dpfId ?? null);
  const end = { chargeEndTime: "01.05.2026 11:00", toVoltage: 25.2, charged: 1100 };
  answers = {
    SaveCharging: [
      { status: 200, body: charging },
      { status: 200, body: { ...charging, dpfId: "c0", ...end } },
      { status: 200, body: { ...charging, ...end } },
    ],
  };
  await save(null)(typed);
  expect(open()).toEqual(["c1", null]);
  await save("c0")(typed);
  expect(open(), "an older one was edited").toEqual(["c1", null]);
  await save("c1")(typed);
  expect(open()).toEqual([null, null]);
  expect(saves()[2]?.fields.get("dpfId")).toBe("c1");
});

test("a charging is recognised by what was typed, however the server stores it", () => {
  expect(isStartedAs(charging, typed)).toBe(true);
  expect(isStartedAs({ ...charging, fromCellVoltage: 3.6 }, typed)).toBe(false);
  expect(isStartedAs({ ...charging, fromCellVoltage: 3.6 }, { ...typed, fromCellVoltage: "3.6" })).toBe(true);
  expect(isStartedAs({ ...charging, chargeStartTime: "01.05.2026 10:01" }, typed)).toBe(false);
});

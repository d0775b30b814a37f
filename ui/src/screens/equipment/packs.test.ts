// The order of packs, the texts of their rows, and the proposed values of their chargings.

import { expect, test } from "vitest";
import type { Charging } from "../../api/generated/Charging";
import type { Equipment } from "../../api/generated/Equipment";
import type { PackHint } from "../../api/generated/PackHint";
import { type DayTime, parseDateTime } from "../../lib/dates";
import { aboutOf } from "./kinds";
import { byAttention, canQuickCharge, groupsOf, proposedEnd, proposedStart, sinceOf, stateOf } from "./packs";

function at(time: string): DayTime {
  return parseDateTime(time) as DayTime;
}

function pack(fields: Partial<Equipment>): Equipment {
  return {
    ...{ name: "Akku 1", model: "", manufacturer: "", batteryType: "", currentCharge: null, cells: null },
    ...{ state: null, stateSince: "", lastCharging: null, lastFlight: "", deactivateTime: "" },
    ...{ cellsGuessed: true, fullDays: 3, storageVoltage: 22.92 },
    ...fields,
  } as Equipment;
}

function entry(fields: Partial<Charging>): Charging {
  return {
    ...{ chargeStartTime: "01.05.2026 10:00", chargeEndTime: "01.05.2026 11:00" },
    ...{ fromVoltage: 21.6, toVoltage: 25.1, charged: 900, flight: null },
    ...fields,
  } as Charging;
}

const open = entry({
  chargeStartTime: "03.05.2026 18:04",
  chargeEndTime: "",
  toVoltage: null,
  charged: null,
});
const flown = (time: string, charged: number | null) =>
  entry({ chargeStartTime: time, flight: "f1", fromVoltage: 25, toVoltage: 21.6, charged });

test("packs are grouped by what comes next, and those that wait for something are first", () => {
  const states = ["empty", "full", null, "charging", "low", "flying", "full", "storage", "partial"] as const;
  const packs = [
    ...states.map((state, place) => pack({ state, name: String(place) })),
    pack({ state: "full", light: "amber", name: "9", dpfId: "9" }),
    pack({ state: "empty", light: "red", name: "10", dpfId: "10" }),
    pack({ state: "flying", light: "red", name: "11", dpfId: "11" }),
    pack({ state: "full", light: "amber", name: "12", dpfId: "12" }),
  ];
  const waiting = ["9", "10", "11"].map((dpfId) => ({ dpfId }) as PackHint);
  const groups = groupsOf(packs, waiting).map(({ name, packs }) => [name, ...packs.map((one) => one.name)]);
  expect(groups).toEqual([
    ["attention", "10", "9"],
    ["flying", "11", "5"],
    ["charging", "3"],
    ["full", "12", "1", "6"],
    ["empty", "0", "4", "8"],
    ["unknown", "2"],
    ["storage", "7"],
  ]);
});

test("a charging that was just started counts before the list is loaded again, and a flight more than it", () => {
  expect(stateOf(pack({ state: "empty", lastCharging: open }))).toBe("charging");
  expect(stateOf(pack({ state: "flying", lastCharging: open }))).toBe("flying");
  expect(stateOf(pack({ state: null }))).toBe(null);
});

test("a row says since when a pack flies or charges, with the day unless it is today", () => {
  const charging = pack({ state: "charging", lastCharging: open });
  expect(sinceOf(charging, at("03.05.2026 20:00"))).toBe("seit 18:04");
  expect(sinceOf(charging, at("04.05.2026 20:00"))).toBe("seit 03.05. 18:04");
  const flying = pack({ state: "flying", lastFlight: "04.05.2026 09:10" });
  expect(sinceOf(flying, at("04.05.2026 20:00"))).toBe("seit 09:10");
  expect(sinceOf(pack({ state: "full" }), at("04.05.2026 20:00"))).toBe("");
});

test.each([
  ["full", "10.05.2026 20:00", "seit heute"],
  ["full", "11.05.2026 09:59", "seit gestern"],
  ["full", "11.05.2026 10:00", "seit 1 Tag"],
  ["full", "13.05.2026 09:59", "seit 2 Tagen"],
  ["full", "13.05.2026 10:00", "seit 3 Tagen"],
  ["empty", "30.05.2026 10:00", "seit 20 Tagen"],
  ["empty", "30.08.2026 10:00", "seit 10.05."],
  ["storage", "10.05.2026 20:00", "seit heute"],
  ["storage", "30.05.2026 10:00", "seit 10.05."],
  ["storage", "30.05.2027 10:00", "seit 10.05.2026"],
  // A clock that was set back.
  ["full", "09.05.2026 10:00", "seit heute"],
] as const)("a pack that is %s since 10.05.2026 10:00 says at %s %s", (state, now, said) => {
  expect(sinceOf(pack({ state, stateSince: "10.05.2026 10:00" }), at(now))).toBe(said);
});

test("packs that wait for something come first", () => {
  const packs = [
    pack({ name: "1", light: "green" }),
    pack({ name: "2", light: "amber" }),
    pack({ name: "3", light: "red" }),
    pack({ name: "4", light: "grey" }),
  ];
  expect(packs.toSorted(byAttention).map(({ name }) => name)).toEqual(["3", "2", "1", "4"]);
});

test("one tap is enough where all else is known", () => {
  const known = pack({ cells: 6, state: "empty" });
  expect(canQuickCharge(known)).toBe(true);
  expect(canQuickCharge({ ...known, state: null })).toBe(true);
  expect(canQuickCharge({ ...known, cells: null })).toBe(true);
  expect(canQuickCharge({ ...known, state: "flying" })).toBe(false);
  expect(canQuickCharge({ ...known, deactivateTime: "01.05.2026 10:00" })).toBe(false);
  expect(canQuickCharge({ ...known, deactivateTime: "01.05.2026 10:00", lastCharging: open })).toBe(true);
});

test("a pack is described by its model, else its type, never by its name twice", () => {
  expect(aboutOf(pack({ model: "R-Line 6S", batteryType: "LiPo 6S" }))).toBe("R-Line 6S");
  expect(aboutOf(pack({ model: "Akku 1", batteryType: "LiPo 6S" }))).toBe("LiPo 6S");
  expect(aboutOf(pack({}))).toBe("");
});

test("a charging begins with the last voltage, unless the pack was flown since", () => {
  expect(proposedStart(pack({ state: "empty", stateVoltage: 21.6 }))).toEqual({ fromVoltage: "21,6" });
  expect(proposedStart(pack({ state: null, currentCharge: 25.2, stateVoltage: null }))).toEqual({
    fromVoltage: "",
  });
});

test("a charging ends where the one before did, with what the flights since have taken", () => {
  const history = [open, flown("03.05.2026 10:00", 700), flown("02.05.2026 10:00", 205.5), entry({})];
  const proposed = proposedEnd(pack({ cells: 6, lastFlight: "03.05.2026 10:00" }), history);
  expect(proposed).toEqual({ toVoltage: "25,1", charged: "905,5" });
});

test("the first charging ends full, and how much went in is left open", () => {
  const sixCells = pack({ cells: 6, model: "R-Line 6S 1300" });
  expect(proposedEnd(sixCells, [open])).toEqual({ toVoltage: "25,2", charged: "" });
});

test("a number of cells that was guessed from a voltage proposes none", () => {
  expect(proposedEnd(pack({ cells: 5 }), [open])).toEqual({ toVoltage: "", charged: "" });
  expect(proposedEnd(pack({ cells: 5, model: "R-Line 15S 2,5 Stück" }), [open]).toVoltage).toBe("");
  expect(proposedEnd(pack({ cells: null }), [open])).toEqual({ toVoltage: "", charged: "" });
});

test.each([
  [
    "one flight's consumption is unknown",
    [open, flown("02.05.2026 10:00", null), entry({})],
    "02.05.2026 10:00",
  ],
  ["a flight has no entry", [open, flown("02.05.2026 10:00", 700), entry({})], "02.05.2026 12:00"],
  ["no flight followed the last charging", [open, entry({})], ""],
  [
    "no charging came before several flights",
    [open, flown("02.05.2026 10:00", 700), flown("01.05.2026 10:00", 650)],
    "02.05.2026 10:00",
  ],
])("how much went in is left open when %s", (_, history, lastFlight) => {
  expect(proposedEnd(pack({ cells: 6, lastFlight }), history).charged).toBe("");
});

test("the first charging after a single flight puts back what that one took", () => {
  const proposed = proposedEnd(pack({ cells: 6, lastFlight: "02.05.2026 10:00" }), [
    open,
    flown("02.05.2026 10:00", 980),
  ]);
  expect(proposed.charged).toBe("980");
});

test("what was taken before the last charging doesn't count", () => {
  const history = [open, flown("01.05.2026 12:00", 700), entry({}), flown("30.04.2026 10:00", 500)];
  expect(proposedEnd(pack({ cells: 6, lastFlight: "01.05.2026 12:00" }), history).charged).toBe("700");
});

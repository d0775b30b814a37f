// The choice before a flight: preset with the last flight's, without retired items.
import fc from "fast-check";
import { expect, test } from "vitest";
import type { AllEquipments } from "../../api/generated/AllEquipments";
import type { Equipment } from "../../api/generated/Equipment";
import type { Flight } from "../../api/generated/Flight";
import type { FlightRow } from "../../api/generated/FlightRow";
import type { Kind } from "../../api/generated/Kind";
import {
  activeOnly,
  afterTap,
  byLastUse,
  byReadiness,
  chosenItems,
  defaultsFromFlight,
  followingPacks,
  isCharged,
  nextPacks,
  noPreset,
  notReadyReason,
  presetFromFlight,
  shortlist,
  startDefaults,
  usableAt,
  withCreatedItems,
} from "./readyFlight";

const item = (dpfId: string, type: Kind) =>
  ({
    ...{ dpfId, type, name: dpfId, model: "", weight: 1 },
    ...{ lastChargeTime: "", lastFlight: "", lastCharging: null },
  }) as Equipment;
const equipment = (active: string[]): AllEquipments => {
  const ofKind = (type: Kind) =>
    active.filter((dpfId) => dpfId.startsWith(String(type))).map((dpfId) => item(dpfId, type));
  return {
    copters: ofKind(0),
    batteries: ofKind(1),
    goggles: ofKind(2),
    sender: ofKind(3),
    videoCams: ofKind(4),
  };
};
const row = (copter: string, equipments: string[]) =>
  ({
    copter: item(copter, 0),
    equipments: equipments.map((dpfId) => item(dpfId, Number(dpfId[0]))),
    payloads: [{ name: "Finder", weight: 9.5 }],
  }) as unknown as FlightRow;

const everything = ["0a", "0b", "1a", "1b", "2a", "3a", "4a"];

test("the last flight's equipment is chosen as far as it is active, and the rest is counted", () => {
  fc.assert(
    fc.property(
      fc.subarray(everything),
      fc.constantFrom("0a", "0b"),
      fc.subarray(everything.slice(2)),
      (active, copter, equipments) => {
        const { choice, dropped, notReady } = presetFromFlight(row(copter, equipments), equipment(active));
        expect(choice.copter).toBe(active.includes(copter) ? copter : "");
        expect(choice.equipments).toEqual(equipments.filter((dpfId) => active.includes(dpfId)));
        const missing = [copter, ...equipments].filter((dpfId) => !active.includes(dpfId));
        expect(dropped + notReady).toBe(missing.length);
        expect(choice.payloads).toEqual([{ name: "Finder", weight: 9.5 }]);
      },
    ),
  );
});

test("a copter is never among the equipment, nor equipment the copter", () => {
  const all = equipment(everything);
  expect(activeOnly({ copter: "1a", equipments: ["0a", "1a"], payloads: [] }, all)).toEqual({
    copter: "",
    equipments: ["1a"],
    payloads: [],
  });
});

test("the items of a choice are those with its ids", () => {
  const items = chosenItems({ copter: "0b", equipments: ["4a", "1a"], payloads: [] }, equipment(everything));
  expect(items.map((chosen) => chosen.dpfId)).toEqual(["0b", "1a", "4a"]);
});

type Past = { model?: string; charged?: string; flown?: string; isCharging?: boolean };
const battery = (dpfId: string, { model = "X", charged = "", flown = "", isCharging = false }: Past) =>
  ({
    ...item(dpfId, 1),
    model,
    lastChargeTime: charged,
    lastFlight: flown,
    lastCharging: isCharging ? {} : null,
  }) as Equipment;
const idsOf = (items: Equipment[]) => items.map(({ dpfId }) => dpfId);

test("a battery whose state nobody can say is charged when it hasn't flown since", () => {
  for (const [past, doubt, charged] of [
    [{ charged: "01.03.2026 10:00", flown: "01.03.2026 11:00" }, "flown", false],
    [{ charged: "02.03.2026 10:00", flown: "01.03.2026 11:00" }, null, true],
    [{ charged: "02.03.2026 10:00" }, null, true],
    [{ charged: "01.01.2027 10:00", flown: "31.12.2026 23:59" }, null, true],
    [{ flown: "31.12.2026 23:59" }, null, false],
    [{}, null, false],
    [{ charged: "02.03.2026 10:00", isCharging: true }, "charging", false],
  ] as const) {
    expect([notReadyReason(battery("1a", past)), isCharged(battery("1a", past))]).toEqual([doubt, charged]);
  }
});

test("a battery's state says whether it can fly; a partly charged one can when it hasn't flown since", () => {
  const past = { charged: "02.03.2026 10:00", flown: "01.03.2026 11:00" };
  const flown = { charged: "02.03.2026 10:00", flown: "02.03.2026 11:00" };
  for (const [state, when, doubt] of [
    ["full", past, null],
    ["full", flown, null],
    ["partial", past, null],
    ["partial", flown, "flown"],
    ["storage", past, "storage"],
    ["empty", past, "empty"],
    ["low", past, "low"],
    ["charging", past, "charging"],
    ["flying", past, "flying"],
  ] as const) {
    const one = { ...battery("1a", when), state };
    expect([notReadyReason(one), isCharged(one)]).toEqual([doubt, doubt === null]);
  }
});

test("preset batteries come first, then charged ones, and neither order changes", () => {
  const batteries = [
    battery("flown", { charged: "01.03.2026 10:00", flown: "01.03.2026 11:00" }),
    battery("charged", { charged: "02.03.2026 10:00", flown: "01.03.2026 11:00" }),
    battery("never", {}),
    battery("new", { charged: "02.03.2026 10:00" }),
    battery("charging", { charged: "02.03.2026 10:00", isCharging: true }),
  ];
  expect(idsOf(byReadiness(batteries, ["never"]))).toEqual(["never", "charged", "new", "flown", "charging"]);
});

/** The batteries of the preset after a flight with "1a" of model X. */
function presetOf(batteries: Equipment[], active = batteries) {
  const flight = row("0a", ["1a"]);
  for (const flown of flight.equipments) flown.model = "X";
  const { choice, dropped, notReady } = presetFromFlight(flight, { ...equipment(["0a"]), batteries: active });
  expect(dropped).toBe(0);
  return { ids: choice.equipments, notReady };
}

const justFlown = battery("1a", { charged: "01.03.2026 10:00", flown: "02.03.2026 11:00" });

test("in place of an empty battery a charged one of its model is preset, the longest unused first", () => {
  const others = [
    battery("1b", { charged: "01.03.2026 10:00", flown: "01.03.2026 11:00" }),
    battery("1c", { charged: "02.03.2026 10:00", isCharging: true }),
    battery("1d", { charged: "02.03.2026 10:00", model: "Y" }),
    battery("1e", { charged: "02.03.2026 10:00", flown: "28.02.2026 10:00" }),
    battery("1f", { charged: "02.03.2026 10:00", flown: "27.02.2026 10:00" }),
    battery("1g", {}),
  ];
  expect(presetOf([justFlown, ...others])).toEqual({ ids: ["1f"], notReady: 0 });
  const retired = others;
  expect(presetOf([justFlown], retired)).toEqual({ ids: ["1f"], notReady: 0 });
});

test("the battery that flew is preset again once it is charged, when there is no other", () => {
  const charged = battery("1a", { charged: "02.03.2026 12:00", flown: "02.03.2026 11:00" });
  expect(presetOf([charged, battery("1b", {})])).toEqual({ ids: ["1a"], notReady: 0 });
  const other = battery("1b", { charged: "02.03.2026 12:00" });
  expect(presetOf([charged, other])).toEqual({ ids: ["1b"], notReady: 0 });
});

test("without any record of a charging the battery that flew is the last choice", () => {
  const unknown = battery("1a", { flown: "02.03.2026 11:00" });
  expect(presetOf([unknown])).toEqual({ ids: ["1a"], notReady: 0 });
  expect(presetOf([unknown, battery("1b", { flown: "01.03.2026 11:00" })]).ids).toEqual(["1b"]);
});

test("no empty battery, none of another model and none on the charger is preset", () => {
  const others = [battery("1b", { model: "Y" }), battery("1c", { isCharging: true })];
  expect(presetOf([justFlown, ...others])).toEqual({ ids: [], notReady: 1 });
});

test("two batteries of one flight are replaced by two", () => {
  const flight = row("0a", ["1a", "1b"]);
  for (const flown of flight.equipments) flown.model = "X";
  const batteries = ["1c", "1d"].map((dpfId) => battery(dpfId, { charged: "02.03.2026 12:00" }));
  const { choice, notReady } = presetFromFlight(flight, { ...equipment(["0a"]), batteries });
  expect([choice.equipments, notReady]).toEqual([["1c", "1d"], 0]);
  expect(presetFromFlight(flight, { ...equipment(["0a"]), batteries: batteries.slice(1) }).notReady).toBe(1);
});

const full = (dpfId: string, past: Past & { volts?: number; type?: string; capacity?: number } = {}) => ({
  ...battery(dpfId, { charged: "02.03.2026 12:00", ...past }),
  state: "full" as const,
  currentCharge: past.volts ?? 25.2,
  stateVoltage: past.volts ?? 25.2,
  batteryType: past.type ?? "",
  capacity: past.capacity ?? null,
});
const flightWith = (...packs: Equipment[]) => ({ equipments: [...packs, item("2a", 2)] });

test("the next pack is a charged one of the same sort that isn't in this flight, the longest unused first", () => {
  const flying = full("1a");
  const packs = [
    flying,
    full("1b", { flown: "28.02.2026 10:00" }),
    full("1c", { flown: "27.02.2026 10:00" }),
    full("1d", { model: "Y" }),
    battery("1e", { charged: "01.03.2026 10:00", flown: "01.03.2026 11:00" }),
    battery("1f", {}),
  ];
  expect(nextPacks(flightWith(flying), packs)?.map(({ dpfId }) => dpfId)).toEqual(["1c"]);
  expect(nextPacks(flightWith(flying), packs.slice(3))).toBeNull();
  // Two packs need two.
  expect(nextPacks(flightWith(flying, full("1z")), packs)?.map(({ dpfId }) => dpfId)).toEqual(["1c", "1b"]);
  expect(nextPacks(flightWith(flying, full("1z")), packs.slice(0, 2))).toBeNull();
  expect(nextPacks(flightWith(), packs)).toEqual([]);
});

test("packs without a model are of one sort when type and capacity are the same", () => {
  const flying = full("1a", { model: "", type: "LiPo", capacity: 1300 });
  const alike = full("1b", { model: "", type: "LiPo", capacity: 1300 });
  const larger = full("1c", { model: "", type: "LiPo", capacity: 1550 });
  expect(nextPacks(flightWith(flying), [flying, larger, alike])).toEqual([alike]);
  const unknown = [full("1a", { model: "" }), full("1b", { model: "" })] as const;
  expect(nextPacks(flightWith(unknown[0]), [...unknown])).toBeNull();
});

test("the first tap replaces what was proposed, each further one adds, and one on the chosen takes it away", () => {
  expect(afterTap(["a"], ["a", "b"], ["a"])).toEqual(["b"]);
  expect(afterTap(["b"], ["b", "c"], ["a"])).toEqual(["b", "c"]);
  expect(afterTap(["a"], [], ["a"])).toEqual([]);
  expect(afterTap(["a", "b"], ["a", "b", "c"], ["a", "b"])).toEqual(["c"]);
  expect(afterTap([], ["b"], ["a"])).toEqual(["b"]);
  expect(afterTap([], ["b"], [])).toEqual(["b"]);
});

test("of a long list the first few are likely, and what is chosen; one item alone isn't left out", () => {
  const items = ["0a", "0b", "0c", "0d", "0e"].map((dpfId) => item(dpfId, 0));
  expect(idsOf(shortlist(items, ["0e"], 2))).toEqual(["0a", "0b", "0e"]);
  expect(idsOf(shortlist(items, [], 4))).toEqual(["0a", "0b", "0c", "0d", "0e"]);
  expect(shortlist([], [], 2)).toEqual([]);
});

test("what flew last comes first, after the preset", () => {
  const items = ["31.12.2025", "01.01.2026", "30.06.2024"].map((day, position) => ({
    ...item(`0${position}`, 0),
    lastFlight: `${day} 10:00`,
  }));
  expect(idsOf(byLastUse(items, []))).toEqual(["01", "00", "02"]);
  expect(idsOf(byLastUse(items, ["02"]))).toEqual(["02", "01", "00"]);
});

const deich = { latitude: 53.5, longitude: 9.9 };
const flown = (location: string, place: typeof deich | null, startTime = "01.03.2026 10:00") =>
  ({
    startTime,
    location,
    startLatitude: place?.latitude ?? null,
    startLongitude: place?.longitude ?? null,
  }) as FlightRow;
const nothing = {
  location: "",
  startLatitude: null,
  startLongitude: null,
  batteryStartVoltage: null,
  flightMode: null,
  weatherConditions: "",
  purpose: "",
};
const today = "02.03.2026";

test("the place is the last one of the day, with mode, weather and purpose; of another day nothing is known", () => {
  const more = { flightMode: "2", weatherConditions: "Sonnig", purpose: "Training" } as const;
  const last = { ...flown("Elbdeich", deich, "02.03.2026 09:00"), ...more };
  const asked = { last, flights: [], packs: [], position: null };
  const here = { location: "Elbdeich", startLatitude: 53.5, startLongitude: 9.9 };
  expect(startDefaults(asked, today)).toEqual({ ...nothing, ...here, ...more });
  expect(startDefaults(asked, "03.03.2026")).toEqual(nothing);
  expect(startDefaults({ ...asked, last: null }, today)).toEqual(nothing);
});

test("a position has the name that the newest flight from there has, and none where nobody flew", () => {
  const near = { latitude: 53.502, longitude: 9.902 };
  const flights = [
    flown("", near),
    flown("Ohne Koordinaten", null),
    flown("Sylt", { latitude: 54.9, longitude: 8.3 }),
    flown("Elbdeich", deich),
    flown("Alter Name", deich),
  ];
  const last = flown("Sylt", null, "02.03.2026 09:00");
  const at = { startLatitude: near.latitude, startLongitude: near.longitude };
  const asked = { last, flights, packs: [], position: near };
  expect(startDefaults(asked, today)).toEqual({ ...nothing, ...at, location: "Elbdeich" });
  expect(startDefaults({ ...asked, flights: flights.slice(0, 3) }, today)).toEqual({ ...nothing, ...at });
});

test("the start voltage is what the packs were charged to, when they agree", () => {
  const voltage = (...packs: Equipment[]) =>
    startDefaults({ last: null, flights: [], packs, position: null }, today).batteryStartVoltage;
  expect(voltage(full("1a"))).toBe(25.2);
  expect(voltage(full("1a"), full("1b"))).toBe(25.2);
  expect(voltage(full("1a"), full("1b", { volts: 25.1 }))).toBeNull();
  expect(voltage({ ...full("1a"), state: "empty" })).toBeNull();
  expect(voltage()).toBeNull();
});

test("the next flight of a series has every value but those of the landing", () => {
  const more = { flightMode: "1", weatherConditions: "Wind", purpose: "Rennen" } as const;
  const ended = { ...flown("Elbdeich", deich), ...more, batteryStartVoltage: 25, notes: "Landung hart" };
  expect(defaultsFromFlight(ended as unknown as Flight, [full("1b", { volts: 25.1 })])).toEqual({
    ...{ location: "Elbdeich", startLatitude: 53.5, startLongitude: 9.9, batteryStartVoltage: 25.1 },
    ...more,
  });
});

test("an item could fly until it was retired", () => {
  const active = item("0a", 0);
  const retired = { ...item("0b", 0), deactivateTime: "01.03.2026 10:00" };
  for (const [time, ids] of [
    ["01.03.2026 10:00", ["0a", "0b"]],
    ["28.02.2026 23:59", ["0a", "0b"]],
    ["01.03.2026 10:01", ["0a"]],
    ["", ["0a", "0b"]],
  ] as const) {
    expect(idsOf(usableAt(time, [active], [retired]))).toEqual(ids);
  }
});

test("after the last pack of a sort comes its first", () => {
  const packs = [full("1a"), full("1b"), full("1y", { model: "Y" }), full("1c")] as const;
  const after = (...flown: Equipment[]) => idsOf(followingPacks(flown, packs));
  expect(after(packs[0])).toEqual(["1b"]);
  expect(after(packs[1])).toEqual(["1c"]);
  expect(after(packs[3])).toEqual(["1a"]);
  expect(after(packs[2])).toEqual(["1y"]);
  expect(after()).toEqual([]);
});

test("what was made on the way is chosen beside the last flight's, the newest of two copters", () => {
  const all = equipment(everything);
  expect(withCreatedItems(noPreset, ["0a", "1b", "0b", "gone"], all).choice).toEqual({
    copter: "0b",
    equipments: ["1b"],
    payloads: [],
  });
  const preset = presetFromFlight(row("0a", ["1a", "2a"]), all);
  expect(withCreatedItems(preset, ["3a", "1b"], all).choice).toMatchObject({
    copter: "0a",
    equipments: ["1b", "2a", "3a"],
  });
  expect(withCreatedItems(preset, [], all)).toEqual(preset);
});

test("of packs made on the way one is chosen, the freshest; as many as flew last, or a set", () => {
  const packs = ["1a", "1b", "1c"].map((dpfId) => item(dpfId, 1));
  const of = (created: string[], batteries = packs, preset = noPreset) =>
    withCreatedItems(preset, created, { ...equipment(everything), batteries }).choice.equipments;
  expect(of(["1a", "1b"])).toEqual(["1b"]);
  const charged = packs.map((pack) =>
    pack.dpfId === "1a" ? { ...pack, lastChargeTime: "28.11.2026 19:00" } : pack,
  );
  expect(of(["1a", "1b"], charged)).toEqual(["1a"]);
  const two = presetFromFlight(row("0a", ["1a", "1b"]), equipment(everything));
  expect(of(["1c"], packs, two)).toEqual(["1c", "1a"]);
  const set = { dpfId: "s1", name: "Satz" };
  const ofSet = packs.map((pack) => (pack.dpfId === "1b" ? pack : ({ ...pack, set } as Equipment)));
  expect(of(["1a", "1b", "1c"], ofSet)).toEqual(["1c", "1a"]);
});

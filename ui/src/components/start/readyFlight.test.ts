// The choice before a flight: preset with the last flight's, without retired items.
import fc from "fast-check";
import { expect, test } from "vitest";
import type { AllEquipments } from "../../api/generated/AllEquipments";
import type { Equipment } from "../../api/generated/Equipment";
import type { FlightRow } from "../../api/generated/FlightRow";
import type { Kind } from "../../api/generated/Kind";
import { activeOnly, chargeState, chosenItems, inReach, likeFlight } from "./readyFlight";

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
        const { choice, dropped, notReady } = likeFlight(row(copter, equipments), equipment(active));
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

test("a battery is charged when it hasn't flown since", () => {
  for (const [past, state] of [
    [{ charged: "01.03.2026 10:00", flown: "01.03.2026 11:00" }, "flown"],
    [{ charged: "02.03.2026 10:00", flown: "01.03.2026 11:00" }, "charged"],
    [{ charged: "02.03.2026 10:00" }, "charged"],
    [{ charged: "01.01.2027 10:00", flown: "31.12.2026 23:59" }, "charged"],
    [{ flown: "31.12.2026 23:59" }, "unknown"],
    [{}, "unknown"],
    [{ charged: "02.03.2026 10:00", isCharging: true }, "charging"],
  ] as const) {
    expect(chargeState(battery("1a", past))).toBe(state);
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
  expect(idsOf(inReach(batteries, ["never"]))).toEqual(["never", "charged", "new", "flown", "charging"]);
});

/** The batteries of the preset after a flight with "1a" of model X. */
function presetOf(batteries: Equipment[], active = batteries) {
  const flight = row("0a", ["1a"]);
  for (const flown of flight.equipments) flown.model = "X";
  const { choice, dropped, notReady } = likeFlight(flight, { ...equipment(["0a"]), batteries: active });
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
  const { choice, notReady } = likeFlight(flight, { ...equipment(["0a"]), batteries });
  expect([choice.equipments, notReady]).toEqual([["1c", "1d"], 0]);
  expect(likeFlight(flight, { ...equipment(["0a"]), batteries: batteries.slice(1) }).notReady).toBe(1);
});

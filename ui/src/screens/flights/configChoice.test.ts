// The choice before a flight: preset with the last flight's, without retired items.
import fc from "fast-check";
import { expect, test } from "vitest";
import type { AllEquipments } from "../../api/generated/AllEquipments";
import type { Equipment } from "../../api/generated/Equipment";
import type { FlightRow } from "../../api/generated/FlightRow";
import type { Kind } from "../../api/generated/Kind";
import { activeOnly, chargedFirst, chosenItems, likeFlight } from "./configChoice";

const item = (dpfId: string, type: Kind) => ({ dpfId, type, name: dpfId, model: "", weight: 1 }) as Equipment;
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
        const { choice, dropped } = likeFlight(row(copter, equipments), equipment(active));
        expect(choice.copter).toBe(active.includes(copter) ? copter : "");
        expect(choice.equipments).toEqual(equipments.filter((dpfId) => active.includes(dpfId)));
        expect(dropped).toBe([copter, ...equipments].filter((dpfId) => !active.includes(dpfId)).length);
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

test("charged batteries come first, and neither order changes", () => {
  const battery = (dpfId: string, lastChargeTime: string, lastFlight: string, isCharging = false) =>
    ({ dpfId, lastChargeTime, lastFlight, lastCharging: isCharging ? {} : null }) as Equipment;
  const ordered = chargedFirst([
    battery("flown", "01.03.2026 10:00", "01.03.2026 11:00"),
    battery("charged", "02.03.2026 10:00", "01.03.2026 11:00"),
    battery("never", "", ""),
    battery("new", "02.03.2026 10:00", ""),
    battery("charging", "02.03.2026 10:00", "", true),
    battery("next year", "01.01.2027 10:00", "31.12.2026 23:59"),
  ]);
  expect(ordered.map(({ dpfId }) => dpfId)).toEqual([
    "charged",
    "new",
    "next year",
    "flown",
    "never",
    "charging",
  ]);
});

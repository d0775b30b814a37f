// The flight that a tap on a pack's sheet records, and how a number is typed.
import { expect, test } from "vitest";
import type { AllEquipments } from "../../api/generated/AllEquipments";
import type { FlightRow } from "../../api/generated/FlightRow";
import { pastFlightLike, withDigit } from "./actions";
import { stickerCodeIn } from "./stickerCode";

const item = (dpfId: string, type: number) => ({ dpfId, type, name: dpfId, model: "", weight: null });
const all = {
  copters: [item("c1", 0)],
  batteries: [item("b1", 1), item("b2", 1)],
  goggles: [item("g1", 2)],
  sender: [],
  videoCams: [],
} as unknown as AllEquipments;
const row = (copter: string, equipments: string[], flightTime: number | null) =>
  ({
    copter: item(copter, 0),
    equipments: equipments.map((dpfId) => item(dpfId, 1)),
    payloads: [{ name: "Kamera", weight: 90 }],
    flightTime,
  }) as unknown as FlightRow;
const now = { year: 2026, month: 11, day: 25, hour: 0, minute: 3 };

test("a flight that was just flown is like the last one with the pack and has just ended", () => {
  expect(pastFlightLike(row("c1", ["b1", "g1"], 6.9), all, now)).toEqual({
    config: { copter: "c1", equipments: ["b1", "g1"], payloads: [{ name: "Kamera", weight: 90 }] },
    startTime: "24.11.2026 23:56",
    flightTime: 6.9,
  });
});

test("gear that is no longer in use stays at home, and without its copter there is no such flight", () => {
  expect(pastFlightLike(row("c1", ["b1", "retired"], null), all, now)).toMatchObject({
    config: { equipments: ["b1"] },
    startTime: "25.11.2026 00:03",
    flightTime: null,
  });
  expect(pastFlightLike(row("retired", ["b1"], 5), all, now)).toBeNull();
});

test.each([
  ["", "0", ""],
  ["", "7", "7"],
  ["7", "0", "70"],
  ["99", "9", "999"],
  ["999", "1", "999"],
])("%s and then %s is %s", (before, digit, after) => {
  expect(withDigit(before, digit)).toBe(after);
});

test.each([
  ["https://fluglog.example.org/app/s/01ABCXYZ", "01ABCXYZ"],
  ["http://192.168.1.5:8080/app/s/01abcxyz/", "01abcxyz"],
  ["https://example.org/app/s/01ABCXYZ?x=1", null],
  ["https://example.org/s/01ABCXYZ", null],
  ["WIFI:S:Platz;;", null],
])("a camera that reads %s finds %s", (text, code) => {
  expect(stickerCodeIn(text)).toBe(code);
});

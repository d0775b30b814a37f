// The entries of the history and their figures, the form's defaults, and the chart.
import { resetLocalTimeZone, setLocalTimeZone } from "@internationalized/date";
import { expect, test } from "vitest";
import type { Charging } from "../../api/generated/Charging";
import { chargingValues } from "../../offline/values";
import { axisOf, chargesOf, formatAmperes, formatChange, kindOf } from "./chargings";
import { endsBeforeStart } from "./chargingTimes";

const charge: Charging = {
  dpfId: "1",
  battery: "b",
  chargeStartTime: "01.05.2026 10:00",
  chargeEndTime: "01.05.2026 11:05",
  fromVoltage: 21.6,
  toVoltage: 25.2,
  fromCellVoltage: null,
  toCellVoltage: 4.2,
  charged: 1100,
  flight: null,
  details: null,
};
const open: Charging = { ...charge, chargeEndTime: "", toVoltage: null, toCellVoltage: null, charged: null };
const plain = (text: string) => text.replaceAll("\u00a0", " ");

test.each([
  [{}, "charge"],
  [{ toVoltage: 20 }, "discharge"],
  [{ toVoltage: 21.6 }, "level"],
  [{ toVoltage: null }, "level"],
  [{ fromVoltage: 0 }, "charge"],
  [{ flight: "f" }, "flight"],
  [{ flight: "f", fromVoltage: 25.2, toVoltage: 21.6 }, "flight"],
  [{ flight: "f", chargeEndTime: "" }, "flight"],
  [open, "open"],
])("%j is a %s", (fields, kind) => {
  expect(kindOf({ ...charge, ...fields })).toBe(kind);
});

test.each([
  [1100, "1,10 A"],
  [1234, "1,23 A"],
  [1235, "1,24 A"],
  [5, "0,01 A"],
  [0, "0,00 A"],
  [1_234_567, "1.234,57 A"],
  [null, "-"],
])("%j mA reads %s", (milliamperes, text) => {
  expect(plain(formatAmperes(milliamperes))).toBe(text);
});

test.each([
  [21.6, 25.2, "21,6 V → 25,2 V"],
  [21.6, null, "21,6 V → -"],
  [null, 0, "- → 0 V"],
  [null, null, "-"],
])("a voltage from %j to %j reads %s", (from, to, text) => {
  expect(plain(formatChange(from, to))).toBe(text);
});

test("an end may be the start but not before it, and a text that is no time isn't checked here", () => {
  expect(endsBeforeStart("01.05.2026 10:00", "01.05.2026 10:00")).toBe(false);
  expect(endsBeforeStart("01.05.2026 10:00", "01.05.2026 09:59")).toBe(true);
  expect(endsBeforeStart("31.12.2025 23:50", "01.01.2026 00:10")).toBe(false);
  expect(endsBeforeStart("?", "01.05.2026 09:59")).toBe(false);
  expect(endsBeforeStart("01.05.2026 10:00", "")).toBe(false);
});

test("a charging over the hour that the clocks show twice ends after its start", () => {
  setLocalTimeZone("Europe/Berlin");
  expect(endsBeforeStart("25.10.2026 02:50", "25.10.2026 02:10")).toBe(false);
  expect(endsBeforeStart("25.10.2026 02:50", "25.10.2026 01:59")).toBe(true);
  expect(endsBeforeStart("24.10.2026 02:50", "24.10.2026 02:10")).toBe(true);
  resetLocalTimeZone();
});

test("start and end default to now, and stored values come as they would be typed", () => {
  const now = "02.05.2026 12:00";
  expect(chargingValues(null, now)).toMatchObject({
    chargeStartTime: now,
    fromVoltage: "",
    chargeEndTime: "",
  });
  expect(chargingValues(open, now)).toMatchObject({
    chargeStartTime: "01.05.2026 10:00",
    fromVoltage: "21,6",
    chargeEndTime: now,
    charged: "",
  });
  expect(chargingValues(charge, now)).toMatchObject({
    chargeEndTime: "01.05.2026 11:05",
    toVoltage: "25,2",
    toCellVoltage: "4,2",
    charged: "1100",
  });
});

test("the chart has the chargings that raised the voltage, oldest first, from three on", () => {
  const at = (hour: number, fields: Partial<Charging> = {}): Charging => ({
    ...charge,
    chargeEndTime: `01.05.2026 ${hour}:00`,
    ...fields,
  });
  const others = [open, at(15, { flight: "f" }), at(14, { toVoltage: 20 })];
  expect(chargesOf([...others, at(12), at(11)])).toEqual([]);
  const charges = chargesOf([...others, at(13, { charged: 900 }), at(12), at(11)]);
  expect(charges.map(({ time }) => time.slice(-5))).toEqual(["11:00", "12:00", "13:00"]);
  expect(charges[2]).toMatchObject({ from: 21.6, to: 25.2, charged: 900 });
});

test("an axis has room even when every value is the same", () => {
  expect(axisOf([25.2, 21.6, 24])).toEqual({ low: 21.6, high: 25.2 });
  expect(axisOf([4, 4])).toEqual({ low: 3.5, high: 4.5 });
});

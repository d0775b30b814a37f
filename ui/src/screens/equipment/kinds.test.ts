// Differences between the kinds of equipment: the fields that are sent, the figures on a card, the next name.
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Equipment } from "../../api/generated/Equipment";
import { Kind } from "../../api/generated/Kind";
import { kinds } from "../../api/kinds";
import {
  emptyValues,
  fieldsToSave,
  figuresOf,
  firstFieldsOf,
  moreFieldsOf,
  nextName,
  valuesOf,
} from "./kinds";

const item: Equipment = {
  dpfId: "1",
  type: 1,
  name: "Akku 1",
  model: "R-Line",
  manufacturer: "Tattu",
  purchaseDate: "14.03.2025",
  seller: "",
  weight: 204.5,
  deactivateTime: "",
  deactivateText: "",
  firmwareNumber: "",
  batteryType: "LiPo",
  capacity: 1300,
  currentCharge: 22.8,
  chargeCount: 0,
  usageTime: 1.24,
  lastFlight: "",
  lastChargeTime: "",
  endVoltage: null,
  lastCharging: null,
  state: "storage",
  stateVoltage: 22.8,
  stateSince: "10.05.2026 10:00",
  light: "green",
  doubtful: false,
  cycles: null,
  cyclesEstimated: false,
  set: null,
  cells: 6,
  cellsGuessed: false,
  chemistry: 0,
  fullDays: 3,
  storageVoltage: 22.92,
  number: null,
  sticker: "",
};

test.each([
  [Kind.Copter, "model name manufacturer weight purchaseDate", "seller number"],
  [
    Kind.Battery,
    "model name capacity weight purchaseDate",
    "manufacturer seller batteryType number cells chemistry",
  ],
  [Kind.Goggles, "model name manufacturer firmwareNumber purchaseDate", "seller number"],
  [Kind.Transmitter, "model name manufacturer firmwareNumber purchaseDate", "seller number"],
  [Kind.VideoCamera, "model name manufacturer weight purchaseDate", "seller number"],
])("kind %i has its own form of five fields and more that are folded", (type, first, more) => {
  expect(firstFieldsOf(type).join(" ")).toBe(first);
  expect(moreFieldsOf(type).join(" ")).toBe(more);
});

test("the number, and what a pack is made of, are sent when they were changed", () => {
  const before = valuesOf({ ...item, cellsGuessed: true });
  expect(before).toMatchObject({ number: "", chemistry: "0", cells: "" });
  const typed = { ...before, number: "7", cells: "6" };
  const sent = { name: "Akku 1", type: Kind.Battery, number: "7", profile: { cells: "6" } };
  expect(fieldsToSave(Kind.Battery, typed, before)).toEqual(sent);
  expect(fieldsToSave(Kind.Battery, { ...before, chemistry: "" }, before)).toMatchObject({
    profile: { chemistry: "" },
  });
  const copter = { ...emptyValues, name: "Falke", number: "1", cells: "6" };
  expect(fieldsToSave(Kind.Copter, copter, emptyValues)).toEqual({
    name: "Falke",
    type: Kind.Copter,
    number: "1",
  });
});

test("only the kind's fields are sent, numbers as typed", () => {
  const values = { ...emptyValues, name: "Brille", firmwareNumber: "1.0", weight: "7", capacity: "8" };
  expect(fieldsToSave(Kind.Goggles, values)).toEqual({
    type: 2,
    model: "",
    name: "Brille",
    manufacturer: "",
    seller: "",
    purchaseDate: "",
    firmwareNumber: "1.0",
  });
  expect(fieldsToSave(Kind.Copter, { ...emptyValues, weight: "1,5" })).toMatchObject({ weight: "1,5" });
});

test("of an item that is there already only its name and what was changed is sent", () => {
  const before = valuesOf(item);
  expect(fieldsToSave(Kind.Battery, { ...before, seller: "Laden", weight: "" }, before)).toEqual({
    type: 1,
    name: "Akku 1",
    seller: "Laden",
    weight: "",
  });
});

test("an item's values are texts with a decimal comma", () => {
  expect(valuesOf(item)).toMatchObject({ name: "Akku 1", weight: "204,5", capacity: "1300", seller: "" });
  expect(valuesOf({ ...item, weight: null }).weight).toBe("");
});

test("a battery's card shows the voltage first, and a dash for unknown values", () => {
  expect(figuresOf(item).map(({ label, value }) => `${label}: ${value.replaceAll("\u00a0", " ")}`)).toEqual([
    "Letzte Spannung: 22,8 V",
    "Endspannung: -",
    "Kapazität: 1.300 mAh",
    "Ladungen: 0",
    "Nutzungszeit: 1 h 14 min",
    "Letzte Ladung: -",
    "Letzter Flug: -",
  ]);
});

test.each(kinds)("every card of kind %i shows usage time and last flight", (type) => {
  const labels = figuresOf({ ...item, type }).map((figure) => figure.label);
  expect(labels).toContain("Nutzungszeit");
  expect(labels).toContain("Letzter Flug");
});

test.each([
  ["Akku 1", "Akku 2"],
  ["Akku 9", "Akku 10"],
  ["Akku 09", "Akku 10"],
  ["Akku 007 ", "Akku 008"],
  ["6S-1", "6S-2"],
  ["12", "13"],
  ["Roter Baron", ""],
  ["Nazgul5 V3 weiß", ""],
  ["", ""],
])("after %j comes %j", (name, next) => {
  expect(nextName(name)).toBe(next);
});

test("the next name differs from the last one", () => {
  fc.assert(
    fc.property(fc.string(), (name) => {
      if (name.trim() !== "") expect(nextName(name)).not.toBe(name.trim());
    }),
  );
});

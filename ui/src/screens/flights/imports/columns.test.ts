import { expect, test } from "vitest";
import type { ImportFile } from "../../../api/generated/ImportFile";
import { guessOf, isUsable, mappingOf, unitsOf } from "./columns";

const file: ImportFile = {
  name: "Heft.csv",
  size: "1 kB",
  format: "csv",
  message: "",
  surplus: 0,
  columns: [
    { name: "Tag", examples: ["04.03.2025"], guess: "date", unit: "" },
    { name: "Höhe", examples: ["50"], guess: "maximumAltitude", unit: "ft" },
    { name: "Strecke", examples: ["1,25"], guess: "distance", unit: "nm" },
    { name: "Wer", examples: ["Anna"], guess: "", unit: "" },
  ],
  separator: ";",
  decimal: ",",
  dateOrder: "dmy",
};

test("the server's guess is proposed, also with a unit that is none of ours", () => {
  const guess = guessOf(file);
  expect(guess.columns).toEqual([
    { meaning: "date", unit: "" },
    { meaning: "maximumAltitude", unit: "ft" },
    { meaning: "distance", unit: "nm" },
    { meaning: "", unit: "" },
  ]);
  expect(unitsOf("distance", "nm")).toContain("nm");
  expect(unitsOf("speed", "KM/H")).toHaveLength(unitsOf("speed").length);
  expect(JSON.parse(mappingOf(guess, file.separator))).toEqual({
    columns: { 0: "date", 1: "maximumAltitude", 2: "distance" },
    units: { 1: "ft", 2: "nm" },
    separator: ";",
    decimal: ",",
    dateOrder: "dmy",
  });
});

test("a table needs one date, and nothing twice but notes", () => {
  const with_ = (...meanings: ("date" | "dateTime" | "notes" | "speed" | "")[]) => ({
    columns: meanings.map((meaning) => ({ meaning, unit: "" })),
    decimal: ",",
    dateOrder: "dmy",
  });
  expect(isUsable(with_("date", "notes", "notes", ""))).toBe(true);
  expect(isUsable(with_("dateTime"))).toBe(true);
  expect(isUsable(with_("notes"))).toBe(false);
  expect(isUsable(with_("date", "dateTime"))).toBe(false);
  expect(isUsable(with_("date", "speed", "speed"))).toBe(false);
});

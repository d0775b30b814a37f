import { expect, test } from "vitest";
import type { ImportFile } from "../../../api/generated/ImportFile";
import { guessOf, isUsable, mappingOf, unitsOf, withAnswer } from "./columns";

const file: ImportFile = {
  name: "Heft.csv",
  size: "1 kB",
  format: "csv",
  message: "",
  surplus: 0,
  columns: [
    { name: "Tag", examples: ["04.03.2025"], guess: "date", unit: "", decimal: "" },
    { name: "Höhe", examples: ["50"], guess: "maximumAltitude", unit: "ft", decimal: "" },
    { name: "Strecke", examples: ["1,25"], guess: "distance", unit: "nm", decimal: "" },
    { name: "Wer", examples: ["Anna"], guess: "", unit: "", decimal: "" },
  ],
  separator: ";",
  decimal: ",",
  dateOrder: "dmy",
  year: null,
  questions: [],
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

test("a table needs one date, and nothing twice but notes, packs and the parts of a duration", () => {
  const with_ = (
    ...meanings: ("date" | "dateTime" | "flightTime" | "notes" | "battery" | "speed" | "")[]
  ) => ({
    columns: meanings.map((meaning) => ({ meaning, unit: "" })),
    decimal: ",",
    dateOrder: "dmy",
  });
  expect(isUsable(with_("date", "notes", "notes", "battery", "battery", ""))).toBe(true);
  expect(isUsable(with_("dateTime", "flightTime", "flightTime"))).toBe(true);
  expect(isUsable(with_("notes"))).toBe(false);
  expect(isUsable(with_("date", "dateTime"))).toBe(false);
  expect(isUsable(with_("date", "speed", "speed"))).toBe(false);
});

test("an answer is a member of the mapping, for its column or for the table", () => {
  const ask = (member: string, column = 2) => ({ member, column, text: "", ways: [] });
  const table = withAnswer(withAnswer(guessOf(file), ask("decimals"), "."), ask("units"), "m");
  expect(JSON.parse(mappingOf(withAnswer(table, ask("year", 0), "2025"), ";"))).toMatchObject({
    decimals: { 2: "." },
    units: { 2: "m" },
    dateOrder: "dmy",
    year: 2025,
  });
  expect(withAnswer(table, ask("dateOrder", 0), "mdy").dateOrder).toBe("mdy");
});

// Hours from before Fluglog: how they are typed, sent and counted.
import { expect, test } from "vitest";
import { item } from "../../test/objects";
import { changedFields, flownMinutes, isNothing, parseHours, priorText, valuesOf } from "./priorValues";

const stored = { flights: 900, minutes: 7230, cycles: 0, until: "01.03.2024", note: "Papierbuch" };
const day = "01.05.2024";

test("Hours are typed as in a spreadsheet or as in a book, and come back as minutes", () => {
  const typed = ["120", "120,5", "120.5", "120:30", " 0:05 ", "-1", "1:60", "viele", ""];
  expect(typed.map(parseHours)).toEqual([7200, 7230, 7230, 7230, 5, null, null, null, null]);
  for (const minutes of [1, 59, 60, 61, 7201, 6_000_000]) {
    const { hours } = valuesOf({ ...stored, minutes }, day);
    expect(parseHours(hours)).toBe(minutes);
  }
});

test("Hours that may be thousands aren't taken for one hour", () => {
  expect(["1.250", " 12.500 ", "1.25", "1250"].map(parseHours)).toEqual([null, null, 75, 75_000]);
});

test("Values without a flight, an hour and a cycle count as empty", () => {
  const empty = valuesOf(undefined, day);
  expect(isNothing({ ...empty, flights: "0", hours: "0:00", note: "Papierbuch" })).toBe(true);
  for (const typed of [{ flights: "1" }, { hours: "0:01" }, { hours: "viele" }, { cycles: "1" }]) {
    expect(isNothing({ ...empty, ...typed }), JSON.stringify(typed)).toBe(false);
  }
});

test("What an earlier press may have stored is sent as it is now, also when it is as it was at first", () => {
  const values = valuesOf(stored, day);
  const maybeStored = new Set(["flights", "minutes", "note"]);
  expect(changedFields({ ...values, note: "" }, values, maybeStored)).toEqual({
    ...{ flights: "900", minutes: 7230, note: "" },
  });
});

test("Only what was typed is sent; of something new the proposed day goes along", () => {
  const values = valuesOf(stored, day);
  expect(values).toEqual({
    flights: "900",
    hours: "120:30",
    cycles: "",
    until: "01.03.2024",
    note: "Papierbuch",
  });
  expect(changedFields({ ...values, flights: "901" }, values)).toEqual({ flights: "901" });
  expect(changedFields({ ...values, flights: "", hours: "" }, values)).toEqual({ flights: "", minutes: "" });
  const empty = valuesOf(undefined, day);
  expect(changedFields({ ...empty, hours: "120" }, empty)).toEqual({ minutes: 7200, until: day });
});

test("Hours from before count in what an item has flown, and are shown beside it", () => {
  expect(flownMinutes(item({ usageTime: 0.2 }))).toBe(12);
  expect(flownMinutes(item({ usageTime: 0.2, prior: stored }))).toBe(7242);
  expect(flownMinutes(item({ usageTime: 0.2, prior: stored }), 12.3)).toBe(7242.3);
  expect(priorText(stored)).toBe("900 Flüge, 120\u00a0h 30\u00a0min");
  expect(priorText({ ...stored, flights: 1, minutes: 0, cycles: 40 })).toBe("1 Flug, 40 Zyklen");
});

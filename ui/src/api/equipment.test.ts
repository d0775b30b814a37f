// The place of an item in a list after it was saved, retired or reactivated.
import { expect, test } from "vitest";
import { withItem } from "./equipment";
import type { Equipment } from "./generated/Equipment";

function item(dpfId: string, name: string, deactivateTime = ""): Equipment {
  return { dpfId, name, deactivateTime } as Equipment;
}

function names(list: Equipment[]): string[] {
  return list.map(({ name }) => name);
}

const list = [item("1", "Akku 1"), item("2", "Akku 10"), item("3", "Übungsakku")];

test("a new item takes its place by name, as on the server", () => {
  expect(names(withItem(list, item("4", "Akku 2"), false))).toEqual([
    "Akku 1",
    "Akku 2",
    "Akku 10",
    "Übungsakku",
  ]);
  expect(names(withItem(list, item("4", "zuletzt"), false)).at(-1)).toBe("zuletzt");
});

test("an item that was renamed is there once", () => {
  expect(names(withItem(list, item("1", "Akku 11"), false))).toEqual(["Akku 10", "Akku 11", "Übungsakku"]);
});

test("a retired item leaves the one view and enters the other", () => {
  const retired = item("2", "Akku 10", "20.11.2026 12:00");
  expect(names(withItem(list, retired, false))).toEqual(["Akku 1", "Übungsakku"]);
  expect(names(withItem([], retired, true))).toEqual(["Akku 10"]);
});

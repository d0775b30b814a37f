// What goes when an answer is kept on the device.
import { expect, test } from "vitest";
import { outdated, type SnapshotAnswer } from "./snapshot";

function kept(name: string, fields: object, at: number, account = "anna"): SnapshotAnswer {
  const key = [name, fields];
  return { id: JSON.stringify(key), account, key, answer: {}, at };
}

const flights = (count: number) =>
  Array.from({ length: count }, (_, at) => kept("GetFlight", { dpfId: String(at) }, at));

test("Nothing of another pilot stays beside the first answer of the next one", () => {
  const all = [kept("GetAllEquipments", {}, 1), ...flights(2)];
  expect(outdated(all, kept("GetStatistics", {}, 2, "berta"))).toEqual(all);
});

test("An answer that comes again takes nothing else with it", () => {
  const all = [kept("GetAllEquipments", {}, 1), ...flights(60)];
  expect(outdated(all, kept("GetAllEquipments", {}, 99))).toEqual([]);
  expect(outdated(all, kept("GetFlight", { dpfId: "0" }, 99))).toEqual([]);
});

test("The 61st flight takes the place of the one that was seen the longest ago", () => {
  const all = [kept("GetAllEquipments", {}, 0), ...flights(60)];
  const gone = outdated(all, kept("GetFlight", { dpfId: "new" }, 99));
  expect(gone).toEqual([kept("GetFlight", { dpfId: "0" }, 0)]);
});

test("The logs of 60 flights are kept beside 60 flights", () => {
  const logs = Array.from({ length: 60 }, (_, at) => kept("GetFlightLogs", { dpfId: String(at) }, at));
  const all = [...flights(60), ...logs];
  expect(outdated(all, kept("GetFlightLogs", { dpfId: "new" }, 99))).toEqual(logs.slice(0, 1));
});

test("A flight takes no place of a look back, which has six of its own", () => {
  const reviews = [2020, 2021, 2022, 2023, 2024, 2025].map((year) => kept("GetReview", { year }, year));
  expect(outdated([...reviews, ...flights(60)], kept("GetReview", { year: 2026 }, 2026))).toEqual([
    kept("GetReview", { year: 2020 }, 2020),
  ]);
});

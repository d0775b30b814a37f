// Neighbours of a flight in the list.
import { expect, test } from "vitest";
import type { FlightRow } from "../../api/generated/FlightRow";
import { viewOf } from "./listView";
import { neighboursOf } from "./neighbours";

const rows = ["c", "b", "a"].map((dpfId) => ({ dpfId }) as FlightRow);
const sortOf = (text: string) => viewOf(new URLSearchParams({ sortierung: text })).sort;

test("in the list with the newest first the earlier flight stands below", () => {
  const sort = sortOf("");
  expect(neighboursOf(rows, "b", sort)).toEqual({ before: "a", after: "c", isByTime: true });
  expect(neighboursOf(rows, "c", sort)).toEqual({ before: "b", after: null, isByTime: true });
  expect(neighboursOf(rows, "a", sort)).toEqual({ before: null, after: "b", isByTime: true });
});

test("in any other order the one before stands above, and only by time it is the earlier one", () => {
  const oldestFirst = rows.toReversed();
  expect(neighboursOf(oldestFirst, "b", sortOf("startzeit"))).toEqual({
    before: "a",
    after: "c",
    isByTime: true,
  });
  expect(neighboursOf(rows, "b", sortOf("-flugzeit"))).toEqual({ before: "c", after: "a", isByTime: false });
});

test("a flight that the list doesn't have stands beside none", () => {
  expect(neighboursOf(rows, "x", sortOf(""))).toEqual({ before: null, after: null, isByTime: true });
  expect(neighboursOf([], "x", sortOf("ort"))).toEqual({ before: null, after: null, isByTime: false });
});

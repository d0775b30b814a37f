// Blocks of the flight list, and which of them are rendered.
import { expect, test } from "vitest";
import type { FlightRow } from "../../api/generated/FlightRow";
import { blocksOf, withSpare } from "./blocks";
import { daysOf, groupsOf } from "./days";

function flights(date: string, count: number): FlightRow[] {
  return Array.from({ length: count }, (_, index) => {
    const startTime = `${date} ${String(20 - index).padStart(2, "0")}:00`;
    return { dpfId: startTime, startTime, flightTime: 5, distance: 1, open: false } as FlightRow;
  });
}

test("a day with many flights is several blocks, of which the first has its heading", () => {
  const rows = [...flights("04.11.2026", 5), ...flights("03.11.2026", 1)];
  const blocks = blocksOf(groupsOf(rows, daysOf(rows, true)), 2);
  expect(blocks.map(({ rows: own }) => own.length)).toEqual([2, 2, 1, 1]);
  expect(blocks.map(({ isFirst }) => isFirst)).toEqual([true, false, false, true]);
  expect(blocks.map(({ place }) => place)).toEqual([0, 2, 4, 5]);
  expect(blocks.map(({ days }) => days)).toEqual([1, 1, 1, 2]);
});

test("around what is in sight ten flights more are rendered, and what is kept with its neighbours", () => {
  const rows = flights("04.11.2026", 21).flatMap((row) => [{ ...row, dpfId: `${row.dpfId} a` }, row]);
  const blocks = blocksOf(groupsOf(rows, null), 2);
  expect(blocks.length).toBe(21);
  expect(withSpare(blocks, 10, 11, [0])).toEqual([0, 1, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]);
  expect(withSpare(blocks, 0, 1, [])).toEqual([0, 1, 2, 3, 4, 5, 6]);
  expect(withSpare(blocks, 20, 20, [-1])).toEqual([15, 16, 17, 18, 19, 20]);
});

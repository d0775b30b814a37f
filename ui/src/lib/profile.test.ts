// Values over time.
import { expect, test } from "vitest";
import { clockOf, lineOf, rangeOf, rowAt, rowBeside } from "./profile";

test("the range is that of the known values, of any number of them", () => {
  expect(rangeOf([null, null])).toBeNull();
  expect(rangeOf([null, 5, -2, null, 3])).toEqual([-2, 5]);
  expect(rangeOf(Array.from({ length: 500_000 }, (_, row) => row))).toEqual([0, 499_999]);
});

test("a time leads to the nearest row", () => {
  const seconds = [0, 1, 2, 10];
  expect([-5, 0.4, 0.6, 5, 7, 99].map((time) => rowAt(seconds, time))).toEqual([0, 0, 1, 2, 3, 3]);
  expect(rowAt([0], 7)).toBe(0);
});

test("a step goes on by its time, by one row at least, and never beyond the ends", () => {
  const seconds = [0, 0.2, 0.4, 5, 20];
  expect(rowBeside(seconds, 0, 1)).toBe(2);
  expect(rowBeside(seconds, 2, 1)).toBe(3);
  expect(rowBeside(seconds, 4, 1)).toBe(4);
  expect(rowBeside(seconds, 3, -1)).toBe(2);
  expect(rowBeside(seconds, 0, -10)).toBe(0);
});

test("the line fills its box and has gaps where nothing is known", () => {
  expect(lineOf([0, 1, 2, 4], [10, 20, null, 30], [10, 30])).toBe("M0.00 100.00L25.00 50.00M100.00 0.00");
  expect(lineOf([0, 2], [7, 7], [7, 7])).toBe("M0.00 50.00L100.00 50.00");
});

test("a time is read as on a clock", () => {
  expect([0, 59.6, 259, 3859].map(clockOf)).toEqual(["0:00", "1:00", "4:19", "1:04:19"]);
});

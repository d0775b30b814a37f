// The clock of this device beside the server's.
import { expect, test } from "vitest";
import { clockErrorMinutes, recordServerTime } from "./clock";

const sent = "Tue, 24 Nov 2026 14:05:00 GMT";
const at = (minutes: number) => Date.parse(sent) + minutes * 60_000;

test("a clock that is off by more than two minutes is wrong, in either direction", () => {
  for (const [minutes, error] of [
    [0, 0],
    [2, 0],
    [-2, 0],
    [3, 3],
    [14, 14],
    [-90, -90],
  ] as const) {
    recordServerTime(sent, at(minutes));
    expect(clockErrorMinutes()).toBe(error);
  }
});

test("an answer without a date says nothing", () => {
  recordServerTime(sent, at(14));
  recordServerTime(null);
  recordServerTime("gestern");
  expect(clockErrorMinutes()).toBe(14);
});

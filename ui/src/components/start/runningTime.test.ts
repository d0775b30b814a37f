// The time that a flight is running, to the second where that is known.
import { expect, test } from "vitest";
import { formatDateTime, wallClock } from "../../lib/dates";
import { runningTime } from "./runningTime";

const start = new Date(2026, 2, 1, 9, 5, 20).getTime();
const after = (seconds: number) => ({ device: start + seconds * 1000, server: start + seconds * 1000 });
const startTime = formatDateTime(wallClock(new Date(start)));
const flight = { dpfId: "f1", startTime, startInstant: new Date(start).toISOString() };

test("a flight whose start was pressed runs to the second", () => {
  for (const [seconds, text] of [
    [0, "0:00"],
    [59, "0:59"],
    [462, "7:42"],
    [3600, "1:00:00"],
    [4062, "1:07:42"],
  ] as const) {
    expect(runningTime(flight, after(seconds), null)).toBe(text);
  }
});

test("a flight whose start was typed, or of an earlier version, runs to the minute", () => {
  const minutes = "8\u00a0min";
  const typed = { ...flight, startInstant: new Date(start - 20_000).toISOString() };
  expect(runningTime(typed, after(462), null)).toBe("8\u00a0min");
  expect(runningTime({ ...flight, startInstant: null }, after(480), null)).toBe(minutes);
  expect(runningTime(flight, after(25 * 3600), null)).toBe("25\u00a0h 00\u00a0min");
});

test("a start that lies ahead by the server's clock has no running time", () => {
  expect(runningTime(flight, after(-3600), null)).toBe("");
  expect(runningTime(flight, after(-3), null)).toBe("0:00");
});

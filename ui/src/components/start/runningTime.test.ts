// The time that a flight is running, to the second where that is known.
import { expect, test } from "vitest";
import { formatDateTime, wallClock } from "../../lib/dates";
import { newId } from "../../lib/ids";
import { runningTime } from "./runningTime";

const start = new Date(2026, 2, 1, 9, 5, 20).getTime();
const after = (seconds: number) => start + seconds * 1000;
const startTime = formatDateTime(wallClock(new Date(start)));

test("a flight that was created at its start runs to the second", () => {
  const flight = { dpfId: newId(start), startTime };
  for (const [seconds, text] of [
    [0, "0:00"],
    [59, "0:59"],
    [462, "7:42"],
    [3600, "1:00:00"],
    [4062, "1:07:42"],
  ] as const) {
    expect(runningTime(flight, after(seconds))).toBe(text);
  }
});

test("a flight whose start was changed, or whose id tells nothing, runs to the minute", () => {
  const minutes = "8\u00a0min";
  const moved = formatDateTime(wallClock(new Date(start - 60_000)));
  expect(runningTime({ dpfId: newId(start), startTime: moved }, after(420))).toBe(minutes);
  const random = "0198b6f0-1111-4000-a000-00000000000a";
  expect(runningTime({ dpfId: random, startTime }, after(480))).toBe(minutes);
  expect(runningTime({ dpfId: newId(start), startTime }, after(25 * 3600))).toBe("25\u00a0h 00\u00a0min");
});

test("a start that lies ahead by this device's clock has no running time", () => {
  expect(runningTime({ dpfId: newId(start), startTime }, after(-3600))).toBe("");
});

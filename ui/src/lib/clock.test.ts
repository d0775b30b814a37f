// The clock of this device beside the server's.
import fc from "fast-check";
import { beforeEach, expect, test, vi } from "vitest";

const sent = "Tue, 24 Nov 2026 14:05:00 GMT";
const at = (minutes: number) => Date.parse(sent) + minutes * 60_000;

let clock: typeof import("./clock");

/** The page is opened. */
async function open() {
  vi.resetModules();
  clock = await import("./clock");
}

beforeEach(() => {
  localStorage.clear();
  return open();
});

/** An answer of this date that took `ms`. */
function answered(now: number, ms = 0, date: string | null = sent) {
  clock.recordServerTime(date, now - ms, now);
}

test("a clock that is off by more than two minutes is wrong, in either direction", () => {
  for (const [minutes, error] of [
    [0, 0],
    [2, 0],
    [-2, 0],
    [3, 3],
    [14, 14],
    [-90, -90],
    [3 * 24 * 60, 4320],
  ] as const) {
    answered(at(minutes));
    expect(clock.clockErrorMinutes()).toBe(error);
  }
});

test("the server's clock is believed if the device's is wrong, unless the server has none", () => {
  for (const [minutes, believed] of [
    [0, 0],
    [2, 2],
    [20, 0],
    [-600, 0],
    [3 * 1440, 0],
    [200 * 1440, 200 * 1440],
  ] as const) {
    answered(at(minutes));
    const time = clock.believed(clock.moment(at(minutes)));
    expect(Math.abs(time.getTime() - at(believed))).toBeLessThanOrEqual(2_000);
  }
});

test("an answer without a date leaves the clock as it was", () => {
  answered(at(14));
  answered(at(50), 0, null);
  answered(at(50), 0, "gestern");
  expect(clock.clockErrorMinutes()).toBe(14);
});

test("what is known of the server's clock outlives the page", async () => {
  answered(at(14));
  const now = clock.moment(at(20));
  await open();
  expect(clock.clockErrorMinutes()).toBe(14);
  expect(clock.moment(at(20))).toEqual(now);
});

test("an answer that took long doesn't make the clock wrong, and one that fits changes nothing", () => {
  answered(at(0) + 29_000, 29_500);
  expect(clock.moment(at(1)).server).toBe(at(1));
  answered(at(20));
  const { server } = clock.moment(at(20));
  expect(Math.abs(server - at(0))).toBeLessThanOrEqual(2_000);
  answered(at(20) + 15_000, 16_000);
  expect(clock.moment(at(20)).server).toBe(server);
});

test("the server's clock is known as exactly as the fastest answer gives it, however slow the others are", async () => {
  const ms = fc.integer({ min: 0, max: 30_000 });
  const answer = fc.record({ until: ms, since: ms, pause: fc.integer({ min: 0, max: 3_600_000 }) });
  const error = fc.integer({ min: -4 * 86_400_000, max: 4 * 86_400_000 });
  const answers = fc.array(answer, { minLength: 1, maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(error, answers, async (ahead, all) => {
      localStorage.clear();
      await open();
      let server = at(0);
      for (const { until, since, pause } of all) {
        const date = new Date(server + until).toUTCString();
        clock.recordServerTime(date, server + ahead, server + until + since + ahead);
        server += until + since + pause;
      }
      const fastest = Math.min(...all.map(({ until, since }) => until + since));
      expect(Math.abs(clock.moment(server + ahead).server - server)).toBeLessThanOrEqual(fastest + 2_000);
    }),
    { numRuns: 50 },
  );
});

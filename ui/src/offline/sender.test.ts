import { expect, onTestFinished, test, vi } from "vitest";
import { recordServerTime } from "../lib/clock";
import { formatDateTime, wallClock } from "../lib/dates";
import { timeOf } from "./instants";
import { add } from "./queue";
import type { QueuedWrite } from "./queuedWrites";
import { createSender } from "./sender";

const write = {
  ...{ version: 1, requestId: "r1", call: "QuickCharge", fields: { battery: "b1" } },
  ...{
    subject: "b1",
    object: "b1",
    flight: null,
    list: null,
    pictures: null,
    about: "",
    base: {},
    madeAt: 0,
  },
  ...{ tries: 0, isMaybeThere: false, retryAt: 0, state: "waiting", problem: null },
} as unknown as QueuedWrite;

test("A retry that is asked for while a failed try is written down is made at once", async () => {
  let entries = add([], write);
  let isServerFound = false;
  const post = vi.fn(async () => {
    if (!isServerFound) throw new Error("no answer");
    return "";
  });
  const sender = createSender({
    store: {
      change: async (how) => {
        entries = how(entries);
        return entries;
      },
      lease: async () => true,
      // The last step of a run: the server is found again before it is over.
      release: async () => {
        if (isServerFound) return;
        isServerFound = true;
        await sender.change((all) => all.map((entry) => ({ ...entry, retryAt: 0 })));
        sender.drain();
      },
    },
    isAllowed: async () => true,
    post,
    getStored: async () => null,
    failureOf: () => ({ status: null, text: "" }),
    onDone: () => {},
    onFailed: () => {},
    onChange: () => {},
    onSending: () => {},
    now: () => 1_000_000,
  });
  await sender.drain();
  expect(post).toHaveBeenCalledTimes(2);
  expect(entries).toEqual([]);
  sender.stop();
});

test("A start that was corrected on the way isn't sent as an edit, when the flight had arrived before", async () => {
  const pressed = new Date(2026, 10, 24, 14, 5, 20).getTime();
  const minutes = (count: number) => pressed + count * 60_000;
  const hear = (server: number, now: number) => recordServerTime(new Date(server).toUTCString(), now, now);
  onTestFinished(() => hear(pressed, pressed));
  const flight = { startTime: formatDateTime(wallClock(new Date(pressed))), location: "Wiese" };
  const instant = new Date(pressed).toISOString();
  const flown = { ...write, call: "AddFlight", subject: "f1", object: "f1", madeAt: pressed, flight };
  const fields = { config: { copter: "c1" }, flight, startInstant: instant, dpfId: "f1" };
  let entries = add([], { ...flown, fields } as unknown as QueuedWrite);
  const posted: QueuedWrite[] = [];
  let now = minutes(6);
  const sender = createSender({
    store: {
      change: async (how) => {
        entries = how(entries);
        return entries;
      },
      lease: async () => true,
      release: async () => {},
    },
    isAllowed: async () => true,
    post: async (entry) => {
      posted.push(entry);
      if (posted.length === 1) throw new Error("its answer was lost");
      return flight;
    },
    getStored: async () => ({ ...flight }),
    failureOf: () => ({ status: null, text: "" }),
    onDone: () => {},
    onFailed: () => {},
    onChange: () => {},
    onSending: () => {},
    now: () => now,
  });
  await sender.drain();
  now = minutes(12);
  // The server's clock was set back.
  hear(minutes(-8), now);
  await sender.drain();
  sender.stop();
  expect(posted.map(({ call }) => call)).toEqual(["AddFlight", "AddFlight"]);
  const [, second] = posted.map((entry) => timeOf(entry)?.time);
  expect(second).not.toBe(flight.startTime);
  expect(entries).toEqual([]);
});

/** Sends writes about these packs; returns the requests that were on their way together. */
async function roundsOf(batteries: string[]): Promise<string[][]> {
  const writeOf = (battery: string, at: number) =>
    ({
      ...write,
      fields: { battery },
      subject: battery,
      object: `r${at}`,
      requestId: `r${at}`,
    }) as QueuedWrite;
  let entries = batteries.reduce<QueuedWrite[]>((all, battery, at) => add(all, writeOf(battery, at)), []);
  const rounds: string[][] = [];
  let running: string[] = [];
  const sender = createSender({
    store: {
      change: async (how) => {
        entries = how(entries);
        return entries;
      },
      lease: async () => true,
      release: async () => {},
    },
    isAllowed: async () => true,
    post: async ({ requestId }) => {
      if (running.length === 0) rounds.push(running);
      running.push(requestId);
      await Promise.resolve();
      running = [];
      return "";
    },
    getStored: async () => null,
    failureOf: () => ({ status: null, text: "" }),
    onDone: () => {},
    onFailed: () => {},
    onChange: () => {},
    onSending: () => {},
    now: () => 1_000_000,
  });
  await sender.drain();
  sender.stop();
  expect(entries).toEqual([]);
  return rounds;
}

test("Writes that don't depend on each other are sent together, the others one after the other", async () => {
  const rounds = await roundsOf(["b1", "b2", "b3", "b4", "b1", "b1"]);
  expect(rounds).toEqual([["r0", "r1", "r2", "r3"], ["r4"], ["r5"]]);
});

test("500 writes are sent six at a time, each once", async () => {
  const rounds = await roundsOf(Array.from({ length: 500 }, (_, at) => `b${at}`));
  expect(rounds.map(({ length }) => length)).toEqual([...Array.from({ length: 83 }, () => 6), 2]);
  expect(new Set(rounds.flat()).size).toBe(500);
});

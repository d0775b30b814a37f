// Sends what waits, in its order and once, from one tab at a time. Knows neither calls nor screens: how something is
// sent, and what follows from the answer, is given.

import { newId } from "../lib/ids";
import { besides, retyped, typedIn } from "./edits";
import type { Clash, Entry } from "./entries";
import {
  afterAnswer,
  afterFailure,
  again,
  asSent,
  type Failure,
  next,
  removed,
  replaced,
  stuck,
  woken,
} from "./queue";
import type { Store } from "./store";

/** A tab that was closed while it was sending stops the others for no longer. */
const leaseMs = 4_000;
const renewMs = 1_000;
const failedMs = 10_000;

export type Wires = {
  store: Pick<Store, "change" | "lease" | "release">;
  /** Whether the server knows this browser as this account now; throws without an answer. */
  isAllowed: () => Promise<boolean>;
  post: (entry: Entry) => Promise<unknown>;
  /** The values that are on the server now of what an entry edits; null when nobody can tell. */
  getStored: (entry: Entry) => Promise<object | null>;
  failureOf: (error: unknown) => Failure;
  /** An entry was sent; `answer` is null when there was nothing left to do. */
  onDone: (entry: Entry, answer: unknown) => void;
  onFailed: (entry: Entry, error: unknown) => void;
  onChange: (entries: Entry[]) => void;
  onSending: (isSending: boolean) => void;
  now: () => number;
};

export function makeSender(wires: Wires) {
  const { store, now } = wires;
  const me = newId();
  let running: Promise<void> | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isStopped = false;

  async function change(...how: Parameters<Store["change"]>): Promise<Entry[]> {
    const entries = await store.change(...how);
    wires.onChange(entries);
    return entries;
  }

  /** Sends until nothing is left to send now. */
  function drain(): Promise<void> {
    clearTimeout(timer);
    running ??= drainOnce().finally(() => {
      running = null;
    });
    return running;
  }

  async function drainOnce(): Promise<void> {
    if (isStopped) return;
    if (!(await store.lease(me, now(), leaseMs))) return later(renewMs);
    const renewal = setInterval(() => store.lease(me, now(), leaseMs), renewMs);
    try {
      let entries = await change(woken);
      if (next(entries, now()) !== null) {
        if (!(await wires.isAllowed())) return;
        wires.onSending(true);
      }
      for (let entry = next(entries, now()); entry !== null && !isStopped; entry = next(entries, now())) {
        const status = await sendOne(entry);
        entries = await change((all) => all);
        if (status === 401) return;
        if (status === null || status >= 429) break;
      }
      const waits = entries.filter(({ state }) => state === "waiting").map(({ retryAt }) => retryAt - now());
      if (waits.length > 0) later(Math.max(1_000, Math.min(...waits)));
    } catch {
      later(failedMs);
    } finally {
      clearInterval(renewal);
      wires.onSending(false);
      await store.release(me).catch(() => {});
    }
  }

  /** The status of the answer: 200 for each success, null without one. */
  async function sendOne(chosen: Entry): Promise<number | null> {
    let entry: Entry | undefined;
    await change((entries) => {
      const found = entries.find(
        ({ seq, requestId }) => seq === chosen.seq && requestId === chosen.requestId,
      );
      entry = found && { ...found, state: "sending", tries: found.tries + 1 };
      return entry ? replaced(entries, entry, entry) : entries;
    });
    // Another tab has changed it.
    if (entry === undefined) return 200;
    const sending = entry;
    let answer: unknown;
    let left: Entry[];
    let done = sending;
    try {
      const { ready, clashes } = await prepared(sending);
      done = ready ?? sending;
      answer = ready && (await wires.post(ready));
      const rest = ready && afterAnswer(ready, answer);
      left = rest ? [rest] : clashes.length > 0 ? [clashOf(sending, clashes)] : [];
    } catch (error) {
      const failure = wires.failureOf(error);
      const became = afterFailure(sending, failure, now());
      await change((all) => (became ? replaced(all, sending, became) : removed(all, sending)));
      if (became === null) wires.onDone(sending, null);
      else wires.onFailed(became, error);
      return failure.status;
    }
    await change((all) => replaced(all, sending, ...left));
    wires.onDone(done, answer);
    return 200;
  }

  /** An edit is looked at beside what is on the server now. */
  async function prepared(entry: Entry): Promise<{ ready: Entry | null; clashes: Clash[] }> {
    const typed = typedIn(entry);
    const there = typed && (await wires.getStored(entry));
    if (typed === null || there === null) return { ready: asSent(entry, now()), clashes: [] };
    const { values, clashes } = besides(typed, entry.base, there);
    const isFlight = entry.call === "SaveFlight";
    const isEmpty = Object.keys(values).length === 0 && !(isFlight && entry.fields.endFlight);
    // The rest of a flight's edit goes at once; other edits wait whole.
    const isHeld = isEmpty || (!isFlight && clashes.length > 0);
    return { ready: isHeld ? null : retyped(entry, values), clashes };
  }

  function later(ms: number): void {
    clearTimeout(timer);
    if (!isStopped) timer = setTimeout(drain, ms);
  }

  return {
    drain,
    change,
    stop(): void {
      isStopped = true;
      clearTimeout(timer);
    },
    /** The tab is being closed: another one may send at once. */
    yield: () => store.release(me),
  };
}

/** The pilot decides. */
function clashOf(entry: Entry, clashes: Clash[]): Entry {
  const problem = { kind: "clash", clashes } as const;
  if (entry.call !== "SaveFlight") return stuck(again(entry), problem);
  const fields = Object.fromEntries(clashes.map(({ field, here }) => [field, here]));
  const flight = { ...fields, dpfId: entry.object };
  return stuck(again(entry, { call: "SaveFlight", fields: { flight, endFlight: false } }), problem);
}

// Sends what queue.ts chooses, each write once, from one tab at a time; edits are merged with the server's values by
// edits.ts. Independent of calls and screens: how a write is sent, and what follows from its answer, is passed in.

import { moment } from "../lib/clock";
import { newId } from "../lib/ids";
import { editedFields, mergeEdit, withFieldsEdited } from "./edits";
import { withInstant } from "./instants";
import {
  afterAnswer,
  afterFailure,
  asNewRequest,
  asSendable,
  asStuck,
  type Failure,
  removed,
  replaced,
  resetInterrupted,
  writesToSend,
} from "./queue";
import type { Conflict, QueuedWrite } from "./queuedWrites";
import type { Store } from "./store";

/** Time after which another tab may send when the sending one has died. */
const leaseMs = 4_000;
const renewMs = 1_000;
const failedMs = 10_000;

type SenderOptions = {
  store: Pick<Store, "change" | "lease" | "release">;
  /** Whether this browser is logged in as this account; throws without an answer. */
  isAllowed: () => Promise<boolean>;
  post: (entry: QueuedWrite) => Promise<unknown>;
  /** Fetches the server's present values of what a write edits; null when there are none. */
  getStored: (entry: QueuedWrite) => Promise<object | null>;
  failureOf: (error: unknown) => Failure;
  /** Called after a write was sent; `answer` is null when there was nothing left to do. */
  onDone: (entry: QueuedWrite, answer: unknown) => void;
  onFailed: (entry: QueuedWrite, error: unknown) => void;
  onChange: (entries: QueuedWrite[]) => void;
  onSending: (isSending: boolean) => void;
  now: () => number;
};

/**
 * Calls `work`, one run at a time. A call during a run is answered by another run after it, because the present one may
 * have read what it works on already.
 */
function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null;
  let isAskedAgain = false;
  async function run(): Promise<void> {
    try {
      do {
        isAskedAgain = false;
        await work();
      } while (isAskedAgain);
    } finally {
      running = null;
    }
  }
  return () => {
    isAskedAgain = running !== null;
    running ??= run();
    return running;
  };
}

export function createSender(wires: SenderOptions) {
  const { store, now } = wires;
  const tabId = newId();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isStopped = false;

  async function change(...how: Parameters<Store["change"]>): Promise<QueuedWrite[]> {
    const entries = await store.change(...how);
    wires.onChange(entries);
    return entries;
  }

  const runs = oneAtATime(drainOnce);

  /** Sends until no write is ready. */
  function drain(): Promise<void> {
    clearTimeout(timer);
    return runs();
  }

  async function drainOnce(): Promise<void> {
    if (isStopped) return;
    if (!(await store.lease(tabId, now(), leaseMs))) return scheduleDrain(renewMs);
    const renewal = setInterval(() => store.lease(tabId, now(), leaseMs), renewMs);
    try {
      let entries = await change(resetInterrupted);
      let next = writesToSend(entries, now());
      if (next.length > 0) {
        if (!(await wires.isAllowed())) return;
        wires.onSending(true);
      }
      for (; next.length > 0 && !isStopped; next = writesToSend(entries, now())) {
        const sent = await sendAll(next);
        entries = sent.entries;
        if (sent.statuses.includes(401)) return;
        if (sent.statuses.some((status) => status === null || status >= 429)) break;
      }
      const waits = entries.filter(({ state }) => state === "waiting").map(({ retryAt }) => retryAt - now());
      if (waits.length > 0) scheduleDrain(Math.max(1_000, Math.min(...waits)));
    } catch {
      scheduleDrain(failedMs);
    } finally {
      clearInterval(renewal);
      wires.onSending(false);
      await store.release(tabId).catch(() => {});
    }
  }

  /** Sends these writes, unless another tab has changed or sent them. Returns the queue after their answers. */
  async function sendAll(chosen: readonly QueuedWrite[]) {
    const ids = new Set(chosen.map(({ requestId }) => requestId));
    let sending: QueuedWrite[] = [];
    await change((entries) => {
      const isChosen = ({ requestId, state }: QueuedWrite) => ids.has(requestId) && state === "waiting";
      sending = entries
        .filter(isChosen)
        .map((entry) => ({ ...entry, state: "sending", tries: entry.tries + 1 }));
      return sending.reduce((all, entry) => replaced(all, entry, entry), entries);
    });
    const outcomes = await Promise.all(sending.map(sendOne));
    const entries = await change((all) => outcomes.reduce((rest, { without }) => without(rest), all));
    for (const { report } of outcomes) report();
    return { entries, statuses: outcomes.map(({ status }) => status) };
  }

  /** Sends one write. Returns the status of its answer, 200 for each success and null for none, and what is left. */
  async function sendOne(sending: QueuedWrite) {
    try {
      const sendable = asSendable(sending, now());
      const { ready, conflicts } = await prepare(sendable);
      const answer = ready && (await wires.post(ready));
      const rest = ready && afterAnswer(sendable, answer);
      const left = rest ? [rest] : conflicts.length > 0 ? [stuckOnConflict(sending, conflicts)] : [];
      return {
        status: 200,
        without: (all: QueuedWrite[]) => replaced(all, sending, ...left),
        report: () => wires.onDone(ready ?? sending, answer),
      };
    } catch (error) {
      const failure = wires.failureOf(error);
      const became = afterFailure(sending, failure, now());
      return {
        status: failure.status,
        without: (all: QueuedWrite[]) => (became ? replaced(all, sending, became) : removed(all, sending)),
        report: () => (became === null ? wires.onDone(sending, null) : wires.onFailed(became, error)),
      };
    }
  }

  /** Merges an edit with the server's present values. */
  async function prepare(entry: QueuedWrite): Promise<{ ready: QueuedWrite | null; conflicts: Conflict[] }> {
    const typed = editedFields(entry);
    const there = typed && (await wires.getStored(entry));
    if (typed === null || there === null) return { ready: withInstant(entry, moment(now())), conflicts: [] };
    const { values, conflicts } = mergeEdit(typed, entry.base, there);
    const isFlight = entry.call === "SaveFlight";
    const isEmpty = Object.keys(values).length === 0 && !(isFlight && entry.fields.endFlight);
    // Of a flight the fields without a conflict are sent now; other edits are sent whole, once decided.
    const isHeld = isEmpty || (!isFlight && conflicts.length > 0);
    return { ready: isHeld ? null : withFieldsEdited(entry, values), conflicts };
  }

  function scheduleDrain(ms: number): void {
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
    /** Called when the tab is closing: releases the lease, so that another tab may send at once. */
    yield: () => store.release(tabId),
  };
}

/** The edit with only its conflicting fields, waiting for the pilot's decision. */
function stuckOnConflict(entry: QueuedWrite, conflicts: Conflict[]): QueuedWrite {
  const problem = { kind: "clash", clashes: conflicts } as const;
  if (entry.call !== "SaveFlight") return asStuck(asNewRequest(entry), problem);
  const fields = Object.fromEntries(conflicts.map(({ field, here }) => [field, here]));
  const flight = { ...fields, dpfId: entry.object };
  return asStuck(asNewRequest(entry, { call: "SaveFlight", fields: { flight, endFlight: false } }), problem);
}

// What waits on this device for the network, as the screens know it: small, because every page has it. The queue
// itself is loaded when there is something to keep (outbox.ts).
import { useSyncExternalStore } from "react";
import type * as Overlay from "./overlay";
import type { QueuedWrite } from "./queuedWrites";

/** Whose writes wait here, and how many, to know it before anything is loaded. */
const prefix = "fluglog.waiting.";

const queuePrefix = "fluglog-";
export const databaseName = (account: string) => queuePrefix + account;

/** Of what is known for the time without network. */
export const snapshotName = "fluglog.known";

/** The accounts whose queues are among these databases. */
export function queueAccounts(names: readonly string[]): string[] {
  const queues = names.filter((name) => name.startsWith(queuePrefix));
  return queues.map((name) => name.slice(queuePrefix.length));
}

type QueueState = {
  account: string;
  /** Whether what was kept before has been read. */
  isLoaded: boolean;
  entries: readonly QueuedWrite[];
  /** There as long as something waits. */
  overlay: typeof Overlay | null;
  isSending: boolean;
};

const nothing: QueueState = { account: "", isLoaded: true, entries: [], overlay: null, isSending: false };
let state = nothing;
const listeners = new Set<() => void>();

let loaded: Promise<void> = Promise.resolve();
let resolveLoaded: () => void = () => {};

/** Ends the connections of the queue. */
let close: (account: string) => void = () => {};

export function onQueueDelete(closes: (account: string) => void): void {
  close = closes;
}

/** The pilot has left. */
let isDeleted = false;

function set(change: Partial<QueueState>): void {
  // Still in sight for a moment: a screen that is drawn again would ask for what the pilot has left.
  if (isDeleted) return;
  state = { ...state, ...change };
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useQueueState(): QueueState {
  return useSyncExternalStore(subscribe, queueState);
}

export function queueState(): QueueState {
  return state;
}

/** From now on it is about this account. */
export function setQueueAccount(account: string): void {
  if (account === state.account && !isDeleted) return;
  isDeleted = false;
  const isLoaded = !hasQueuedWrites(account);
  loaded = new Promise((resolve) => {
    resolveLoaded = resolve;
    if (isLoaded) resolve();
  });
  set({ ...nothing, account, isLoaded });
}

/** Resolves once it is known what waits. */
export function untilQueueLoaded(): Promise<void> {
  return loaded;
}

/** What waits for this account now. */
export function setQueue(
  account: string,
  nickname: string,
  entries: readonly QueuedWrite[],
  overlay: typeof Overlay,
): void {
  if (account !== state.account || isDeleted) return;
  const key = prefix + account;
  try {
    if (entries.length === 0) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify({ nickname, count: entries.length }));
  } catch {
    // Only what was waiting is shown later.
  }
  set({ isLoaded: true, entries, overlay: entries.length > 0 ? overlay : null });
  resolveLoaded();
}

export function setSending(isSending: boolean): void {
  if (isSending !== state.isSending) set({ isSending });
}

/** The queue can't be opened in this browser. */
export function setQueueUnavailable(account: string): void {
  if (account !== state.account) return;
  set({ isLoaded: true });
  resolveLoaded();
}

function keysOfStorage(): string[] {
  try {
    return Object.keys(localStorage);
  } catch {
    // The browser stores nothing.
    return [];
  }
}

/** Whether something waits for this account, in whichever tab it was kept. */
export function hasQueuedWrites(account: string): boolean {
  return keysOfStorage().includes(prefix + account);
}

/** Other accounts that have something waiting on this device. */
export function otherQueues(account: string): { account: string; nickname: string; count: number }[] {
  const keys = keysOfStorage().filter((key) => key.startsWith(prefix) && key !== prefix + account);
  return keys.map((key) => {
    const { nickname = "", count = 0 } = JSON.parse(localStorage.getItem(key) ?? "{}");
    return { account: key.slice(prefix.length), nickname, count };
  });
}

/** Deletes everything of an account on this device. */
export function deleteQueue(account: string): void {
  close(account);
  try {
    localStorage.removeItem(prefix + account);
    indexedDB.deleteDatabase(databaseName(account));
  } catch {
    // Without storage there is nothing to delete.
  }
  if (account === state.account) isDeleted = true;
}

/** Deletes what is known of the pilot for the time without network. */
export function deleteSnapshot(): void {
  try {
    indexedDB.deleteDatabase(snapshotName);
  } catch {
    // Without storage there is nothing to delete.
  }
}

/** The answer of a call as it is shown. */
export function withQueued<Answer>(
  name: string,
  fields: object,
  answer: Answer,
  { overlay, entries }: QueueState,
): Answer {
  return overlay === null ? answer : (overlay.withQueued(name, fields, answer, entries) as Answer);
}

/** A flight that only this device knows. */
export function flightCreatedHere(dpfId: string) {
  return state.overlay?.flightsCreatedHere(state.entries).find((flight) => flight.dpfId === dpfId) ?? null;
}

const queuedAnswers = new WeakSet<object>();

/** Marks what was kept here instead of being sent. */
export function markQueued<Shown extends object>(shown: Shown): Shown {
  queuedAnswers.add(shown);
  return shown;
}

/** Whether this answer comes from this device. */
export function wasQueued(answer: unknown): boolean {
  return typeof answer === "object" && answer !== null && queuedAnswers.has(answer);
}

// The state of the queue for the screens. Small, because every page needs it; the outbox itself is loaded when there is
// something to store (outbox.ts).
import { useSyncExternalStore } from "react";
import type * as Overlay from "./overlay";
import type { QueuedWrite } from "./queuedWrites";

/** Prefix of the keys in localStorage that tell, before anything is loaded, whose writes are queued and how many. */
export const summaryPrefix = "fluglog.waiting.";

const queuePrefix = "fluglog-";
export const databaseName = (account: string) => queuePrefix + account;

/** Key of who has released the lease for sending. A page that closes doesn't live until a database has committed. */
export const releasedKey = "fluglog.released";

/** Name of the snapshot's database. */
export const snapshotName = "fluglog.known";

/** Name of the cache with the pictures of proofs, which are part of the snapshot. */
export const picturesName = "fluglog-proofs";

/** The accounts whose queues are among these names of databases. */
export function queueAccounts(names: readonly string[]): string[] {
  const queues = names.filter((name) => name.startsWith(queuePrefix));
  return queues.map((name) => name.slice(queuePrefix.length));
}

type QueueState = {
  account: string;
  /** Whether the stored queue has been read. */
  isLoaded: boolean;
  entries: readonly QueuedWrite[];
  /** Loaded while the queue isn't empty. */
  overlay: typeof Overlay | null;
  isSending: boolean;
};

const nothing: QueueState = { account: "", isLoaded: true, entries: [], overlay: null, isSending: false };
let state = nothing;
const listeners = new Set<() => void>();

let loaded: Promise<void> = Promise.resolve();
let resolveLoaded: () => void = () => {};

/** Closes the connections to the queue's database. */
let close: (account: string) => void = () => {};

export function onQueueDelete(closes: (account: string) => void): void {
  close = closes;
}

/** The pilot has logged out. */
let isDeleted = false;

function set(change: Partial<QueueState>): void {
  // Ignored after a logout: a screen that is still visible for a moment would refetch what was deleted.
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

/** Switches the state to this account. */
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

/** Resolves once the stored queue has been read. */
export function untilQueueLoaded(): Promise<void> {
  return loaded;
}

/** Sets the queue of this account. */
export function setQueue(
  account: string,
  nickname: string,
  entries: readonly QueuedWrite[],
  overlay: typeof Overlay,
): void {
  if (account !== state.account || isDeleted) return;
  const key = summaryPrefix + account;
  try {
    if (entries.length === 0) localStorage.removeItem(key);
    else
      localStorage.setItem(key, JSON.stringify({ nickname, count: entries.length, madeAt: newest(entries) }));
  } catch {
    // Best effort: without the entry, the queue is shown only after it was loaded.
  }
  set({ isLoaded: true, entries, overlay: entries.length > 0 ? overlay : null });
  resolveLoaded();
}

function newest(entries: readonly QueuedWrite[]): number {
  return Math.max(...entries.map(({ madeAt }) => madeAt));
}

export function setSending(isSending: boolean): void {
  if (isSending !== state.isSending) set({ isSending });
}

/** Called when the browser can't store the queue. */
export function setQueueUnavailable(account: string): void {
  if (account !== state.account) return;
  set({ isLoaded: true });
  resolveLoaded();
}

export function keysOfStorage(): string[] {
  try {
    return Object.keys(localStorage);
  } catch {
    // Storage is forbidden.
    return [];
  }
}

/** Whether writes of this account are queued, by any tab. */
export function hasQueuedWrites(account: string): boolean {
  return keysOfStorage().includes(summaryPrefix + account);
}

/** Deletes the queue of an account, with its pictures. */
export function deleteQueue(account: string): void {
  close(account);
  try {
    localStorage.removeItem(summaryPrefix + account);
    localStorage.removeItem(releasedKey);
    indexedDB.deleteDatabase(databaseName(account));
  } catch {
    // Without storage there is nothing to delete.
  }
  if (account === state.account) isDeleted = true;
}

/** Deletes the snapshot of answers and pictures. */
export function deleteSnapshot(): void {
  globalThis.caches?.delete(picturesName).catch(() => {});
  try {
    indexedDB.deleteDatabase(snapshotName);
  } catch {
    // Without storage there is nothing to delete.
  }
}

/** The answer of a call with the queued writes applied. */
export function withQueued<Answer>(
  name: string,
  fields: object,
  answer: Answer,
  { overlay, entries }: QueueState,
): Answer {
  return overlay === null ? answer : (overlay.withQueued(name, fields, answer, entries) as Answer);
}

/** A flight that was created on this device and not sent yet; null for others. */
export function flightCreatedHere(dpfId: string) {
  return state.overlay?.flightsCreatedHere(state.entries).find((flight) => flight.dpfId === dpfId) ?? null;
}

const queuedAnswers = new WeakSet<object>();

/** Marks a provisional answer of a queued write. */
export function markQueued<Shown extends object>(shown: Shown): Shown {
  queuedAnswers.add(shown);
  return shown;
}

/** Whether an answer is provisional: its write was queued, not sent. */
export function wasQueued(answer: unknown): boolean {
  return typeof answer === "object" && answer !== null && queuedAnswers.has(answer);
}

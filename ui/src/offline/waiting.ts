// What waits on this device for the network, as the screens know it: small, because every page has it. The queue
// itself is loaded when there is something to keep (machine.ts).
import { useSyncExternalStore } from "react";
import type { Entry } from "./entries";
import type * as Overlay from "./overlay";

/** Whose writes wait here, and how many, to know it before anything is loaded. */
const prefix = "fluglog.waiting.";

const queuePrefix = "fluglog-";
export const databaseName = (account: string) => queuePrefix + account;

/** Of what is known for the time without network. */
export const snapshotName = "fluglog.known";

/** The accounts whose queues are among these databases. */
export function queuesAmong(names: readonly string[]): string[] {
  const queues = names.filter((name) => name.startsWith(queuePrefix));
  return queues.map((name) => name.slice(queuePrefix.length));
}

type State = {
  account: string;
  /** Whether what was kept before has been read. */
  isKnown: boolean;
  entries: readonly Entry[];
  /** There as long as something waits. */
  overlay: typeof Overlay | null;
  isSending: boolean;
};

const nothing: State = { account: "", isKnown: true, entries: [], overlay: null, isSending: false };
let state = nothing;
const listeners = new Set<() => void>();

let known: Promise<void> = Promise.resolve();
let nowKnown: () => void = () => {};

/** Ends the connections of the queue. */
let close: (account: string) => void = () => {};

export function onForget(closes: (account: string) => void): void {
  close = closes;
}

/** The pilot has left. */
let isForgotten = false;

function set(change: Partial<State>): void {
  // Still in sight for a moment: a screen that is drawn again would ask for what the pilot has left.
  if (isForgotten) return;
  state = { ...state, ...change };
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useWaiting(): State {
  return useSyncExternalStore(subscribe, waiting);
}

export function waiting(): State {
  return state;
}

/** From now on it is about this account. */
export function waitFor(account: string): void {
  if (account === state.account && !isForgotten) return;
  isForgotten = false;
  const isKnown = !doesWait(account);
  known = new Promise((resolve) => {
    nowKnown = resolve;
    if (isKnown) resolve();
  });
  set({ ...nothing, account, isKnown });
}

/** Resolves once it is known what waits. */
export function untilKnown(): Promise<void> {
  return known;
}

/** What waits for this account now. */
export function know(
  account: string,
  nickname: string,
  entries: readonly Entry[],
  overlay: typeof Overlay,
): void {
  if (account !== state.account || isForgotten) return;
  const key = prefix + account;
  try {
    if (entries.length === 0) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify({ nickname, count: entries.length }));
  } catch {
    // Only what was waiting is shown later.
  }
  set({ isKnown: true, entries, overlay: entries.length > 0 ? overlay : null });
  nowKnown();
}

export function knowSending(isSending: boolean): void {
  if (isSending !== state.isSending) set({ isSending });
}

/** The queue can't be opened in this browser. */
export function knowNothing(account: string): void {
  if (account !== state.account) return;
  set({ isKnown: true });
  nowKnown();
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
export function doesWait(account: string): boolean {
  return keysOfStorage().includes(prefix + account);
}

/** Other accounts that have something waiting on this device. */
export function othersWaiting(account: string): { account: string; nickname: string; count: number }[] {
  const keys = keysOfStorage().filter((key) => key.startsWith(prefix) && key !== prefix + account);
  return keys.map((key) => {
    const { nickname = "", count = 0 } = JSON.parse(localStorage.getItem(key) ?? "{}");
    return { account: key.slice(prefix.length), nickname, count };
  });
}

/** Deletes everything of an account on this device. */
export function forget(account: string): void {
  close(account);
  try {
    localStorage.removeItem(prefix + account);
    indexedDB.deleteDatabase(databaseName(account));
  } catch {
    // Without storage there is nothing to delete.
  }
  if (account === state.account) isForgotten = true;
}

/** Deletes what is known of the pilot for the time without network. */
export function forgetSnapshot(): void {
  try {
    indexedDB.deleteDatabase(snapshotName);
  } catch {
    // Without storage there is nothing to delete.
  }
}

/** The answer of a call as it is shown. */
export function shown<Answer>(
  name: string,
  fields: object,
  answer: Answer,
  { overlay, entries }: State,
): Answer {
  return overlay === null ? answer : (overlay.shown(name, fields, answer, entries) as Answer);
}

/** A flight that only this device knows. */
export function madeHere(dpfId: string) {
  return state.overlay?.madeHere(state.entries).find((flight) => flight.dpfId === dpfId) ?? null;
}

const kept = new WeakSet<object>();

/** Marks what was kept here instead of being sent. */
export function markKept<Shown extends object>(shown: Shown): Shown {
  kept.add(shown);
  return shown;
}

/** Whether this answer comes from this device. */
export function wasKept(answer: unknown): boolean {
  return typeof answer === "object" && answer !== null && kept.has(answer);
}

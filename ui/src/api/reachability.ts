// Whether the last request reached the server; polls its health until one does again. navigator.onLine is no help in a
// LAN without internet. Independent of single calls.
import { useSyncExternalStore } from "react";
import { healthUrl } from "../urls";

const pollIntervalMs = 5_000;

let reachable = true;
let pollTimer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

export function reportReachable(now: boolean): void {
  if (!now && pollTimer === undefined) pollTimer = setTimeout(pollHealth, pollIntervalMs);
  if (now === reachable) return;
  reachable = now;
  for (const listener of listeners) listener();
}

async function pollHealth(): Promise<void> {
  clearTimeout(pollTimer);
  pollTimer = undefined;
  try {
    await fetch(healthUrl, { cache: "no-store", signal: AbortSignal.timeout(pollIntervalMs) });
    reportReachable(true);
  } catch {
    reportReachable(false);
  }
}

/** Polls now, and resolves once the server answers. */
export async function untilReachable(): Promise<void> {
  await pollHealth();
  if (reachable) return;
  await new Promise<void>((resolve) => {
    const stop = onReachabilityChange(() => {
      stop();
      resolve();
    });
  });
}

export function onReachabilityChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function isReachable(): boolean {
  return reachable;
}

export function useReachable(): boolean {
  return useSyncExternalStore(onReachabilityChange, isReachable);
}

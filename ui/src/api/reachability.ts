// Whether the server could be reached the last time that something was asked of it, and a knock on its door
// until it can be again. Knows no call: navigator.onLine is no help in a LAN without internet.
import { useSyncExternalStore } from "react";
import { healthUrl } from "../urls";

const knockIntervalMs = 5_000;

let reachable = true;
let knocking: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

export function reportReachable(now: boolean): void {
  if (!now && knocking === undefined) knocking = setTimeout(knock, knockIntervalMs);
  if (now === reachable) return;
  reachable = now;
  for (const listener of listeners) listener();
}

async function knock(): Promise<void> {
  clearTimeout(knocking);
  knocking = undefined;
  try {
    await fetch(healthUrl, { cache: "no-store", signal: AbortSignal.timeout(knockIntervalMs) });
    reportReachable(true);
  } catch {
    reportReachable(false);
  }
}

/** Knocks, and waits for as long as nobody answers. */
export async function untilReachable(): Promise<void> {
  await knock();
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

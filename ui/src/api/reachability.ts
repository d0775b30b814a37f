// Reachability of the server by the last request: Fluglog answered, nobody, or something between browser and server.
// Polls the server's health until Fluglog answers again. navigator.onLine is no help in a LAN without internet.
// Independent of single calls.
import { useSyncExternalStore } from "react";
import { healthUrl } from "../urls";

/** "intercepted": a captive portal, a proxy or a proxy's login page answers in Fluglog's place. */
export type Reachability = "reachable" | "unreachable" | "intercepted";

/** Header of each answer of Fluglog's. */
export const markHeader = "X-Fluglog";

const pollIntervalMs = 5_000;

let reachability: Reachability = "reachable";
let pollTimer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

export function reportReachability(now: Reachability): void {
  if (now !== "reachable" && pollTimer === undefined)
    pollTimer = setTimeout(checkReachability, pollIntervalMs);
  if (now === reachability) return;
  reachability = now;
  for (const listener of listeners) listener();
}

/** Requests the server's health; rejects when nobody answers. */
export async function healthAnswer(signal: AbortSignal): Promise<Reachability> {
  const answer = await fetch(healthUrl, { cache: "no-store", redirect: "manual", signal });
  return answer.headers.has(markHeader) ? "reachable" : "intercepted";
}

/** Asks for the server's health now. */
export async function checkReachability(): Promise<void> {
  clearTimeout(pollTimer);
  pollTimer = undefined;
  const answer = healthAnswer(AbortSignal.timeout(pollIntervalMs));
  reportReachability(await answer.catch(() => "unreachable" as const));
}

/** Asks now, and resolves once the server answers. */
export async function untilReachable(): Promise<void> {
  await checkReachability();
  if (isReachable()) return;
  await new Promise<void>((resolve) => {
    const stop = onReachabilityChange(() => {
      if (!isReachable()) return;
      stop();
      resolve();
    });
  });
}

// The browser has found a network: the next poll may be seconds away.
window.addEventListener("online", () => {
  if (!isReachable()) checkReachability();
});

export function onReachabilityChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function isReachable(): boolean {
  return reachability === "reachable";
}

export function useReachability(): Reachability {
  return useSyncExternalStore(onReachabilityChange, () => reachability);
}

// The one door of all writes: sent at once while the server answers, and else kept on this device to be sent later.
import { canWait, type Queued } from "../offline/entries";
import { doesWait, knowNothing, markKept, waitFor, waiting } from "../offline/waiting";
import { endSessionOn401 } from "./cache";
import { type Answer, ApiError, type Fields, NetworkFailure } from "./client";
import { isReachable } from "./reachability";
import { fail, send, settle } from "./send";
import { whoIsIn } from "./session";
import type { Transfer } from "./transfer";
import type { Written } from "./writes";

/** Needed when the network is gone: a page loads it beforehand. */
export const loadQueue = () => import("../offline/machine");

/** The queue of the pilot; null when nobody is logged in or this browser can't store it. */
export async function queueOf() {
  const user = whoIsIn();
  if (user === null) return null;
  try {
    waitFor(user.account);
    return await (await loadQueue()).machineOf(user.account, user.nickname);
  } catch {
    knowNothing(user.account);
    return null;
  }
}

/** Goes on with what waits for the pilot who is logged in, also when another tab has kept something. */
export function followQueue(account: string): () => void {
  const follow = async () => {
    if (doesWait(account)) await (await queueOf())?.retryNow();
  };
  follow();
  window.addEventListener("storage", follow);
  return () => window.removeEventListener("storage", follow);
}

/** Sends a change, or keeps it, and settles what follows from its answer. */
export async function perform<Name extends Written>(
  name: Name,
  fields: Fields<Name>,
  requestId: string,
  transfer: Transfer = {},
): Promise<Answer<Name> | undefined> {
  const queued = { call: name, fields } as { call: string; fields: object };
  const isKeepable = canWait(queued, waiting().entries);
  if (isKeepable && mustWait(queued, requestId)) {
    const kept = await keep(queued, requestId, false);
    if (kept !== null) return kept as Answer<Name>;
  }
  try {
    const answer = await send(name, fields, requestId, transfer);
    await settle(name, answer, fields);
    return answer;
  } catch (error) {
    if (isKeepable && isUnanswered(error)) {
      const kept = await keep(queued, requestId, true);
      if (kept !== null) return kept as Answer<Name>;
    }
    endSessionOn401(error);
    fail(name, error, fields);
    throw error;
  }
}

/** What the pilot did before is still on its way, or nobody would answer. */
function mustWait(queued: Queued, requestId: string): boolean {
  const { overlay, entries } = waiting();
  return !isReachable() || overlay?.comesAfter(queued, requestId, entries) === true;
}

/** A gateway that says so knows nothing of the answer either. */
function isUnanswered(error: unknown): boolean {
  return error instanceof NetworkFailure || (error instanceof ApiError && [502, 504].includes(error.status));
}

/** The answer that is shown until the server's; null when this browser can't keep it. */
async function keep(queued: Queued, requestId: string, isSent: boolean): Promise<object | null> {
  const queue = await queueOf();
  return queue && markKept(await queue.keep(queued, requestId, isSent));
}

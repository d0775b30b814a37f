// The one door of all writes: sent at once while the server answers, and else kept on this device to be sent later.
import { isQueueable, type QueueableWrite } from "../offline/queuedWrites";
import {
  hasQueuedWrites,
  markQueued,
  queueState,
  setQueueAccount,
  setQueueUnavailable,
} from "../offline/queueState";
import { endSessionOn401 } from "./cache";
import { type Answer, ApiError, type Fields, NetworkFailure } from "./client";
import { isReachable } from "./reachability";
import { fail, send, settle } from "./send";
import { currentUser } from "./session";
import type { Transfer } from "./transfer";
import type { WriteCall } from "./writes";

/** Needed when the network is gone: a page loads it beforehand. */
export const loadOutbox = () => import("../offline/outbox");

/** The queue of the pilot; null when nobody is logged in or this browser can't store it. */
export async function currentOutbox() {
  const user = currentUser();
  if (user === null) return null;
  try {
    setQueueAccount(user.account);
    return await (await loadOutbox()).outboxOf(user.account, user.nickname);
  } catch {
    setQueueUnavailable(user.account);
    return null;
  }
}

/** Goes on with what waits for the pilot who is logged in, also when another tab has kept something. */
export function resumeOutbox(account: string): () => void {
  const follow = async () => {
    if (hasQueuedWrites(account)) await (await currentOutbox())?.retryNow();
  };
  follow();
  window.addEventListener("storage", follow);
  return () => window.removeEventListener("storage", follow);
}

/** Sends a change, or keeps it, and settles what follows from its answer. */
export async function perform<Name extends WriteCall>(
  name: Name,
  fields: Fields<Name>,
  requestId: string,
  transfer: Transfer = {},
): Promise<Answer<Name> | undefined> {
  const queued = { call: name, fields } as { call: string; fields: object };
  const isKeepable = isQueueable(queued, queueState().entries);
  if (isKeepable && mustQueue(queued, requestId)) {
    const kept = await enqueue(queued, requestId, false);
    if (kept !== null) return kept as Answer<Name>;
  }
  try {
    const answer = await send(name, fields, requestId, transfer);
    await settle(name, answer, fields);
    return answer;
  } catch (error) {
    if (isKeepable && isUnanswered(error)) {
      const kept = await enqueue(queued, requestId, true);
      if (kept !== null) return kept as Answer<Name>;
    }
    endSessionOn401(error);
    fail(name, error, fields);
    throw error;
  }
}

/** What the pilot did before is still on its way, or nobody would answer. */
function mustQueue(queued: QueueableWrite, requestId: string): boolean {
  const { overlay, entries } = queueState();
  return !isReachable() || overlay?.comesAfter(queued, requestId, entries) === true;
}

/** A gateway that says so knows nothing of the answer either. */
function isUnanswered(error: unknown): boolean {
  return error instanceof NetworkFailure || (error instanceof ApiError && [502, 504].includes(error.status));
}

/** The answer that is shown until the server's; null when this browser can't keep it. */
async function enqueue(queued: QueueableWrite, requestId: string, isSent: boolean): Promise<object | null> {
  const queue = await currentOutbox();
  return queue && markQueued(await queue.enqueue(queued, requestId, isSent));
}

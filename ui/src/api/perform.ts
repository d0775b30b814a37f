// The entry point of all writes: sent at once while the server is reachable, otherwise queued on this device.
import { isQueueable, type QueueableWrite } from "../offline/queuedWrites";
import {
  hasQueuedWrites,
  markQueued,
  queueState,
  setQueueAccount,
  setQueueUnavailable,
} from "../offline/queueState";
import { endSessionOn401 } from "./cache";
import { type Answer, type Fields, NetworkFailure } from "./client";
import { isReachable } from "./reachability";
import { fail, send, settle } from "./send";
import { currentUser } from "./session";
import type { Transfer } from "./transfer";
import type { WriteCall } from "./writes";

/** Prefetched by a page, because it is needed without network. */
export const loadOutbox = () => import("../offline/outbox");

/** The outbox of the pilot; null when nobody is logged in or the browser can't store it. */
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

/**
 * Sends what is queued for the pilot, now and whenever another tab queues something. Returns a function that stops it.
 */
export function resumeOutbox(account: string): () => void {
  const follow = async () => {
    if (hasQueuedWrites(account)) await (await currentOutbox())?.retryNow();
  };
  follow();
  window.addEventListener("storage", follow);
  return () => window.removeEventListener("storage", follow);
}

/** Sends a write, or queues it, and updates the cache from its answer. */
export async function perform<Name extends WriteCall>(
  name: Name,
  entered: Fields<Name>,
  requestId: string,
  transfer: Transfer = {},
): Promise<Answer<Name> | undefined> {
  const outbox = await loadOutbox().catch(() => null);
  const fields = (outbox?.stamped(name, entered, requestId) ?? entered) as Fields<Name>;
  const queued = { call: name, fields } as { call: string; fields: object };
  const canQueue = isQueueable(queued, queueState().entries);
  if (canQueue && mustQueue(queued, requestId)) {
    const provisional = await enqueue(queued, requestId, false);
    if (provisional !== null) return provisional as Answer<Name>;
  }
  try {
    const answer = await send(name, fields, requestId, transfer);
    await settle(name, answer, fields);
    return answer;
  } catch (error) {
    if (canQueue && error instanceof NetworkFailure) {
      const provisional = await enqueue(queued, requestId, true);
      if (provisional !== null) return provisional as Answer<Name>;
    }
    endSessionOn401(error);
    fail(name, error, fields);
    throw error;
  }
}

/** Whether a write has to be queued: an earlier one it depends on is still queued, or the server is unreachable. */
function mustQueue(queued: QueueableWrite, requestId: string): boolean {
  const { overlay, entries } = queueState();
  return !isReachable() || overlay?.comesAfter(queued, requestId, entries) === true;
}

/** Queues a write. Returns the provisional answer; null when the browser can't store it. */
async function enqueue(queued: QueueableWrite, requestId: string, isSent: boolean): Promise<object | null> {
  const queue = await currentOutbox();
  return queue && markQueued(await queue.enqueue(queued, requestId, isSent));
}

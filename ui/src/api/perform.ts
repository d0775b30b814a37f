// The one way of a write, with network and without:
// 1. A form or a button calls `perform` with a request id: a new one, or that of its earlier press without an answer.
// 2. The outbox (offline/outbox.ts) keeps the write under this id in IndexedDB, or else in memory (offline/store.ts),
//    before it is sent.
// 3. While the server is reachable and no write about the same object waits, the write is sent (send.ts).
// 4. The server's answer removes the write from the outbox and updates the cache by the call's rule (writes.ts).
// 5. A refusal removes the write, too: the form shows the reason.
// 6. Without an answer a write that may wait joins the queue (offline/queue.ts), and the screens show it as done
//    (offline/overlay.ts); any other write stays for the form's next press, under the same id.
// 7. The sender (offline/sender.ts) sends what the queue's rules choose, one tab at a time, edits merged with the
//    server's values. Which write waits for which is in offline/order.ts.
// 8. A queued write that is refused stays for the pilot's decision (screens/waiting).
// 9. A tab that is closed while it sends leaves its write in the outbox: the next one queues it.
// 10. Forms keep drafts of what is typed (lib/drafts.ts); of what is pressed only the outbox knows.
import { contentOf } from "../lib/drafts";
import { newId } from "../lib/ids";
import { isQueueable, type Press, type PressedWrite, type QueueableWrite } from "../offline/queuedWrites";
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

let outboxCode: Promise<typeof import("../offline/outbox")> | null = null;

/** The outbox of the pilot; null when nobody is logged in or its code can't be loaded. */
export async function currentOutbox() {
  const user = currentUser();
  if (user === null) return null;
  try {
    setQueueAccount(user.account);
    outboxCode ??= import("../offline/outbox");
    return await (await outboxCode).outboxOf(user.account, user.nickname);
  } catch {
    outboxCode = null;
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

type Options<Name extends WriteCall> = {
  transfer?: Transfer;
  /** The form; by default a button, known by the call and its fields. */
  press?: Press;
  /** Called with the answer instead of the call's rule. */
  settle?: (answer: Answer<Name> | undefined, fields: Fields<Name>) => unknown;
};

/** Time after which a write that may wait is queued. */
const patienceMs = 3_000;

/** Sends a write, or queues it, and updates the cache from its answer. */
export async function perform<Name extends WriteCall>(
  name: Name,
  entered: Fields<Name>,
  requestId: string,
  {
    transfer = {},
    press = pressOf(name, entered, requestId),
    settle: settles = (answer, of) => settle(name, answer, of),
  }: Options<Name> = {},
): Promise<Answer<Name> | undefined> {
  const outbox = await currentOutbox();
  const fields = (outbox?.stamped(name, entered, requestId) ?? entered) as Fields<Name>;
  const write = { call: name, fields } as { call: WriteCall; fields: object };
  const mayWait = outbox !== null && isQueueable(write, queueState().entries);
  const pressed: PressedWrite = { ...press, ...write, requestId, pressedAt: Date.now(), isSending: true };
  async function enqueue(isSent: boolean) {
    return markQueued((await outbox?.enqueue(pressed, isSent)) ?? {}) as Answer<Name>;
  }
  if (mayWait && mustQueue(write as QueueableWrite, requestId)) return enqueue(false);
  outbox?.press(pressed);
  try {
    const isPatient = !mayWait || name === "UploadImageForFlight";
    const answer = await send(name, fields, requestId, {
      ...(isPatient ? {} : { standstillMs: patienceMs }),
      ...transfer,
    });
    outbox?.forget(requestId);
    await settles(answer, fields);
    return answer;
  } catch (error) {
    if (mayWait && error instanceof NetworkFailure) return enqueue(true);
    if (isRefused(error)) outbox?.forget(requestId);
    else outbox?.press({ ...pressed, isSending: false });
    endSessionOn401(error);
    fail(name, error, fields);
    throw error;
  }
}

/** Whether the server refused the write, so that it has no effect. Any other failure leaves that open. */
export function isRefused(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  return error.status >= 400 && error.status < 500 && ![401, 408, 429].includes(error.status);
}

/** Whether a write has to be queued: an earlier one it depends on is still queued, or the server is unreachable. */
function mustQueue(queued: QueueableWrite, requestId: string): boolean {
  const { overlay, entries } = queueState();
  return !isReachable() || overlay?.comesAfter(queued, requestId, entries) === true;
}

/** The press of a button: equal content is the same request for 10 minutes. */
function pressOf(name: WriteCall, fields: object, requestId: string): Press {
  return { form: name, record: contentOf({ ...fields }), content: "", object: requestId, isUndo: false };
}

const samePressMs = 10 * 60_000;

/** The request id of a button: that of its press without an answer, or a new one. */
export async function requestIdOf<Name extends WriteCall>(name: Name, fields: Fields<Name>): Promise<string> {
  const before = await unansweredOf(name, contentOf({ ...fields }));
  return before !== null && Date.now() - before.pressedAt < samePressMs ? before.requestId : newId();
}

/** Sends what a button says, once however often it is pressed. */
export async function press<Name extends WriteCall>(
  name: Name,
  fields: Fields<Name>,
  options: Options<Name> = {},
): Promise<Answer<Name> | undefined> {
  return perform(name, fields, await requestIdOf(name, fields), options);
}

/** The write of a form, as it is named for its draft, that has no answer yet. */
export async function unansweredOf(form: string, record: string): Promise<PressedWrite | null> {
  const pressed = (await currentOutbox())?.pressed() ?? [];
  return pressed.findLast((one) => one.form === form && one.record === record) ?? null;
}

/** Drops the write of a form that has no answer yet: the next press is another request. */
export async function forgetUnanswered(form: string, record: string): Promise<void> {
  const before = await unansweredOf(form, record);
  if (before !== null) await (await currentOutbox())?.forget(before.requestId);
}

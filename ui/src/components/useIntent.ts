// The write of an opened form or dialog, sent once however often it is tried. If the content changes after a lost
// answer, what may be stored already is corrected.
import { type Answer, ApiError, type Fields } from "../api/client";
import { correctionOf, type WriteStep } from "../api/corrections";
import { perform } from "../api/perform";
import type { Transfer } from "../api/transfer";
import { type WriteCall, writes } from "../api/writes";
import { contentOf, requestOf, type Unanswered } from "../lib/drafts";
import { newId } from "../lib/ids";
import { noDraft, type Typed, useRequests, withoutFiles } from "./useRequests";

/** Whether the server refused the write, so that it has no effect. Any other failure leaves that open. */
function isRefused(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  return error.status >= 400 && error.status < 500 && ![401, 408, 429].includes(error.status);
}

export type Intent = ReturnType<typeof useIntent>;

/** `form` and `record` name the form, as for its draft. */
export function useIntent(form: string, record: string) {
  const requests = useRequests(form, record);
  const { known, remember, settled, unanswered } = requests;

  async function deliver(request: Unanswered, typed: Typed, transfer?: Transfer): Promise<unknown> {
    remember(request, typed);
    try {
      const answer = await perform(request.call as WriteCall, request.fields as never, request.id, transfer);
      settled(request);
      return answer;
    } catch (error) {
      if (isRefused(error)) settled(request);
      throw error;
    }
  }
  /**
   * Whether a write with a lost answer was done: sending it again has no second effect. Files aren't sent again: the
   * new content has its own, and a call that needs one is refused without.
   */
  async function isDone(before: Unanswered, typed: Typed): Promise<boolean> {
    try {
      await deliver(withoutFiles(before), typed);
      return true;
    } catch (error) {
      if (isRefused(error)) return false;
      throw error;
    }
  }

  /**
   * Sends a form. `typed` is the content, which decides whether it is the same request; `fieldsFor` gives the call's
   * fields for the id of what it creates. Resolves to the object, or to the answer of the correcting call.
   */
  async function send<Name extends WriteCall>(
    call: Name,
    typed: Record<string, unknown>,
    fieldsFor: (object: string) => Fields<Name>,
    { transfer, draft: drafted = noDraft }: { transfer?: Transfer; draft?: Typed } = {},
  ): Promise<Answer<Name>> {
    const content = contentOf(typed);
    const asNew = (id: string, object = id): Unanswered => ({
      id,
      object,
      call,
      fields: fieldsFor(object),
      content,
      isUndo: false,
    });
    const before = unanswered();
    let request: Unanswered;
    if (before?.content === content && !before.isUndo) {
      request = before.call === call ? asNew(before.id, before.object) : before;
    } else {
      let change: WriteStep | null = null;
      if (before !== null && (await isDone(before, drafted)) && !before.isUndo) {
        const now = { call, fields: fieldsFor(before.object) } as WriteStep;
        const correction = correctionOf(before, now);
        if (correction !== null && "change" in correction) change = correction.change;
        else if (correction !== null) {
          const undo = { ...correction.undo, id: newId(), object: "", content: "", isUndo: true };
          await deliver(undo, drafted);
        }
      }
      request =
        change === null || before === null
          ? asNew(requestOf(content, known()).id)
          : { ...change, id: newId(), object: before.object, content, isUndo: false };
    }
    let answer = await deliver(request, drafted, transfer);
    if (answer === undefined && writes[call].ifGone === "anew") {
      answer = await deliver(asNew(newId()), drafted, transfer);
    }
    return answer as Answer<Name>;
  }

  return { ...requests, send };
}

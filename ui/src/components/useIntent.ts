// The write of an opened form or dialog, sent once however often it is tried, after a reload and from another tab too.
// If the content changes after a lost answer, what may be stored already is corrected.
import { useRef } from "react";
import type { Answer, Fields } from "../api/client";
import { correctionOf, type WriteStep } from "../api/corrections";
import { forgetUnanswered, isRefused, perform, unansweredOf } from "../api/perform";
import type { Transfer } from "../api/transfer";
import { type WriteCall, writes } from "../api/writes";
import { contentOf, requestOf, type SaveRequest } from "../lib/drafts";
import { newId } from "../lib/ids";

/** The draft of a form: other tabs that restored it send the same requests. */
type Drafted = { known: () => SaveRequest[]; remember: (request: SaveRequest) => void };

const noDraft: Drafted = { known: () => [], remember: () => {} };

/** A write before it is sent. */
type Step = SaveRequest & { call: string; fields: object; object: string; isUndo: boolean };

/** `form` and `record` name the form, as for its draft. */
export function useIntent(form: string, record: string, { known, remember }: Drafted = noDraft) {
  const done = useRef<SaveRequest[]>([]);

  async function deliver({ id, call, fields, ...step }: Step, transfer: Transfer = {}): Promise<unknown> {
    const { content } = step;
    remember({ id, content });
    const press = { form, record, ...step };
    const answer = await perform(call as WriteCall, fields as never, id, { transfer, press });
    done.current.push({ id, content });
    return answer;
  }
  /**
   * Whether a write with a lost answer was done: sending it again has no second effect. Files aren't sent again: the
   * new content has its own, and a call that needs one is refused without.
   */
  async function isDone(before: Step): Promise<boolean> {
    try {
      await deliver(before);
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
    transfer?: Transfer,
  ): Promise<Answer<Name>> {
    const content = contentOf(typed);
    const asNew = (id: string, object = id): Step => ({
      ...{ id, object, call, content },
      fields: fieldsFor(object),
      isUndo: false,
    });
    const pressed = await unansweredOf(form, record);
    const before = pressed && { ...pressed, id: pressed.requestId };
    let step: Step | null = null;
    if (before?.content === content && !before.isUndo) {
      step = before.call === call ? asNew(before.id, before.object) : before;
    } else if (before !== null && (await isDone(before)) && !before.isUndo) {
      const correction = correctionOf(before, { call, fields: fieldsFor(before.object) } as WriteStep);
      if (correction !== null && "change" in correction) {
        step = { ...correction.change, id: newId(), object: before.object, content, isUndo: false };
      } else if (correction !== null) {
        await deliver({ ...correction.undo, id: newId(), object: "", content: "", isUndo: true });
      }
    }
    let answer = await deliver(step ?? asNew(requestOf(content, known()).id), transfer);
    if (answer === undefined && writes[call].ifGone === "anew")
      answer = await deliver(asNew(newId()), transfer);
    return answer as Answer<Name>;
  }

  return {
    send,
    /** The answered requests of this form. */
    done,
    /** Called when the form is done or discarded: its next press is another request. */
    forget: () => forgetUnanswered(form, record),
  };
}

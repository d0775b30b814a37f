// Requests of an opened form or dialog. They are stored, with the draft if there is one, from the first attempt until
// their outcome is known: after a lost answer or a reload, and from another tab, equal content is sent as the same
// request.
import { useCallback, useRef } from "react";
import { useCachedUser } from "../api/session";
import {
  contentOf,
  type Draft,
  forgetUnanswered,
  readDraft,
  removeDraft,
  removeOwnDraft,
  requestOf,
  type SaveRequest,
  type Unanswered,
  writeOwnDraft,
} from "../lib/drafts";

export type Typed = Pick<Draft, "values" | "over">;
export const noDraft: Typed = { values: {}, over: {} };

/** The request without files, which localStorage can't hold. */
export function withoutFiles(request: Unanswered): Unanswered {
  const isFile = (value: unknown) => value instanceof File || (Array.isArray(value) && value.some(isFile));
  const fields = Object.fromEntries(Object.entries(request.fields).filter(([, value]) => !isFile(value)));
  return { ...request, fields };
}

/** `form` and `record` name the form, as for its draft. */
export function useRequests(form: string, record: string) {
  const account = useCachedUser()?.account ?? "";
  const name = { account, form, record };
  /** The unanswered request of this tab, with its files. */
  const sent = useRef<Unanswered | null>(null);
  /** The draft's request as typed or taken over in this tab. Another tab that takes it over sends the same one. */
  const drafted = useRef<SaveRequest | null>(null);
  const done = useRef<SaveRequest[]>([]);

  const unanswered = useCallback(
    (): Unanswered | null => sent.current ?? readDraft({ account, form, record })?.unanswered ?? null,
    [account, form, record],
  );
  function own(): SaveRequest[] {
    return [sent.current, drafted.current].filter((request) => request !== null);
  }
  function known(): SaveRequest[] {
    const stored = readDraft(name);
    return stored === null ? own() : [...own(), stored.request];
  }
  const draft = useCallback((values: Record<string, unknown>): SaveRequest => {
    drafted.current = requestOf(contentOf(values), sent.current === null ? [] : [sent.current]);
    return drafted.current;
  }, []);
  const takeOver = useCallback((request: SaveRequest): void => {
    drafted.current = request;
  }, []);

  function remember(request: Unanswered, { values, over }: Typed): void {
    sent.current = request;
    const { id, content } = request;
    writeOwnDraft(name, { values, over, request: { id, content }, unanswered: withoutFiles(request) });
  }
  function settled({ id, content }: SaveRequest): void {
    done.current.push({ id, content });
    sent.current = null;
    if (drafted.current?.id === id) drafted.current = null;
    forgetUnanswered(name, id);
  }
  return {
    /** The request for a draft of these values. */
    draft,
    takeOver,
    unanswered,
    known,
    /** Stores a request that is about to be sent. */
    remember,
    /** Forgets a request whose answer is known. */
    settled,
    /** The request id for content that is sent by other means. */
    idFor(fields: Record<string, unknown>, { values, over } = noDraft): string {
      const request = requestOf(contentOf(fields), known());
      drafted.current = request;
      writeOwnDraft(name, { values, over, request });
      return request.id;
    },
    isRepeated(fields: Record<string, unknown>): boolean {
      const content = contentOf(fields);
      return known().some((request) => request.content === content);
    },
    /** Called when the form is done or discarded. */
    forget(): void {
      removeOwnDraft(name, [...own(), ...done.current]);
      sent.current = null;
      drafted.current = null;
    },
    /** Like `forget`, but also drops values and requests of other tabs. */
    forgetAll(): void {
      removeDraft(name);
      sent.current = null;
      drafted.current = null;
    },
  };
}

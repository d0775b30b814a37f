// The requests of an opened form or dialog. They are kept in this browser from the moment they are first sent, with the
// draft if there is one, until they are known to be done: after a lost answer, a reload, and from another tab the same
// content is sent as the same request.
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

/** As it can be kept. */
export function withoutFiles(request: Unanswered): Unanswered {
  const isFile = (value: unknown) => value instanceof File || (Array.isArray(value) && value.some(isFile));
  const fields = Object.fromEntries(Object.entries(request.fields).filter(([, value]) => !isFile(value)));
  return { ...request, fields };
}

/** `form` and `record` name the form, as for its draft. */
export function useRequests(form: string, record: string) {
  const account = useCachedUser()?.account ?? "";
  const name = { account, form, record };
  /** Sent from here and not answered, with its files. */
  const sent = useRef<Unanswered | null>(null);
  /** The request of the draft as it was typed or taken over here. Another tab that takes it over sends the same. */
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
    /** For a draft of these values. */
    draft,
    takeOver,
    unanswered,
    known,
    /** Keeps a request that is about to be sent. */
    remember,
    /** Forgets one whose answer is known. */
    settled,
    /** The id for content that is sent by another way. */
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
    /** Done or discarded. */
    forget(): void {
      removeOwnDraft(name, [...own(), ...done.current]);
      sent.current = null;
      drafted.current = null;
    },
    /** With the values and requests of other tabs. */
    forgetAll(): void {
      removeDraft(name);
      sent.current = null;
      drafted.current = null;
    },
  };
}

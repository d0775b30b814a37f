// The ids of the requests of a form or dialog. Each is kept in this browser from the moment it is first sent, with the
// draft if there is one, until its request is known to be done: after a lost answer, a reload, and from another tab the
// same content is sent as the same request. Knows no content.
import { useCallback, useRef } from "react";
import { useKnownUser } from "../api/session";
import {
  contentOf,
  type Draft,
  readDraft,
  removeDraft,
  removeOwnDraft,
  requestOf,
  type SaveRequest,
  writeOwnDraft,
} from "../lib/drafts";

const noDraft: Pick<Draft, "values" | "over"> = { values: {}, over: {} };

/** `form` and `record` name the form, as for its draft. */
export function useRequests(form: string, record: string) {
  const account = useKnownUser()?.account ?? "";
  const name = { account, form, record };
  const sent = useRef<SaveRequest[]>([]);
  /** The request of the draft as it was typed or taken over here. Another tab that takes it over sends the same. */
  const drafted = useRef<SaveRequest | null>(null);

  function own(): SaveRequest[] {
    return drafted.current === null ? sent.current : [...sent.current, drafted.current];
  }
  function known(): SaveRequest[] {
    const stored = readDraft(name);
    return stored === null ? own() : [...own(), stored.request];
  }
  const draft = useCallback((values: Record<string, unknown>): SaveRequest => {
    drafted.current = requestOf(contentOf(values), sent.current);
    return drafted.current;
  }, []);
  const takeOver = useCallback((request: SaveRequest): void => {
    drafted.current = request;
  }, []);

  return {
    /** For a draft of these values. */
    draft,
    takeOver,
    idFor(fields: Record<string, unknown>, { values, over } = noDraft): string {
      const request = requestOf(contentOf(fields), known());
      sent.current.push(request);
      writeOwnDraft(name, { values, over, request });
      return request.id;
    },
    isRepeated(fields: Record<string, unknown>): boolean {
      const content = contentOf(fields);
      return known().some((request) => request.content === content);
    },
    /** Done or discarded. */
    forget(): void {
      removeOwnDraft(name, own());
      sent.current = [];
      drafted.current = null;
    },
    /** With the values and requests of other tabs. */
    forgetAll(): void {
      removeDraft(name);
      sent.current = [];
      drafted.current = null;
    },
  };
}

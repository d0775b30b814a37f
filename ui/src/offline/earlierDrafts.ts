// Requests without an answer that 1.5.0 kept beside the drafts of forms, and those of buttons. Independent of forms.
import type { PressedWrite } from "./queuedWrites";

type Kept = {
  savedAt: number;
  request: { id: string; content: string };
  unanswered?: {
    id: string;
    object: string;
    call: string;
    fields: object;
    content: string;
    isUndo: boolean;
  } | null;
};

/** Form of a flight's start that was kept for itself. */
const startForm = "nextFlight";

/** Takes these requests of an account out of localStorage. */
export function takeEarlierRequests(account: string): PressedWrite[] {
  const prefix = `fluglog.draft.${encodeURIComponent(account)}/`;
  return keys()
    .filter((key) => key.startsWith(prefix))
    .flatMap((key) => {
      const [form = "", record = ""] = key.slice(prefix.length).split("/").map(decodeURIComponent);
      return requestOf(key, form, record) ?? [];
    });
}

function keys(): string[] {
  try {
    return Object.keys(localStorage);
  } catch {
    return [];
  }
}

function requestOf(key: string, form: string, record: string): PressedWrite | null {
  try {
    const { savedAt, request, unanswered, ...draft } = JSON.parse(localStorage.getItem(key) ?? "{}") as Kept;
    const ofForm = { form, record, pressedAt: savedAt, isSending: false };
    if (unanswered) {
      const { id, ...write } = unanswered;
      localStorage.setItem(key, JSON.stringify({ savedAt, request, ...draft }));
      return { ...ofForm, ...write, requestId: id };
    }
    // Names of calls begin with a capital letter.
    const isButton = /^[A-Z]/.test(form);
    if (!isButton && form !== startForm) return null;
    localStorage.removeItem(key);
    const write = isButton
      ? { call: form, fields: JSON.parse(record) as object }
      : { call: "CreateFlight", fields: { dpfId: request.id } };
    return {
      ...ofForm,
      ...write,
      requestId: request.id,
      object: request.id,
      content: request.content,
      isUndo: false,
    };
  } catch {
    // Nothing that 1.5.0 has written.
    return null;
  }
}

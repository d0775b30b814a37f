// What was typed into a form but not saved, kept in this browser per user, form and record, so that neither a reload
// nor a session that ends loses it. Knows nothing of the forms' fields; storage that is full or forbidden is no error.

const prefix = "fluglog.draft.";
const lifetimeMs = 7 * 24 * 3_600_000;

/** `user` keeps one pilot's draft from the next on the same device. `record` is a dpfId or "new". */
export type DraftName = { user: string; form: string; record: string };

export type Draft = { savedAt: number; values: Record<string, unknown> };

function userPrefix(user: string): string {
  return `${prefix}${encodeURIComponent(user)}/`;
}

function key({ user, form, record }: DraftName): string {
  return `${userPrefix(user)}${encodeURIComponent(form)}/${encodeURIComponent(record)}`;
}

export function readDraft(name: DraftName, now: number = Date.now()): Draft | null {
  try {
    const draft = JSON.parse(localStorage.getItem(key(name)) ?? "null") as Draft | null;
    if (!draft || typeof draft.values !== "object" || now - draft.savedAt > lifetimeMs) return null;
    return draft;
  } catch {
    return null;
  }
}

export function writeDraft(name: DraftName, values: Record<string, unknown>, now: number = Date.now()): void {
  try {
    localStorage.setItem(key(name), JSON.stringify({ savedAt: now, values } satisfies Draft));
  } catch {
    // The form itself still holds what was typed.
  }
}

export function removeDraft(name: DraftName): void {
  try {
    localStorage.removeItem(key(name));
  } catch {
    // Nothing was stored then.
  }
}

/** All of a user's drafts: at logout. */
export function clearDrafts(user: string): void {
  try {
    for (const name of Object.keys(localStorage)) {
      if (name.startsWith(userPrefix(user))) localStorage.removeItem(name);
    }
  } catch {
    // Nothing was stored then.
  }
}

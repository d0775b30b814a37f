// What was typed into a form but not saved, kept in this browser per user, form and record, so that neither a reload
// nor a session that ends loses it. Two tabs with the same form share one draft: the one that typed last has it, and only
// that one removes it. Knows nothing of the forms' fields; storage that is full or forbidden is no error.

const prefix = "fluglog.draft.";
const lifetimeMs = 7 * 24 * 3_600_000;

/** `user` keeps one pilot's draft from the next on the same device. `record` is a dpfId or "new". */
export type DraftName = { user: string; form: string; record: string };

type Values = Record<string, unknown>;

/** `over`: what was stored in these fields when they were typed over, as far as anything was. */
export type Draft = { savedAt: number; tab: string; values: Values; over: Values };

/** Tells this tab from others, until it is loaded anew. */
const tab = crypto.getRandomValues(new Uint32Array(2)).join("-");

function userPrefix(user: string): string {
  return `${prefix}${encodeURIComponent(user)}/`;
}

function key({ user, form, record }: DraftName): string {
  return `${userPrefix(user)}${encodeURIComponent(form)}/${encodeURIComponent(record)}`;
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}

export function readDraft(name: DraftName, now: number = Date.now()): Draft | null {
  try {
    const draft = JSON.parse(localStorage.getItem(key(name)) ?? "null") as Draft | null;
    if (!draft || now - draft.savedAt > lifetimeMs) return null;
    return isObject(draft.values) && isObject(draft.over) ? draft : null;
  } catch {
    return null;
  }
}

export function writeDraft(
  name: DraftName,
  values: Values,
  over: Values = {},
  now: number = Date.now(),
): void {
  try {
    localStorage.setItem(key(name), JSON.stringify({ savedAt: now, tab, values, over } satisfies Draft));
  } catch {
    // The form itself still holds what was typed.
  }
}

/** Unless another tab has typed since. */
export function removeOwnDraft(name: DraftName): void {
  if (readDraft(name)?.tab === tab) removeDraft(name);
}

export function removeDraft(name: DraftName): void {
  try {
    localStorage.removeItem(key(name));
  } catch {
    // Nothing was stored then.
  }
}

/**
 * What of a draft a form doesn't show anyway. It is outdated when something else has been stored in one of its fields since
 * it was typed: then only the user can tell which of the two is wanted.
 */
export function unsavedOf(
  draft: Draft,
  shown: Values,
  stored: Values,
): { values: Values; isOutdated: boolean } {
  const unsaved = Object.entries(draft.values).filter(([name, value]) => !isSame(value, shown[name]));
  const isOutdated = unsaved.some(
    ([name]) => name in stored && name in draft.over && !isSame(draft.over[name], stored[name]),
  );
  return { values: Object.fromEntries(unsaved), isOutdated };
}

/** Of a form's value: texts, and lists of plain things. */
export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
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

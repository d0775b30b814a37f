// What was typed into a form but not saved, kept in this browser per user, form and record, so that neither a reload
// nor a session that ends loses it. Two tabs with the same form share one draft: the one that typed last has it, and only
// that one removes it. Knows nothing of the forms' fields; storage that is full or forbidden is no error.

import { parseNumber } from "./numbers";

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
 * it was typed: then only the user can tell which of the two is wanted. `numbers` are the fields that hold a number.
 */
export function unsavedOf(
  draft: Draft,
  shown: Values,
  stored: Values,
  numbers: readonly string[] = [],
): { values: Values; isOutdated: boolean } {
  const values = differing(draft.values, shown, numbers);
  const isOutdated = Object.keys(values).some(
    (name) => name in stored && name in draft.over && !isSame(draft.over[name], stored[name]),
  );
  return { values, isOutdated };
}

/** The values that aren't as in `others`. A number that is only written in another way is the same: "14.2" and "14,2". */
export function differing(values: Values, others: Values, numbers: readonly string[]): Values {
  const isNumber = new Set(numbers);
  return Object.fromEntries(
    Object.entries(values).filter(
      ([name, value]) =>
        !isSame(value, others[name]) && !(isNumber.has(name) && isSameNumber(value, others[name])),
    ),
  );
}

function isSameNumber(one: unknown, other: unknown): boolean {
  const number = parseNumber(String(one));
  return number !== null && number === parseNumber(String(other));
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

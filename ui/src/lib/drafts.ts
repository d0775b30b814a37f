// Drafts: unsaved values of forms, kept in localStorage per account, form and record, so that neither a reload nor the
// end of a session loses them. What was sent is the outbox's (api/perform.ts). A draft has the id of the request that
// will save it, so that two tabs with one draft save it once. It belongs to the tab that typed last, and only that tab
// removes it. Independent of fields. Full or forbidden storage is no error.

import { newId } from "./ids";
import { parseNumber } from "./numbers";

const prefix = "fluglog.draft.";
const lifetimeMs = 7 * 24 * 3_600_000;

/** `account` separates the drafts of several pilots on one device. `record` is a dpfId or "new". */
export type DraftName = { account: string; form: string; record: string };

type Values = Record<string, unknown>;

/** The request of some content: equal content is sent with one id, other content with another. */
export type SaveRequest = { id: string; content: string };

/** `over`: the stored values when the draft was typed. */
export type Draft = {
  savedAt: number;
  tab: string;
  values: Values;
  over: Values;
  request: SaveRequest;
};

/** Identifies this tab until it is reloaded. */
const tab = newId();

function accountPrefix(account: string): string {
  return `${prefix}${encodeURIComponent(account)}/`;
}

function key({ account, form, record }: DraftName): string {
  return `${accountPrefix(account)}${encodeURIComponent(form)}/${encodeURIComponent(record)}`;
}

/** The content of a request as one text. Files count by name and size; null and false fields are left out. */
export function contentOf(fields: Values): string {
  const entries = Object.entries(fields).filter(([, value]) => value !== null && value !== false);
  return JSON.stringify(Object.fromEntries(entries.sort()), (_, value: unknown) =>
    value instanceof File ? [value.name, value.size] : value,
  );
}

/** The known request with this content, or a new one. */
export function requestOf(content: string, known: readonly SaveRequest[]): SaveRequest {
  return known.find((request) => request.content === content) ?? { id: newId(), content };
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}

export function readDraft(name: DraftName, now: number = Date.now()): Draft | null {
  return read(key(name), now);
}

function read(storageKey: string, now: number): Draft | null {
  try {
    const draft = JSON.parse(localStorage.getItem(storageKey) ?? "null") as Draft | null;
    if (!draft || now - draft.savedAt > lifetimeMs) return null;
    return isObject(draft.values) && isObject(draft.over) && isObject(draft.request) ? draft : null;
  } catch {
    return null;
  }
}

type DraftContent = Pick<Draft, "values"> & Partial<Pick<Draft, "over" | "request">>;

const noRequest = { id: "", content: "" };

export function writeDraft(
  name: DraftName,
  { values, over = {}, request = noRequest }: DraftContent,
  now: number = Date.now(),
): void {
  try {
    const draft: Draft = { savedAt: now, tab, values, over, request };
    localStorage.setItem(key(name), JSON.stringify(draft));
  } catch {
    // The form itself still holds the values.
  }
}

/** Writes the draft, unless another tab has typed since. */
export function writeOwnDraft(name: DraftName, draft: Parameters<typeof writeDraft>[1]): void {
  if ((readDraft(name)?.tab ?? tab) === tab) writeDraft(name, draft);
}

/** Removes the draft, unless another tab has typed since and its request isn't among `saved`. */
export function removeOwnDraft(name: DraftName, saved: readonly SaveRequest[] = []): void {
  const draft = readDraft(name);
  if (draft === null) return;
  if (draft.tab === tab || saved.some(({ id }) => id === draft.request.id)) removeDraft(name);
}

export function removeDraft(name: DraftName): void {
  try {
    localStorage.removeItem(key(name));
  } catch {
    // Without storage there is nothing to remove.
  }
}

/** Removes the draft if its request is among `done`. Returns whether it was. */
export function removeDraftIfDone(name: DraftName, done: readonly string[]): boolean {
  const isDone = done.includes(readDraft(name)?.request.id ?? "");
  if (isDone) removeDraft(name);
  return isDone;
}

/**
 * The values of a draft that differ from the form's. The draft is outdated if one of its fields was stored with another
 * value since: only the user can tell which one is wanted. `numbers` are the numeric fields.
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

/** The values that differ from `others`. Numbers are compared by value: "14.2" equals "14,2". */
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

/** Compares values of a form: texts, and lists of plain objects. */
export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Removes all drafts of an account; called on logout. */
export function clearDrafts(account: string): void {
  removeKeys((storageKey) => storageKey.startsWith(accountPrefix(account)));
}

/** Removes drafts that no form restores: too old, or named after nicknames by an earlier version. */
export function removeStaleDrafts(now: number = Date.now()): void {
  removeKeys((storageKey) => storageKey.startsWith(prefix) && read(storageKey, now) === null);
}

function removeKeys(isDoomed: (storageKey: string) => boolean): void {
  try {
    for (const storageKey of Object.keys(localStorage)) {
      if (isDoomed(storageKey)) localStorage.removeItem(storageKey);
    }
  } catch {
    // Without storage there is nothing to remove.
  }
}

// What was typed into a form but not saved, kept in this browser per account, form and record, so that neither a reload
// nor a session that ends loses it; and the id of the request that saves it, so that it is saved once however often it is
// sent. Two tabs with the same form share one draft: the one that typed last has it, and only that one removes it.
// Knows nothing of the forms' fields; storage that is full or forbidden is no error.

import { newId } from "./ids";
import { parseNumber } from "./numbers";

const prefix = "fluglog.draft.";
const lifetimeMs = 7 * 24 * 3_600_000;

/** `account` keeps one pilot's draft from the next on the same device. `record` is a dpfId or "new". */
export type DraftName = { account: string; form: string; record: string };

type Values = Record<string, unknown>;

/** The id under which some content is sent: the same content once more is the same request, other content another one. */
export type SaveRequest = { id: string; content: string };

/** `over`: what was stored in these fields when they were typed over, as far as anything was. */
export type Draft = { savedAt: number; tab: string; values: Values; over: Values; request: SaveRequest };

/** Tells this tab from others, until it is loaded anew. */
const tab = newId();

function accountPrefix(account: string): string {
  return `${prefix}${encodeURIComponent(account)}/`;
}

function key({ account, form, record }: DraftName): string {
  return `${accountPrefix(account)}${encodeURIComponent(form)}/${encodeURIComponent(record)}`;
}

/** What is sent, in one text. A file counts by its name and size; null and false count as left out. */
export function contentOf(fields: Values): string {
  const entries = Object.entries(fields).filter(([, value]) => value !== null && value !== false);
  return JSON.stringify(Object.fromEntries(entries.sort()), (_, value: unknown) =>
    value instanceof File ? [value.name, value.size] : value,
  );
}

/** The one of these requests that has the content, or else a new one. */
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

export function writeDraft(
  name: DraftName,
  { values, over = {}, request }: Pick<Draft, "values" | "request"> & Partial<Pick<Draft, "over">>,
  now: number = Date.now(),
): void {
  try {
    const draft: Draft = { savedAt: now, tab, values, over, request };
    localStorage.setItem(key(name), JSON.stringify(draft));
  } catch {
    // The form itself still holds what was typed.
  }
}

/** Unless another tab has typed since. */
export function writeOwnDraft(name: DraftName, draft: Parameters<typeof writeDraft>[1]): void {
  if ((readDraft(name)?.tab ?? tab) === tab) writeDraft(name, draft);
}

/** Unless another tab has typed since. What was saved is no tab's draft any more: it has one of these requests. */
export function removeOwnDraft(name: DraftName, saved: readonly SaveRequest[] = []): void {
  const draft = readDraft(name);
  if (draft === null) return;
  if (draft.tab === tab || saved.some(({ id }) => id === draft.request.id)) removeDraft(name);
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

/** All of an account's drafts: at logout. */
export function clearDrafts(account: string): void {
  removeKeys((storageKey) => storageKey.startsWith(accountPrefix(account)));
}

/** What no form takes up any more: too old, or written by an earlier version, which named drafts after nicknames. */
export function removeStaleDrafts(now: number = Date.now()): void {
  removeKeys((storageKey) => storageKey.startsWith(prefix) && read(storageKey, now) === null);
}

function removeKeys(isDoomed: (storageKey: string) => boolean): void {
  try {
    for (const storageKey of Object.keys(localStorage)) {
      if (isDoomed(storageKey)) localStorage.removeItem(storageKey);
    }
  } catch {
    // Nothing was stored then.
  }
}

// Unsaved values of forms, kept in this browser per account, form and record, so that neither a reload nor the end of a
// session loses them; with the id of the request that saves them, so that they are saved once however often they are
// sent. Two tabs with the same form share one draft: it belongs to the tab that typed last, and only that tab removes
// it. Knows no fields; storage that is full or forbidden is no error.

import { newId } from "./ids";
import { parseNumber } from "./numbers";

const prefix = "fluglog.draft.";
const lifetimeMs = 7 * 24 * 3_600_000;

/** `account` separates the drafts of several pilots on one device. `record` is a dpfId or "new". */
export type DraftName = { account: string; form: string; record: string };

type Values = Record<string, unknown>;

/** The id under which some content is sent: the same content is the same request, other content is another one. */
export type SaveRequest = { id: string; content: string };

/**
 * A write that was sent and not answered. `object` is the id of what it creates; `isUndo`: after it the form is sent as
 * a new one.
 */
export type Unanswered = SaveRequest & { call: string; fields: object; object: string; isUndo: boolean };

/** `over`: the stored values that the typed ones replace, where there were any. */
export type Draft = {
  savedAt: number;
  tab: string;
  values: Values;
  over: Values;
  request: SaveRequest;
  unanswered?: Unanswered | null;
};

/** Identifies this tab until it is reloaded. */
const tab = newId();

function accountPrefix(account: string): string {
  return `${prefix}${encodeURIComponent(account)}/`;
}

function key({ account, form, record }: DraftName): string {
  return `${accountPrefix(account)}${encodeURIComponent(form)}/${encodeURIComponent(record)}`;
}

/** The content of a request as one text. A file counts by its name and size; null and false count as left out. */
export function contentOf(fields: Values): string {
  const entries = Object.entries(fields).filter(([, value]) => value !== null && value !== false);
  return JSON.stringify(Object.fromEntries(entries.sort()), (_, value: unknown) =>
    value instanceof File ? [value.name, value.size] : value,
  );
}

/** The request with this content, or else a new one. */
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

type DraftContent = Pick<Draft, "values" | "request"> & Partial<Pick<Draft, "over" | "unanswered">>;

export function writeDraft(
  name: DraftName,
  { values, over = {}, request, unanswered = null }: DraftContent,
  now: number = Date.now(),
): void {
  try {
    const draft: Draft = { savedAt: now, tab, values, over, request, unanswered };
    localStorage.setItem(key(name), JSON.stringify(draft));
  } catch {
    // The form itself still holds the values.
  }
}

/** Unless another tab has typed since. */
export function writeOwnDraft(name: DraftName, draft: Parameters<typeof writeDraft>[1]): void {
  if ((readDraft(name)?.tab ?? tab) === tab) writeDraft(name, draft);
}

/** Unless another tab has typed since. A draft that was saved from any tab has one of these requests. */
export function removeOwnDraft(name: DraftName, saved: readonly SaveRequest[] = []): void {
  const draft = readDraft(name);
  if (draft === null) return;
  if (draft.tab === tab || saved.some(({ id }) => id === draft.request.id)) removeDraft(name);
}

/** The write with this id was answered. */
export function forgetUnanswered(name: DraftName, id: string): void {
  const draft = readDraft(name);
  if (draft?.unanswered?.id !== id) return;
  try {
    localStorage.setItem(key(name), JSON.stringify({ ...draft, unanswered: null }));
  } catch {
    // It is sent again, without a second effect.
  }
}

export function removeDraft(name: DraftName): void {
  try {
    localStorage.removeItem(key(name));
  } catch {
    // Without storage there is nothing to remove.
  }
}

/** What the draft was for is among these: it is done, whatever became of the answer. */
export function removeDraftIfDone(name: DraftName, done: readonly string[]): boolean {
  const isDone = done.includes(readDraft(name)?.request.id ?? "");
  if (isDone) removeDraft(name);
  return isDone;
}

/**
 * The values of a draft that differ from the form's. The draft is outdated when one of its fields has been stored
 * differently since: then only the user can tell which value is wanted. `numbers` are the fields that hold a number.
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

/** The values that differ from `others`. A number in another notation is the same: "14.2" and "14,2". */
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

/** For values of a form: texts, and lists of plain objects. */
export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Removes all drafts of an account: at logout. */
export function clearDrafts(account: string): void {
  removeKeys((storageKey) => storageKey.startsWith(accountPrefix(account)));
}

/**
 * Removes drafts that no form restores: too old, or written by an earlier version, which named them after nicknames.
 */
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

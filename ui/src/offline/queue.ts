// Rules of the queue: how a write is added or merged, which writes are sent next (by order.ts), and what an answer or a
// refusal makes of a write. Pure: no storage, no network and no clock.
import { inOpenFlight, noMemberAnyMore, rightMissing } from "../api/generated/sentences";
import { largestUploadBytes } from "../lib/fileKinds";
import { newId } from "../lib/ids";
import { editedFields, withFieldsEdited } from "./edits";
import { follows, isImageUpload } from "./order";
import {
  type Conflict,
  type FlightFields,
  maxQueuedWrites,
  type NewQueuedWrite,
  type Problem,
  type QueueableCall,
  type QueueableWrite,
  type QueuedWrite,
} from "./queuedWrites";
import { isSameValue, movedInstant } from "./values";

/** The queue is full (`maxQueuedWrites`). */
export class QueueFull extends Error {}

/** Queued pictures would exceed `largestUploadBytes`, the limit of one upload. */
export class PicturesFull extends Error {}

/** Adds a write to the queue, merged with unsent ones about the same object. */
export function add(entries: readonly QueuedWrite[], added: NewQueuedWrite): QueuedWrite[] {
  if (entries.some(({ requestId }) => requestId === added.requestId)) return [...entries];
  const seq = Math.max(0, ...entries.map((entry) => entry.seq)) + 1;
  let rest = [...entries];
  let newest = { ...added, seq } as QueuedWrite;
  for (;;) {
    const at = rest.findLastIndex(({ object, seq }) => object === newest.object && seq < newest.seq);
    const before = rest[at];
    const both = before ? merged(before, newest) : null;
    if (both === null) break;
    rest = rest.toSpliced(at, 1);
    if (both === "nothing") return withoutPartsOf(newest.object, rest);
    newest = both;
  }
  const earlier = rest.filter(({ object, seq }) => object === newest.object && seq < newest.seq);
  newest = { ...newest, base: Object.assign({}, newest.base, ...earlier.map(fieldsSentBy)) };
  if (newest.call === "DeleteFlight") rest = withoutPartsOf(newest.object, rest);
  if (rest.length >= maxQueuedWrites) throw new QueueFull();
  const bytes = [...rest, newest].reduce((sum, { pictures }) => sum + (pictures?.bytes ?? 0), 0);
  if (isImageUpload(newest) && bytes > largestUploadBytes) throw new PicturesFull();
  return [...rest, newest].sort((one, other) => one.seq - other.seq);
}

/** Removes the logs and pictures of a deleted flight. */
function withoutPartsOf(flight: string, entries: QueuedWrite[]): QueuedWrite[] {
  return entries.filter(
    ({ subject, object, state }) => subject !== flight || object === flight || state === "sending",
  );
}

/** Whether the server can't have received the write. */
function isUnsent({ state, tries, isMaybeThere }: QueuedWrite): boolean {
  return !isMaybeThere && (state === "stuck" || (state === "waiting" && tries === 0));
}

/** Merges two writes about one object: into one, into nothing, or null when both have to be sent. */
function merged(before: QueuedWrite, next: QueuedWrite): QueuedWrite | "nothing" | null {
  if (before.state === "sending" || next.state !== "waiting" || next.tries > 0) return null;
  if (before.problem?.kind === "clash" && next.call === before.call) return resolvingConflict(before, next);
  switch (before.call) {
    case "CreateFlight":
    case "AddFlight":
      return mergedNewFlight(before, next);
    case "SaveFlight":
      if (next.call === "DeleteFlight") return inPlaceOf(before, next, next);
      if (next.call !== "SaveFlight" || !isUnsent(before)) return null;
      return mergedEdits(before, next, {
        call: "SaveFlight",
        fields: {
          flight: { ...before.fields.flight, ...next.fields.flight },
          endFlight: before.fields.endFlight === true || next.fields.endFlight === true,
          ...endOf(before.fields.endInstant ?? next.fields.endInstant),
        },
      });
    case "SaveCharging":
      if (next.call !== "SaveCharging" || !isUnsent(before) || !before.fields.dpfId) return null;
      return mergedEdits(before, next, {
        call: "SaveCharging",
        fields: { ...before.fields, ...next.fields },
      });
    case "SaveEquipmentLog":
    case "SaveFlightLog":
      if (!isUnsent(before)) return null;
      if (next.call === "DeleteLog") return "nothing";
      if (next.call !== "EditLog") return null;
      return inPlaceOf(before, next, {
        call: before.call,
        fields: { ...before.fields, info: next.fields.info, time: next.fields.time },
      });
    case "QuickCharge":
    case "QuickStore":
      return next.call === "Undo" && isUnsent(before) ? "nothing" : null;
    case "SaveBatteryReading":
      return next.call === "DeleteBatteryReading" && isUnsent(before) ? "nothing" : null;
    case "EditLog":
      if (next.call === "DeleteLog") return inPlaceOf(before, next, next);
      if (next.call !== "EditLog" || !isUnsent(before)) return null;
      return mergedEdits(before, next, { call: "EditLog", fields: { ...before.fields, ...next.fields } });
    default:
      return null;
  }
}

function mergedNewFlight(
  before: Extract<QueuedWrite, { call: "CreateFlight" | "AddFlight" }>,
  next: QueuedWrite,
): QueuedWrite | "nothing" | null {
  if (next.call === "DeleteFlight") return isUnsent(before) ? "nothing" : inPlaceOf(before, next, next);
  if (next.call !== "SaveFlight") return null;
  const { dpfId: _, ...typed } = next.fields.flight;
  if (before.call === "AddFlight") {
    if (!isUnsent(before)) return null;
    const flight = { ...before.fields.flight, ...withStart(typed, before.fields.flight.startTime) };
    const { startTime } = before.fields.flight;
    const start = movedStart({ ...before.fields, startTime }, flight.startTime);
    return inPlaceOf(before, next, { call: "AddFlight", fields: { ...before.fields, ...start, flight } });
  }
  if (next.fields.endFlight) {
    return inPlaceOf(before, next, asFinishedFlight(before, typed, next.fields.endInstant));
  }
  if (!isUnsent(before)) return null;
  const { startTime, ...others } = typed;
  const fields = {
    ...before.fields,
    flight: { ...before.fields.flight, ...others },
    ...(startTime && { startTime, ...movedStart(before.fields, startTime) }),
  };
  return inPlaceOf(before, next, { call: "CreateFlight", fields });
}

function withStart(fields: FlightFields, startTime: string) {
  return { ...fields, startTime: fields.startTime || startTime };
}

function movedStart(start: Parameters<typeof movedInstant>[0], corrected: string) {
  const startInstant = movedInstant(start, corrected);
  return startInstant === null ? {} : { startInstant };
}

function endOf(endInstant: string | null | undefined) {
  return endInstant ? { endInstant } : {};
}

/** AddFlight instead of CreateFlight: adds a finished flight, and finishes it if the server has it as open. */
export function asFinishedFlight(
  { fields: { config, flight, dpfId, ...start } }: Extract<QueueableWrite, { call: "CreateFlight" }>,
  typed: FlightFields,
  ended?: string | null,
): Extract<QueueableWrite, { call: "AddFlight" }> {
  const all = withStart({ ...flight, ...typed }, start.startTime ?? "");
  const instants = { ...movedStart(start, all.startTime), ...endOf(ended) };
  return { call: "AddFlight", fields: { config, flight: all, dpfId: dpfId ?? null, ...instants } };
}

/** An edit of all conflicting fields replaces the conflict: the pilot has seen the server's values. */
function resolvingConflict({ problem, seq }: QueuedWrite, next: QueuedWrite): QueuedWrite | null {
  const typed = editedFields(next) ?? {};
  const left = problem?.kind === "clash" ? problem.clashes.filter(({ field }) => !(field in typed)) : [];
  return left.length === 0 ? { ...next, seq } : null;
}

/** Merges two edits; the base is that of the first. */
function mergedEdits(before: QueuedWrite, next: QueuedWrite, both: QueueableWrite): QueuedWrite {
  return { ...inPlaceOf(before, next, both), base: { ...next.base, ...before.base } };
}

/** The server's values after this write, which are the base of the next edit. */
function fieldsSentBy(entry: QueuedWrite): QueuedWrite["base"] {
  switch (entry.call) {
    case "CreateFlight":
      return { ...entry.fields.flight, startTime: entry.fields.startTime };
    case "AddFlight":
      return { ...entry.fields.flight };
    default:
      return editedFields(entry) ?? {};
  }
}

/** Replaces an earlier write by another one with a new request id. */
function inPlaceOf(before: QueuedWrite, next: QueuedWrite, queued: QueueableWrite): QueuedWrite {
  const wasSent = before.state === "waiting" && before.tries > 0;
  return {
    ...before,
    ...queued,
    base: isUnsent(before) ? before.base : { ...before.base, ...fieldsSentBy(before) },
    requestId: next.requestId,
    tries: 0,
    retryAt: 0,
    isMaybeThere: before.isMaybeThere || (before.call === "CreateFlight" && wasSent),
    state: "waiting",
    problem: null,
  };
}

/** Most writes that are sent at once. */
const maxAtOnce = 6;

/** The next writes to send, which don't depend on each other; pictures come last and one by one. */
export function writesToSend(entries: readonly QueuedWrite[], now: number): QueuedWrite[] {
  const isReady = (entry: QueuedWrite, at: number) =>
    entry.state === "waiting" &&
    entry.retryAt <= now &&
    !entries.slice(0, at).some((earlier) => follows(entry, earlier));
  const next: QueuedWrite[] = [];
  for (const [at, entry] of entries.entries()) {
    if (!isImageUpload(entry) && isReady(entry, at)) next.push(entry);
    if (next.length === maxAtOnce) break;
  }
  return next.length > 0 ? next : entries.filter(isReady).slice(0, 1);
}

/** Replaces a write by others, or removes it. */
export function replaced(
  entries: readonly QueuedWrite[],
  { seq }: QueuedWrite,
  ...by: QueuedWrite[]
): QueuedWrite[] {
  return entries.flatMap((entry) => (entry.seq === seq ? by : [entry]));
}

export function removed(entries: readonly QueuedWrite[], entry: QueuedWrite): QueuedWrite[] {
  const rest = replaced(entries, entry);
  const isFlightsFirst = entry.call === "CreateFlight" || entry.call === "AddFlight";
  return isFlightsFirst ? rest.filter(({ subject }) => subject !== entry.subject) : rest;
}

/** The write as a new request, as it is or with other fields. */
export function asNewRequest(entry: QueuedWrite, queued: QueueableWrite = entry): QueuedWrite {
  const fresh = { requestId: newId(), tries: 0, retryAt: 0, state: "waiting", problem: null } as const;
  return { ...entry, ...queued, ...fresh };
}

/** Sets writes back to waiting whose tab was closed while sending; whether they arrived is unknown. */
export function resetInterrupted(entries: readonly QueuedWrite[]): QueuedWrite[] {
  return entries.map((entry) => (entry.state === "sending" ? { ...entry, state: "waiting" } : entry));
}

const pausesMs = [5_000, 15_000, 60_000, 300_000];

/** A failed request; `status` is null without any answer. */
export type Failure = { status: number | null; text: string; field?: string | null };

/** Calls that delete or undo. A 403 counts as success: the object is gone already. */
const undoingCalls: ReadonlySet<QueueableCall> = new Set([
  "DeleteFlight",
  "DeleteLog",
  "DeleteBatteryReading",
  "Undo",
]);

/** Whether a start was refused because somebody else flies one of its items. */
export function isInUse(text: string): boolean {
  return text.includes(inOpenFlight);
}

/** What the server says when the pilot may no longer change something that is there. */
const lostRights: ReadonlySet<string> = new Set([rightMissing, noMemberAnyMore]);

/** The write after a failure; null when it counts as done. */
export function afterFailure(entry: QueuedWrite, failure: Failure, now: number): QueuedWrite | null {
  const { status, text, field = null } = failure;
  if (status === null || status === 401 || status === 408 || status === 429 || status >= 500) {
    const pause = pausesMs[Math.min(entry.tries, pausesMs.length) - 1] ?? 0;
    return { ...entry, state: "waiting", retryAt: status === 401 ? 0 : now + pause };
  }
  if (status === 403 && undoingCalls.has(entry.call)) return null;
  // Finished on another device: the values become an edit.
  if (status === 409 && entry.call === "SaveFlight" && entry.fields.endFlight) {
    return asNewRequest(entry, { call: "SaveFlight", fields: { ...entry.fields, endFlight: false } });
  }
  if (status === 403 && !lostRights.has(text)) return asStuck(entry, { kind: "gone", text });
  const isOther = status === 409 && entry.call === "CreateFlight" && !isInUse(text);
  return asStuck(entry, isOther ? { kind: "open", text } : { kind: "refused", text, field });
}

export function asStuck(entry: QueuedWrite, problem: Problem): QueuedWrite {
  return { ...entry, state: "stuck", problem, isMaybeThere: false };
}

/** The server refuses a start that is older. */
const longestOpenMs = 30 * 24 * 3_600_000;

/** The write as the server accepts it now: a flight that started too long ago is sent as finished. */
export function asSendable(entry: QueuedWrite, now: number): QueuedWrite {
  const isOld = entry.call === "CreateFlight" && now - entry.madeAt > longestOpenMs;
  return isOld ? ({ ...entry, ...asFinishedFlight(entry, {}) } as QueuedWrite) : entry;
}

/**
 * What is left to send after a success. A flight that existed already may have been finished on another device: values
 * that differ become an edit, except for a start that nobody has typed.
 */
export function afterAnswer(entry: QueuedWrite, answer: unknown): QueuedWrite | null {
  if (entry.call !== "AddFlight" || !(entry.isMaybeThere || entry.tries > 1)) return null;
  const stored = answer as QueuedWrite["base"];
  const base: QueuedWrite["base"] = { ...entry.flight, ...entry.base };
  const left = Object.entries(entry.fields.flight).filter(
    ([field, value]) =>
      !isSameValue(value, stored[field]) && !(field === "startTime" && isSameValue(value, base[field])),
  );
  if (left.length === 0) return null;
  const flight = { ...Object.fromEntries(left), dpfId: entry.object };
  const edit = asNewRequest(entry, { call: "SaveFlight", fields: { flight, endFlight: false } });
  return { ...edit, isMaybeThere: false, base };
}

/**
 * The edit after the pilot's choices, based on the server's values that were shown; null when nothing is left of it.
 */
export function withChoices(edit: QueuedWrite, conflicts: readonly Conflict[]): QueuedWrite | null {
  const seen = Object.fromEntries(conflicts.map(({ field, there }) => [field, there]));
  const values = Object.fromEntries(
    conflicts.map(({ field, here, there, choice }) => [field, choice === "here" ? here : there]),
  );
  const base = { ...edit.base, ...seen };
  const typed = { ...editedFields(edit), ...values };
  const isNothing = Object.entries(typed).every(([field, value]) => isSameValue(value, base[field]));
  return isNothing ? null : { ...asNewRequest(edit, withFieldsEdited(edit, typed)), base };
}

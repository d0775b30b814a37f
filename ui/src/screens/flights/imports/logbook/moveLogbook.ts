// Sends a logbook to the server, part by part. Sending an accepted part again changes nothing, so that any interruption
// can be resumed.
import { ApiError, NetworkFailure } from "../../../../api/client";
import type { Accepted } from "../../../../api/generated/Accepted";
import type { Import } from "../../../../api/generated/Import";
import type { Moved } from "../../../../api/generated/Moved";
import { newId } from "../../../../lib/ids";
import { hasMore } from "../review";
import type { Logbook } from "./archive";

/** Totals of the import so far, and messages about what was left out. */
export type Totals = { flights: number; moved: Moved; lacking: string[] };

export const noTotals: Totals = {
  flights: 0,
  moved: {
    items: 0,
    chargings: 0,
    readings: 0,
    sets: 0,
    logs: 0,
    documents: 0,
    images: 0,
    jobs: 0,
    prior: 0,
    missing: 0,
  },
  lacking: [],
};

/** Calls to the server. A repeated id is a repeated request. */
export type ServerCalls = {
  upload: (part: File, requestId: string) => Promise<Import>;
  accept: (dpfId: string, choices: string, requestId: string) => Promise<Accepted>;
  discard: (dpfId: string) => Promise<unknown>;
  /** Resolves when a retry makes sense: after a network failure, or when the server was busy. */
  wait: (isCut: boolean) => Promise<void>;
};

export type MoveListener = {
  /** Called when a part begins. */
  onPart: (place: number) => void;
  /** Called with the id of an import that was opened, and with null once it is over. */
  onImport: (dpfId: string | null) => void;
  onTotals: (totals: Totals) => void;
};

/** Progress of the move. Browsers store it: these keys stay. */
export type Progress = { place: number; came: Totals };

/** Sends the parts from a position on. Rejects on the first refusal, or when it is aborted. */
export async function moveLogbook(
  logbook: Pick<Logbook, "parts" | "part">,
  { place: from, came: totals }: Progress,
  calls: ServerCalls,
  { onPart, onImport, onTotals }: MoveListener,
  signal: AbortSignal,
): Promise<void> {
  for (let place = from; place < logbook.parts; place += 1) {
    onPart(place);
    const part = await logbook.part(place);
    for (let isOver = false; !isOver; ) {
      const found = await withRetry(calls, signal, (id) => calls.upload(part, id));
      onImport(found.dpfId);
      const accepted = await acceptAll(found, calls, signal);
      totals = withMore(totals, found, accepted);
      onImport(null);
      onTotals(totals);
      isOver = !hasMore(found) || accepted === null || isEmpty(accepted);
    }
  }
}

/** Accepts everything in an import that the server lacks; returns null if there is nothing. */
async function acceptAll(found: Import, calls: ServerCalls, signal: AbortSignal): Promise<Accepted | null> {
  const { dpfId } = found;
  if (dpfId === null) return null;
  const choices = choicesOf(found);
  if (choices.every(({ action }) => action === "skip")) {
    await withRetry(calls, signal, () => calls.discard(dpfId));
    return null;
  }
  return withRetry(calls, signal, (id) => calls.accept(dpfId, JSON.stringify(choices), id));
}

function choicesOf({ proposals, belongings }: Import): { key: string; action: "create" | "skip" }[] {
  return [
    ...proposals.map(({ key, ticked }) => ({
      key,
      action: ticked ? ("create" as const) : ("skip" as const),
    })),
    ...belongings.map(({ key }) => ({ key, action: "create" as const })),
  ];
}

/** Maximum number of tries: a lost network can also be a file that became unreadable. */
const maxTries = 10;

/** Repeats a call that got no answer or that the server was too busy for. */
async function withRetry<Answer>(
  { wait }: ServerCalls,
  signal: AbortSignal,
  ask: (requestId: string) => Promise<Answer>,
): Promise<Answer> {
  const requestId = newId();
  for (let tries = 1; ; tries += 1) {
    signal.throwIfAborted();
    try {
      return await ask(requestId);
    } catch (error) {
      const isCut = error instanceof NetworkFailure;
      const isBusy = error instanceof ApiError && [429, 502, 503, 504].includes(error.status);
      if ((!isCut && !isBusy) || tries === maxTries) throw error;
      await wait(isCut);
    }
  }
}

function withMore(totals: Totals, found: Import, accepted: Accepted | null): Totals {
  const said = found.omitted.map(({ reason }) => reason);
  const kinds = Object.keys(noTotals.moved) as (keyof Moved)[];
  return {
    flights: totals.flights + (accepted?.created.length ?? 0),
    moved: Object.fromEntries(
      kinds.map((kind) => [kind, (totals.moved[kind] ?? 0) + (accepted?.moved[kind] ?? 0)]),
    ) as Moved,
    // Each part repeats these messages.
    lacking: [...new Set([...totals.lacking, ...said])],
  };
}

function isEmpty({ created, moved: { missing: _, ...moved } }: Accepted): boolean {
  return created.length === 0 && Object.values(moved).every((count) => count === 0);
}

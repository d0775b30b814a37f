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
export type Came = { flights: number; moved: Moved; lacking: string[] };

export const nothingCame: Came = {
  flights: 0,
  moved: { items: 0, chargings: 0, readings: 0, sets: 0, logs: 0, documents: 0, images: 0, missing: 0 },
  lacking: [],
};

/** Calls to the server. A repeated id is a repeated request. */
export type Ways = {
  upload: (part: File, requestId: string) => Promise<Import>;
  accept: (dpfId: string, choices: string, requestId: string) => Promise<Accepted>;
  discard: (dpfId: string) => Promise<unknown>;
  /** Resolves when a retry makes sense: after a network failure, or when the server was busy. */
  wait: (isCut: boolean) => Promise<void>;
};

export type Told = {
  /** Called when a part begins. */
  onPart: (place: number) => void;
  /** Called with the id of an import that was opened, and with null once it is over. */
  onImport: (dpfId: string | null) => void;
  onCame: (came: Came) => void;
};

/** Progress of the move. */
export type Progress = { place: number; came: Came };

/** Sends the parts from a position on. Rejects on the first refusal, or when it is aborted. */
export async function moveLogbook(
  logbook: Pick<Logbook, "parts" | "part">,
  { place: from, came }: Progress,
  ways: Ways,
  { onPart, onImport, onCame }: Told,
  signal: AbortSignal,
): Promise<void> {
  for (let place = from; place < logbook.parts; place += 1) {
    onPart(place);
    const part = await logbook.part(place);
    for (let isOver = false; !isOver; ) {
      const found = await patiently(ways, signal, (id) => ways.upload(part, id));
      onImport(found.dpfId);
      const accepted = await takeOver(found, ways, signal);
      came = withMore(came, found, accepted);
      onImport(null);
      onCame(came);
      isOver = !hasMore(found) || accepted === null || isEmpty(accepted);
    }
  }
}

/** Accepts everything in an import that the server lacks; returns null if there is nothing. */
async function takeOver(found: Import, ways: Ways, signal: AbortSignal): Promise<Accepted | null> {
  const { dpfId } = found;
  if (dpfId === null) return null;
  const choices = choicesOf(found);
  if (choices.every(({ action }) => action === "skip")) {
    await patiently(ways, signal, () => ways.discard(dpfId));
    return null;
  }
  return patiently(ways, signal, (id) => ways.accept(dpfId, JSON.stringify(choices), id));
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
const mostTries = 10;

/** Repeats a call that got no answer or that the server was too busy for. */
async function patiently<Answer>(
  { wait }: Ways,
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
      if ((!isCut && !isBusy) || tries === mostTries) throw error;
      await wait(isCut);
    }
  }
}

function withMore(came: Came, found: Import, accepted: Accepted | null): Came {
  const said = found.omitted.map(({ reason }) => reason);
  const kinds = Object.keys(came.moved) as (keyof Moved)[];
  return {
    flights: came.flights + (accepted?.created.length ?? 0),
    moved: Object.fromEntries(
      kinds.map((kind) => [kind, came.moved[kind] + (accepted?.moved[kind] ?? 0)]),
    ) as Moved,
    // Each part repeats these messages.
    lacking: [...new Set([...came.lacking, ...said])],
  };
}

function isEmpty({ created, moved: { missing: _, ...moved } }: Accepted): boolean {
  return created.length === 0 && Object.values(moved).every((count) => count === 0);
}

// Starts a flight once, however often it is tried.
import { useMutation } from "@tanstack/react-query";
import { contentOf } from "../lib/drafts";
import { newId } from "../lib/ids";
import { rememberStart } from "../lib/justStarted";
import { wasQueued } from "../offline/queueState";
import { ApiError } from "./client";
import type { FlightConfig, StartFields } from "./flights";
import { perform, unansweredOf } from "./perform";
import { refetchOpenFlight } from "./session";

type NewFlight = {
  config: FlightConfig;
  flight: StartFields;
  /** The form or button, as it is named for its draft. */
  form: string;
  record: string;
  dpfId?: string;
};

/** Returns the new flight's dpfId, which may be that of an earlier press without an answer. */
export function useCreateFlight() {
  return useMutation({
    mutationFn: async ({ dpfId = newId(), ...start }: NewFlight) => {
      const before = await unansweredOf(start.form, start.record);
      if (before?.content !== contentOf(start.config)) return (await create(start, dpfId)).dpfId;
      const created = await create(start, before.object).catch(ifDeleted);
      if (created?.isWaiting) return created.dpfId;
      const openFlight = await refetchOpenFlight().catch(() => created?.dpfId);
      // If the flight was finished or deleted meanwhile, a new one is started.
      if (created !== null && created.dpfId === openFlight) return openFlight;
      return (await create(start, newId())).dpfId;
    },
    onSuccess: rememberStart,
  });
}

function ifDeleted(error: unknown): null {
  if (error instanceof ApiError && error.status === 403) return null;
  throw error;
}

async function create(
  { config, flight, form, record }: NewFlight,
  dpfId: string,
): Promise<{ dpfId: string; isWaiting: boolean }> {
  const press = { form, record, content: contentOf(config), object: dpfId, isUndo: false };
  const created = await perform("CreateFlight", { config, flight, dpfId }, dpfId, { press });
  const isWaiting = wasQueued(created);
  return { dpfId: isWaiting ? dpfId : (created ?? dpfId), isWaiting };
}

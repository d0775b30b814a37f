// Starts a flight once, however often it is tried.
import { useMutation } from "@tanstack/react-query";
import { newId } from "../lib/ids";
import { rememberStart } from "../lib/justStarted";
import { wasQueued } from "../offline/queueState";
import { ApiError } from "./client";
import type { FlightConfig, StartFields } from "./flights";
import { perform } from "./perform";
import { refetchOpenFlight } from "./session";

type NewFlight = { config: FlightConfig; flight: StartFields; dpfId: string; isRepeated: boolean };

/**
 * Returns the new flight's dpfId. `isRepeated`: a flight with the given id may exist already, from a request whose
 * answer was lost.
 */
export function useCreateFlight() {
  return useMutation({
    mutationFn: async ({ isRepeated, ...flight }: NewFlight) => {
      if (!isRepeated) return (await create(flight)).dpfId;
      const created = await create(flight).catch(ifDeleted);
      if (created?.isWaiting) return created.dpfId;
      const openFlight = await refetchOpenFlight().catch(() => created?.dpfId);
      // If the flight was finished or deleted meanwhile, a new one is started.
      if (created !== null && created.dpfId === openFlight) return openFlight;
      return (await create({ ...flight, dpfId: newId() })).dpfId;
    },
    onSuccess: rememberStart,
  });
}

function ifDeleted(error: unknown): null {
  if (error instanceof ApiError && error.status === 403) return null;
  throw error;
}

async function create(flight: Omit<NewFlight, "isRepeated">): Promise<{ dpfId: string; isWaiting: boolean }> {
  const created = await perform("CreateFlight", flight, flight.dpfId);
  const isWaiting = wasQueued(created);
  return { dpfId: isWaiting ? flight.dpfId : (created ?? flight.dpfId), isWaiting };
}

// The calls about flights: creating, reading, saving and deleting. What a flight changes elsewhere (equipment,
// statistics, the open flight of the session) is asked for again here; so is what a lost answer leaves unknown, so that
// trying again makes neither a second flight nor a dead end. Knows nothing of forms.
import { type InfiniteData, useInfiniteQuery, useMutation, useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import { cache } from "./cache";
import { ApiError, call, NetworkFailure } from "./client";
import { refreshEquipment } from "./equipment";
import type { Flight } from "./generated/Flight";
import type { FlightRow } from "./generated/FlightRow";
import type { Payload } from "./generated/Payload";
import { askOpenFlight, knowOpenFlight, refreshSession } from "./session";
import { refreshStatistics } from "./statistics";

const flightsKey = ["flights"] as const;
const listKey = [...flightsKey, "list"] as const;
const pagesKey = [...listKey, "pages"] as const;
const allKey = [...listKey, "all"] as const;
const flightKey = (dpfId: string) => [...flightsKey, "one", dpfId] as const;

/** As many as a slow phone puts on the screen without a pause. */
const pageSize = 60;

async function getFlights(limit?: number, before?: string | null): Promise<FlightRow[]> {
  // Without flights the answer is 204, which has no body.
  return (await call<FlightRow[] | undefined>("GetFlights", { limit, before })) ?? [];
}

/** The pages as one list; a flight that moved to another page in between isn't there twice. */
function joinPages({ pages }: InfiniteData<FlightRow[]>): FlightRow[] {
  return [...new Map(pages.flat().map((row) => [row.dpfId, row])).values()];
}

/** The flights, newest start first, page by page. They are kept for as long as the application is open. */
export function useFlights() {
  return useInfiniteQuery({
    queryKey: pagesKey,
    queryFn: ({ pageParam }) => getFlights(pageSize, pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => (page.length < pageSize ? null : (page.at(-1)?.dpfId ?? null)),
    select: joinPages,
    gcTime: Number.POSITIVE_INFINITY,
  });
}

/** All flights at once, newest start first: to look for some among them. */
export function useAllFlights(isWanted: boolean) {
  return useQuery({ queryKey: allKey, queryFn: () => getFlights(), enabled: isWanted });
}

/** The two flights with the newest start: the open one and the one before it. */
export function useLatestFlights() {
  return useQuery({ queryKey: [...listKey, "latest"], queryFn: () => getFlights(2, null) });
}

export function useFlight(dpfId: string) {
  return useQuery({
    queryKey: flightKey(dpfId),
    queryFn: () =>
      getFlight(dpfId).catch((error: unknown) => {
        // Deleted elsewhere: the list doesn't lead there again.
        if (error instanceof ApiError && error.status === 403) dropFromLists(dpfId);
        throw error;
      }),
  });
}

export function getFlight(dpfId: string): Promise<Flight> {
  return call<Flight>("GetFlight", { dpfId });
}

export function refreshFlight(dpfId: string): void {
  cache.invalidateQueries({ queryKey: flightKey(dpfId) });
}

/** The flight's pictures as an answer about them tells. */
export function knowImages(dpfId: string, images: string[]): void {
  cache.setQueryData<Flight>(flightKey(dpfId), (flight) => flight && { ...flight, images });
}

function refreshWhatFlightsChange(): void {
  cache.invalidateQueries({ queryKey: listKey });
  refreshSession();
  refreshStatistics();
  refreshEquipment();
}

function isConflict(error: unknown): boolean {
  return error instanceof ApiError && error.status === 409;
}

export type FlightConfig = { copter: string; equipments: string[]; payloads: Payload[] };

/** Answers the new flight's dpfId. */
export function useCreateFlight() {
  const wasAnswerLost = useRef(false);
  return useMutation({
    mutationFn: async (config: FlightConfig) => {
      try {
        return await call<string>("CreateFlight", { config: JSON.stringify(config) });
      } catch (error) {
        if (error instanceof NetworkFailure) wasAnswerLost.current = true;
        // The flight may be there all the same; then the session has it as the open one.
        const mayBeThere = wasAnswerLost.current && (error instanceof NetworkFailure || isConflict(error));
        const openFlight = mayBeThere ? await askOpenFlight().catch(() => null) : null;
        if (openFlight === null) throw error;
        return openFlight;
      }
    },
    onSuccess: (dpfId) => {
      knowOpenFlight(() => dpfId);
      refreshWhatFlightsChange();
    },
    onError: (error) => {
      if (isConflict(error)) refreshSession();
      else refreshEquipment();
    },
  });
}

/** Fields that are present are set ("" clears), absent ones stay. */
export type FlightFields = Partial<Record<keyof Flight, string | number | null>>;

export function useSaveFlight(dpfId: string) {
  const wasAnswerLost = useRef(false);
  return useMutation({
    mutationFn: async ({ fields, endFlight }: { fields: FlightFields; endFlight: boolean }) => {
      const flight = JSON.stringify({ ...fields, dpfId });
      try {
        return await call<Flight>("SaveFlight", { flight, endFlight });
      } catch (error) {
        if (error instanceof NetworkFailure) wasAnswerLost.current = true;
        // Finished by the try whose answer was lost: what remains is to save.
        if (!(endFlight && wasAnswerLost.current && isConflict(error))) throw error;
        return await call<Flight>("SaveFlight", { flight, endFlight: false });
      }
    },
    onSuccess: (flight) => {
      wasAnswerLost.current = false;
      cache.setQueryData(flightKey(dpfId), flight);
      if (!flight.open) knowOpenFlight((openFlight) => (openFlight === dpfId ? null : openFlight));
      refreshWhatFlightsChange();
    },
    onError: (error) => {
      // Finished elsewhere.
      if (!isConflict(error)) return;
      refreshSession();
      cache.invalidateQueries({ queryKey: flightKey(dpfId) });
    },
  });
}

export function useDeleteFlight(dpfId: string) {
  return useMutation({
    mutationFn: () => call("DeleteFlight", { dpfId }),
    onSuccess: () => {
      knowOpenFlight((openFlight) => (openFlight === dpfId ? null : openFlight));
      // At once: the list that is shown next must not begin with a row that vanishes, and the focus with it.
      dropFromLists(dpfId);
      refreshWhatFlightsChange();
    },
  });
}

function dropFromLists(dpfId: string): void {
  cache.setQueryData<InfiniteData<FlightRow[]>>(
    pagesKey,
    (list) => list && { ...list, pages: list.pages.map((page) => withoutFlight(page, dpfId)) },
  );
  cache.setQueryData<FlightRow[]>(allKey, (rows) => rows && withoutFlight(rows, dpfId));
}

function withoutFlight(rows: FlightRow[], dpfId: string): FlightRow[] {
  return rows.filter((row) => row.dpfId !== dpfId);
}

/** When the page of a deleted flight is gone: asking for it again would answer 403. */
export function forgetFlight(dpfId: string): void {
  cache.removeQueries({ queryKey: flightKey(dpfId) });
}

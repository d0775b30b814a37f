// The calls about flights: creating, reading, saving and deleting. A flight that is read, saved or deleted is updated
// in the lists at once; everything else that depends on it (equipment, statistics, the open flight of the session) is
// refetched. Knows no forms.
import { type InfiniteData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { flightCreatedHere, untilQueueLoaded, useQueueState, withQueued } from "../offline/queueState";
import { keyOf, refreshOne, setCached, updateCached, useAnswer } from "./answers";
import { cache } from "./cache";
import { ApiError, call, type Fields } from "./client";
import { refreshEquipment } from "./equipment";
import { callWithFallback } from "./fallback";
import { type FlightsPage, withFlight } from "./flightLists";
import type { Flight } from "./generated/Flight";
import type { FlightRow } from "./generated/FlightRow";
import type { Payload } from "./generated/Payload";
import { isReachable } from "./reachability";
import { refreshSession, setCachedOpenFlight } from "./session";
import { refreshStatistics } from "./statistics";

/** As many as a slow phone renders without a pause. */
const pageSize = 60;

/** As many of the newest flights can be opened without network. */
const prefetchCount = 5;

/** Enough to know the places where a pilot flies, and what with. */
const latestCount = 30;

type Part = Fields<"GetFlights">;

const pages: Part = { limit: pageSize };
const all: Part = {};
const latest: Part = { limit: latestCount };

/** A list of flights as a whole. */
function listQuery(part: Part) {
  return { queryKey: keyOf("GetFlights", part), queryFn: () => fetchFlights(part) };
}

/** With what waits for the network. */
function useList(part: Part, isWanted = true) {
  const state = useQueueState();
  const select = (rows: FlightRow[]) => withQueued("GetFlights", part, rows, state);
  return useQuery({ ...listQuery(part), enabled: isWanted, select });
}

async function fetchFlights(part: Part): Promise<FlightRow[]> {
  // Without flights the answer is 204, which has no body.
  return (await callWithFallback("GetFlights", part, () => call("GetFlights", part))) ?? [];
}

/** Of the lists of all flights, or of one flight's neighbours. */
function isListOf(kind: "all" | "neighbours") {
  return ({ queryKey: [name, part] }: { queryKey: readonly unknown[] }) => {
    if (name !== "GetFlights") return false;
    const { equipment, limit } = part as Part;
    return equipment == null && (limit === 1) === (kind === "neighbours");
  };
}

function refreshLists(): void {
  cache.invalidateQueries({ predicate: isListOf("all") });
  cache.invalidateQueries({ predicate: isListOf("neighbours") });
}

async function fetchPage(before: string | null, equipment?: string): Promise<FlightsPage> {
  const rows = await fetchFlights({ limit: pageSize, before, ...(equipment && { equipment }) });
  // Without network the shorter list stands in.
  const isCut = !isReachable() && rows.length === latestCount;
  return { rows, isLast: rows.length < pageSize && !isCut };
}

/**
 * The pages as one list, with what waits for the network; a flight that moved to another page in between is in it once.
 */
function useJoinedPages(equipment: string | null) {
  const { overlay, entries } = useQueueState();
  return ({ pages }: InfiniteData<FlightsPage>): FlightRow[] => {
    const all = overlay?.pagesWithQueued(pages, equipment, entries) ?? pages;
    return [...new Map(rowsOf(all).map((row) => [row.dpfId, row])).values()];
  };
}

/** The flight after which the next page begins; null after the last page. */
function lastOf(last: FlightsPage, pages: FlightsPage[]): string | null {
  return last.isLast ? null : (rowsOf(pages).at(-1)?.dpfId ?? null);
}

function rowsOf(pages: FlightsPage[]): FlightRow[] {
  return pages.flatMap(({ rows }) => rows);
}

const newestPages = {
  queryKey: keyOf("GetFlights", pages),
  queryFn: ({ pageParam }: { pageParam: string | null }) => fetchPage(pageParam),
  initialPageParam: null as string | null,
  getNextPageParam: lastOf,
};

/** The flights, newest start first, page by page. */
export function useFlights(isWanted = true) {
  return useInfiniteQuery({ ...newestPages, enabled: isWanted, select: useJoinedPages(null) });
}

/** The flights that an item was on, newest start first, by pages. A change of any flight refetches the equipment. */
export function useFlightsOf(item: string, isWanted = true) {
  return useInfiniteQuery({
    queryKey: keyOf("GetFlights", { ...pages, equipment: item }),
    enabled: isWanted,
    queryFn: ({ pageParam }) => fetchPage(pageParam, item),
    initialPageParam: null as string | null,
    getNextPageParam: lastOf,
    select: useJoinedPages(item),
  });
}

/** All flights at once, newest start first: for searching. */
export function useAllFlights(isWanted: boolean) {
  return useList(all, isWanted);
}

/** The flights that began before and after one, the nearest; null at the ends. */
export function useFlightsBeside(dpfId: string, isWanted: boolean) {
  const before = useQuery({ ...listQuery({ before: dpfId, limit: 1 }), enabled: isWanted });
  const after = useQuery({ ...listQuery({ after: dpfId, limit: 1 }), enabled: isWanted });
  return { before: before.data?.[0]?.dpfId ?? null, after: after.data?.[0]?.dpfId ?? null };
}

/** The flights with the newest start. The open one, too. */
export function useLatestFlights() {
  return useList(latest);
}

export function useFlight(dpfId: string, { isWanted } = { isWanted: true }) {
  const state = useQueueState();
  return useQuery({
    queryKey: keyOf("GetFlight", { dpfId }),
    enabled: isWanted,
    select: (flight: Flight) => withQueued("GetFlight", { dpfId }, flight, state),
    queryFn: async () => {
      try {
        const flight = await loadedFlight(dpfId);
        patchLists(dpfId, rowOf(flight), { areNew: false });
        return flight;
      } catch (error) {
        // Deleted elsewhere: remove it from the lists.
        if (error instanceof ApiError && error.status === 403) patchLists(dpfId, null, { areNew: false });
        throw error;
      }
    },
  });
}

/** Where a flight flew; without points unless a file had them. */
export function useFlightTrack(dpfId: string) {
  return useAnswer("GetFlightTrack", { dpfId });
}

/** How a flight went; without rows unless a file says it. */
export function useFlightProfile(dpfId: string, isWanted: boolean) {
  return useAnswer("GetFlightProfile", { dpfId }, { enabled: isWanted, staleTime: Number.POSITIVE_INFINITY });
}

/** A flight that waits for the network is known here alone. */
async function loadedFlight(dpfId: string): Promise<Flight> {
  await untilQueueLoaded();
  return flightCreatedHere(dpfId) ?? fetchFlight(dpfId);
}

export function fetchFlight(dpfId: string): Promise<Flight> {
  return call("GetFlight", { dpfId });
}

export function refreshFlight(dpfId: string): void {
  refreshOne("GetFlight", { dpfId });
}

/** Updates the flight's pictures from an answer about them. */
export function setCachedImages(dpfId: string, images: string[]): void {
  const flight = updateCached("GetFlight", { dpfId }, (flight) => ({ ...flight, images }));
  if (flight) patchLists(dpfId, rowOf(flight), { areNew: false });
}

function rowOf(flight: Flight): FlightRow {
  return { ...flight, firstImage: flight.images[0] ?? null };
}

function refreshDependents(): void {
  refreshSession();
  refreshStatistics();
  refreshEquipment();
}

function isConflict(error: unknown): boolean {
  return error instanceof ApiError && error.status === 409;
}

export type FlightConfig = { copter: string; equipments: string[]; payloads: Payload[] };

/** The known fields of a flight that starts. */
export type StartFields = NonNullable<Fields<"CreateFlight">["flight"]>;

export function flightStarted(dpfId: string): void {
  setCachedOpenFlight(() => dpfId);
  refreshFlight(dpfId);
  refreshLists();
  refreshDependents();
}

/** Another flight is open, or this one is and its answer was lost. */
export function flightNotStarted(error: unknown): void {
  refreshSession();
  if (!isConflict(error)) refreshEquipment();
}

/** Loads what the pilot may look at when the network is gone. */
export async function prefetchFlights(): Promise<void> {
  await cache.prefetchQuery({
    queryKey: keyOf("GetAllEquipments", {}),
    queryFn: () => call("GetAllEquipments"),
  });
  const rows = await cache.fetchQuery(listQuery(latest)).catch(() => []);
  await cache.prefetchInfiniteQuery(newestPages);
  for (const { dpfId } of rows.slice(0, prefetchCount)) await prefetchFlight(dpfId);
}

/** Loads a flight before its page is opened. Without an answer the page loads it. */
export async function prefetchFlight(dpfId: string): Promise<void> {
  await cache.prefetchQuery({ queryKey: keyOf("GetFlight", { dpfId }), queryFn: () => loadedFlight(dpfId) });
}

/** Fields that are present are set ("" clears), absent ones stay. */
export type FlightChanges = Omit<Fields<"SaveFlight">["flight"], "dpfId">;

/** Puts the answer into the lists. */
export function setCachedFlight(flight: Flight | undefined): void {
  if (!flight) return;
  const { dpfId } = flight;
  setCached("GetFlight", { dpfId }, flight);
  patchLists(dpfId, rowOf(flight));
  if (!flight.open) setCachedOpenFlight((openFlight) => (openFlight === dpfId ? null : openFlight));
  refreshDependents();
}

/** When it was finished elsewhere, it is asked for. */
export function flightNotSaved(error: unknown, dpfId: string): void {
  if (!isConflict(error)) return;
  refreshSession();
  refreshOne("GetFlight", { dpfId });
}

/** It ends the open flight of that id. */
export function flightAdded(flight: Flight | undefined): void {
  if (flight) {
    setCached("GetFlight", { dpfId: flight.dpfId }, flight);
    setCachedOpenFlight((openFlight) => (openFlight === flight.dpfId ? null : openFlight));
  }
  refreshLists();
  refreshDependents();
}

/** After flights came, changed or went by an import. */
export function refreshFlights(changed: readonly string[]): void {
  setCachedOpenFlight((openFlight) =>
    openFlight !== null && changed.includes(openFlight) ? null : openFlight,
  );
  for (const dpfId of changed) refreshFlight(dpfId);
  refreshLists();
  refreshDependents();
}

export function flightDeleted(dpfId: string): void {
  setCachedOpenFlight((openFlight) => (openFlight === dpfId ? null : openFlight));
  patchLists(dpfId, null);
  refreshDependents();
}

/**
 * Puts the flight, or null when it is deleted, into the cached lists. They then count as fresh; `areNew: false` leaves
 * them as stale as they are.
 */
function patchLists(dpfId: string, row: FlightRow | null, { areNew } = { areNew: true }): void {
  // A running request may bring older data.
  if (areNew) cache.cancelQueries({ predicate: isListOf("all") });
  function patch<List>(part: Part, changed: (list: List) => List): List | undefined {
    const key = keyOf("GetFlights", part);
    const state = cache.getQueryState<List>(key);
    if (state?.data === undefined) return undefined;
    const updatedAt = areNew ? Date.now() : state.dataUpdatedAt;
    cache.setQueryData<List>(key, changed(state.data), { updatedAt });
    return state.data;
  }
  patch<InfiniteData<FlightsPage>>(pages, (loaded) => ({
    ...loaded,
    pages: withFlight(loaded.pages, dpfId, row),
  }));
  patch<FlightRow[]>(all, (rows) => rowsOf(withFlight([{ rows, isLast: true }], dpfId, row)));
  const before = patch<FlightRow[]>(latest, (rows) => {
    const page = { rows, isLast: rows.length < latestCount };
    return rowsOf(withFlight([page], dpfId, row)).slice(0, latestCount);
  });
  const isOneMissing =
    cache.getQueryData<FlightRow[]>(listQuery(latest).queryKey)?.length === latestCount - 1;
  if (before?.length === latestCount && isOneMissing) refreshOne("GetFlights", latest);
  // Asked again when they are next shown: those of a deleted flight are nowhere.
  if (areNew) cache.invalidateQueries({ predicate: isListOf("neighbours"), refetchType: "none" });
}

/** Once the page of a deleted flight is closed: a refetch would answer 403. */
export function removeCachedFlight(dpfId: string): void {
  cache.removeQueries({ queryKey: keyOf("GetFlight", { dpfId }) });
}

// Flights: creating, reading, saving and deleting. An answer about a flight updates the cached lists at once;
// everything else that depends on it (equipment, statistics, the session's open flight) is refetched. Independent of
// forms.
import { type InfiniteData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { flightCreatedHere, untilQueueLoaded, useQueueState, withQueued } from "../offline/queueState";
import { keyOf, queryOf, refreshOne, setCached, updateCached, useAnswer } from "./answers";
import { cache } from "./cache";
import { ApiError, call, type Fields, sessionSignal } from "./client";
import { refreshEquipment } from "./equipment";
import { callWithFallback } from "./fallback";
import { type FlightsPage, withFlight } from "./flightLists";
import type { Flight } from "./generated/Flight";
import type { FlightRow } from "./generated/FlightRow";
import type { Payload } from "./generated/Payload";
import { isReachable } from "./reachability";
import { currentUser, refreshSession, setCachedOpenFlight } from "./session";
import { refreshStatistics } from "./statistics";

/** Rows that a slow phone renders without a pause. */
const pageSize = 60;

/** Number of newest flights that are prefetched. */
const prefetchCount = 5;

/** Enough to know where a pilot usually flies, and with which equipment. */
const latestCount = 30;

type Part = Fields<"GetFlights">;

const pages: Part = { limit: pageSize };
const all: Part = {};
const latest: Part = { limit: latestCount };

/** The query of a list that isn't paged. */
function listQuery(part: Part) {
  return { queryKey: keyOf("GetFlights", part), queryFn: () => fetchFlights(part) };
}

/** The rows of a list, with queued writes applied. */
function useList(part: Part, isWanted = true) {
  const state = useQueueState();
  const select = (rows: FlightRow[]) => withQueued("GetFlights", part, rows, state);
  return useQuery({ ...listQuery(part), enabled: isWanted, select });
}

async function fetchFlights(part: Part): Promise<FlightRow[]> {
  // Without flights the answer is 204, which has no body.
  return (await callWithFallback("GetFlights", part, () => call("GetFlights", part))) ?? [];
}

/** Matches the lists of all flights, or the lists of one flight's neighbours. */
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
  // Without network the shorter list of latest flights is the answer.
  const isCut = !isReachable() && rows.length === latestCount;
  return { rows, isLast: rows.length < pageSize && !isCut };
}

/**
 * Selects the pages as one list, with queued writes applied and without duplicates: a flight may move to another page
 * between two requests.
 */
function useJoinedPages(equipment: string | null) {
  const { overlay, entries } = useQueueState();
  return ({ pages }: InfiniteData<FlightsPage>): FlightRow[] => {
    const all = overlay?.pagesWithQueued(pages, equipment, entries) ?? pages;
    return [...new Map(rowsOf(all).map((row) => [row.dpfId, row])).values()];
  };
}

/** The cursor of the next page: the last row's id; null after the last page. */
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

export function useFlights(isWanted = true) {
  return useInfiniteQuery({ ...newestPages, enabled: isWanted, select: useJoinedPages(null) });
}

/** The flights of an item, newest start first, paged. Refetched with the equipment after any change of a flight. */
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

/** All flights, newest start first, in one list: for searching. */
export function useAllFlights(isWanted: boolean) {
  return useList(all, isWanted);
}

/** Ids of the flights that started just before and just after one; null at the ends. */
export function useFlightsBeside(dpfId: string, isWanted: boolean) {
  const before = useQuery({ ...listQuery({ before: dpfId, limit: 1 }), enabled: isWanted });
  const after = useQuery({ ...listQuery({ after: dpfId, limit: 1 }), enabled: isWanted });
  return { before: before.data?.[0]?.dpfId ?? null, after: after.data?.[0]?.dpfId ?? null };
}

/** The latest flights, newest start first, including the open one. */
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
        // Deleted on another device: remove it from the lists.
        if (error instanceof ApiError && error.status === 403) patchLists(dpfId, null, { areNew: false });
        throw error;
      }
    },
  });
}

/** The path of a flight; without points unless a file had them. */
export function useFlightTrack(dpfId: string) {
  return useAnswer("GetFlightTrack", { dpfId });
}

/** The values of a flight over time; without rows unless a file had them. */
export function useFlightProfile(dpfId: string, isWanted: boolean) {
  return useAnswer("GetFlightProfile", { dpfId }, { enabled: isWanted, staleTime: Number.POSITIVE_INFINITY });
}

/** Loads a flight: from the queue if it was created on this device and not sent yet. */
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

export function setCachedImages(dpfId: string, images: string[]): void {
  const flight = updateCached("GetFlight", { dpfId }, (flight) => ({ ...flight, images }));
  if (flight) patchLists(dpfId, rowOf(flight), { areNew: false });
}

function rowOf(flight: Flight): FlightRow {
  return { ...flight, firstImage: flight.images[0] ?? null, path: [] };
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

/** After a failed start: another flight is open, or this one is and its answer was lost. */
export function flightNotStarted(): void {
  refreshSession();
  refreshEquipment();
}

/** Prefetches what the pilot may look at without network, until the session ends. */
export async function prefetchFlights(): Promise<void> {
  const session = sessionSignal();
  await cache.prefetchQuery(queryOf("GetAllEquipments", {}));
  const rows = await cache.fetchQuery(listQuery(latest)).catch(() => []);
  const names = ["GetReminders", "GetBatteryHints", "GetMaintenance"] as const;
  const steps = [
    () => cache.prefetchInfiniteQuery(newestPages),
    ...rows.slice(0, prefetchCount).map(
      ({ dpfId }) =>
        () =>
          prefetchFlight(dpfId),
    ),
    ...names.map((name) => () => cache.prefetchQuery(queryOf(name, {}))),
  ];
  for (const step of steps) {
    // A session that was ended elsewhere has no user, and its signal isn't aborted.
    if (session.aborted || currentUser() === null) return;
    await step();
  }
}

/** Prefetches a flight. Failures are ignored: its page loads it again. */
export async function prefetchFlight(dpfId: string): Promise<void> {
  await cache.prefetchQuery({ queryKey: keyOf("GetFlight", { dpfId }), queryFn: () => loadedFlight(dpfId) });
}

/** Fields that are present are set ("" clears), absent ones stay. */
export type FlightChanges = Omit<Fields<"SaveFlight">["flight"], "dpfId">;

/** Updates the flight and the lists, then refetches what depends on them. */
export function setCachedFlight(flight: Flight | undefined): void {
  if (!flight) return;
  const { dpfId } = flight;
  setCached("GetFlight", { dpfId }, flight);
  patchLists(dpfId, rowOf(flight));
  if (!flight.open) setCachedOpenFlight((openFlight) => (openFlight === dpfId ? null : openFlight));
  refreshDependents();
}

/** After a conflict: the flight was finished on another device. */
export function flightNotSaved(error: unknown, dpfId: string): void {
  if (!isConflict(error)) return;
  refreshSession();
  refreshOne("GetFlight", { dpfId });
}

/** After a finished flight was added, which also ends the open flight with its id. */
export function flightAdded(flight: Flight | undefined): void {
  if (flight) {
    setCached("GetFlight", { dpfId: flight.dpfId }, flight);
    setCachedOpenFlight((openFlight) => (openFlight === flight.dpfId ? null : openFlight));
  }
  refreshLists();
  refreshDependents();
}

/** After flights were added, changed or deleted by an import. */
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
 * Inserts the flight, or removes it when `row` is null, in the cached lists. They then count as fresh; with `areNew:
 * false` their age stays.
 */
function patchLists(dpfId: string, row: FlightRow | null, { areNew } = { areNew: true }): void {
  // A running request may answer with older data.
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
  // Refetched when they are next shown, not now: the neighbours of a deleted flight are on no screen.
  if (areNew) cache.invalidateQueries({ predicate: isListOf("neighbours"), refetchType: "none" });
}

/** Called once the page of a deleted flight is closed: a refetch would answer 403. */
export function removeCachedFlight(dpfId: string): void {
  cache.removeQueries({ queryKey: keyOf("GetFlight", { dpfId }) });
}

// Answers while the server is unreachable, derived from other cached answers: a list from a longer one, an item from
// its list.

import { flightCreatedHere } from "../offline/queueState";
import { cache } from "./cache";
import { type Answer, type Callable, type Fields, NetworkFailure } from "./client";
import type { FlightsPage } from "./flightLists";
import type { AllEquipments } from "./generated/AllEquipments";
import type { Equipment } from "./generated/Equipment";
import type { FlightRow } from "./generated/FlightRow";
import { checkReachability, isReachable, onReachabilityChange } from "./reachability";

/** Stale answers are on screen: refetch once the server is reachable. */
let isStale = false;

onReachabilityChange(() => {
  if (!isReachable() || !isStale) return;
  isStale = false;
  cache.invalidateQueries();
});

/** Marks that stale answers are on screen, so that all are refetched once the server is reachable. */
export function markStale(): void {
  isStale = true;
}

/** Time after which a derived answer is shown and the server's is waited for behind it. */
const patienceMs = 3_000;

/**
 * Calls the server. Without an answer, and with nothing cached, derives one from other cached answers. A flight that is
 * only queued on this device gets empty answers: the server doesn't know it.
 */
export async function callWithFallback<Answered>(
  name: Callable,
  fields: object,
  ask: () => Promise<Answered>,
): Promise<Answered> {
  const nothing = emptyAnswers[name];
  if (nothing !== undefined && flightCreatedHere((fields as { dpfId: string }).dpfId) !== null)
    return nothing as Answered;
  const asked = ask();
  if (cache.getQueryData([name, fields]) !== undefined) return asked;
  try {
    return await Promise.race([asked, silence()]);
  } catch (error) {
    const isSilent = error instanceof Silence;
    if (isSilent) checkReachability();
    const derived = error instanceof NetworkFailure ? cachedAnswer(name, fields) : undefined;
    if (derived === undefined) return asked;
    markStale();
    if (isSilent) asked.then(() => cache.invalidateQueries({ queryKey: [name, fields] })).catch(() => {});
    return derived as Answered;
  }
}

class Silence extends NetworkFailure {}

function silence(): Promise<never> {
  return new Promise((_, reject) => setTimeout(() => reject(new Silence(patienceMs)), patienceMs));
}

const emptyAnswers: { [name in Callable]?: Answer<name> } = {
  GetFlightLogs: { name: "", logs: [] },
  GetFlightTrack: { points: [], files: [] },
};

function cachedAnswer(name: Callable, fields: object): unknown {
  switch (name) {
    case "GetEquipments": {
      const { type, deactivated } = fields as Fields<"GetEquipments">;
      const items = itemsInUse()?.filter((item) => item.type === type);
      return deactivated ? undefined : items;
    }
    case "GetEquipment":
      return allItems().find(({ dpfId }) => dpfId === (fields as Fields<"GetEquipment">).dpfId);
    // No list waits for hints: they follow.
    case "GetBatteryHints":
    case "GetMaintenance":
      return [];
    case "GetFlights":
      return newestFlights(fields as Fields<"GetFlights">);
    default:
      return undefined;
  }
}

function itemsInUse(): Equipment[] | undefined {
  const all = cache.getQueryData<AllEquipments>(["GetAllEquipments", {}]);
  return all && Object.values(all).flat();
}

/** All items in the cached lists. */
function allItems(): Equipment[] {
  const lists = cache
    .getQueriesData<Equipment[]>({ queryKey: ["GetEquipments"] })
    .map(([, list]) => list ?? []);
  return [...(itemsInUse() ?? []), ...lists.flat()];
}

/** The newest flights, from the longest cached list of all flights. */
function newestFlights({ equipment, before, after, limit }: Fields<"GetFlights">): FlightRow[] | undefined {
  if (equipment || before || after || !limit) return undefined;
  const ofAll = cachedFlights().flatMap(({ part, rows }) =>
    part.equipment || part.before || part.after ? [] : [rows],
  );
  const [longest] = ofAll.toSorted((one, other) => other.length - one.length);
  return longest?.slice(0, Number(limit));
}

/** A flight of the cached lists. */
export function cachedFlight(dpfId: string): FlightRow | undefined {
  return cachedFlights()
    .flatMap(({ rows }) => rows)
    .find((row) => row.dpfId === dpfId);
}

function cachedFlights(): { part: Fields<"GetFlights">; rows: FlightRow[] }[] {
  const lists = cache.getQueriesData<FlightRow[] | { pages: FlightsPage[] }>({ queryKey: ["GetFlights"] });
  return lists.flatMap(([[, part], list]) => {
    if (!list) return [];
    const rows = Array.isArray(list) ? list : list.pages.flatMap(({ rows }) => rows);
    return [{ part: part as Fields<"GetFlights">, rows }];
  });
}

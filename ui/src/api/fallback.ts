// What other answers that are kept say, while nobody answers: a list from a longer one, an item from its list.

import { flightCreatedHere } from "../offline/queueState";
import { cache } from "./cache";
import { type Answer, type Callable, type Fields, NetworkFailure } from "./client";
import type { FlightsPage } from "./flightLists";
import type { AllEquipments } from "./generated/AllEquipments";
import type { Equipment } from "./generated/Equipment";
import type { FlightRow } from "./generated/FlightRow";
import { isReachable, onReachabilityChange } from "./reachability";

/** Answered from others: asked for again once the server answers. */
let isStale = false;

onReachabilityChange(() => {
  if (!isReachable() || !isStale) return;
  isStale = false;
  cache.invalidateQueries();
});

/** Something is shown that the server didn't say now. */
export function markStale(): void {
  isStale = true;
}

/**
 * Asks, and answers from what is known when no answer comes and there is none yet. About a flight that waits here the
 * server knows nothing.
 */
export async function callWithFallback<Asked>(
  name: Callable,
  fields: object,
  ask: () => Promise<Asked>,
): Promise<Asked> {
  const nothing = emptyAnswers[name];
  if (nothing !== undefined && flightCreatedHere((fields as { dpfId: string }).dpfId) !== null)
    return nothing as Asked;
  try {
    return await ask();
  } catch (error) {
    const isNew = cache.getQueryData([name, fields]) === undefined;
    const known = error instanceof NetworkFailure && isNew ? cachedAnswer(name, fields) : undefined;
    if (known === undefined) throw error;
    markStale();
    return known as Asked;
  }
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

/** Of the lists that are kept. */
function allItems(): Equipment[] {
  const lists = cache
    .getQueriesData<Equipment[]>({ queryKey: ["GetEquipments"] })
    .map(([, list]) => list ?? []);
  return [...(itemsInUse() ?? []), ...lists.flat()];
}

/** Of all flights, from the longest list of them. */
function newestFlights({ equipment, before, after, limit }: Fields<"GetFlights">): FlightRow[] | undefined {
  if (equipment || before || after || !limit) return undefined;
  const lists = cache.getQueriesData<FlightRow[] | { pages: FlightsPage[] }>({ queryKey: ["GetFlights"] });
  const ofAll = lists.flatMap(([[, of], list]) => {
    const { equipment, before, after } = of as Fields<"GetFlights">;
    if (!list || equipment || before || after) return [];
    return [Array.isArray(list) ? list : list.pages.flatMap(({ rows }) => rows)];
  });
  const [longest] = ofAll.toSorted((one, other) => other.length - one.length);
  return longest?.slice(0, Number(limit));
}

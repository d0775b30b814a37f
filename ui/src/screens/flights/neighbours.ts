// The flights before and after one, in the order of the list that it was opened from. The flight's address contains the
// list's filters, so that a reload keeps its neighbours.
import { useEffect } from "react";
import { useSearchParams } from "react-router";
import { useAllFlights, useFlights, useFlightsBeside, useFlightsOf } from "../../api/flights";
import type { FlightRow } from "../../api/generated/FlightRow";
import { itemParameter } from "../../urls";
import { flightsIn, isNarrowed, isNewestFirst, openFirst, type Sort, viewOf } from "./listView";

/** dpfIds of the neighbours; null at the ends. `isByTime`: they are the earlier and the later flight. */
export type Neighbours = { before: string | null; after: string | null; isByTime: boolean };

/** Returns the neighbours of a flight in `rows`, which are in the list's order. The earlier flight is `before`. */
export function neighboursOf(rows: readonly FlightRow[], dpfId: string, sort: Sort): Neighbours {
  const isByTime = sort.column === "startTime";
  const at = rows.findIndex((row) => row.dpfId === dpfId);
  const above = rows[at - 1]?.dpfId ?? null;
  const below = at === -1 ? null : (rows[at + 1]?.dpfId ?? null);
  return isNewestFirst(sort)
    ? { before: below, after: above, isByTime }
    : { before: above, after: below, isByTime };
}

export function useNeighbours(dpfId: string): Neighbours {
  const [parameters] = useSearchParams();
  const view = viewOf(parameters);
  const item = parameters.get(itemParameter) ?? "";
  const isWhole = !isNarrowed(view) && isNewestFirst(view.sort);
  const pages = useFlights(item === "" && isWhole);
  const ofItem = useFlightsOf(item, item !== "");
  const query = item === "" ? pages : ofItem;
  const rows = query.data ?? [];
  const isFound = rows.some((row) => row.dpfId === dpfId);
  // An old flight that was opened without a list.
  const isFarBack = query.data !== undefined && !isFound && query.hasNextPage;
  const beside = useFlightsBeside(dpfId, item === "" && isWhole && isFarBack);
  const all = useAllFlights(item === "" && !isWhole);
  const isLast = rows.at(-1)?.dpfId === dpfId;
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = query;
  const isMoreWanted = hasNextPage && !isFetchNextPageError && (isLast || (item !== "" && isFarBack));
  useEffect(() => {
    if (isMoreWanted && !isFetchingNextPage) fetchNextPage();
  }, [isMoreWanted, isFetchingNextPage, fetchNextPage]);
  if (item === "" && isWhole && isFarBack) {
    return { ...beside, isByTime: true };
  }
  const known = isWhole || item !== "" ? rows : (all.data ?? []);
  return neighboursOf(
    item === "" ? (isWhole ? openFirst(known) : flightsIn(known, view)) : known,
    dpfId,
    view.sort,
  );
}

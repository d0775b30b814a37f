// The list of all flights, the open one on top: a table on wide windows, cards on phones. By default, newest first,
// older flights are loaded while scrolling; searching, sorting and printing load all. listView has the rules of
// searching and sorting.

import { type ReactNode, useMemo, useState } from "react";
import { useNavigate, useSearchParams } from "react-router";
import { useAllFlights, useFlights } from "../../api/flights";
import type { FlightRow } from "../../api/generated/FlightRow";
import { useCachedUser } from "../../api/session";
import { ButtonLink } from "../../components/Button";
import type { IconName } from "../../components/icons";
import { LogbookButton } from "../../components/logbook/LogbookButton";
import { Menu } from "../../components/Menu";
import { Page, useGoBack } from "../../components/Page";
import { EmptyState, QueryView, Skeleton } from "../../components/states";
import { flights } from "../../components/texts/flights";
import { useMedia } from "../../components/useMedia";
import { usePrinting } from "../../components/usePrinting";
import { urls } from "../../urls";
import { DropToImport, usePickToImport } from "./imports/DropToImport";
import { ListHead } from "./ListHead";
import {
  flightsIn,
  isNarrowed,
  isNewestFirst,
  type ListView,
  openFirst,
  parametersOf,
  viewOf,
} from "./listView";
import { MoreFlights, Rows } from "./Rows";
import { filter } from "./texts";
import { useIsWide } from "./useIsWide";

export function FlightList() {
  const goBack = useGoBack(urls.home);
  const isWide = useIsWide();
  // A phone on its side: the filters are beside the title.
  const isLow = useMedia("(height < 30rem) and (width >= 40rem)") && !isWide;
  const { head, rows } = useList(isWide);
  const actions = (
    <>
      {isLow && head}
      <PastFlights isWide={isWide} />
      <Current />
    </>
  );
  return (
    <Page title={flights.title} onBack={goBack} actions={actions} isShort>
      <DropToImport />
      <div className="stack">
        {!isLow && head}
        {rows}
      </div>
    </Page>
  );
}

/** Starts a flight, or ends the open one. */
function Current() {
  const openFlight = useCachedUser()?.openFlight ?? null;
  return openFlight === null ? (
    <ButtonLink to={urls.flightConfig} variant="primary" icon="start">
      {flights.start}
    </ButtonLink>
  ) : (
    <ButtonLink to={urls.finishFlight(openFlight)} variant="running" icon="finish">
      {flights.finish}
    </ButtonLink>
  );
}

/** Links for entering past flights. On phones they are in a menu, where files can be chosen at once. */
const pastFlightLinks: { id: string; text: string; icon: IconName; to: string }[] = [
  { id: "import", text: flights.importWay, icon: "upload", to: urls.importFlights },
  { id: "add", text: flights.add, icon: "history", to: urls.addFlight },
];

function PastFlights({ isWide }: { isWide: boolean }) {
  const navigate = useNavigate();
  const { pick, picker } = usePickToImport();
  if (!isWide) {
    const entries = pastFlightLinks.map(({ to, ...way }) => ({
      ...way,
      onAction: way.id === "import" ? pick : () => navigate(to),
    }));
    return (
      <>
        <Menu entries={entries} />
        <input ref={picker} type="file" hidden multiple />
      </>
    );
  }
  return pastFlightLinks.map(({ id, text, icon, to }) => (
    <ButtonLink key={id} to={to} icon={icon}>
      {text}
    </ButtonLink>
  ));
}

/** Shorter lists need no search. */
const minToFilter = 6;

/** Returns the filter fields and the list. */
function useList(isWide: boolean): { head: ReactNode; rows: ReactNode } {
  const [parameters, setParameters] = useSearchParams();
  const view = viewOf(parameters);
  const isPrinting = usePrinting();
  const [isAllWanted, setAllWanted] = useState(false);
  const isWhole = !isNarrowed(view) && isNewestFirst(view.sort);
  const paged = useFlights();
  const hasMore = paged.data === undefined || paged.hasNextPage;
  const all = useAllFlights(hasMore && (isAllWanted || !isWhole));
  const known = hasMore ? all.data : paged.data;
  const found = useMemo(() => known && flightsIn(known, viewOf(parameters)), [known, parameters]);
  const skeleton = <Skeleton count={6} height={isWide ? 3 : 9} />;

  // Replaces the history entry: Back leads to the previous screen, not through earlier searches.
  function changeView(change: Partial<ListView>) {
    // Read from the address itself, because the last change may not be rendered yet.
    const current = viewOf(new URLSearchParams(window.location.search));
    setParameters(parametersOf({ ...current, ...change }), { replace: true, preventScrollReset: true });
  }
  const table = {
    isPrinting,
    isWide: isWide || isPrinting,
    sort: view.sort,
    onSort: (sort: ListView["sort"]) => changeView({ sort }),
  };
  const hasHead = !isWhole || (paged.data !== undefined && paged.data.length >= minToFilter);
  const head = hasHead && (
    <ListHead
      view={view}
      onChange={changeView}
      all={known}
      shown={found}
      isLoading={all.isFetching}
      hasSort={!isWide}
      onAllWanted={async () => {
        setAllWanted(true);
        if (hasMore && all.data === undefined) await all.refetch();
      }}
    />
  );
  const rows = isWhole ? (
    <QueryView query={paged} failure={flights.listFailed} skeleton={skeleton}>
      {(rows) => (
        <>
          <Newest rows={rows} all={known} query={paged} table={table} />
          {!hasHead && rows.some(({ open }) => !open) && (
            <div>
              <LogbookButton />
            </div>
          )}
        </>
      )}
    </QueryView>
  ) : (
    <QueryView
      query={{ data: found, error: all.error, refetch: all.refetch }}
      failure={flights.listFailed}
      skeleton={skeleton}
    >
      {(rows) => <Found rows={rows} hasAny={known?.length !== 0} table={table} />}
    </QueryView>
  );
  return { head, rows };
}

type Table = Omit<Parameters<typeof Rows>[0], "rows" | "hasMore">;

/** The default list: newest first, without filters. */
function Newest({
  rows,
  all,
  query,
  table,
}: {
  rows: FlightRow[];
  /** Null until they are loaded. */
  all: FlightRow[] | undefined;
  query: ReturnType<typeof useFlights>;
  table: Table;
}) {
  const { isPrinting } = table;
  const listed = isPrinting ? (all ?? rows) : rows;
  const shown = useMemo(() => openFirst(listed), [listed]);
  return (
    <>
      {isPrinting && all === undefined && <p>{filter.printedPart(rows.length)}</p>}
      <Rows rows={shown} hasMore={query.hasNextPage && listed !== all} {...table} />
      {query.hasNextPage && !isPrinting && <MoreFlights query={query} />}
    </>
  );
}

function Found({
  rows,
  hasAny,
  table,
}: {
  rows: FlightRow[];
  /** Whether there are any flights. */
  hasAny: boolean;
  table: Table;
}) {
  if (hasAny && rows.length === 0) return <EmptyState icon="search">{filter.none}</EmptyState>;
  return <Rows rows={rows} {...table} />;
}

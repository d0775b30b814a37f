// The rows of the flight list, as a table or cards. Back restores the scroll position. useShownBlocks decides which
// rows are rendered.
import { type RefObject, useEffect, useMemo, useRef } from "react";
import { NavigationType, useLocation, useNavigationType } from "react-router";
import type { useFlights } from "../../api/flights";
import type { FlightRow } from "../../api/generated/FlightRow";
import { Button, ButtonLink } from "../../components/Button";
import { EmptyState, ErrorNote } from "../../components/states";
import { flights } from "../../components/texts/flights";
import { urls } from "../../urls";
import { lastOpenedFlight } from "./currentFlight";
import { daysOf, groupsOf } from "./days";
import { FlightCards } from "./FlightCards";
import { FlightTable } from "./FlightTable";
import type { Sort } from "./listView";
import styles from "./Rows.module.css";
import type { ListProps } from "./useShownBlocks";

type RowsProps = {
  rows: FlightRow[];
  /** Whether more flights follow. */
  hasMore?: boolean;
  isPrinting: boolean;
  isWide: boolean;
  sort: Sort;
  onSort: (sort: Sort) => void;
};

/** The rows, or a sentence if there are none. */
export function Rows({ rows, hasMore = false, isPrinting, isWide, sort, onSort }: RowsProps) {
  const isByDay = sort.column === "startTime";
  const days = useMemo(() => (isByDay ? daysOf(rows, !hasMore) : null), [rows, hasMore, isByDay]);
  const groups = useMemo(() => groupsOf(rows, days), [rows, days]);
  const current = lastOpenedFlight();
  const { search: view } = useLocation();
  const list = useRef<HTMLDivElement>(null);
  const opened = useRef(new Set<string>());
  const isBack = useNavigationType() === NavigationType.Pop;

  useEffect(() => {
    // Back returns to the opened flight, or to the top if it was deleted.
    if (!isBack || current === null) return;
    const link = list.current?.querySelector<HTMLElement>('[aria-current="true"]');
    (link ?? document.querySelector("h1"))?.focus({ preventScroll: true });
  }, [isBack, current]);

  // After the effects above: the focus needs a target after the last flight was deleted.
  if (rows.length === 0) {
    return (
      <EmptyState
        icon="flights"
        action={
          // On wide windows it is beside the title.
          !isWide && (
            <>
              <ButtonLink to={urls.importFlights} icon="upload">
                {flights.importWay}
              </ButtonLink>
              <ButtonLink to={urls.addFlight} icon="history">
                {flights.add}
              </ButtonLink>
            </>
          )
        }
      >
        {flights.empty}
      </EmptyState>
    );
  }
  const listProps: ListProps = {
    groups,
    hasMore,
    isPrinting,
    current,
    focused: isBack ? current : null,
    opened: opened.current,
    view,
  };
  return (
    <div ref={list}>
      {isWide ? <FlightTable {...listProps} sort={sort} onSort={onSort} /> : <FlightCards {...listProps} />}
    </div>
  );
}

/** Loads the next page when its end comes into sight. */
export function MoreFlights({ query }: { query: ReturnType<typeof useFlights> }) {
  const { fetchNextPage, isFetchNextPageError, isFetchingNextPage } = query;
  const end = useRef<HTMLDivElement>(null);
  useInView(end, () => {
    if (!isFetchingNextPage && !isFetchNextPageError) fetchNextPage();
  });
  if (isFetchNextPageError) {
    // Refetches all pages: the flight that the next page follows may be deleted.
    return <ErrorNote onRetry={() => query.refetch()}>{flights.listFailed}</ErrorNote>;
  }
  return (
    <div className={styles.more} ref={end}>
      <Button isBusy={isFetchingNextPage} onPress={() => fetchNextPage()}>
        {isFetchingNextPage ? flights.loadingMore : flights.more}
      </Button>
    </div>
  );
}

/** Calls `onInView` when the element comes near the window, and again after each change while it stays there. */
export function useInView(element: RefObject<HTMLElement | null>, onInView: () => void): void {
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => entries.some((entry) => entry.isIntersecting) && onInView(),
      { rootMargin: "600px" },
    );
    if (element.current) observer.observe(element.current);
    return () => observer.disconnect();
  });
}

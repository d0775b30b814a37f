// The rows of the flight list: as table or cards, never more at once than a slow phone can render, and restored to the
// same position by Back.
import { type RefObject, useEffect, useMemo, useRef, useState } from "react";
import { NavigationType, useLocation, useNavigationType } from "react-router";
import type { useFlights } from "../../api/flights";
import type { FlightRow } from "../../api/generated/FlightRow";
import { Button } from "../../components/Button";
import { EmptyState, ErrorNote } from "../../components/states";
import { flights } from "../../texts";
import { lastOpenedFlight } from "./currentFlight";
import { daysOf, groupsOf } from "./days";
import { FlightCards } from "./FlightCards";
import { FlightTable } from "./FlightTable";
import type { Sort } from "./listView";
import styles from "./Rows.module.css";

type RowsProps = {
  rows: FlightRow[];
  /** All that `rows` is a part of. */
  whole?: FlightRow[];
  /** Whether there are more than these. */
  hasMore?: boolean;
  isWide: boolean;
  sort: Sort;
  onSort: (sort: Sort) => void;
};

/** Shown when there are none. */
export function Rows({ rows, whole = rows, hasMore = false, isWide, sort, onSort }: RowsProps) {
  const isByDay = sort.column === "startTime";
  const days = useMemo(() => (isByDay ? daysOf(whole, !hasMore) : null), [whole, hasMore, isByDay]);
  const groups = useMemo(() => groupsOf(rows, days), [rows, days]);
  const current = lastOpenedFlight();
  const { search: view } = useLocation();
  const list = useRef<HTMLDivElement>(null);
  const isBack = useNavigationType() === NavigationType.Pop;

  useEffect(() => {
    // Back returns to the opened flight, or to the top when it was deleted.
    if (!isBack || current === null) return;
    const link = list.current?.querySelector<HTMLElement>('[aria-current="true"]');
    (link ?? document.querySelector("h1"))?.focus({ preventScroll: true });
  }, [isBack, current]);

  // Not before: after the deletion of the last flight the focus still needs a target.
  if (rows.length === 0) return <EmptyState icon="flights">{flights.empty}</EmptyState>;
  return (
    <div ref={list}>
      {isWide ? (
        <FlightTable groups={groups} current={current} view={view} sort={sort} onSort={onSort} />
      ) : (
        <FlightCards groups={groups} current={current} view={view} />
      )}
    </div>
  );
}

/** As many as a slow phone renders without a pause. */
const growth = 60;

/** The number of rows when the list was left, by its history entry. */
let left = { key: "", count: growth };

/** For flights that are all loaded: renders more while scrolling. */
export function GrowingRows(props: RowsProps) {
  const { key } = useLocation();
  const [count, setCount] = useState(left.key === key ? left.count : growth);
  const hasMore = count < props.rows.length;
  const end = useRef<HTMLDivElement>(null);
  useInView(end, () => setCount(count + growth));

  useEffect(() => {
    left = { key, count };
  }, [key, count]);

  return (
    <>
      <Rows {...props} whole={props.rows} rows={props.rows.slice(0, count)} />
      {hasMore && (
        <div className={styles.more} ref={end}>
          <Button onPress={() => setCount(count + growth)}>{flights.more}</Button>
        </div>
      )}
    </>
  );
}

/** Loads the page after the last one. */
export function MoreFlights({ query }: { query: ReturnType<typeof useFlights> }) {
  const { fetchNextPage, isFetchNextPageError, isFetchingNextPage } = query;
  const end = useRef<HTMLDivElement>(null);
  useInView(end, () => {
    if (!isFetchingNextPage && !isFetchNextPageError) fetchNextPage();
  });
  if (isFetchNextPageError) {
    // All pages anew: the flight that the next page follows may be gone.
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

/** Calls when the element comes near the window, and again after each change while it stays there. */
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

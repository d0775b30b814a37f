// The list of all flights, the open one on top: a table on wide windows, cards on phones. Older flights come as one
// scrolls. Knows nothing of a single flight's page.
import { type RefObject, useEffect, useRef } from "react";
import { NavigationType, useNavigationType } from "react-router";
import { useFlights } from "../../api/flights";
import type { FlightRow } from "../../api/generated/FlightRow";
import { useKnownUser } from "../../api/session";
import { Button, ButtonLink } from "../../components/Button";
import { ActionBar, Page, useGoBack } from "../../components/Page";
import { EmptyState, ErrorNote, QueryView, Skeleton } from "../../components/states";
import { flights } from "../../texts";
import { urls } from "../../urls";
import { lastOpenedFlight } from "./currentFlight";
import { FlightCards } from "./FlightCards";
import { FlightTable } from "./FlightTable";
import { useIsWide } from "./useIsWide";
import "./flights.css";

export function FlightList() {
  const isWide = useIsWide();
  const goBack = useGoBack(urls.home);
  const openFlight = useKnownUser()?.openFlight ?? null;
  const query = useFlights();
  const action =
    openFlight === null ? (
      <ButtonLink to={urls.flightConfig} variant="primary" icon="start" isLarge>
        {flights.start}
      </ButtonLink>
    ) : (
      <ButtonLink to={urls.finishFlight(openFlight)} variant="running" icon="finish" isLarge>
        {flights.finish}
      </ButtonLink>
    );
  return (
    <Page title={flights.title} onBack={goBack} {...(isWide && { actions: action })}>
      <div className="flight-list">
        <QueryView
          query={query}
          failure={flights.listFailed}
          skeleton={<Skeleton count={6} height={isWide ? 3 : 9} />}
        >
          {(rows) => <Rows rows={rows} isWide={isWide} />}
        </QueryView>
        {query.data && query.hasNextPage && <MoreFlights query={query} />}
      </div>
      {!isWide && <ActionBar>{action}</ActionBar>}
    </Page>
  );
}

function Rows({ rows, isWide }: { rows: FlightRow[]; isWide: boolean }) {
  const current = lastOpenedFlight();
  const list = useRef<HTMLDivElement>(null);
  const isBack = useNavigationType() === NavigationType.Pop;

  useEffect(() => {
    // Whoever comes back goes on where they left; when that flight is deleted, at the top.
    if (!isBack || current === null) return;
    const link = list.current?.querySelector<HTMLElement>('[aria-current="true"]');
    (link ?? document.querySelector("h1"))?.focus({ preventScroll: true });
  }, [isBack, current]);

  if (rows.length === 0) return <EmptyState icon="flights">{flights.empty}</EmptyState>;
  const sorted = [...rows.filter((row) => row.open), ...rows.filter((row) => !row.open)];
  return (
    <div ref={list}>
      {isWide ? (
        <FlightTable rows={sorted} current={current} />
      ) : (
        <FlightCards rows={sorted} current={current} />
      )}
    </div>
  );
}

function MoreFlights({ query }: { query: ReturnType<typeof useFlights> }) {
  const { fetchNextPage, isFetchNextPageError, isFetchingNextPage } = query;
  const end = useRef<HTMLDivElement>(null);
  useInView(end, () => {
    if (!isFetchingNextPage && !isFetchNextPageError) fetchNextPage();
  });
  if (isFetchNextPageError) {
    // From the start: the flight that the next page follows may be gone.
    return <ErrorNote onRetry={() => query.refetch()}>{flights.listFailed}</ErrorNote>;
  }
  return (
    <div className="flight-list-more" ref={end}>
      <Button isBusy={isFetchingNextPage} onPress={() => fetchNextPage()}>
        {isFetchingNextPage ? flights.loadingMore : flights.more}
      </Button>
    </div>
  );
}

/** Calls when the element comes near the window, and again after each change while it stays there. */
function useInView(element: RefObject<HTMLElement | null>, onInView: () => void): void {
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => entries.some((entry) => entry.isIntersecting) && onInView(),
      { rootMargin: "600px" },
    );
    if (element.current) observer.observe(element.current);
    return () => observer.disconnect();
  });
}

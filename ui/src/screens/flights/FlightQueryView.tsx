// Renders a flight once it is loaded. For a flight that is deleted or somebody else's it says so without retrying, and
// links to the list.
import type { ReactNode } from "react";
import { ApiError } from "../../api/client";
import type { useFlight } from "../../api/flights";
import type { Flight } from "../../api/generated/Flight";
import { ButtonLink } from "../../components/Button";
import { EmptyState, QueryView, Skeleton } from "../../components/states";
import { flights } from "../../components/texts/flights";
import { urls } from "../../urls";

export function FlightQueryView({
  query,
  children,
}: {
  query: ReturnType<typeof useFlight>;
  children: (flight: Flight) => ReactNode;
}) {
  const { error } = query;
  if (query.data === undefined && error instanceof ApiError && error.status === 403) {
    return (
      <EmptyState icon="warning" action={<ButtonLink to={urls.flights}>{flights.toList}</ButtonLink>}>
        <span role="alert">{flights.notYours}</span>
      </EmptyState>
    );
  }
  return (
    <QueryView query={query} failure={flights.loadFailed} skeleton={<Skeleton count={3} height={9} />}>
      {children}
    </QueryView>
  );
}

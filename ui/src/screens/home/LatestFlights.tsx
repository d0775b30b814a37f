// The newest finished flights, and the link to import flights from files: on phones, and where there are none yet.
import { Link } from "react-router";
import { useLatestFlights } from "../../api/flights";
import { ButtonLink } from "../../components/Button";
import { FlightLine } from "../../components/FlightLine";
import { Skeleton } from "../../components/states";
import { useMedia } from "../../components/useMedia";
import { formatDate, shortTime, wallClock } from "../../lib/dates";
import { flights, home } from "../../texts";
import { urls } from "../../urls";
import styles from "./LatestFlights.module.css";

/** Number of flights that fit beside the card of the next flight; phones show the first two. */
const maxFlights = 4;

export function LatestFlights() {
  const latest = useLatestFlights();
  const isWide = useMedia("(width >= 56rem)");
  // As high as the list that replaces it, so that nothing below moves.
  if (latest.isPending) return <Skeleton height={isWide ? 20.125 : 15} />;
  const flown = (latest.data ?? []).filter((flight) => !flight.open).slice(0, maxFlights);
  const importLink = (
    <ButtonLink to={urls.importFlights} icon="upload" variant={flown.length === 0 ? "secondary" : "quiet"}>
      {flights.importWay}
    </ButtonLink>
  );
  if (flown.length === 0) return importLink;
  const today = formatDate(wallClock());
  return (
    <section className={`card ${styles.latest}`} aria-labelledby="latest-title">
      <div className={styles.head}>
        <h2 id="latest-title">{home.latestFlights}</h2>
        <Link to={urls.flights}>{home.allFlights}</Link>
      </div>
      <ul className={styles.lines} aria-labelledby="latest-title">
        {flown.map((flight) => (
          <FlightLine
            key={flight.dpfId}
            flight={flight}
            to={urls.flight(flight.dpfId)}
            title={flight.copter.name}
            detail={[shortTime(flight.startTime, today), flight.location]
              .filter((text) => text !== "")
              .join(" · ")}
          />
        ))}
      </ul>
      {!isWide && importLink}
    </section>
  );
}

// A flight as one line that links to its page: two texts, its minutes, and its first picture if there is room.
import { useState } from "react";
import { Link } from "react-router";
import type { FlightRow } from "../api/generated/FlightRow";
import { formatQuantity } from "../lib/numbers";
import { flights } from "../texts";
import { imagePreviewUrl } from "../urls";
import styles from "./FlightLine.module.css";
import { Icon } from "./Icon";
import { WaitingMark } from "./WaitingMark";

export function FlightLine({
  flight,
  to,
  title,
  detail,
  hasPicture = false,
}: {
  flight: FlightRow;
  to: string;
  title: string;
  detail: string;
  hasPicture?: boolean;
}) {
  return (
    <li className={styles.item}>
      <Link className={styles.line} to={to}>
        {hasPicture && <Picture flight={flight} />}
        <span className={styles.texts}>
          <span className={styles.what}>
            <strong>{title}</strong>
            <span className={styles.detail}>{detail}</span>
          </span>
          <strong className={flight.open ? styles.running : styles.minutes}>
            {flight.open ? flights.running : formatQuantity(flight.flightTime, "min")}
          </strong>
          <WaitingMark of={flight.dpfId} />
        </span>
        <Icon name="chevron-right" />
      </Link>
    </li>
  );
}

/** The first picture; the drawing of a copter where there is none on this device. */
export function Picture({ flight: { firstImage } }: { flight: FlightRow }) {
  const [missing, setMissing] = useState<string | null>(null);
  if (firstImage === null || firstImage === missing) {
    return (
      <span className={styles.picture}>
        <Icon name="drone" />
      </span>
    );
  }
  return (
    <img
      className={styles.picture}
      src={imagePreviewUrl(firstImage)}
      alt=""
      width={48}
      height={48}
      loading="lazy"
      onError={() => setMissing(firstImage)}
    />
  );
}

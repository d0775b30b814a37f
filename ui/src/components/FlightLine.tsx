// A flight as one line that links to its page: its picture, two texts, and its minutes.
import { Link } from "react-router";
import type { FlightRow } from "../api/generated/FlightRow";
import { formatQuantity } from "../lib/numbers";
import { flights } from "../texts";
import styles from "./FlightLine.module.css";
import { FlightPicture } from "./FlightPicture";
import { Icon } from "./Icon";
import { WaitingMark } from "./WaitingMark";

export function FlightLine({
  flight,
  to,
  title,
  detail,
}: {
  flight: FlightRow;
  to: string;
  title: string;
  detail: string;
}) {
  return (
    <li className={styles.item}>
      <Link className={styles.line} to={to}>
        <FlightPicture flight={flight} />
        <span className={styles.texts}>
          <strong className={styles.title}>{title}</strong>
          <span className={styles.detail}>{detail}</span>
          <strong className={flight.open ? styles.running : undefined}>
            {flight.open ? flights.running : formatQuantity(flight.flightTime, "min")}
          </strong>
          <WaitingMark of={flight.dpfId} />
        </span>
        <Icon name="chevron-right" />
      </Link>
    </li>
  );
}

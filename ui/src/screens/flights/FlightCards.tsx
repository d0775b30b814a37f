// The flights as cards, for phones, with the values of the table's columns. The whole card is the link to its flight,
// except for the copter's button.
import { memo, useState } from "react";
import { Link } from "react-router";
import type { FlightRow } from "../../api/generated/FlightRow";
import { parseDateTime, weekday } from "../../lib/dates";
import { formatQuantity } from "../../lib/numbers";
import { flights } from "../../texts";
import { urls } from "../../urls";
import { CopterButton } from "./CopterButton";
import clamp from "./clamp.module.css";
import { EquipmentPanel } from "./EquipmentPanel";
import styles from "./FlightCards.module.css";
import { RunningBadge } from "./Running";

export function FlightCards({ rows, current }: { rows: FlightRow[]; current: string | null }) {
  return (
    <ul className={styles.cards} aria-label={flights.list}>
      {rows.map((row) => (
        <FlightCard key={row.dpfId} row={row} isCurrent={row.dpfId === current} />
      ))}
    </ul>
  );
}

const FlightCard = memo(function FlightCard({ row, isCurrent }: { row: FlightRow; isCurrent: boolean }) {
  const [isOpen, setOpen] = useState(false);
  const panelId = `equipment-${row.dpfId}`;
  const start = parseDateTime(row.startTime);
  const { labels } = flights;
  // An open flight has none yet.
  const hasFigures =
    !row.open ||
    [row.distance, row.maxDistance, row.speed, row.maximumAltitude].some((value) => value !== null);
  const state = row.open ? styles.running : isCurrent ? styles.current : "";
  return (
    <li className={`card ${styles.card} ${state}`}>
      <div className={styles.head}>
        <Link className={styles.link} to={urls.flight(row.dpfId)} aria-current={isCurrent}>
          <strong className={`${clamp.threeLines} ${styles.place} ${row.location === "" ? "quiet" : ""}`}>
            {row.location === "" ? flights.noLocation : row.location}
          </strong>
          <span className="quiet">
            {start && `${weekday(start)}, `}
            {row.startTime}
          </span>
        </Link>
        {row.open ? (
          <RunningBadge />
        ) : (
          row.flightTime !== null && (
            <strong className={styles.time}>
              <span className="visually-hidden">{labels.flightTime} </span>
              {formatQuantity(row.flightTime, "min")}
            </strong>
          )
        )}
      </div>
      {hasFigures && (
        <dl className={styles.figures}>
          <Figure label={labels.distance} value={formatQuantity(row.distance, "km")} />
          <Figure label={labels.maximumDistance} value={formatQuantity(row.maxDistance, "m")} />
          <Figure label={labels.speed} value={formatQuantity(row.speed, "km/h")} />
          <Figure label={labels.maximumAltitude} value={formatQuantity(row.maximumAltitude, "m")} />
        </dl>
      )}
      <CopterButton
        copter={row.copter.name}
        isOpen={isOpen}
        panelId={panelId}
        onToggle={() => setOpen(!isOpen)}
      />
      {isOpen && (
        <div id={panelId} className={styles.panel}>
          <EquipmentPanel flight={row} />
        </div>
      )}
    </li>
  );
});

function Figure({ label, value }: { label: string; value: string }) {
  return (
    <div className={styles.figure}>
      <dt>{label}</dt>
      <dd>{value}</dd>
    </div>
  );
}

// The flights as rows for phones, by day under their month: picture, copter, clock and place, minutes and kilometres. The
// whole row is the link to its flight, except for the button that shows the other values and the equipment.
import { memo, useState } from "react";
import { Link } from "react-router";
import type { FlightRow } from "../../api/generated/FlightRow";
import { Picture } from "../../components/FlightLine";
import { Icon } from "../../components/Icon";
import { formatDate, parseDateTime, wallClock, weekday } from "../../lib/dates";
import { formatQuantity } from "../../lib/numbers";
import { flights } from "../../texts";
import { urls } from "../../urls";
import clamp from "./clamp.module.css";
import type { Group } from "./days";
import { EquipmentPanel } from "./EquipmentPanel";
import styles from "./FlightCards.module.css";
import { RunningBadge } from "./Running";

export function FlightCards({
  groups,
  current,
  view,
}: {
  groups: Group[];
  current: string | null;
  /** The query of the list's address, which the flights keep. */
  view: string;
}) {
  return (
    <div className={styles.months}>
      {byMonth(groups).map(({ month, groups: own }) => (
        <section key={month} className={styles.month}>
          {month !== "" && <h2>{month}</h2>}
          <ul aria-label={flights.list}>
            {own.flatMap(({ day, rows }) =>
              rows.map((row, place) => (
                <FlightCard
                  key={row.dpfId}
                  row={row}
                  isCurrent={row.dpfId === current}
                  view={view}
                  isInDay={day !== null}
                  heading={place === 0 ? day?.short : undefined}
                  sums={place === 0 ? day?.sums : undefined}
                />
              )),
            )}
          </ul>
        </section>
      ))}
    </div>
  );
}

function byMonth(groups: Group[]): { month: string; groups: Group[] }[] {
  const months: { month: string; groups: Group[] }[] = [];
  for (const group of groups) {
    const month = group.day?.month ?? "";
    const last = months.at(-1);
    if (last?.month === month) last.groups.push(group);
    else months.push({ month, groups: [group] });
  }
  return months;
}

const FlightCard = memo(function FlightCard({
  row,
  isCurrent,
  view,
  isInDay,
  heading,
  sums,
}: {
  row: FlightRow;
  isCurrent: boolean;
  view: string;
  /** The day stands above. */
  isInDay: boolean;
  heading: string | undefined;
  sums: string | undefined;
}) {
  const [isOpen, setOpen] = useState(false);
  const panelId = `equipment-${row.dpfId}`;
  const { labels } = flights;
  const state = row.open ? styles.running : isCurrent ? styles.current : "";
  const action = isOpen ? flights.hideEquipment : flights.showEquipment;
  return (
    <li>
      {heading !== undefined && (
        <p className={styles.day}>
          <strong>{heading}</strong> <span className="quiet">{sums}</span>
        </p>
      )}
      <div className={`${styles.row} ${state}`}>
        <Picture flight={row} />
        <Link className={styles.link} to={urls.flight(row.dpfId) + view} aria-current={isCurrent}>
          <strong className={clamp.threeLines}>{row.copter.name}</strong>
          <span className={styles.when}>
            <Start time={row.startTime} isInDay={isInDay} /> · {row.location || flights.noLocation}
          </span>
        </Link>
        {row.open ? (
          <RunningBadge />
        ) : (
          <p className={styles.values}>
            <strong>{row.flightTime !== null && formatQuantity(row.flightTime, "min")}</strong>
            <span className="quiet">{row.distance !== null && formatQuantity(row.distance, "km")}</span>
          </p>
        )}
        <button
          type="button"
          className={styles.opener}
          aria-label={`${row.copter.name}, ${action}`}
          aria-expanded={isOpen}
          aria-controls={isOpen ? panelId : undefined}
          onClick={() => setOpen(!isOpen)}
        >
          <Icon name={isOpen ? "chevron-up" : "chevron-down"} />
        </button>
        {isOpen && (
          <div id={panelId} className={styles.panel}>
            <dl className={styles.figures}>
              <Figure label={labels.maximumDistance} value={formatQuantity(row.maxDistance, "m")} />
              <Figure label={labels.speed} value={formatQuantity(row.speed, "km/h")} />
              <Figure label={labels.maximumAltitude} value={formatQuantity(row.maximumAltitude, "m")} />
            </dl>
            <EquipmentPanel flight={row} />
          </div>
        )}
      </div>
    </li>
  );
});

/** Under its day, and of today, the clock is enough to see. */
function Start({ time, isInDay }: { time: string; isInDay: boolean }) {
  const start = parseDateTime(time);
  const isToday = time.startsWith(formatDate(wallClock()));
  if (!start || !(isInDay || isToday)) return <>{start ? `${weekday(start)}, ${time}` : time}</>;
  return (
    <>
      <span className="visually-hidden">{time.slice(0, 11)}</span>
      {time.slice(11)}
    </>
  );
}

function Figure({ label, value }: { label: string; value: string }) {
  return (
    <div className={styles.figure}>
      <dt>{label}</dt>
      <dd>{value}</dd>
    </div>
  );
}

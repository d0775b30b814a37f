// The flights as rows for phones, by day under their month: picture, copter, time and place, minutes and kilometres.
// The whole row links to its flight, except for the button that shows the other values and the equipment.
import { memo, useMemo, useRef } from "react";
import { Link } from "react-router";
import type { FlightRow } from "../../api/generated/FlightRow";
import { FlightPicture } from "../../components/FlightPicture";
import { Icon } from "../../components/Icon";
import { flights } from "../../components/texts/flights";
import { WaitingMark } from "../../components/WaitingMark";
import { formatDate, parseDateTime, wallClock, weekday } from "../../lib/dates";
import { formatQuantity } from "../../lib/numbers";
import { urls } from "../../urls";
import { type Block, blocksOf } from "./blocks";
import clamp from "./clamp.module.css";
import type { Day } from "./days";
import { EquipmentPanel } from "./EquipmentPanel";
import styles from "./FlightCards.module.css";
import { RunningBadge } from "./Running";
import { useOpened } from "./useOpened";
import { type ListProps, type ShownBlock, useShownBlocks } from "./useShownBlocks";

export function FlightCards({ groups, hasMore, isPrinting, current, focused, opened, view }: ListProps) {
  const list = useRef<HTMLDivElement>(null);
  const blocks = useMemo(() => blocksOf(groups, 1), [groups]);
  const { shown, isPart, after } = useShownBlocks({
    list,
    blocks,
    isPrinting,
    pinned: focused,
    estimate,
  });
  const size = hasMore ? -1 : blocks.length;
  return (
    <>
      <div ref={list} className={styles.months} data-part={isPart || undefined}>
        {byMonth(shown).map(({ month, shown: own }) => (
          <section key={month} className={styles.month}>
            {month !== "" && <h2>{month}</h2>}
            <ul aria-label={flights.list}>
              {own.flatMap(({ block, gap, measured }) =>
                block.rows.map((row) => (
                  <li
                    key={row.dpfId}
                    {...measured}
                    className={classOf(block, blocks[block.place - 1])}
                    style={gap > 0 ? { marginBlockStart: gap } : undefined}
                    aria-setsize={isPart ? size : undefined}
                    aria-posinset={isPart ? block.place + 1 : undefined}
                  >
                    <FlightCard
                      row={row}
                      isCurrent={row.dpfId === current}
                      opened={opened}
                      view={view}
                      day={block.day}
                      isFirst={block.isFirst}
                    />
                  </li>
                )),
              )}
            </ul>
          </section>
        ))}
      </div>
      {after > 0 && <div style={{ blockSize: after }} />}
    </>
  );
}

/** Estimates the height in px, with the heading of its day and of its month. */
function estimate(block: Block, before: Block | undefined): number {
  const heading = block.day && block.isFirst ? 34 : 0;
  return 65 + heading + (startsMonth(block, before) ? 40 : 0);
}

function startsMonth({ day }: Block, before: Block | undefined): boolean {
  return day !== null && day.month !== "" && day.month !== before?.day?.month;
}

function classOf(block: Block, before: Block | undefined): string | undefined {
  if (startsMonth(block, before)) return styles.underMonth;
  return block.isFirst ? undefined : styles.next;
}

function byMonth(shown: ShownBlock[]): { month: string; shown: ShownBlock[] }[] {
  const months: { month: string; shown: ShownBlock[] }[] = [];
  for (const one of shown) {
    const month = one.block.day?.month ?? "";
    const last = months.at(-1);
    if (last?.month === month) last.shown.push(one);
    else months.push({ month, shown: [one] });
  }
  return months;
}

const FlightCard = memo(function FlightCard({
  row,
  isCurrent,
  opened,
  view,
  day,
  isFirst,
}: {
  row: FlightRow;
  isCurrent: boolean;
  opened: Set<string>;
  view: string;
  /** The day in the heading above. */
  day: Day | null;
  /** Whether the block shows the day's heading. */
  isFirst: boolean;
}) {
  const { isOpen, toggle } = useOpened(row.dpfId, opened);
  const panelId = `equipment-${row.dpfId}`;
  const { labels } = flights;
  const state = row.open ? styles.running : isCurrent ? styles.current : "";
  const action = isOpen ? flights.hideEquipment : flights.showEquipment;
  return (
    <>
      {day && isFirst && (
        <p className={styles.day}>
          <strong>{day.short}</strong> <span className="quiet">{day.sums}</span>
        </p>
      )}
      <div className={`${styles.row} ${state}`}>
        <FlightPicture flight={row} />
        <Link
          className={`row-link ${styles.link}`}
          to={urls.flight(row.dpfId) + view}
          aria-current={isCurrent}
        >
          <strong className={clamp.threeLines}>{row.copter.name}</strong>
          <span className={styles.when}>
            <WaitingMark of={row.dpfId} />
            <Start time={row.startTime} isInDay={day !== null} /> · {row.location || flights.noLocation}
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
          onClick={toggle}
        >
          <Icon name={isOpen ? "chevron-up" : "chevron-down"} />
        </button>
        {isOpen && (
          <div id={panelId} className={styles.panel}>
            <dl className={styles.figures}>
              <Figure label={labels.distance} value={formatQuantity(row.distance, "km")} />
              <Figure label={labels.maximumDistance} value={formatQuantity(row.maxDistance, "m")} />
              <Figure label={labels.speed} value={formatQuantity(row.speed, "km/h")} />
              <Figure label={labels.maximumAltitude} value={formatQuantity(row.maximumAltitude, "m")} />
            </dl>
            <EquipmentPanel flight={row} />
          </div>
        )}
      </div>
    </>
  );
});

/** The start time. Under its day, and for today, only the time of day is visible. */
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
    <div>
      <dt>{label}</dt>
      <dd>{value}</dd>
    </div>
  );
}

// The flights as a table, for windows with room for eight columns. A row opens its flight: the keyboard uses the link
// in the first cell, the mouse can click anywhere in the row.
import { Fragment, type MouseEvent, memo, useMemo, useRef } from "react";
import { Link } from "react-router";
import type { FlightRow } from "../../api/generated/FlightRow";
import { FlightPicture } from "../../components/FlightPicture";
import { Icon } from "../../components/Icon";
import { flights } from "../../components/texts/flights";
import { WaitingMark } from "../../components/WaitingMark";
import { formatNumber } from "../../lib/numbers";
import { general } from "../../texts";
import { urls } from "../../urls";
import { type Block, blocksOf } from "./blocks";
import { CopterButton } from "./CopterButton";
import { EquipmentPanel } from "./EquipmentPanel";
import styles from "./FlightTable.module.css";
import { nextSort, type Sort, type SortColumn } from "./listView";
import { RunningBadge } from "./Running";
import { useOpened } from "./useOpened";
import { type ListProps, useShownBlocks } from "./useShownBlocks";

const { columns } = flights;
const columnCount = Object.keys(columns).length;

/** Maximum number of flights in a block; longer ones would be rendered for the few rows in sight. */
const maxInBlock = 20;

export function FlightTable({
  groups,
  hasMore,
  isPrinting,
  current,
  focused,
  opened,
  view,
  sort,
  onSort,
}: ListProps & { sort: Sort; onSort: (sort: Sort) => void }) {
  const list = useRef<HTMLTableElement>(null);
  const blocks = useMemo(() => blocksOf(groups, maxInBlock), [groups]);
  const { shown, isPart, after } = useShownBlocks({
    list,
    blocks,
    isPrinting,
    pinned: focused,
    estimate,
  });
  const last = blocks.at(-1);
  const rowCount = hasMore || !last ? -1 : 1 + last.days + last.place + last.rows.length;
  return (
    <div className={`card ${styles.frame}`} data-part={isPart || undefined}>
      <table ref={list} className={styles.table} aria-rowcount={isPart ? rowCount : undefined}>
        <caption className="visually-hidden">{flights.list}</caption>
        <thead>
          <tr aria-rowindex={isPart ? 1 : undefined}>
            {(Object.keys(columns) as SortColumn[]).map((column) => (
              <Head key={column} column={column} sort={sort} onSort={onSort} />
            ))}
          </tr>
        </thead>
        {shown.map(({ block: { key, day, isFirst, rows, place, days }, gap, measured }) => {
          const firstRow = 2 + days + place;
          return (
            <Fragment key={key}>
              <Spacer height={gap} />
              {/* biome-ignore lint/a11y/useKeyWithClickEvents: keyboards use the links in the first cells */}
              <tbody {...measured} onClick={openFlightOfRow}>
                {day && isFirst && (
                  <tr className={styles.day} aria-rowindex={isPart ? firstRow - 1 : undefined}>
                    <th scope="rowgroup" colSpan={columnCount}>
                      <strong>{day.heading}</strong> <span>{day.sums}</span>
                    </th>
                  </tr>
                )}
                {rows.map((row, index) => (
                  <TableRow
                    key={row.dpfId}
                    row={row}
                    rowIndex={isPart ? firstRow + index : undefined}
                    isCurrent={row.dpfId === current}
                    opened={opened}
                    view={view}
                    isInDay={day !== null}
                  />
                ))}
              </tbody>
            </Fragment>
          );
        })}
        <Spacer height={after} />
      </table>
    </div>
  );
}

/** Estimates the height in px, with the heading of its day. */
function estimate({ day, isFirst, rows }: Block): number {
  return 48 * rows.length + (day && isFirst ? 37 : 0);
}

/** Reserves the height of rows that aren't rendered. */
function Spacer({ height }: { height: number }) {
  if (height === 0) return null;
  return (
    <tbody aria-hidden="true">
      <tr style={{ blockSize: height }} />
    </tbody>
  );
}

function openFlightOfRow({ target }: MouseEvent<HTMLTableSectionElement>) {
  const isSelecting = window.getSelection()?.isCollapsed === false;
  if (!(target instanceof Element) || target.closest("a, button") || isSelecting) return;
  target.closest("tr")?.querySelector("a")?.click();
}

/** A column heading whose button sorts. "Max. Entfernung (m)" breaks only before its unit. */
function Head({ column, sort, onSort }: { column: SortColumn; sort: Sort; onSort: (sort: Sort) => void }) {
  const [text = "", unit] = columns[column].split(/ (?=\()/);
  const isSorted = sort.column === column;
  const direction = sort.isDescending ? "descending" : "ascending";
  return (
    <th scope="col" className={unit ? styles.number : undefined} aria-sort={isSorted ? direction : undefined}>
      <button type="button" className={styles.sort} onClick={() => onSort(nextSort(sort, column))}>
        <span>
          {text}
          {unit && (
            <>
              {" "}
              <span className={styles.unit}>{unit}</span>
            </>
          )}
        </span>
        {isSorted && <Icon name={sort.isDescending ? "arrow-down" : "arrow-up"} size={16} />}
      </button>
    </th>
  );
}

const TableRow = memo(function TableRow({
  row,
  rowIndex,
  isCurrent,
  opened,
  view,
  isInDay,
}: {
  row: FlightRow;
  /** Index of the row in a list that is rendered in part. */
  rowIndex: number | undefined;
  isCurrent: boolean;
  opened: Set<string>;
  view: string;
  /** Whether the day is in the heading above. */
  isInDay: boolean;
}) {
  const { isOpen, toggle } = useOpened(row.dpfId, opened);
  const panelId = `equipment-${row.dpfId}`;

  const state = row.open ? styles.running : isCurrent ? styles.current : "";
  return (
    <>
      <tr className={`${styles.row} ${state}`} aria-rowindex={rowIndex}>
        <td className={styles.start}>
          <FlightPicture flight={row} />
          <Link className={styles.link} to={urls.flight(row.dpfId) + view} aria-current={isCurrent}>
            {isInDay ? (
              <>
                <span className="visually-hidden">{row.startTime.slice(0, 11)}</span>
                {row.startTime.slice(11)}
              </>
            ) : (
              row.startTime
            )}
          </Link>
          {row.open && <RunningBadge />}
          <WaitingMark of={row.dpfId} />
        </td>
        <td className={styles.place}>
          <span title={row.location}>{row.location === "" ? general.empty : row.location}</span>
        </td>
        <td className={styles.number}>{formatNumber(row.distance)}</td>
        <td className={styles.number}>{formatNumber(row.maxDistance)}</td>
        <td className={styles.number}>{formatNumber(row.speed)}</td>
        <td className={styles.number}>{formatNumber(row.flightTime)}</td>
        <td className={styles.number}>{formatNumber(row.maximumAltitude)}</td>
        <td className={styles.copter}>
          <CopterButton copter={row.copter.name} isOpen={isOpen} panelId={panelId} onToggle={toggle} />
        </td>
      </tr>
      {isOpen && (
        <tr className={styles.panelRow}>
          <td colSpan={columnCount} id={panelId}>
            <EquipmentPanel flight={row} />
          </td>
        </tr>
      )}
    </>
  );
});

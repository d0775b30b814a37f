// The flights as a table, for windows with room for its eight columns. A row opens its flight: by keyboard with the
// link in the first cell, by mouse with a click anywhere else in the row.
import { type MouseEvent, memo, useState } from "react";
import { Link } from "react-router";
import type { FlightRow } from "../../api/generated/FlightRow";
import { Icon } from "../../components/Icon";
import { formatNumber } from "../../lib/numbers";
import { flights, general } from "../../texts";
import { urls } from "../../urls";
import { CopterButton } from "./CopterButton";
import clamp from "./clamp.module.css";
import type { Group } from "./days";
import { EquipmentPanel } from "./EquipmentPanel";
import styles from "./FlightTable.module.css";
import { nextSort, type Sort, type SortColumn } from "./listView";
import { RunningBadge } from "./Running";

const { columns } = flights;
const columnCount = Object.keys(columns).length;

export function FlightTable({
  groups,
  current,
  view,
  sort,
  onSort,
}: {
  groups: Group[];
  current: string | null;
  /** The query of the list's address, which the flights keep. */
  view: string;
  sort: Sort;
  onSort: (sort: Sort) => void;
}) {
  return (
    <div className={`card ${styles.frame}`}>
      <table className={styles.table}>
        <caption className="visually-hidden">{flights.list}</caption>
        <thead>
          <tr>
            {(Object.keys(columns) as SortColumn[]).map((column) => (
              <Head key={column} column={column} sort={sort} onSort={onSort} />
            ))}
          </tr>
        </thead>
        {groups.map(({ day, rows }) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: keyboards use the links in the first cells
          <tbody key={day?.date ?? rows[0]?.dpfId} onClick={openFlightOfRow}>
            {day && (
              <tr className={styles.day}>
                <th scope="rowgroup" colSpan={columnCount}>
                  <strong>{day.heading}</strong> <span>{day.sums}</span>
                </th>
              </tr>
            )}
            {rows.map((row) => (
              <TableRow
                key={row.dpfId}
                row={row}
                isCurrent={row.dpfId === current}
                view={view}
                isInDay={day !== null}
              />
            ))}
          </tbody>
        ))}
      </table>
    </div>
  );
}

function openFlightOfRow({ target }: MouseEvent<HTMLTableSectionElement>) {
  const isSelecting = window.getSelection()?.isCollapsed === false;
  if (!(target instanceof Element) || target.closest("a, button") || isSelecting) return;
  target.closest("tr")?.querySelector("a")?.click();
}

/** "Max. Entfernung (m)" breaks only before its unit. A press sorts. */
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
  isCurrent,
  view,
  isInDay,
}: {
  row: FlightRow;
  isCurrent: boolean;
  view: string;
  /** The day stands above. */
  isInDay: boolean;
}) {
  const [isOpen, setOpen] = useState(false);
  const panelId = `equipment-${row.dpfId}`;

  const state = row.open ? styles.running : isCurrent ? styles.current : "";
  return (
    <>
      <tr className={`${styles.row} ${state}`}>
        <td>
          <Link className={styles.link} to={urls.flight(row.dpfId) + view} aria-current={isCurrent}>
            {isInDay ? (
              <>
                <span className={styles.date}>{row.startTime.slice(0, 11)}</span>
                {row.startTime.slice(11)}
              </>
            ) : (
              row.startTime
            )}
          </Link>
          {row.open && <RunningBadge />}
        </td>
        <td className={styles.place}>
          <span className={clamp.threeLines}>{row.location === "" ? general.empty : row.location}</span>
        </td>
        <td className={styles.number}>{formatNumber(row.distance)}</td>
        <td className={styles.number}>{formatNumber(row.maxDistance)}</td>
        <td className={styles.number}>{formatNumber(row.speed)}</td>
        <td className={styles.number}>{formatNumber(row.flightTime)}</td>
        <td className={styles.number}>{formatNumber(row.maximumAltitude)}</td>
        <td className={styles.copter}>
          <CopterButton
            copter={row.copter.name}
            isOpen={isOpen}
            panelId={panelId}
            onToggle={() => setOpen(!isOpen)}
          />
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

// The flights of an import by day, one row each. Renders no more at once than a slow phone does without a pause.
import { useEffect, useRef, useState } from "react";
import type { Equipment } from "../../../api/generated/Equipment";
import type { Import } from "../../../api/generated/Import";
import { Button } from "../../../components/Button";
import { useInView } from "../Rows";
import { FlightRow, type RowHandlers } from "./FlightRow";
import styles from "./FlightRows.module.css";
import {
  alikeOf,
  byDay,
  dayText,
  isExport,
  originText,
  type Row,
  rowsForNewCopters,
  rowsForShifts,
} from "./review";
import { imports as texts } from "./texts";

/** The flight with a missing value; a new object for each request to focus it. */
export type FocusRequest = { key: string } | null;

const growth = 30;

export function FlightRows({
  found,
  rows,
  items,
  focusRequest,
  ...handlers
}: { found: Import; rows: Row[]; items: Equipment[]; focusRequest: FocusRequest } & RowHandlers) {
  const [grown, setGrown] = useState(growth);
  const end = useRef<HTMLDivElement>(null);
  const stable = useStable(handlers);
  const days = byDay(rows);
  const inOrder = days.flatMap((day) => day.rows);
  const count = Math.max(grown, inOrder.findIndex(({ proposal }) => proposal.key === focusRequest?.key) + 1);
  const newCopters = rowsForNewCopters(inOrder);
  const shifts = rowsForShifts(inOrder);
  const shown = new Set(inOrder.slice(0, count));
  function copterOfferOf(row: Row) {
    // Each flight of another Fluglog has the copter it has there.
    if (isExport(found, row.proposal.file)) return { origin: "", alike: "", alikeText: "" };
    const { keys, text } = alikeOf(row, rows);
    return { origin: originText(row, found, items), alike: keys.join(" "), alikeText: text };
  }
  useInView(end, () => setGrown(count + growth));

  useEffect(() => {
    if (focusRequest === null) return;
    const missing = document.querySelector<HTMLElement>(`[data-flight="${focusRequest.key}"] [data-missing]`);
    const target = missing?.querySelector<HTMLElement>("select, [role=spinbutton]");
    target?.scrollIntoView({ block: "center" });
    target?.focus({ preventScroll: true });
  }, [focusRequest]);

  return (
    <div className={`stack ${styles.days}`} data-asked={focusRequest === null ? undefined : ""}>
      {days
        .map((day) => ({ ...day, rows: day.rows.filter((row) => shown.has(row)) }))
        .filter((day) => day.rows.length > 0)
        .map(({ day, rows: own }) => (
          <section key={day}>
            <h2 className={styles.day}>{dayText(day)}</h2>
            <ul className={styles.rows}>
              {own.map((row) => (
                <FlightRow
                  key={row.proposal.key}
                  row={row}
                  items={items}
                  format={found.files[row.proposal.file]?.format ?? ""}
                  {...copterOfferOf(row)}
                  offersCopter={newCopters.has(row)}
                  offersShift={shifts.has(row)}
                  isAsked={focusRequest !== null}
                  handlers={stable}
                />
              ))}
            </ul>
          </section>
        ))}
      {count < inOrder.length && (
        <div ref={end} className={styles.more}>
          <Button onPress={() => setGrown(count + growth)}>{texts.more(inOrder.length - count)}</Button>
        </div>
      )}
    </div>
  );
}

/** Returns handlers with a fixed identity that call the latest ones, so that only changed rows are rendered again. */
function useStable(handlers: RowHandlers): RowHandlers {
  const latest = useRef(handlers);
  useEffect(() => {
    latest.current = handlers;
  });
  const [stable] = useState<RowHandlers>(() => ({
    onChange: (...change) => latest.current.onChange(...change),
    onCopter: (...choice) => latest.current.onCopter(...choice),
    onNewCopter: (row) => latest.current.onNewCopter(row),
    onDetails: (row) => latest.current.onDetails(row),
    onShift: (file) => latest.current.onShift(file),
  }));
  return stable;
}

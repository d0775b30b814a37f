// The head of the list of flights: their number and, on demand, the fields that filter and sort.

import { useId, useRef, useState } from "react";
import { useEquipments } from "../../api/equipment";
import type { FlightRow } from "../../api/generated/FlightRow";
import { Kind } from "../../api/generated/Kind";
import { useFlightMonths } from "../../api/statistics";
import { Button, buttonClass, IconButton } from "../../components/Button";
import { Icon } from "../../components/Icon";
import { ChoiceField, ListTools, SearchField } from "../../components/listTools";
import { LogbookButton } from "../../components/logbook/LogbookButton";
import { flights } from "../../components/texts/flights";
import { listTools } from "../../components/texts/listTools";
import { formatMinutes } from "../../lib/numbers";
import styles from "./ListHead.module.css";
import {
  coptersOf,
  isNarrowed,
  isNewestFirst,
  type ListView,
  type Sort,
  sortText,
  totalMinutes,
  viewOf,
  wholeList,
  yearsOf,
} from "./listView";
import { filter } from "./texts";

const texts = filter;

export function ListHead({
  view,
  onChange,
  all,
  shown,
  isLoading,
  hasSort,
  onAllWanted,
}: {
  view: ListView;
  onChange: (change: Partial<ListView>) => void;
  /** Undefined until all are loaded. */
  all: FlightRow[] | undefined;
  shown: FlightRow[] | undefined;
  /** Whether all flights are being loaded. */
  isLoading: boolean;
  /** Whether sorting is offered: cards have no column headings. */
  hasSort: boolean;
  onAllWanted: () => Promise<void>;
}) {
  const isChanged = isNarrowed(view) || !isNewestFirst(view.sort);
  const [isOpen, setOpen] = useState(isChanged);
  const panelId = useId();
  const head = useRef<HTMLDivElement>(null);
  const opener = useRef<HTMLButtonElement>(null);

  function toggle() {
    setOpen(!isOpen);
    if (!isOpen) onAllWanted();
  }
  // On a phone the button is below the fields; elsewhere its appearance moves nothing.
  const isResetBelow = isOpen && hasSort;
  const search = (
    <SearchField label={listTools.search} value={view.text} onChange={(text) => onChange({ text })} />
  );
  const reset = isChanged && (
    <Button
      variant="quiet"
      onPress={() => {
        onChange(wholeList);
        // The focused button disappears.
        (opener.current ?? head.current?.querySelector("input"))?.focus();
      }}
    >
      {listTools.reset}
    </Button>
  );
  async function print() {
    await onAllWanted();
    window.print();
  }
  return (
    <>
      {all && isNarrowed(view) && <p className={styles.filterText}>{filterText(view, all)}</p>}
      <div ref={head} className={hasSort ? `${styles.head} ${styles.narrow}` : styles.head}>
        {hasSort ? (
          <div className={styles.quick}>
            <NarrowFields view={view} onChange={onChange} all={all} />
          </div>
        ) : (
          <ListTools isBare>
            {search}
            <NarrowFields view={view} onChange={onChange} all={all} />
          </ListTools>
        )}
        <p className={`${styles.count} quiet`} role="status">
          {all && shown ? summary(shown, all) : isLoading && texts.loading}
        </p>
        {!isResetBelow && reset && <span className={styles.reset}>{reset}</span>}
        {!hasSort && (
          <span className={styles.print}>
            <LogbookButton isIcon />
            <IconButton icon="print" label={texts.print} onPress={print} />
          </span>
        )}
        {hasSort && <LogbookButton isIcon />}
        {hasSort && (
          <button
            ref={opener}
            type="button"
            className={`${buttonClass("secondary")} ${styles.opener}`}
            data-opens-search
            aria-expanded={isOpen}
            aria-controls={isOpen ? panelId : undefined}
            onClick={toggle}
          >
            <Icon name="filter" />
            <span>{texts.open}</span>
          </button>
        )}
      </div>
      {hasSort && isOpen && (
        <ListTools id={panelId}>
          {search}
          <SortField sort={view.sort} onSort={(sort) => onChange({ sort })} />
          <div className={styles.below}>
            <Button icon="print" onPress={print}>
              {texts.print}
            </Button>
            {isResetBelow && reset}
          </div>
        </ListTools>
      )}
    </>
  );
}

/** Year and copter. Their options are known before all flights are loaded. */
function NarrowFields({
  view,
  onChange,
  all,
}: {
  view: ListView;
  onChange: (change: Partial<ListView>) => void;
  all: FlightRow[] | undefined;
}) {
  const months = useFlightMonths().data ?? [];
  const active = useEquipments(Kind.Copter, false).data ?? [];
  const retired = useEquipments(Kind.Copter, true).data ?? [];
  const flown = [...active, ...retired].filter(({ lastFlight }) => lastFlight !== "");
  const years = all ? yearsOf(all) : [...new Set(months.map(({ month }) => month.slice(0, 4)))].reverse();
  const copters = all ? coptersOf(all) : flown;
  return (
    <>
      <ChoiceField
        label={texts.year}
        value={view.year}
        choices={withChosen(
          [{ value: "", text: texts.allYears }, ...years.map((year) => ({ value: year, text: year }))],
          view.year,
        )}
        onChange={(year) => onChange({ year })}
      />
      <ChoiceField
        label={texts.copter}
        value={view.copter}
        choices={withChosen(
          [
            { value: "", text: texts.allCopters },
            ...copters.map(({ dpfId, name }) => ({ value: dpfId, text: name })),
          ],
          view.copter,
        )}
        onChange={(copter) => onChange({ copter })}
      />
    </>
  );
}

/** Describes the active filters, for print. */
function filterText({ year, copter, text }: ListView, all: FlightRow[]): string {
  const name = coptersOf(all).find(({ dpfId }) => dpfId === copter)?.name ?? "";
  const quoted = text === "" ? "" : `„${text}“`;
  return [year, name, quoted].filter((part) => part !== "").join(" · ");
}

/** Formats "12 von 340 Flügen, 1 h 24 min". */
function summary(shown: FlightRow[], all: FlightRow[]): string {
  return `${texts.count(shown.length, all.length)}, ${formatMinutes(totalMinutes(shown))}`;
}

/** Adds the choice in the address as an option, even if no loaded flight has it. */
function withChosen(choices: { value: string; text: string }[], chosen: string) {
  if (choices.some(({ value }) => value === chosen)) return choices;
  return [...choices, { value: chosen, text: /^\d+$/.test(chosen) ? chosen : "…" }];
}

function SortField({ sort, onSort }: { sort: Sort; onSort: (sort: Sort) => void }) {
  const choices = Object.entries(texts.sorts).map(([value, text]) => ({ value, text }));
  const chosen = sortText(sort);
  if (!choices.some(({ value }) => value === chosen)) {
    choices.push({ value: chosen, text: texts.otherSort(flights.columns[sort.column], sort.isDescending) });
  }
  return (
    <ChoiceField
      isWide
      label={listTools.sort}
      value={chosen}
      choices={choices}
      onChange={(value) => onSort(viewOf(new URLSearchParams({ sortierung: value })).sort)}
    />
  );
}

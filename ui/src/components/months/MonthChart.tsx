// Flights by month, of a pilot or of an item: the last twelve months or one year, as two rows of bars; a table for
// screen readers.
import type { UseQueryResult } from "@tanstack/react-query";
import { useId, useState } from "react";
import type { FlightMonth } from "../../api/generated/FlightMonth";
import { endOfHours, formatMinutes, formatNumber } from "../../lib/numbers";
import { statistics } from "../../texts";
import { ChoiceField } from "../listTools";
import { Bars, Chart, Plot, PlotTable } from "../Plot";
import { QueryView, Skeleton } from "../states";
import styles from "./MonthChart.module.css";
import { lastMonths, monthsOf, totalOf, yearsOf } from "./months";

const texts = statistics.months;

type Heading = "h2" | "h3";

/** Nothing without flights. */
export function MonthChart({ query, heading }: { query: UseQueryResult<FlightMonth[]>; heading: Heading }) {
  return (
    <QueryView query={query} failure={statistics.failed} skeleton={<Skeleton height={21} />}>
      {(months) => months.length > 0 && <Months months={months} heading={heading} />}
    </QueryView>
  );
}

function Months({ months, heading: Title }: { months: FlightMonth[]; heading: Heading }) {
  const [year, setYear] = useState("");
  const titleId = useId();
  const years = yearsOf(months);
  const shown = year === "" ? lastMonths(months) : monthsOf(months, year);
  const { flights, minutes } = totalOf(shown);
  const range = texts.range(nameOf(shown.at(0)), nameOf(shown.at(-1)));
  const most = (values: number[]) => Math.max(1, ...values);
  const mostFlights = most(shown.map((month) => month.flights));
  const mostMinutes = most(shown.map((month) => month.minutes));
  const hours = endOfHours(mostMinutes);
  return (
    <Chart isCard labelledBy={titleId}>
      <div className={styles.head}>
        <figcaption>
          <Title id={titleId}>{texts.title}</Title>
          <p className="quiet">{`${texts.count(flights)}, ${formatMinutes(minutes)}`}</p>
        </figcaption>
        {months.length > shown.length && (
          <ChoiceField
            label={texts.period}
            value={year}
            choices={[
              { value: "", text: texts.lastMonths },
              ...years.map((value) => ({ value, text: value })),
            ]}
            onChange={setYear}
          />
        )}
      </div>
      <Plot
        title={texts.flights}
        about={texts.about(range, texts.count(flights), texts.count(mostFlights))}
        top={formatNumber(mostFlights)}
        bottom="0"
        height="low"
      >
        <Bars values={shown.map((month) => month.flights)} high={mostFlights} />
      </Plot>
      <Plot
        title={texts.minutes}
        about={texts.about(range, formatMinutes(minutes), formatMinutes(mostMinutes))}
        top={hours.text}
        bottom="0"
        height="tall"
      >
        <Bars values={shown.map((month) => month.minutes)} high={hours.high} />
      </Plot>
      <div className={styles.months} aria-hidden="true">
        {shown.map(({ month }) => (
          <span key={month}>{texts.short[monthOf(month)]}</span>
        ))}
      </div>
      <p className={styles.range} aria-hidden="true">
        {range}
      </p>
      <PlotTable
        caption={`${texts.title}, ${range}`}
        columns={[texts.month, texts.flights, texts.minutes]}
        rows={shown.map((month) => [
          nameOf(month),
          formatNumber(month.flights),
          formatMinutes(month.minutes),
        ])}
      />
    </Chart>
  );
}

/** 4 of "2026-05" */
function monthOf(month: string): number {
  return Number(month.slice(5)) - 1;
}

/** "Mai 2026" */
function nameOf(one: FlightMonth | undefined): string {
  return one === undefined ? "" : `${texts.long[monthOf(one.month)]} ${one.month.slice(0, 4)}`;
}

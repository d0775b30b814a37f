// Flight hours of each month beside those of the year before, or of each year; as a table for screen readers.
import { useId } from "react";
import type { Review } from "../../api/generated/Review";
import { Bars, Chart, Plot, PlotTable, plotSize, plotY, rounded } from "../../components/Plot";
import { endOfHours, formatMinutes, hoursText } from "../../lib/numbers";
import { statistics } from "../../texts";
import styles from "./Months.module.css";
import { strongestMonth } from "./review";
import { review as texts } from "./texts";

/** Maximum number of years whose names have room. */
const maxNames = 12;

type Column = { key: string; name: string; short: string; minutes: number; before: number | null };

function columnsOf({ months, monthsBefore, years }: Review, year: number | null): Column[] {
  if (year === null) {
    return years.map((one) => ({
      key: String(one.year),
      name: String(one.year),
      short: String(one.year),
      minutes: one.minutes,
      before: null,
    }));
  }
  return months.map(({ month, minutes }, position) => ({
    key: month,
    name: `${statistics.months.long[position]} ${year}`,
    short: statistics.months.short[position] ?? "",
    minutes,
    before: monthsBefore[position]?.minutes ?? null,
  }));
}

export function Months({ review, year }: { review: Review; year: number | null }) {
  const titleId = useId();
  const columns = columnsOf(review, year);
  const most = Math.max(...columns.flatMap(({ minutes, before }) => [minutes, before ?? 0]));
  if (most === 0 || columns.length < 2) return null;
  const { high, text: top } = endOfHours(most);
  const hasBefore = columns.some(({ before }) => before !== null);
  const title = year === null ? texts.yearsTitle : texts.monthsTitle;
  const shown = columns.length > maxNames ? [columns[0], columns.at(-1)] : columns;
  return (
    <Chart isCard labelledBy={titleId}>
      <figcaption className={styles.head}>
        <h2 id={titleId}>{title}</h2>
        {hasBefore && year !== null && (
          <span className={styles.legend} aria-hidden="true">
            <span className={styles.now}>{year}</span>
            <span className={styles.then}>{year - 1}</span>
          </span>
        )}
      </figcaption>
      <Plot title={texts.hours} about={texts.about(formatMinutes(most))} top={top} bottom="0" height="tall">
        <Bars values={columns.map(({ minutes }) => minutes)} high={high} />
        {hasBefore && <Before values={columns.map(({ before }) => before ?? 0)} high={high} />}
      </Plot>
      <div className={styles.names} aria-hidden="true">
        {shown.map((column) => column && <span key={column.key}>{column.short}</span>)}
      </div>
      <Strongest review={review} year={year} />
      <PlotTable
        caption={title}
        columns={[
          year === null ? texts.year : texts.month,
          texts.hours,
          ...(hasBefore && year !== null ? [String(year - 1)] : []),
        ]}
        rows={columns.map(({ name, minutes, before }) => [
          name,
          hoursText(minutes),
          ...(hasBefore ? [hoursText(before ?? 0)] : []),
        ])}
      />
    </Chart>
  );
}

/** A stroke at the height of the month a year before. */
function Before({ values, high }: { values: number[]; high: number }) {
  const step = plotSize / values.length;
  const strokes = values.map((value, position) => {
    const left = (position + 0.5) * step - step * 0.36;
    return value === 0 ? "" : `M${rounded(left)} ${plotY(value, { low: 0, high })}h${rounded(step * 0.72)}`;
  });
  return (
    <>
      <path className={styles.edge} d={strokes.join("")} />
      <path className={styles.before} d={strokes.join("")} />
    </>
  );
}

function Strongest({ review, year }: { review: Review; year: number | null }) {
  if (year === null) {
    const most = review.years.toSorted((a, b) => b.minutes - a.minutes)[0];
    return (
      most && <p className={styles.most}>{texts.strongestYear(most.year, formatMinutes(most.minutes))}</p>
    );
  }
  const most = strongestMonth(review);
  if (most === null) return null;
  const name = statistics.months.long[most.month] ?? "";
  const days = most.days === 1 ? "einem Tag" : `${most.days} Tagen`;
  return <p className={styles.most}>{texts.strongest(name, formatMinutes(most.minutes), days)}</p>;
}

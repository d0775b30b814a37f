// The head of the look back: the hours, the paths or else the growth, and the difference to the year before.
import type { Review } from "../../api/generated/Review";
import { Bouquet } from "../../components/Bouquet";
import { formatNumber, hoursText } from "../../lib/numbers";
import { kilometres } from "./picture";
import styles from "./ReviewStage.module.css";
import { type Line, lineOf, lineOfMonths, spanOf, sumOf } from "./review";
import { review as texts } from "./texts";

/** Size of the view box, stretched to the available room. */
const size = 100;

export function ReviewStage({ review, year, today }: { review: Review; year: number | null; today: string }) {
  const { span, until } = spanOf(review.days, year, today);
  const before = sumOf(review.monthsBefore);
  const most = Math.max(review.minutes, before);
  const days = review.days.length;
  const figures = [
    { label: texts.flightsWord(review.flights), value: formatNumber(review.flights) },
    { label: texts.daysWord(days), value: formatNumber(days) },
    ...(review.places.count > 0
      ? [{ label: texts.placesWord(review.places.count), value: formatNumber(review.places.count) }]
      : []),
    ...(review.distance > 0 ? [{ label: texts.distance, value: kilometres(review.distance) }] : []),
  ];
  return (
    <section className={styles.stage} aria-label={texts.inTheAir}>
      <div className={styles.words}>
        {review.name !== "" && <h2 className={styles.name}>{review.name}</h2>}
        <p className={styles.hours}>
          <strong>{hoursText(review.minutes)}</strong> <span>{texts.inTheAir}</span>
        </p>
        <p className={styles.before}>{comparison(review, year, before, today)}</p>
      </div>
      {review.paths.length > 0 ? (
        <div className={styles.paths}>
          <Bouquet paths={review.paths} />
        </div>
      ) : (
        <svg
          className={styles.curve}
          role="img"
          aria-label={texts.curve}
          viewBox={`0 0 ${size} ${size}`}
          preserveAspectRatio="none"
        >
          <Curve
            line={lineOf(review.days, span, until, most)}
            earlier={lineOfMonths(review.monthsBefore, most)}
          />
        </svg>
      )}
      <dl className={styles.figures}>
        {figures.map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function Curve({ line, earlier }: { line: Line; earlier: Line }) {
  const path = pathOf(line);
  const end = line.at(-1)?.x ?? 0;
  return (
    <>
      <path className={styles.area} d={`${path}L${size * end} ${size}Z`} />
      {earlier.length > 1 && <path className={styles.earlier} d={pathOf(earlier)} />}
      <path className={styles.line} d={path} />
    </>
  );
}

function pathOf(line: Line): string {
  const rounded = (value: number) => Math.round(value * 100) / 100;
  const points = line.map(({ x, y }) => `${rounded(x * size)} ${rounded(size * (1 - y))}`);
  return `M${points.join("L")}`;
}

function comparison({ minutes, years }: Review, year: number | null, before: number, today: string): string {
  if (year === null) return years[0] === undefined ? "" : texts.since(years[0].year);
  if (before === 0) return "";
  // An unfinished year isn't compared with a whole one.
  if (today.startsWith(String(year))) return texts.wholeYear(hoursText(before), year - 1);
  const more = Math.round(minutes) - Math.round(before);
  if (more === 0) return texts.same(year - 1);
  return (more > 0 ? texts.more : texts.less)(hoursText(more), year - 1);
}

// The days with a flight as a calendar, year by year. A touch or the arrows below select a day, which links to its
// flights.
import { type MouseEvent, useId, useState } from "react";
import { Link } from "react-router";
import type { Review } from "../../api/generated/Review";
import type { ReviewDay } from "../../api/generated/ReviewDay";
import { IconButton } from "../../components/Button";
import { useMedia } from "../../components/useMedia";
import { parseDate, weekday } from "../../lib/dates";
import { formatMinutes } from "../../lib/numbers";
import { useTheme } from "../../lib/theme";
import { statistics } from "../../texts";
import { urls } from "../../urls";
import styles from "./Days.module.css";
import {
  type Calendar,
  calendarOf,
  daysByYear,
  flownNear,
  germanDay,
  longestSeries,
  type ReviewView,
  type Square,
} from "./review";
import { review as texts } from "./texts";

/** Maximum distance of a touch from the day that it selects, in squares. */
const reach = 2.5;
/** Size of a square plus the gap after it, in view box units. */
const pitch = 10;
/** Without the stroke that rounds its corners. */
const squareSize = 7;
/** In the sun look a day with more flights is larger instead of darker. */
const sunnySizes = [squareSize, 2, 4, 5.5, squareSize];
const levels = [0, 1, 2, 3, 4] as const;

type Place = { column: number; row: number };

const halves: [number, number][] = [
  [0, 5],
  [6, 11],
];
const whole: [number, number][] = [[0, 11]];

export function Days({ review, view, today }: { review: Review; view: ReviewView; today: string }) {
  const { days } = review;
  const isWide = useMedia("(width >= 40rem)");
  const titleId = useId();
  const [chosen, setChosen] = useState(days.at(-1)?.day ?? "");
  const years = daysByYear(days);
  const series = longestSeries(days);
  return (
    <section className={`card ${styles.days}`} aria-labelledby={titleId}>
      <div className={styles.head}>
        <h2 id={titleId}>{texts.days(days.length)}</h2>
        {series > 1 && <span className="quiet">{texts.series(series)}</span>}
      </div>
      {years.map(({ year, days: own }) => (
        <YearDays
          key={year}
          year={year}
          days={own}
          today={today}
          hasTitle={years.length > 1}
          parts={isWide ? whole : halves}
          chosen={chosen}
          onChoose={setChosen}
        />
      ))}
      <div className={styles.legend} aria-hidden="true">
        <span>0</span>
        <svg viewBox={`0 0 ${5 * pitch} ${pitch}`} aria-hidden="true">
          {levels.map((level) => (
            <Level key={level} level={level} places={[{ column: level, row: 0 }]} />
          ))}
        </svg>
        <span>{texts.legend}</span>
      </div>
      <ChosenDay days={days} chosen={chosen} onChoose={setChosen} review={review} view={view} />
    </section>
  );
}

function YearDays({
  year,
  days,
  today,
  hasTitle,
  parts,
  chosen,
  onChoose,
}: {
  year: number;
  days: ReviewDay[];
  today: string;
  hasTitle: boolean;
  parts: [number, number][];
  chosen: string;
  onChoose: (day: string) => void;
}) {
  const flown = new Map(days.map((day) => [day.day, day]));
  return (
    <div className={styles.year}>
      {hasTitle && (
        <h3>
          {year} <span className="quiet">{texts.days(days.length)}</span>
        </h3>
      )}
      {parts.map((months) => (
        <Weeks
          key={months[0]}
          calendar={calendarOf(year, flown, months)}
          about={texts.calendar(year, texts.days(days.length))}
          today={today}
          chosen={chosen}
          onChoose={onChoose}
        />
      ))}
    </div>
  );
}

function Weeks({
  calendar,
  about,
  today,
  chosen,
  onChoose,
}: {
  calendar: Calendar;
  about: string;
  today: string;
  chosen: string;
  onChoose: (day: string) => void;
}) {
  const { columns, squares, months } = calendar;
  const square = squares.find(({ day }) => day === chosen);
  // A flight that a pilot entered in advance still makes its day a flown one.
  const isFuture = ({ day, level }: Square) => day > today && level === 0;
  function choose({ currentTarget, clientX, clientY }: MouseEvent) {
    const { left, top, width, height } = currentTarget.getBoundingClientRect();
    const place = { column: ((clientX - left) / width) * columns, row: ((clientY - top) / height) * 7 };
    const day = flownNear(calendar, place, reach);
    if (day !== null) onChoose(day);
  }
  return (
    <div className={styles.weeks}>
      <div className={styles.months} aria-hidden="true">
        {months.map(({ month, column }) => (
          <span key={month} style={{ insetInlineStart: `${(column / columns) * 100}%` }}>
            {statistics.months.short[month]}
          </span>
        ))}
      </div>
      <div className={styles.weekdays} aria-hidden="true">
        <span>Mo</span>
        <span>Do</span>
        <span>So</span>
      </div>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the buttons below choose a day by keyboard */}
      <svg
        className={styles.squares}
        role="img"
        aria-label={about}
        viewBox={`0 0 ${columns * pitch} ${7 * pitch}`}
        onClick={choose}
      >
        <path className={styles.future} d={pathOf(squares.filter(isFuture))} />
        {levels.map((level) => (
          <Level
            key={level}
            level={level}
            places={squares.filter((one) => one.level === level && !isFuture(one))}
          />
        ))}
        {square && (
          <rect
            className={styles.chosen}
            x={square.column * pitch}
            y={square.row * pitch}
            width={pitch}
            height={pitch}
            rx={2.5}
          />
        )}
      </svg>
    </div>
  );
}

const levelClass = [styles.level0, styles.level1, styles.level2, styles.level3, styles.level4];

/** All squares of a level. */
function Level({ level, places }: { level: Square["level"]; places: Place[] }) {
  const isSunny = useTheme() === "sonne";
  return <path className={levelClass[level]} d={pathOf(places, isSunny ? sunnySizes[level] : undefined)} />;
}

/** Returns squares as one path. */
function pathOf(places: Place[], length = squareSize): string {
  const edge = (pitch - length) / 2;
  const squares = places.map(({ column, row }) => {
    const [x, y] = [column * pitch + edge, row * pitch + edge];
    return `M${x} ${y}h${length}v${length}h${-length}z`;
  });
  return squares.join("");
}

function ChosenDay({
  days,
  chosen,
  onChoose,
  review,
  view,
}: {
  days: ReviewDay[];
  chosen: string;
  onChoose: (day: string) => void;
  review: Review;
  view: ReviewView;
}) {
  const position = days.findIndex(({ day }) => day === chosen);
  const shown = days[position];
  if (shown === undefined) return null;
  const [before, after] = [days[position - 1], days[position + 1]];
  const date = germanDay(shown.day);
  const parsed = parseDate(date);
  const words = view.place === "" ? date : `${date} ${review.name}`;
  const sum = [texts.flights(shown.flights), ...(shown.minutes > 0 ? [formatMinutes(shown.minutes)] : [])];
  return (
    <div className={styles.day}>
      <IconButton
        icon="chevron-left"
        label={texts.previousDay}
        isDisabled={before === undefined}
        onPress={() => before && onChoose(before.day)}
      />
      <Link className={styles.link} to={urls.flightsWith(words, view.copter)} aria-live="polite">
        <strong>{`${parsed ? weekday(parsed) : ""}, ${date}`}</strong>
        <span>{sum.join(" · ")}</span>
      </Link>
      <IconButton
        icon="chevron-right"
        label={texts.nextDay}
        isDisabled={after === undefined}
        onPress={() => after && onChoose(after.day)}
      />
    </div>
  );
}

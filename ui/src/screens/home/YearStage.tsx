// The year on a dark stage that leads to the look back: its hours, and the paths of its flights or else its months.
import { Link } from "react-router";
import { useServerProblems } from "../../api/account";
import type { FlightMonth } from "../../api/generated/FlightMonth";
import { useReminders } from "../../api/maintenance";
import { useReview } from "../../api/reviews";
import { useSuspectVoltages } from "../../api/voltages";
import { Bouquet } from "../../components/Bouquet";
import { Icon } from "../../components/Icon";
import { wallClock } from "../../lib/dates";
import { hoursText } from "../../lib/numbers";
import { urls } from "../../urls";
import { yearStage as texts } from "./texts";
import styles from "./YearStage.module.css";

export function YearStage() {
  const thisYear = wallClock().year;
  const of = { copter: null, place: null };
  const review = useReview({ year: thisYear, ...of }).data;
  const latest = review?.years.at(-1)?.year ?? thisYear;
  const isOld = review?.flights === 0 && latest < thisYear;
  const old = useReview({ year: latest, ...of }, isOld).data;
  const shown = isOld ? old : review;
  // On a phone, notes that come above the stage would move it.
  const notes = [useReminders(), useServerProblems(), useSuspectVoltages()];
  if (notes.some(({ isPending }) => isPending)) return null;
  return (
    <Link className={styles.stage} to={urls.review}>
      <span className={styles.words}>
        <b>{shown ? texts.year(latest) : texts.title}</b>
        {shown && shown.flights > 0 && (
          <>
            <span className={styles.hours}>{hoursText(shown.minutes)}</span>
            <span className={styles.quiet}>{texts.flights(shown.flights)}</span>
          </>
        )}
      </span>
      <span className={styles.drawing}>
        {shown && shown.paths.length > 0 && <Bouquet paths={shown.paths} />}
        {shown?.paths.length === 0 && <Months months={shown.months} />}
      </span>
      <Icon name="chevron-right" />
    </Link>
  );
}

const barWidth = 10;
const height = 60;

function Months({ months }: { months: FlightMonth[] }) {
  const most = Math.max(1, ...months.map(({ minutes }) => minutes));
  return (
    <svg viewBox={`0 0 ${barWidth * 12} ${height}`} aria-hidden="true">
      {months.map(({ month, minutes }, at) => {
        const high = Math.max(1, (height * minutes) / most);
        return (
          <rect
            key={month}
            x={at * barWidth + 1}
            y={height - high}
            width={barWidth - 2}
            height={high}
            rx="1"
            fill="var(--line-on-stage)"
          />
        );
      })}
    </svg>
  );
}

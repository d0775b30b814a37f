// The longest, furthest, highest and fastest flight; each row links to its flight.
import { useId } from "react";
import { Link } from "react-router";
import type { BestFlight } from "../../api/generated/BestFlight";
import type { Review } from "../../api/generated/Review";
import { FlightPicture } from "../../components/FlightPicture";
import { Icon } from "../../components/Icon";
import { formatNumber } from "../../lib/numbers";
import { urls } from "../../urls";
import styles from "./ReviewRows.module.css";
import { review as texts } from "./texts";

type Entry = { label: string; unit: string; best: BestFlight | null };

export function Records({ review }: { review: Review }) {
  const titleId = useId();
  const entries: Entry[] = [
    { label: texts.longest, unit: "min", best: review.longest },
    { label: texts.furthest, unit: "m", best: review.furthest },
    { label: texts.highest, unit: "m", best: review.highest },
    { label: texts.fastest, unit: "km/h", best: review.fastest },
  ];
  const held = entries.filter(({ best }) => best !== null);
  if (held.length === 0) return null;
  return (
    <section className={`card ${styles.card}`} aria-labelledby={titleId}>
      <div className={styles.head}>
        <h2 id={titleId}>{texts.recordsTitle}</h2>
      </div>
      <ul>
        {held.map(
          ({ label, unit, best }) =>
            best && (
              <li key={label} className={styles.row}>
                <FlightPicture flight={best} />
                <Link className={`row-link ${styles.record}`} to={urls.flight(best.dpfId)}>
                  <span className={styles.label}>{label}</span>
                  <span className={styles.value}>
                    <strong>{formatNumber(best.value)}</strong> {unit}
                  </span>
                  <span className={styles.detail}>
                    {[best.startTime.slice(0, 10), best.copter, best.location]
                      .filter((text) => text !== "")
                      .join(" · ")}
                  </span>
                </Link>
                <Icon name="chevron-right" />
              </li>
            ),
        )}
      </ul>
    </section>
  );
}

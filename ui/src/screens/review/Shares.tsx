// The places, copters or packs of a look back, most flown first, each a link.
import { useId, useState } from "react";
import { Link } from "react-router";
import type { ReviewParts } from "../../api/generated/ReviewParts";
import { Button } from "../../components/Button";
import { Icon } from "../../components/Icon";
import type { IconName } from "../../components/icons";
import { hoursText } from "../../lib/numbers";
import { general } from "../../texts";
import styles from "./ReviewRows.module.css";
import { review as texts } from "./texts";

const initialCount = 4;

export function Shares({
  title,
  parts: { count, most },
  linkTo,
  icon,
}: {
  title: string;
  parts: ReviewParts;
  linkTo: (dpfId: string) => string;
  icon: IconName;
}) {
  const titleId = useId();
  const [isOpen, setOpen] = useState(false);
  if (most.length === 0) return null;
  const shown = isOpen ? most : most.slice(0, initialCount);
  const largest = Math.max(1, ...most.map(({ minutes }) => minutes));
  return (
    <section className={`card ${styles.card}`} aria-labelledby={titleId}>
      <div className={styles.head}>
        <h2 id={titleId}>{title}</h2>
        <span className="quiet">{texts.hours}</span>
      </div>
      <ul>
        {shown.map(({ dpfId, name, flights, minutes }) => (
          <li key={dpfId} className={`${styles.row} ${styles.share}`}>
            <span className={styles.what}>
              <Icon name={icon} />
              <span className={styles.texts}>
                <Link className={`row-link ${styles.name}`} to={linkTo(dpfId)}>
                  {name}
                </Link>
                <span className={styles.count}>{texts.flights(flights)}</span>
              </span>
              <strong>{hoursText(minutes)}</strong>
            </span>
            <span className={styles.bar} aria-hidden="true">
              <span style={{ inlineSize: `${(minutes / largest) * 100}%` }} />
            </span>
          </li>
        ))}
      </ul>
      {most.length > initialCount && (
        <Button variant="quiet" onPress={() => setOpen(!isOpen)}>
          {isOpen ? general.showFewer : texts.all(count, title)}
        </Button>
      )}
      {isOpen && count > most.length && <p className="quiet">{texts.most(most.length, count)}</p>}
    </section>
  );
}

// The first steps of a pilot without a flight: a copter, a battery, a flight. Only the next step is highlighted.
import { Link } from "react-router";
import type { AllEquipments } from "../../api/generated/AllEquipments";
import { Kind } from "../../api/generated/Kind";
import { Icon } from "../../components/Icon";
import { forFlight } from "../../lib/createdItems";
import { flights, home } from "../../texts";
import { urls } from "../../urls";
import styles from "./FirstSteps.module.css";

const texts = home.steps;

export function FirstSteps({ equipments }: { equipments: AllEquipments | undefined }) {
  const steps = [
    { ...texts.copter, to: urls.newEquipment(Kind.Copter), isDone: (equipments?.copters.length ?? 0) > 0 },
    {
      ...texts.battery,
      to: urls.newEquipment(Kind.Battery),
      isDone: (equipments?.batteries.length ?? 0) > 0,
    },
    { ...texts.flight, to: urls.flightConfig, isDone: false },
  ];
  const next = steps.findIndex(({ isDone }) => !isDone);
  return (
    <section className={styles.steps} aria-labelledby="steps-title">
      <h2 id="steps-title">{texts.title}</h2>
      <ol>
        {steps.map(({ title, hint, to, isDone }, position) => (
          <li key={title}>
            <Link
              className={position === next ? `${styles.step} ${styles.next}` : styles.step}
              to={to}
              state={forFlight}
              aria-current={position === next ? "step" : undefined}
            >
              <span className={styles.number} aria-hidden="true">
                {isDone ? <Icon name="check" size={24} /> : position + 1}
              </span>
              <span className="row-text">
                <strong>{title}</strong>
                <span>{isDone ? texts.done : hint}</span>
              </span>
              <Icon name="chevron-right" size={24} />
            </Link>
          </li>
        ))}
      </ol>
      <Link className={styles.step} to={urls.importFlights}>
        <span className={styles.number} aria-hidden="true">
          <Icon name="upload" size={24} />
        </span>
        <span className="row-text">
          <strong>{flights.importWay}</strong>
          <span>{flights.importWayHint}</span>
        </span>
        <Icon name="chevron-right" size={24} />
      </Link>
    </section>
  );
}

// The badge and the bar of an open flight.
import type { ReactNode } from "react";
import { Icon } from "../../components/Icon";
import { flights } from "../../components/texts/flights";
import styles from "./Running.module.css";

export function RunningBadge() {
  return <span className={styles.badge}>{flights.running}</span>;
}

/** The bar. `action`: a button or link at its end. */
export function RunningBar({ children, action }: { children: ReactNode; action?: ReactNode }) {
  return (
    <div className={styles.bar}>
      <Icon name="start" size={28} />
      <p className={styles.text}>{children}</p>
      {action}
    </div>
  );
}

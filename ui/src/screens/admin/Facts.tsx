// Components shared by the parts of the page: pairs of a name and a value, rows, and a command to copy.
import type { ReactNode } from "react";
import styles from "./Admin.module.css";

export function Facts({ facts }: { facts: [name: string, value: ReactNode][] }) {
  return (
    <dl className={styles.facts}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Rows with a line between them. */
export function Rows({ children }: { children: ReactNode }) {
  return <ul className={styles.rows}>{children}</ul>;
}

export function Row({ action, children }: { action?: ReactNode; children: ReactNode }) {
  return (
    <li className={styles.row}>
      <div className={styles.about}>{children}</div>
      {action}
    </li>
  );
}

/** Buttons side by side; stacked on a phone, and where their words differ too much in length. */
export function Buttons({ isStacked = false, children }: { isStacked?: boolean; children: ReactNode }) {
  return <div className={isStacked ? "stack" : styles.ways}>{children}</div>;
}

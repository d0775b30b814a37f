// A card of actions, each a button beside a hint.
import type { ReactNode } from "react";
import styles from "./ActionCard.module.css";

export function ActionCard({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="card stack" aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

export function Action({ hint, children }: { hint: string; children: ReactNode }) {
  return (
    <div className={styles.action}>
      <p className="quiet">{hint}</p>
      {children}
    </div>
  );
}

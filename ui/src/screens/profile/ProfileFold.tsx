// A line of the profile that opens to its actions, each a button beside a hint.
import type { ReactNode } from "react";
import { Fold } from "../../components/Fold";
import styles from "./ProfileFold.module.css";

export function ProfileFold({
  title,
  note,
  children,
}: {
  title: string;
  note?: ReactNode;
  children: ReactNode;
}) {
  return (
    <section aria-label={title}>
      <Fold title={title} note={note}>
        <div className="stack">{children}</div>
      </Fold>
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

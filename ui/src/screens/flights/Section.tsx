// A card of a flight's page, with its heading.
import type { ReactNode } from "react";
import { Icon } from "../../components/Icon";
import type { IconName } from "../../components/icons";
import styles from "./Section.module.css";

export function Section({
  icon,
  title,
  action,
  children,
}: {
  icon: IconName;
  title: string;
  /** A button on the right of the heading. */
  action?: ReactNode;
  children?: ReactNode;
}) {
  const heading = (
    <h2>
      <Icon name={icon} />
      {title}
    </h2>
  );
  return (
    <div className={`card ${styles.section}`}>
      {action === undefined ? (
        heading
      ) : (
        <div className={styles.head}>
          {heading}
          {action}
        </div>
      )}
      {children}
    </div>
  );
}

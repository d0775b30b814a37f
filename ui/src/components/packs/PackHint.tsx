// A maintenance hint of a pack: an icon and a sentence, in the colour of its urgency.
import type { ReactNode } from "react";
import { Icon } from "../Icon";
import "../../styles/stage.css";
import styles from "./PackHint.module.css";

export function PackHint({ isUrgent, children }: { isUrgent: boolean; children: ReactNode }) {
  return (
    <p className={isUrgent ? `${styles.hint} ${styles.urgent}` : styles.hint}>
      <Icon name="warning" />
      <span>{children}</span>
    </p>
  );
}

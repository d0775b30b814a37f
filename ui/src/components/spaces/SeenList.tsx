// What others see of something, and what they don't: lines with an eye, open or crossed out.
import type { ReactNode } from "react";
import { Icon } from "../Icon";
import styles from "./SeenList.module.css";

export function SeenList({ children }: { children: ReactNode }) {
  return <ul className={styles.list}>{children}</ul>;
}

export function Seen({ isHidden = false, children }: { isHidden?: boolean; children: ReactNode }) {
  return (
    <li className={isHidden ? `${styles.line} ${styles.hidden}` : styles.line}>
      <Icon name={isHidden ? "eye-off" : "eye"} size={20} />
      <span>{children}</span>
    </li>
  );
}

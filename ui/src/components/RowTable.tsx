// A table whose rows end with buttons.
import type { ReactNode } from "react";
import styles from "./RowTable.module.css";

export function RowTable({ children }: { children: ReactNode }) {
  return <table className={styles.table}>{children}</table>;
}

export function RowButtons({ children }: { children: ReactNode }) {
  return <div className={styles.actions}>{children}</div>;
}

// A table of rows with buttons at their end, where there is room for a table. Knows nothing of what is in the rows.
import type { ReactNode } from "react";
import styles from "./RowTable.module.css";

export function RowTable({ children }: { children: ReactNode }) {
  return <table className={styles.table}>{children}</table>;
}

export function RowButtons({ children }: { children: ReactNode }) {
  return <div className={styles.actions}>{children}</div>;
}

// A table whose rows end with buttons.
import type { ReactNode } from "react";
import styles from "./RowTable.module.css";

/** `isHidden`: only for screen readers. */
type Heading = { text: string; className?: string | undefined; isHidden?: boolean };

export function RowTable({
  title,
  headings,
  children,
}: {
  title: string;
  headings: Heading[];
  children: ReactNode;
}) {
  return (
    <table className={styles.table}>
      <caption className="visually-hidden">{title}</caption>
      <thead>
        <tr>
          {headings.map(({ text, className, isHidden = false }) => (
            <th key={text} scope="col" className={className}>
              {isHidden ? <span className="visually-hidden">{text}</span> : text}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}

export function RowButtons({ children }: { children: ReactNode }) {
  return <div className={styles.actions}>{children}</div>;
}

// A choice of one of a few, each with a line about it.
import { useId } from "react";
import { CheckMark } from "../CheckMark";
import styles from "./ChoiceRows.module.css";

export type Row = { value: string; title: string; about: string };

export function ChoiceRows({
  label,
  value,
  rows,
  onChange,
}: {
  label: string;
  value: string;
  rows: Row[];
  onChange: (value: string) => void;
}) {
  const id = useId();
  return (
    <div className={styles.rows} role="radiogroup" aria-label={label}>
      {rows.map(({ value: own, title, about }) => (
        <label key={own} className={styles.row} data-selected={own === value || undefined}>
          <input
            type="radio"
            className="visually-hidden"
            name={id}
            value={own}
            checked={own === value}
            onChange={() => onChange(own)}
          />
          <CheckMark isRound />
          <span className={styles.text}>
            <strong>{title}</strong>
            <span className="quiet">{about}</span>
          </span>
        </label>
      ))}
    </div>
  );
}

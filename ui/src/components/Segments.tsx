// A choice of one of a few that takes effect at once, as a row of segments. Not for forms, which have RadioChoice.
import { useId } from "react";
import { Icon } from "./Icon";
import type { IconName } from "./icons";
import styles from "./Segments.module.css";

export type Segment = { value: string; text: string; icon?: IconName };

export function Segments({
  label,
  value,
  segments,
  onChange,
}: {
  label: string;
  value: string;
  segments: Segment[];
  onChange: (value: string) => void;
}) {
  const id = useId();
  return (
    <div className={styles.segments} role="radiogroup" aria-label={label}>
      {segments.map(({ value: own, text, icon }) => (
        <label key={own} className={styles.segment} data-selected={own === value || undefined}>
          <input
            type="radio"
            className="visually-hidden"
            name={id}
            value={own}
            checked={own === value}
            onChange={() => onChange(own)}
          />
          {icon && <Icon name={icon} size={18} />}
          <span className={styles.text}>{text}</span>
        </label>
      ))}
    </div>
  );
}

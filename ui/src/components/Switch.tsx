// A switch that takes effect at once, not for forms.
import type { ReactNode } from "react";
import styles from "./Switch.module.css";

export function Switch({
  isSelected,
  onChange,
  off,
  isWide = false,
  children,
}: {
  isSelected: boolean;
  onChange: (isSelected: boolean) => void;
  /** The visible label of the other state; the switch's accessible name is its children. */
  off?: ReactNode;
  /** Takes the whole line, with the label before the switch. */
  isWide?: boolean;
  children: ReactNode;
}) {
  return (
    <label className={isWide ? `${styles.switch} ${styles.line}` : styles.switch}>
      <input
        type="checkbox"
        role="switch"
        aria-checked={isSelected}
        className="visually-hidden"
        checked={isSelected}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      {off && (
        <span className={styles.off} aria-hidden="true">
          {off}
        </span>
      )}
      <span className={styles.track}>
        <span className={styles.knob} />
      </span>
      <span className={styles.on}>{children}</span>
    </label>
  );
}

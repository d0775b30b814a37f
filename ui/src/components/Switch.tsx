// A switch between two states that takes effect at once. Not for forms.
import type { ReactNode } from "react";
import { Switch as AriaSwitch } from "react-aria-components";
import styles from "./Switch.module.css";

export function Switch({
  isSelected,
  onChange,
  off,
  children,
}: {
  isSelected: boolean;
  onChange: (isSelected: boolean) => void;
  /** The visible label of the other state; the switch's accessible name is its children. */
  off?: ReactNode;
  children: ReactNode;
}) {
  return (
    <AriaSwitch className={styles.switch} isSelected={isSelected} onChange={onChange}>
      {off && (
        <span className={styles.off} aria-hidden="true">
          {off}
        </span>
      )}
      <span className={styles.track}>
        <span className={styles.knob} />
      </span>
      <span className={styles.on}>{children}</span>
    </AriaSwitch>
  );
}

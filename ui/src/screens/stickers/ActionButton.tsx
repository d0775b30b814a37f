// A large button for an action on a sheet, with a description of what it will record.
import { useState } from "react";
import { Icon } from "../../components/Icon";
import type { IconName } from "../../components/icons";
import styles from "./ItemSheet.module.css";

export function ActionButton({
  icon,
  title,
  about = "",
  isMain = false,
  onPress,
}: {
  icon: IconName;
  title: string;
  about?: string;
  /** Whether it is the most likely action, over the whole width. */
  isMain?: boolean;
  onPress: () => unknown;
}) {
  const [isBusy, setBusy] = useState(false);
  async function press() {
    if (isBusy) return;
    setBusy(true);
    try {
      await onPress();
    } finally {
      setBusy(false);
    }
  }
  return (
    <button
      type="button"
      className={isMain ? `${styles.action} ${styles.main}` : styles.action}
      aria-disabled={isBusy || undefined}
      onClick={press}
    >
      {isBusy ? <span className="spinner" aria-hidden="true" /> : <Icon name={icon} size={28} />}
      <span className={styles.what}>
        <strong>{title}</strong>
        {about !== "" && <span>{about}</span>}
      </span>
    </button>
  );
}

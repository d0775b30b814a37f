// The box of a checkbox or of a choice: ticked while `data-selected` is on the element around it.
import styles from "./CheckMark.module.css";
import { Icon } from "./Icon";

/** `isRound`: for a single choice, like a radio button. */
export function CheckMark({ isRound = false }: { isRound?: boolean }) {
  return (
    <span className={isRound ? `${styles.box} ${styles.round}` : styles.box} data-check-mark="">
      <Icon name="check" size={18} />
    </span>
  );
}

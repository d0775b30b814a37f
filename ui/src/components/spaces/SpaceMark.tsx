// The name of the space that a shared item belongs to; nothing for the pilot's own.
import type { Equipment } from "../../api/generated/Equipment";
import { Icon } from "../Icon";
import "../../styles/stage.css";
import styles from "./SpaceMark.module.css";

export function SpaceMark({ item: { space } }: { item: Pick<Equipment, "space"> }) {
  if (!space) return null;
  return (
    <span className={styles.mark}>
      <Icon name="users" size={14} />
      <span className={styles.name}>{space.name}</span>
    </span>
  );
}

// The stage at the head of a flight's page: dark by day and by night, edge to edge on a phone. Knows what stands on it
// no further than its tools.
import type { ReactNode } from "react";
import { focusPressed } from "../../../components/Button";
import { Icon } from "../../../components/Icon";
import { images } from "../../../texts";
import styles from "./Stage.module.css";

/** `onUpload`: of a flight without pictures, for which the stage has the button. */
export function Stage({
  label,
  onUpload,
  tools,
  children,
}: {
  label: string;
  onUpload: (() => void) | undefined;
  tools?: ReactNode;
  children?: ReactNode;
}) {
  return (
    <section className={styles.stage} aria-label={label}>
      <div className={styles.tools}>
        {tools}
        {onUpload && <UploadPill onPress={onUpload} />}
      </div>
      {children}
    </section>
  );
}

/** A phone has room for its icon alone beside other tools. */
export function UploadPill({ onPress }: { onPress: () => void }) {
  return (
    <button
      type="button"
      className={styles.pill}
      onClick={(event) => {
        focusPressed(event);
        onPress();
      }}
    >
      <Icon name="image-add" />
      <span className={styles.pillText}>{images.upload}</span>
    </button>
  );
}

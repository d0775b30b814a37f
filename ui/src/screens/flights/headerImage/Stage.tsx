// The frame of a header image: dark in every look, edge to edge on a phone.
import type { ReactNode } from "react";
import { focusPressed } from "../../../components/Button";
import { Icon } from "../../../components/Icon";
import { images } from "../texts";
import styles from "./Stage.module.css";

/** The frame. `onUpload`: for a flight without pictures, adds the button to upload some. */
export function Stage({
  label,
  onUpload,
  tools,
  children,
}: {
  label: string;
  onUpload?: (() => void) | undefined;
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

/** The upload button. On a phone beside other tools and on pictures (`isBrief`), only its icon has room. */
export function UploadPill({ isBrief = false, onPress }: { isBrief?: boolean; onPress: () => void }) {
  return (
    <button
      type="button"
      className={isBrief ? `${styles.pill} ${styles.brief}` : styles.pill}
      aria-label={images.upload}
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

// The progress of an upload. After the last byte the server still works on it. Screen readers announce only whole
// tenths: a large upload advances in small steps.
import { files as texts } from "../texts";
import styles from "./UploadProgress.module.css";

/** `share` from 0 to 1. */
export function UploadProgress({ share }: { share: number }) {
  const percent = Math.floor(share * 100);
  const isSent = share >= 1;
  return (
    <div className={styles.progress}>
      <div className={styles.text}>
        <span role="status">{isSent ? texts.processing : texts.uploading}</span>
        {!isSent && <span>{percent} %</span>}
      </div>
      <progress max={100} {...(isSent ? {} : { value: percent })} aria-label={texts.uploading} />
    </div>
  );
}

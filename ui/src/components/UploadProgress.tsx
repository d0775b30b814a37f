// Progress of an upload. After the last byte the server still processes the file. Screen readers announce whole tenths
// only, because a large upload advances in small steps.
import { files as texts } from "./texts/files";
import styles from "./UploadProgress.module.css";

/** `share` from 0 to 1; `working`: the text while the server processes the file. */
export function UploadProgress({ share, working = texts.processing }: { share: number; working?: string }) {
  const percent = Math.floor(share * 100);
  const isSent = share >= 1;
  return (
    <div className={styles.progress}>
      <div className={styles.text}>
        <span role="status">{isSent ? working : texts.uploading}</span>
        {!isSent && <span>{percent} %</span>}
      </div>
      <progress max={100} {...(isSent ? {} : { value: percent })} aria-label={texts.uploading} />
    </div>
  );
}

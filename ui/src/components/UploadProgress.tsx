// How far an upload is. Once everything is sent the server is still at work on it.
// A large upload moves in small steps: only whole tenths are read out.
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

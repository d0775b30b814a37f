// One picture of a flight over the whole window, with buttons, arrow keys and swipes to the others; after the last
// comes the first. Shows the preview at once and replaces it with the original.
import { type KeyboardEvent, useState } from "react";
import { useWrite } from "../../api/useWrite";
import { IconButton } from "../../components/Button";
import { ConfirmDialog } from "../../components/Dialog";
import { FullWindow } from "../../components/FullWindow";
import { ErrorNote } from "../../components/states";
import { useIntent } from "../../components/useIntent";
import { useSwipe } from "../../components/useSwipe";
import { general } from "../../texts";
import { imagePreviewUrl, imageUrl } from "../../urls";
import { images as texts } from "./texts";
import "../../styles/stage.css";
import styles from "./ImageViewer.module.css";

type Shown = { flight: string; images: string[]; onMove: (position: number) => void; onClose: () => void };

/** The viewer. `position`: index in `images`; null while it is closed. */
export function ImageViewer({ position, ...shown }: Shown & { position: number | null }) {
  if (position === null || shown.images.length === 0) return null;
  return <Viewer {...shown} position={Math.min(position, shown.images.length - 1)} />;
}

function Viewer({ flight, images, position, onMove, onClose }: Shown & { position: number }) {
  const remove = useWrite("DeleteImage");
  const uploads = useIntent("images", flight);
  const [isAsking, setAsking] = useState(false);
  const [hasFailed, setFailed] = useState(false);
  const count = images.length;
  const uuid = images[position] ?? "";

  function move(step: 1 | -1) {
    setFailed(false);
    onMove((position + step + count) % count);
  }
  function moveByKey(event: KeyboardEvent) {
    if (event.key === "ArrowLeft") move(-1);
    else if (event.key === "ArrowRight") move(1);
  }
  const swipe = useSwipe(move);
  async function deleteImage() {
    setFailed(false);
    try {
      const left = (await remove.mutateAsync({ uuid, flight })) ?? [];
      // Uploading the picture again is a new request, not a repeated one.
      uploads.forget();
      if (left.length === 0) onClose();
    } catch {
      setFailed(true);
    }
  }
  return (
    <FullWindow
      className={styles.viewer}
      label={texts.nth(position + 1, count)}
      onClose={onClose}
      onKeyDown={isAsking ? undefined : moveByKey}
    >
      <div className={styles.content}>
        <div className={styles.bar}>
          <span className={styles.position} role="status">
            {texts.position(position + 1, count)}
          </span>
          <IconButton icon="delete" label={texts.delete} onPress={() => setAsking(true)} />
          <IconButton icon="close" label={general.close} onPress={onClose} />
        </div>
        <div className={styles.stage} {...swipe}>
          <Picture key={uuid} uuid={uuid} label={texts.nth(position + 1, count)} />
          {count > 1 && (
            <>
              <div className={styles.previous}>
                <IconButton icon="chevron-left" label={texts.previous} onPress={() => move(-1)} />
              </div>
              <div className={styles.next}>
                <IconButton icon="chevron-right" label={texts.next} onPress={() => move(1)} />
              </div>
            </>
          )}
        </div>
        {hasFailed && (
          <div className={styles.error}>
            <ErrorNote>{texts.deleteFailed}</ErrorNote>
          </div>
        )}
      </div>
      <ConfirmDialog
        question={texts.deleteQuestion}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onYes={deleteImage}
        isDangerous
      />
    </FullWindow>
  );
}

function Picture({ uuid, label }: { uuid: string; label: string }) {
  const [state, setState] = useState<"loading" | "there" | "failed">("loading");
  return (
    <>
      {state !== "there" && (
        <img className={styles.image} src={imagePreviewUrl(uuid)} alt="" draggable={false} />
      )}
      {state === "failed" ? (
        <p className={styles.unreadable} role="alert">
          {texts.unreadable}
        </p>
      ) : (
        <img
          className={state === "there" ? styles.image : `${styles.image} ${styles.coming}`}
          src={imageUrl(uuid)}
          alt={label}
          draggable={false}
          onLoad={() => setState("there")}
          onError={() => setState("failed")}
        />
      )}
      {state === "loading" && <span className={`spinner ${styles.spinner}`} aria-hidden="true" />}
    </>
  );
}

// The pictures at the head of a flight's page: the first one large, each a link to the viewer, and a button to upload
// more while there is room.
import { useState } from "react";
import type { Flight } from "../../api/generated/Flight";
import { focusPressed } from "../../components/Button";
import { imagePreviewUrl, imageUrl } from "../../urls";
import { UploadPill } from "./headerImage/Stage";
import styles from "./ImageSection.module.css";
import { ImageViewer } from "./ImageViewer";
import { largestImageCount } from "./imageChoice";
import { images as texts } from "./texts";
import { useIsWide } from "./useIsWide";

export function ImageSection({
  flight: { dpfId, images },
  onUpload,
}: {
  flight: Pick<Flight, "dpfId" | "images">;
  onUpload: () => void;
}) {
  const [shown, setShown] = useState<number | null>(null);
  return (
    <section className={styles.pictures}>
      <h2 className="visually-hidden">{texts.title}</h2>
      <ul className={styles.gallery} aria-label={texts.title}>
        {images.map((uuid, position) => (
          <li key={uuid}>
            <Preview
              uuid={uuid}
              isLarge={position === 0 || images.length === 2}
              label={texts.nth(position + 1, images.length)}
              onOpen={() => setShown(position)}
            />
          </li>
        ))}
      </ul>
      {images.length < largestImageCount && (
        <div className={styles.upload}>
          <UploadPill isBrief onPress={onUpload} />
        </div>
      )}
      <ImageViewer
        flight={dpfId}
        images={images}
        position={shown}
        onMove={setShown}
        onClose={() => setShown(null)}
      />
    </section>
  );
}

/** A preview. A large one is in full resolution on large screens, whose network is probably fast. */
function Preview({
  uuid,
  isLarge,
  label,
  onOpen,
}: {
  uuid: string;
  isLarge: boolean;
  label: string;
  onOpen: () => void;
}) {
  const isWide = useIsWide();
  return (
    <button
      type="button"
      className={styles.preview}
      onClick={(event) => {
        focusPressed(event);
        onOpen();
      }}
    >
      <img src={imagePreviewUrl(uuid)} alt={label} />
      {isLarge && isWide && <img className={styles.sharp} src={imageUrl(uuid)} alt="" />}
    </button>
  );
}

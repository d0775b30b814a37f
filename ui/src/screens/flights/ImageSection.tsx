// The pictures of a flight: previews that open the viewer, and a button to upload more while there is room.
import { useState } from "react";
import type { Flight } from "../../api/generated/Flight";
import { Button, focusPressed } from "../../components/Button";
import { images as texts } from "../../texts";
import { imagePreviewUrl } from "../../urls";
import styles from "./ImageSection.module.css";
import { ImageUploadDialog } from "./ImageUploadDialog";
import { ImageViewer } from "./ImageViewer";
import { largestImageCount } from "./imageChoice";
import { Section } from "./Section";

export function ImageSection({ flight }: { flight: Pick<Flight, "dpfId" | "images"> }) {
  const { dpfId, images } = flight;
  const [isUploading, setUploading] = useState(false);
  const [shown, setShown] = useState<number | null>(null);
  const startUpload = () => setUploading(true);
  const hasRoom = images.length < largestImageCount;
  return (
    <Section
      icon="file-image"
      title={texts.title}
      isFullWidth={images.length > 0}
      action={
        hasRoom && (
          <Button icon="image-add" onPress={startUpload}>
            {texts.upload}
          </Button>
        )
      }
    >
      {images.length === 0 ? (
        <p className="quiet">{texts.empty}</p>
      ) : (
        <ul className={styles.gallery} aria-label={texts.title}>
          {images.map((uuid, position) => (
            <li key={uuid}>
              <Preview
                uuid={uuid}
                label={texts.nth(position + 1, images.length)}
                onOpen={() => setShown(position)}
              />
            </li>
          ))}
        </ul>
      )}
      <ImageUploadDialog
        flight={dpfId}
        there={images}
        isOpen={isUploading}
        onClose={() => setUploading(false)}
      />
      <ImageViewer
        flight={dpfId}
        images={images}
        position={shown}
        onMove={setShown}
        onClose={() => setShown(null)}
      />
    </Section>
  );
}

function Preview({ uuid, label, onOpen }: { uuid: string; label: string; onOpen: () => void }) {
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
    </button>
  );
}

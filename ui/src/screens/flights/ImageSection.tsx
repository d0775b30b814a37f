// The pictures of a flight: previews that open the viewer, and the way to upload more while there is room.
import { useState } from "react";
import { Button as AriaButton } from "react-aria-components";
import type { Flight } from "../../api/generated/Flight";
import { IconButton } from "../../components/Button";
import { Icon } from "../../components/Icon";
import { images as texts } from "../../texts";
import { imagePreviewUrl } from "../../urls";
import { ImageUploadDialog } from "./ImageUploadDialog";
import { ImageViewer } from "./ImageViewer";
import { largestImageCount } from "./imageChoice";
import "./images.css";

export function ImageSection({ flight }: { flight: Pick<Flight, "dpfId" | "images"> }) {
  const { dpfId, images } = flight;
  const [isUploading, setUploading] = useState(false);
  const [shown, setShown] = useState<number | null>(null);
  const startUpload = () => setUploading(true);
  const hasRoom = images.length < largestImageCount;
  return (
    <div className="card flight-section flight-section-full">
      <div className="image-section-head">
        <h3>
          <Icon name="file-image" />
          {texts.title}
        </h3>
        {hasRoom && <IconButton icon="image-add" label={texts.upload} onPress={startUpload} />}
      </div>
      {images.length === 0 ? (
        <p className="quiet">{texts.empty}</p>
      ) : (
        <ul className="image-gallery" aria-label={texts.title}>
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
    </div>
  );
}

function Preview({ uuid, label, onOpen }: { uuid: string; label: string; onOpen: () => void }) {
  return (
    <AriaButton className="image-preview" onPress={onOpen}>
      <img src={imagePreviewUrl(uuid)} alt={label} />
    </AriaButton>
  );
}

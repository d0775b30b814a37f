// Chooses files: dropped, pasted, or picked by buttons. Independent of limits.
import type { ReactNode } from "react";
import { type DropItem, DropZone, isFileDropItem, Text } from "react-aria-components";
import { imageTypes } from "../lib/imageTypes";
import { isTouchScreen } from "../lib/touch";
import { FileButton } from "./FileButton";
import styles from "./FilePicker.module.css";
import { Icon } from "./Icon";
import { files as texts } from "./texts/files";

/** Picks pictures: from the gallery and, if there is one, from the camera. */
export function ImagePicker({
  label,
  isMultiple = false,
  camera,
  isDisabled = false,
  isOpenAtOnce = false,
  onPick,
}: {
  label: string;
  isMultiple?: boolean;
  /** Camera of a phone for photos. */
  camera: "user" | "environment";
  isDisabled?: boolean;
  /** Opens the gallery when it appears by a tap, on phones. */
  isOpenAtOnce?: boolean;
  onPick: (files: File[]) => void;
}) {
  return (
    <Picker label={label} icon="file-image" isDisabled={isDisabled} onPick={onPick}>
      <FileButton
        icon="file-image"
        accept={imageTypes}
        isMultiple={isMultiple}
        isDisabled={isDisabled}
        isOpenAtOnce={isOpenAtOnce && isTouchScreen()}
        onPick={onPick}
      >
        {texts.fromGallery}
      </FileButton>
      <FileButton
        icon="photo-camera"
        accept={imageTypes}
        camera={camera}
        isDisabled={isDisabled}
        onPick={onPick}
      >
        {texts.takePhoto}
      </FileButton>
    </Picker>
  );
}

/** Picks a file of any kind, or several. */
export function FilePicker({
  label = texts.choose,
  isMultiple = false,
  isDisabled = false,
  camera,
  onPick,
}: {
  label?: string;
  isMultiple?: boolean;
  isDisabled?: boolean;
  /** Offers a photo by this camera, too. */
  camera?: "user" | "environment" | undefined;
  onPick: (files: File[]) => void;
}) {
  return (
    <Picker label={texts.dropFile} icon="upload" isDisabled={isDisabled} onPick={onPick}>
      <FileButton icon="attachment" isMultiple={isMultiple} isDisabled={isDisabled} onPick={onPick}>
        {label}
      </FileButton>
      {camera && (
        <FileButton
          icon="photo-camera"
          accept={imageTypes}
          camera={camera}
          isDisabled={isDisabled}
          onPick={onPick}
        >
          {texts.takePhoto}
        </FileButton>
      )}
    </Picker>
  );
}

async function filesOf(items: DropItem[]): Promise<File[]> {
  return Promise.all(items.filter(isFileDropItem).map((item) => item.getFile()));
}

function Picker({
  label,
  icon,
  isDisabled,
  onPick,
  children,
}: {
  label: string;
  icon: "file-image" | "upload";
  isDisabled: boolean;
  onPick: (files: File[]) => void;
  children: ReactNode;
}) {
  // A finger can't drop files.
  if (isTouchScreen()) return <div className={styles.buttons}>{children}</div>;
  return (
    <DropZone
      className={styles.dropZone}
      isDisabled={isDisabled}
      getDropOperation={() => "copy"}
      onDrop={async ({ items }) => {
        const dropped = await filesOf(items);
        if (dropped.length > 0) onPick(dropped);
      }}
    >
      <Icon name={icon} size={32} />
      <Text slot="label" className={styles.label}>
        {label}
      </Text>
      <div className={styles.buttons}>{children}</div>
    </DropZone>
  );
}

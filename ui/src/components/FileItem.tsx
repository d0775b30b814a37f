// A chosen or attached file: picture or icon, name, size, a button to remove it.
import { useState } from "react";
import { type FileKind, fileKind, formatMegabytes } from "../lib/fileKinds";
import { IconButton } from "./Button";
import styles from "./FileItem.module.css";
import { Icon } from "./Icon";
import type { IconName } from "./icons";
import { files as texts } from "./texts/files";
import { useObjectUrl } from "./useObjectUrl";

const icons: Record<FileKind, IconName> = {
  pdf: "file-pdf",
  doc: "file-doc",
  xls: "file-xls",
  text: "file-text",
  image: "file-image",
  audio: "file-audio",
  video: "file-video",
  other: "file",
};

/** Icon of a file's kind, with the kind's name for screen readers. */
export function FileIcon({ name, size = 24 }: { name: string; size?: number }) {
  const kind = fileKind(name);
  return (
    <span className={styles.icon} data-kind={kind}>
      <Icon name={icons[kind]} size={size} />
      <span className="visually-hidden">{texts.kinds[kind]}</span>
    </span>
  );
}

/** A chosen file that isn't uploaded yet; a picture has a preview. */
export function ChosenFile({
  file,
  isPicture = false,
  onRemove,
}: {
  file: File;
  isPicture?: boolean;
  onRemove?: (() => void) | undefined;
}) {
  return (
    <FileLine name={file.name} size={formatMegabytes(file.size)} onRemove={onRemove}>
      {isPicture ? <Thumbnail file={file} /> : <FileIcon name={file.name} size={28} />}
    </FileLine>
  );
}

/** A picture that is on the server. */
export function StoredPicture({
  name,
  url,
  onRemove,
}: {
  name: string;
  url: string;
  onRemove: (() => void) | undefined;
}) {
  return (
    <FileLine name={name} onRemove={onRemove}>
      <img src={url} alt="" />
    </FileLine>
  );
}

/** A file that is on the server. */
export function StoredFile({ name, size, onRemove }: { name: string; size: string; onRemove: () => void }) {
  return (
    <FileLine name={name} size={size} onRemove={onRemove}>
      <FileIcon name={name} size={28} />
    </FileLine>
  );
}

function FileLine({
  name,
  size,
  onRemove,
  children,
}: {
  name: string;
  size?: string;
  onRemove: (() => void) | undefined;
  children: React.ReactNode;
}) {
  return (
    <div className={styles.item}>
      <div className={styles.picture}>{children}</div>
      <div className={`row-text ${styles.text}`}>
        <span className={styles.name}>{name}</span>
        {size !== undefined && <span className="quiet">{size}</span>}
      </div>
      {onRemove && <IconButton icon="close" label={texts.remove(name)} onPress={onRemove} />}
    </div>
  );
}

function Thumbnail({ file }: { file: File }) {
  const url = useObjectUrl(file);
  const [isUnreadable, setUnreadable] = useState(false);
  if (url === null || isUnreadable) return <FileIcon name={file.name} size={28} />;
  return <img src={url} alt="" onError={() => setUnreadable(true)} />;
}

// Pictures of a flight that wait on this device for the network.
import { useEffect, useState } from "react";
import { currentOutbox } from "../../api/perform";
import { useObjectUrl } from "../../components/useObjectUrl";
import { WaitingBadge } from "../../components/WaitingMark";
import { useQueueState } from "../../offline/queueState";
import { waitingLine } from "../../texts";
import { images as texts } from "./texts";
import styles from "./WaitingPictures.module.css";

type OfFlight = { object: string; count: number }[];

/** Returns the queued writes with pictures of this flight. */
export function useWaitingPictures(flight: string): OfFlight {
  return useQueueState().entries.flatMap(({ subject, object, pictures }) =>
    pictures && subject === flight ? [{ object, count: pictures.count }] : [],
  );
}

export function WaitingPictures({ entries }: { entries: OfFlight }) {
  return (
    <div className="stack">
      <ul className={styles.gallery} aria-label={`${texts.title}: ${waitingLine.mark}`}>
        {entries.map(({ object }) => (
          <PicturesOf key={object} object={object} />
        ))}
      </ul>
      <WaitingBadge text={waitingLine.mark} />
    </div>
  );
}

function PicturesOf({ object }: { object: string }) {
  const [files, setFiles] = useState<readonly File[]>([]);
  useEffect(() => {
    let isHere = true;
    currentOutbox()
      .then((queue) => queue?.store.pictures(object))
      .then((stored) => isHere && setFiles(stored ?? []))
      // The queue was closed by a logout.
      .catch(() => {});
    return () => {
      isHere = false;
    };
  }, [object]);
  // biome-ignore lint/suspicious/noArrayIndexKey: the files never change, and two may share a name
  return files.map((file, position) => <Picture key={position} file={file} />);
}

function Picture({ file }: { file: File }) {
  const url = useObjectUrl(file);
  return <li>{url !== null && <img src={url} alt={file.name} />}</li>;
}

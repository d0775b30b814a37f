// The files of an import: the format of each, and settings for all its flights.
import { Checkbox } from "react-aria-components";
import type { Import } from "../../../api/generated/Import";
import { Button } from "../../../components/Button";
import { CheckMark } from "../../../components/CheckMark";
import { Disclosure } from "../../../components/Disclosure";
import { FileIcon } from "../../../components/FileItem";
import styles from "./Files.module.css";
import { type Changes, formatShift } from "./review";
import { imports as texts } from "./texts";

export function Files({
  found: { files, proposals },
  changes,
  onShift,
  onColumns,
  onKeep,
}: {
  found: Import;
  changes: Changes;
  onShift: (file: number) => void;
  onColumns: (file: number) => void;
  onKeep: (isKept: boolean) => void;
}) {
  return (
    <Disclosure title={texts.files} icon="file" note={files.length}>
      <ul className={styles.files}>
        {files.map(({ name, size, columns }, place) => {
          const own = proposals.filter(({ file }) => file === place);
          const shift = own[0]?.shiftMinutes ?? 0;
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: the index identifies the file
            <li key={place} className={styles.file}>
              <FileIcon name={name} />
              <p className={styles.text}>
                <strong>{name}</strong>
                <span className="quiet">
                  {size} · {texts.found(own.length)}
                  {shift !== 0 && ` · ${texts.shifted(formatShift(shift))}`}
                </span>
              </p>
              <div className={styles.ways}>
                {own.length > 0 && (
                  <Button variant="quiet" icon="clock" onPress={() => onShift(place)}>
                    {texts.shift}
                  </Button>
                )}
                {columns !== null && (
                  <Button variant="quiet" icon="file-xls" onPress={() => onColumns(place)}>
                    {texts.columns}
                  </Button>
                )}
              </div>
            </li>
          );
        })}
      </ul>
      <Checkbox className={styles.keep} isSelected={changes.keepsFiles} onChange={onKeep}>
        <CheckMark />
        {files.length === 1 ? texts.keepFile : texts.keepFiles}
      </Checkbox>
    </Disclosure>
  );
}

// Messages about files and about their parts that were left out, each with its reason.
import type { Import } from "../../../api/generated/Import";
import { Disclosure } from "../../../components/Disclosure";
import { Icon } from "../../../components/Icon";
import styles from "./Report.module.css";
import { imports as texts } from "./texts";

/** The messages about files. `except`: indices of files whose message is shown elsewhere. */
export function FileNotes({ found, except = [] }: { found: Import; except?: number[] }) {
  const notes = found.files
    .map(({ name, message }, place) => ({ name, message, place }))
    .filter(({ message, place }) => message !== "" && !except.includes(place));
  if (notes.length === 0) return null;
  return (
    <ul className={styles.notes} aria-label={texts.files}>
      {notes.map(({ name, message, place }) => (
        <li key={place}>
          <Icon name="warning" size={18} />
          {texts.ofFile(name, message)}
        </li>
      ))}
    </ul>
  );
}

export function Omitted({ found }: { found: Import }) {
  if (found.omitted.length === 0) return null;
  return (
    <Disclosure title={texts.omitted(found.omitted.length)} icon="info">
      <ul className={styles.omitted}>
        {found.omitted.map(({ file, part, reason }, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the rows never move
          <li key={place}>
            <span className="quiet">
              {[found.files[file]?.name, part]
                .filter((text) => text !== undefined && text !== "")
                .join(" · ")}
            </span>
            <span>{reason}</span>
          </li>
        ))}
      </ul>
    </Disclosure>
  );
}

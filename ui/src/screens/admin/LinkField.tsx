// A link to pass on. Pages over plain http have no clipboard, so a tap selects the whole link.
import { useId } from "react";
import type { AdminLink } from "../../api/generated/AdminLink";
import styles from "./Admin.module.css";
import { accounts as texts } from "./texts";

export function LinkField({ link: { url, ends } }: { link: AdminLink }) {
  const id = useId();
  return (
    <div className="stack">
      <div>
        <label htmlFor={id}>{texts.link}</label>
        <input
          id={id}
          className={styles.link}
          readOnly
          value={url}
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
      </div>
      <p className="quiet">
        {texts.linkUntil(ends)} {texts.copyHint}
      </p>
    </div>
  );
}

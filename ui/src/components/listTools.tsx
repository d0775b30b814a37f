// What narrows a list: a field to search in it, and a choice of one from a few. Both take effect at once and belong to no
// form; what is chosen stands in the address. Knows nothing of any list.
import { type ReactNode, useEffect, useId, useState } from "react";
import { Icon } from "./Icon";
import styles from "./listTools.module.css";

/** A pause in typing after which the list follows. */
const pauseMs = 200;

/** Around the fields. `isBare`: two of them, on no card. */
export function ListTools({
  id,
  isBare = false,
  children,
}: {
  id?: string;
  isBare?: boolean;
  children: ReactNode;
}) {
  return (
    <div id={id} className={isBare ? `${styles.tools} ${styles.bare}` : `card ${styles.tools}`}>
      {children}
    </div>
  );
}

export function SearchField({
  label,
  value,
  onChange,
}: {
  label: string;
  /** Without blanks around it. */
  value: string;
  /** Without blanks around it: the one after a word is typed before the next word. */
  onChange: (text: string) => void;
}) {
  const id = useId();
  const [text, setText] = useState(value);
  const [known, setKnown] = useState(value);
  // What was asked for and hasn't come back as `value` yet, oldest first: one types faster than a slow phone follows.
  const [asked, setAsked] = useState<string[]>([]);
  if (value !== known) {
    setKnown(value);
    const answered = asked.indexOf(value);
    setAsked(answered === -1 ? [] : asked.slice(answered + 1));
    // Changed by somebody else than this field: reset, or another address.
    if (answered === -1) setText(value);
  }

  useEffect(() => {
    const wanted = text.trim();
    if (wanted === (asked.at(-1) ?? known)) return;
    const timer = setTimeout(() => {
      setAsked([...asked, wanted]);
      onChange(wanted);
    }, pauseMs);
    return () => clearTimeout(timer);
  });

  return (
    <div className={`${styles.tool} ${styles.search}`}>
      <label htmlFor={id}>{label}</label>
      <span className={styles.box}>
        <Icon name="search" size={18} />
        <input
          id={id}
          type="search"
          value={text}
          maxLength={200}
          autoComplete="off"
          enterKeyHint="search"
          onChange={(event) => setText(event.currentTarget.value)}
        />
      </span>
    </div>
  );
}

/** The browser's own select: on phones nothing is easier to use. */
export function ChoiceField({
  label,
  value,
  choices,
  onChange,
  isWide = false,
}: {
  label: string;
  value: string;
  choices: { value: string; text: string }[];
  /** Takes a row of its own on phones. */
  isWide?: boolean;
  onChange: (value: string) => void;
}) {
  const id = useId();
  return (
    <div className={isWide ? `${styles.tool} ${styles.wide}` : styles.tool}>
      <label htmlFor={id}>{label}</label>
      <select id={id} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.text}
          </option>
        ))}
      </select>
    </div>
  );
}

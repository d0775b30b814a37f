// The filters of a list: a search field, and a choice of one from a few. Both take effect at once and belong to no
// form; their values are kept in the address.
import { type ReactNode, useEffect, useId, useState } from "react";
import { isTouchScreen } from "../lib/touch";
import { Icon } from "./Icon";
import type { IconName } from "./icons";
import styles from "./listTools.module.css";

/** The list follows after a pause in typing this long. */
const pauseMs = 200;

/** The frame of the fields. `isBare`: one line without a card. */
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
  /** Trimmed. */
  value: string;
  /** Called with the trimmed text: a blank after a word is typed before the next word. */
  onChange: (text: string) => void;
}) {
  const id = useId();
  const [text, setText] = useState(value);
  const [known, setKnown] = useState(value);
  // Searches that haven't come back as `value` yet, oldest first: typing is faster than a slow phone renders.
  const [asked, setAsked] = useState<string[]>([]);
  if (value !== known) {
    setKnown(value);
    const answered = asked.indexOf(value);
    setAsked(answered === -1 ? [] : asked.slice(answered + 1));
    // Not changed by this field: reset, or another address.
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
          placeholder={label}
          maxLength={200}
          autoComplete="off"
          enterKeyHint="search"
          onChange={(event) => setText(event.currentTarget.value)}
          // The list follows by itself: no form around it is sent, and a phone's keyboard makes room.
          onKeyDown={(event) => {
            if (event.key !== "Enter" || event.ctrlKey || event.metaKey) return;
            event.preventDefault();
            if (isTouchScreen()) event.currentTarget.blur();
          }}
        />
      </span>
    </div>
  );
}

/** The native select: on phones nothing is easier to use. */
export function ChoiceField({
  label,
  value,
  choices,
  onChange,
  isWide = false,
  icon,
}: {
  label: string;
  value: string;
  choices: { value: string; text: string }[];
  /** Takes a whole row on phones. */
  isWide?: boolean;
  /** In a line of tools on a narrow window it is all that shows. */
  icon?: IconName;
  onChange: (value: string) => void;
}) {
  const id = useId();
  return (
    <div className={[styles.tool, isWide && styles.wide, icon && styles.short].filter(Boolean).join(" ")}>
      <label htmlFor={id}>{label}</label>
      {icon && <Icon name={icon} />}
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

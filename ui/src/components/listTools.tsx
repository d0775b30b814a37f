// Filters of a list: a search field, and a choice of a few. Both take effect at once and are kept in the URL.
import { type ReactNode, useEffect, useId, useState } from "react";
import { useNavigation } from "react-router";
import { isTouchScreen } from "../lib/touch";
import { Icon } from "./Icon";
import type { IconName } from "./icons";
import styles from "./listTools.module.css";

/** Pause in typing after which the list is filtered. */
const pauseMs = 200;

/** Frame of the fields; `isBare`: one line without a card; `isWaiting`: only the room for them. */
export function ListTools({
  id,
  isBare = false,
  isWaiting = false,
  children,
}: {
  id?: string;
  isBare?: boolean;
  isWaiting?: boolean;
  children: ReactNode;
}) {
  const frame = isBare ? `${styles.tools} ${styles.bare}` : `card ${styles.tools}`;
  return (
    <div id={id} className={isWaiting ? `${frame} ${styles.waiting}` : frame}>
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
  /** The trimmed text. */
  value: string;
  /** Called with the trimmed text: the blank before the next word doesn't change it. */
  onChange: (text: string) => void;
}) {
  const id = useId();
  const [text, setText] = useState(value);
  const [known, setKnown] = useState(value);
  // Searches that haven't come back as `value` yet, oldest first: typing is faster than a slow phone renders.
  const [pending, setPending] = useState<string[]>([]);
  if (value !== known) {
    setKnown(value);
    const answered = pending.indexOf(value);
    setPending(answered === -1 ? [] : pending.slice(answered + 1));
    // Changed by something else: a reset, or navigation.
    if (answered === -1) setText(value);
  }

  // A search that becomes part of the address cancels a navigation whose screen is still being loaded.
  const isLeaving = useNavigation().state !== "idle";
  useEffect(() => {
    const wanted = text.trim();
    if (isLeaving || wanted === (pending.at(-1) ?? known)) return;
    const timer = setTimeout(() => {
      setPending([...pending, wanted]);
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
          // Enter must not submit a form around the field; it closes the phone's keyboard.
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

/** A native select, which is easiest to use on phones. */
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
  /** The only visible part in a line of tools on narrow windows. */
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

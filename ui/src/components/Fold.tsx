// A part of a form that is folded at first. Its fields stay within reach of the keyboard, of the browser's search in
// the page and of programs that fill in forms: whatever gets to one of them opens it.
import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { focusPressed } from "./Button";
import styles from "./Disclosure.module.css";
import { Icon } from "./Icon";
import type { IconName } from "./icons";

/** `note`: what the fields hold, shown while folded, or always. `isWrong`: a field has an error. */
export function Fold({
  title,
  icon,
  note,
  level: Heading = "h2",
  isNoteKept = false,
  isOpenAtFirst = false,
  isWrong = false,
  onOpen,
  children,
}: {
  title: string;
  icon?: IconName;
  note?: ReactNode;
  level?: "h2" | "h3";
  isNoteKept?: boolean;
  isOpenAtFirst?: boolean;
  isWrong?: boolean;
  /** The pilot opens it. */
  onOpen?: () => void;
  children: ReactNode;
}) {
  const id = useId();
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  const panel = useRef<HTMLDivElement>(null);
  const open = () => setOpen(true);
  if (isWrong && !isOpen) open();
  useEffect(() => {
    const focused = document.activeElement;
    if (isOpen && panel.current?.contains(focused)) focused?.scrollIntoView({ block: "nearest" });
  }, [isOpen]);
  return (
    <div className={styles.disclosure} data-expanded={isOpen || undefined}>
      <Heading className={styles.heading}>
        <button
          type="button"
          className={styles.trigger}
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={(event) => {
            focusPressed(event);
            setOpen(!isOpen);
            if (!isOpen) onOpen?.();
          }}
        >
          {icon && <Icon name={icon} />}
          <span className={styles.texts}>
            <span className={styles.title}>{title}</span>
            {(isNoteKept || !isOpen) && note && <span className={styles.note}>{note}</span>}
          </span>
          <Icon name="chevron-down" />
        </button>
      </Heading>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the fields are what is used */}
      <div
        id={id}
        ref={panel}
        className={isOpen ? styles.panel : styles.folded}
        onFocus={open}
        // Scrolled by whoever wants to show a field.
        onScroll={open}
      >
        {children}
      </div>
    </div>
  );
}

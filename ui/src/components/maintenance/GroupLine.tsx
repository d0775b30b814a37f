// Several lines of one kind as one, which opens to its members.
import { type ReactNode, useId, useState } from "react";
import type { ReminderLine as Reminder } from "../../api/generated/ReminderLine";
import { focusPressed } from "../Button";
import { Icon } from "../Icon";
import hintStyles from "../packs/PackHint.module.css";
import { packs } from "../packs/texts";
import type { QuickCharge } from "../packs/useQuickCharge";
import styles from "./Lines.module.css";
import { PackAction, quickActionOf } from "./ReminderLine";
import { maintenance as texts } from "./texts";

/** Most packs that the server charges or stores at once. */
const maxPacks = 50;

/** `title`: after the number of lines. `children`: the lines, shown while it is open. */
export function GroupLine({
  title,
  lines,
  quick,
  children,
}: {
  title: string;
  lines: readonly Reminder[];
  quick: QuickCharge;
  children: ReactNode;
}) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const [first] = lines;
  if (first === undefined) return null;
  const counted = `${lines.length} ${title}`;
  const color = first.level === "red" ? hintStyles.urgent : hintStyles.attend;
  const action = quickActionOf(first);
  const isSame = lines.every((line) => quickActionOf(line) === action);
  return (
    <li className={styles.group}>
      <div className={styles.line}>
        <button
          type="button"
          className={styles.what}
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={(event) => {
            focusPressed(event);
            setOpen(!isOpen);
          }}
        >
          <span className={color}>
            <Icon name="warning" />
            <span className="visually-hidden">{packs.lights[first.level]}</span>
          </span>
          <span className={styles.text}>
            <strong>{counted}</strong>
            <span className={color}>{someNames(lines.map(nameOf))}</span>
          </span>
          <Icon name="chevron-down" />
        </button>
        {isSame && lines.length <= maxPacks && (action === "stored" || action === "charged") && (
          <PackAction
            action={action}
            title={counted}
            named={{ name: packs.counted(lines.length), ids: lines.map(({ dpfId }) => dpfId), areMany: true }}
            quick={quick}
          />
        )}
      </div>
      <ul id={id} className={styles.lines} aria-label={counted} hidden={!isOpen}>
        {isOpen && children}
      </ul>
    </li>
  );
}

function nameOf({ title, name }: Reminder): string {
  return title ?? name;
}

/** Returns the first of some names, each once, and how many more there are. */
function someNames(all: readonly string[]): string {
  const names = [...new Set(all)];
  const more = names.length - 3;
  return more > 1 ? texts.andMore(names.slice(0, 3).join(", "), more) : names.join(", ");
}

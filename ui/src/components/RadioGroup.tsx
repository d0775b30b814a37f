// A choice of one of a few, all visible: as a row of segments that takes effect at once, as a field of a form, or as
// rows that say more about each.
import { type AriaAttributes, useId } from "react";
import { CheckMark } from "./CheckMark";
import { Icon } from "./Icon";
import type { IconName } from "./icons";
import styles from "./RadioGroup.module.css";

export type Choice = { value: string; text: string; icon?: IconName; about?: string };

const looks = { segments: styles.segments, field: styles.field, rows: styles.rows };

/** `as`: its look. */
export function RadioGroup({
  as,
  value,
  choices,
  onChange,
  onBlur,
  ...named
}: {
  as: keyof typeof looks;
  value: string;
  choices: readonly Choice[];
  onChange: (value: string) => void;
  onBlur?: () => void;
} & Pick<AriaAttributes, "aria-label" | "aria-labelledby" | "aria-describedby" | "aria-invalid">) {
  const id = useId();
  return (
    <div className={looks[as]} role="radiogroup" {...named}>
      {choices.map(({ value: own, text, icon, about }) => (
        <label key={own} className={styles.choice} data-selected={own === value || undefined}>
          <input
            type="radio"
            className="visually-hidden"
            name={id}
            value={own}
            checked={own === value}
            onChange={() => onChange(own)}
            onBlur={onBlur}
          />
          {as === "rows" && <CheckMark isRound />}
          {icon && <Icon name={icon} size={18} />}
          {about === undefined ? (
            <span>{text}</span>
          ) : (
            <span>
              <strong>{text}</strong>
              <span className="quiet">{about}</span>
            </span>
          )}
        </label>
      ))}
    </div>
  );
}

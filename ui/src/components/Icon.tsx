// An icon as an inline SVG in the colour of the text around it. Always decorative: the text beside it or the button's
// label has the meaning.
import styles from "./Icon.module.css";
import { type IconName, icons } from "./icons";

/** All lines of an icon as one path: a list of 5,000 flights draws 10,000 icons, some with nine lines. */
function outline(name: IconName): string {
  return icons[name].map(([, line]) => line.d).join("");
}

export function Icon({ name, size = 20 }: { name: IconName; size?: number }) {
  return (
    <svg
      className={styles.icon}
      width={size}
      height={size}
      viewBox="0 0 24 24"
      aria-hidden="true"
      focusable="false"
    >
      <path d={outline(name)} />
    </svg>
  );
}

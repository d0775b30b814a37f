// One icon of the set, as an inline SVG in the colour of the text around it. Always decoration: the words beside it
// or the button's label say what it means.

import styles from "./Icon.module.css";
import { type IconName, icons } from "./icons";

export function Icon({ name, size = 20 }: { name: IconName; size?: number }) {
  const Shape = icons[name];
  return <Shape className={styles.icon} size={size} stroke={1.75} aria-hidden="true" focusable="false" />;
}

// Traffic light of a pack that needs attention: an icon in the colour of its urgency, and a word for those who don't
// see colours. A pack that is well or unknown has none.
import type { Equipment } from "../../api/generated/Equipment";
import { Icon } from "../Icon";
import "../../styles/stage.css";
import styles from "./PackHint.module.css";
import { packs } from "./texts";

export function PackTrafficLight({ pack: { light } }: { pack: Equipment }) {
  if (light !== "amber" && light !== "red") return null;
  return (
    <span className={`${styles.light} ${light === "red" ? styles.urgent : styles.attend}`}>
      <Icon name="warning" />
      <span className="visually-hidden">{packs.lights[light]}</span>
    </span>
  );
}

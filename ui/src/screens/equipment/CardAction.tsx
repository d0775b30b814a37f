// A small link or button on an item's card: an icon with a tooltip, or, on touch screens, an icon over its name.
import { Button as AriaButton } from "react-aria-components";
import { Link } from "react-router";
import { IconButton, IconLink } from "../../components/Button";
import { Icon } from "../../components/Icon";
import type { IconName } from "../../components/icons";
import { isTouchScreen } from "../../lib/touch";
import styles from "./CardAction.module.css";

/** `about` distinguishes several of them for screen readers. */
export function CardAction({
  icon,
  label,
  about,
  way,
}: {
  icon: IconName;
  label: string;
  about: string;
  /** An address, or the action of a press. */
  way: string | (() => void);
}) {
  const name = `${label} ${about}`;
  if (!isTouchScreen()) {
    return typeof way === "string" ? (
      <IconLink icon={icon} label={name} to={way} />
    ) : (
      <IconButton icon={icon} label={name} onPress={way} />
    );
  }
  const face = (
    <>
      <Icon name={icon} />
      <span>{label}</span>
    </>
  );
  return typeof way === "string" ? (
    <Link className={styles.action} to={way} aria-label={name}>
      {face}
    </Link>
  ) : (
    <AriaButton className={styles.action} aria-label={name} onPress={way}>
      {face}
    </AriaButton>
  );
}

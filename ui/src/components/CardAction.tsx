// A small link or button of a card or a row: an icon with a tooltip, or, on touch screens, an icon over its name.
import { Link } from "react-router";
import { isTouchScreen } from "../lib/touch";
import { focusPressed, IconButton, IconLink } from "./Button";
import styles from "./CardAction.module.css";
import { Icon } from "./Icon";
import type { IconName } from "./icons";

/** `about` distinguishes several actions for screen readers, unless they have a `name` that contains the label. */
export function CardAction({
  icon,
  label,
  about = "",
  name = `${label} ${about}`,
  way,
  isDisabled = false,
}: {
  icon: IconName;
  label: string;
  about?: string;
  name?: string;
  /** A URL, or the action of a press. */
  way: string | (() => void);
  isDisabled?: boolean;
}) {
  if (!isTouchScreen()) {
    return typeof way === "string" ? (
      <IconLink icon={icon} label={name} to={way} />
    ) : (
      <IconButton icon={icon} label={name} isDisabled={isDisabled} onPress={way} />
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
    <button
      type="button"
      className={styles.action}
      aria-label={name}
      disabled={isDisabled}
      onClick={(event) => {
        focusPressed(event);
        way();
      }}
    >
      {face}
    </button>
  );
}

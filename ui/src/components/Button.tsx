// Buttons, links that look like buttons, and icon buttons. A button whose onPress returns a promise shows that it is
// busy and can't be pressed again until the promise settles. Knows no forms; a form's submit button is in Form.tsx.
// `slot={null}`: a button of ours takes no props from the widget around it (inside a date picker it would open the
// calendar).
import { type ReactNode, useState } from "react";
import { Button as AriaButton, Focusable, Tooltip, TooltipTrigger } from "react-aria-components";
import { Link } from "react-router";
import styles from "./Button.module.css";
import { Icon } from "./Icon";
import type { IconName } from "./icons";

/** "running" is amber and only for an open flight. */
export type ButtonVariant = "primary" | "secondary" | "quiet" | "danger" | "running";

const variantClass: Record<ButtonVariant, string | undefined> = {
  primary: styles.primary,
  secondary: undefined,
  quiet: styles.quiet,
  danger: styles.danger,
  running: styles.running,
};

/** The classes of a button, for a native element. */
export function buttonClass(variant: ButtonVariant, isLarge = false): string {
  return [styles.button, variantClass[variant], isLarge && styles.large].filter(Boolean).join(" ");
}

function Face({
  icon,
  isBusy,
  children,
}: {
  icon?: IconName | undefined;
  isBusy?: boolean;
  children: ReactNode;
}) {
  return (
    <>
      {isBusy ? <span className="spinner" aria-hidden="true" /> : icon && <Icon name={icon} />}
      <span>{children}</span>
    </>
  );
}

export function Button({
  children,
  onPress,
  variant = "secondary",
  icon,
  isLarge = false,
  isDisabled = false,
  isBusy = false,
  type = "button",
  value,
  autoFocus = false,
}: {
  children: ReactNode;
  onPress?: () => unknown;
  variant?: ButtonVariant;
  icon?: IconName;
  isLarge?: boolean;
  isDisabled?: boolean;
  isBusy?: boolean;
  type?: "button" | "submit";
  value?: string;
  autoFocus?: boolean;
}) {
  const [isRunning, setRunning] = useState(false);
  async function press() {
    const result = onPress?.();
    if (!(result instanceof Promise)) return;
    setRunning(true);
    try {
      await result;
    } finally {
      setRunning(false);
    }
  }
  const busy = isBusy || isRunning;
  return (
    <AriaButton
      slot={null}
      className={buttonClass(variant, isLarge)}
      type={type}
      {...(value && { name: "pressed", value })}
      isDisabled={isDisabled}
      isPending={busy}
      autoFocus={autoFocus}
      onPress={press}
    >
      <Face icon={icon} isBusy={busy}>
        {children}
      </Face>
    </AriaButton>
  );
}

export function ButtonLink({
  children,
  to,
  state,
  variant = "secondary",
  icon,
  isLarge = false,
}: {
  children: ReactNode;
  to: string;
  /** The location state for the next screen. */
  state?: unknown;
  variant?: ButtonVariant;
  icon?: IconName;
  isLarge?: boolean;
}) {
  return (
    <Link className={buttonClass(variant, isLarge)} to={to} state={state}>
      <Face icon={icon}>{children}</Face>
    </Link>
  );
}

/** A button of one icon: `label` is its accessible name and its tooltip for a mouse. */
export function IconButton({
  icon,
  label,
  onPress,
  isDisabled = false,
}: {
  icon: IconName;
  label: string;
  onPress: () => void;
  isDisabled?: boolean;
}) {
  return (
    <TooltipTrigger delay={600}>
      <AriaButton
        slot={null}
        className={styles.iconButton}
        aria-label={label}
        isDisabled={isDisabled}
        onPress={onPress}
      >
        <Icon name={icon} />
      </AriaButton>
      <Tooltip className={styles.tooltip} offset={6}>
        {label}
      </Tooltip>
    </TooltipTrigger>
  );
}

/** A link of one icon, labelled like an icon button. */
export function IconLink({ icon, label, to }: { icon: IconName; label: string; to: string }) {
  return (
    <TooltipTrigger delay={600}>
      <Focusable>
        <Link className={styles.iconButton} aria-label={label} to={to}>
          <Icon name={icon} />
        </Link>
      </Focusable>
      <Tooltip className={styles.tooltip} offset={6}>
        {label}
      </Tooltip>
    </TooltipTrigger>
  );
}

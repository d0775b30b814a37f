// Buttons, links that look like buttons, and icon buttons. A button whose onPress returns a promise shows that it is
// busy and can't be pressed again until the promise settles. All are native elements: every screen has some, lists have
// many, and the first screen waits for no library. A form's submit button is in Form.tsx.
import { type MouseEvent, type ReactNode, useState } from "react";
import { Link } from "react-router";
import styles from "./Button.module.css";
import { Icon } from "./Icon";
import type { IconName } from "./icons";

/** "running" is amber, only for an open flight. */
export type ButtonVariant = "primary" | "secondary" | "quiet" | "danger" | "running";

const variantClass: Record<ButtonVariant, string | undefined> = {
  primary: styles.primary,
  secondary: undefined,
  quiet: styles.quiet,
  danger: styles.danger,
  running: styles.running,
};

/** Focuses a clicked button, as Safari doesn't: a closing dialog returns the focus to its opener. */
export function focusPressed({ currentTarget }: MouseEvent<HTMLButtonElement>): void {
  currentTarget.focus({ preventScroll: true });
}

/** Classes of a native element that looks like a button. */
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
  const busy = isBusy || isRunning;
  async function press(event: MouseEvent<HTMLButtonElement>) {
    if (busy) return;
    focusPressed(event);
    const result = onPress?.();
    if (!(result instanceof Promise)) return;
    setRunning(true);
    try {
      await result;
    } finally {
      setRunning(false);
    }
  }
  return (
    <button
      className={buttonClass(variant, isLarge)}
      // A disabled button would lose the focus.
      type={busy ? "button" : type}
      {...(value && { name: "pressed", value })}
      disabled={isDisabled}
      aria-disabled={busy || undefined}
      // biome-ignore lint/a11y/noAutofocus: only for a dialog that has just opened
      autoFocus={autoFocus}
      onClick={press}
    >
      <Face icon={icon} isBusy={busy}>
        {children}
      </Face>
    </button>
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
  /** Location state of the next screen. */
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

/** An icon button: `label` is its accessible name and its tooltip. */
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
    <button
      type="button"
      className={`${styles.iconButton} ${styles.hinted}`}
      aria-label={label}
      data-hint={label}
      disabled={isDisabled}
      onClick={(event) => {
        focusPressed(event);
        onPress();
      }}
    >
      <Icon name={icon} />
    </button>
  );
}

/** An icon link, labelled like an icon button. */
export function IconLink({ icon, label, to }: { icon: IconName; label: string; to: string }) {
  return (
    <Link className={`${styles.iconButton} ${styles.hinted}`} aria-label={label} data-hint={label} to={to}>
      <Icon name={icon} />
    </Link>
  );
}

// Everything that is pressed: buttons, links that look like buttons, and buttons of one icon. A button whose onPress
// returns a promise shows that it is busy and can't be pressed again until the promise settles.
// Knows nothing of forms; a form's submit button is in Form.tsx. `slot={null}`: a button of ours takes nothing from the
// widget around it (inside a date picker it would open the calendar).
import { type ReactNode, useState } from "react";
import { Button as AriaButton, Focusable, Tooltip, TooltipTrigger } from "react-aria-components";
import { Link } from "react-router";
import { Icon } from "./Icon";
import type { IconName } from "./icons";

/** "running" is amber and only for a flight that is open. */
export type ButtonVariant = "primary" | "secondary" | "quiet" | "danger" | "running";

function classes(variant: ButtonVariant, isLarge: boolean): string {
  return `button button-${variant}${isLarge ? " button-large" : ""}`;
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
      <span className="button-text">{children}</span>
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
      className={classes(variant, isLarge)}
      type={type}
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
  /** What the next screen is told, by its location. */
  state?: unknown;
  variant?: ButtonVariant;
  icon?: IconName;
  isLarge?: boolean;
}) {
  return (
    <Link className={classes(variant, isLarge)} to={to} state={state}>
      <Face icon={icon}>{children}</Face>
    </Link>
  );
}

/** A button of one icon: `label` is its name for screen readers and its tooltip for a mouse. */
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
        className="icon-button"
        aria-label={label}
        isDisabled={isDisabled}
        onPress={onPress}
      >
        <Icon name={icon} />
      </AriaButton>
      <Tooltip className="tooltip" offset={6}>
        {label}
      </Tooltip>
    </TooltipTrigger>
  );
}

/** A link of one icon, named as an icon button is. */
export function IconLink({ icon, label, to }: { icon: IconName; label: string; to: string }) {
  return (
    <TooltipTrigger delay={600}>
      <Focusable>
        <Link className="icon-button" aria-label={label} to={to}>
          <Icon name={icon} />
        </Link>
      </Focusable>
      <Tooltip className="tooltip" offset={6}>
        {label}
      </Tooltip>
    </TooltipTrigger>
  );
}

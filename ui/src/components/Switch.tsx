// A switch between two states that takes effect at once. Not for forms.
import type { ReactNode } from "react";
import { Switch as AriaSwitch } from "react-aria-components";

export function Switch({
  isSelected,
  onChange,
  off,
  children,
}: {
  isSelected: boolean;
  onChange: (isSelected: boolean) => void;
  /** The name of the other state, for the eye; the switch itself is named by its children. */
  off?: ReactNode;
  children: ReactNode;
}) {
  return (
    <AriaSwitch className="switch" isSelected={isSelected} onChange={onChange}>
      {off && (
        <span className="switch-off" aria-hidden="true">
          {off}
        </span>
      )}
      <span className="switch-track">
        <span className="switch-knob" />
      </span>
      <span className="switch-on">{children}</span>
    </AriaSwitch>
  );
}

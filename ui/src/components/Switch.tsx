// A switch between two states that takes effect at once. Not for forms.
import type { ReactNode } from "react";
import { Switch as AriaSwitch } from "react-aria-components";

export function Switch({
  isSelected,
  onChange,
  children,
}: {
  isSelected: boolean;
  onChange: (isSelected: boolean) => void;
  children: ReactNode;
}) {
  return (
    <AriaSwitch className="switch" isSelected={isSelected} onChange={onChange}>
      <span className="switch-track">
        <span className="switch-knob" />
      </span>
      {children}
    </AriaSwitch>
  );
}

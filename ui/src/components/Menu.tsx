// A menu that a button opens: the three dots of a screen, or any other trigger.
import { type ReactNode, useId, useRef, useState } from "react";
import { general } from "../texts";
import { focusPressed } from "./Button";
import buttons from "./Button.module.css";
import { deferred } from "./deferred";
import { Icon } from "./Icon";
import type { MenuContent } from "./MenuPopover";

const MenuPopover = deferred(async () => (await import("./MenuPopover")).MenuPopover);

/** Which entry is focused in a menu opened by this key. */
const focusedByKey: Record<string, "first" | "last"> = {
  Enter: "first",
  " ": "first",
  ArrowDown: "first",
  ArrowUp: "last",
};

export function Menu({
  label = general.more,
  trigger = <Icon name="more" />,
  triggerClass = buttons.iconButton,
  isCurrent = false,
  onOpenChange,
  ...content
}: MenuContent & {
  label?: string;
  trigger?: ReactNode;
  triggerClass?: string | undefined;
  /** In a navigation: one of the entries is the current screen. */
  isCurrent?: boolean;
  onOpenChange?: (isOpen: boolean) => void;
}) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  // Opened by keyboard, an entry gets the focus.
  const [focused, setFocused] = useState<true | "first" | "last">(true);
  const [isOpen, setOpen] = useState(false);
  const [wasOpen, setWasOpen] = useState(false);
  function change(open: boolean) {
    setOpen(open);
    if (open) setWasOpen(true);
    onOpenChange?.(open);
  }
  return (
    <>
      <button
        ref={button}
        type="button"
        className={triggerClass}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        aria-current={isCurrent || undefined}
        onClick={(event) => {
          focusPressed(event);
          setFocused(event.detail === 0 ? "first" : true);
          change(true);
        }}
        onKeyDown={(event) => {
          const entry = focusedByKey[event.key];
          if (entry === undefined) return;
          // Not a click: the library takes one without a pointer for a screen reader's.
          event.preventDefault();
          setFocused(entry);
          change(true);
        }}
      >
        {trigger}
      </button>
      {wasOpen && (
        <MenuPopover
          {...content}
          id={id}
          label={label}
          opener={button}
          focused={focused}
          isOpen={isOpen}
          onOpenChange={change}
        />
      )}
    </>
  );
}

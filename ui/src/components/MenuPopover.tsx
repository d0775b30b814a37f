// The open menu: entries, and a choice at its end. react-aria handles position, focus and keys.
import type { ReactNode, RefObject } from "react";
import { Menu as AriaMenu, Header, MenuItem, MenuSection, Popover } from "react-aria-components";
import { BackCloses } from "./BackCloses";
import { Icon } from "./Icon";
import type { IconName } from "./icons";
import styles from "./Menu.module.css";

export type MenuEntry = {
  id: string;
  text: string;
  icon: IconName;
  isDangerous?: boolean;
  onAction: () => void;
};

/** A choice of one value, at the menu's end. */
type MenuChoice = {
  label: string;
  value: string;
  choices: { value: string; text: string }[];
  onChoice: (value: string) => void;
};

export type MenuContent = { header?: ReactNode; entries: MenuEntry[]; choice?: MenuChoice };

export function MenuPopover({
  header,
  entries,
  choice,
  id,
  label,
  opener,
  focused,
  isOpen,
  onOpenChange,
}: MenuContent & {
  id: string;
  label: string;
  opener: RefObject<HTMLButtonElement | null>;
  /** Whether the menu or one of its entries gets the focus. */
  focused: true | "first" | "last";
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
}) {
  return (
    <Popover
      className={styles.popover}
      trigger="MenuTrigger"
      triggerRef={opener}
      aria-label={label}
      placement="bottom end"
      offset={6}
      isOpen={isOpen}
      onOpenChange={onOpenChange}
    >
      <BackCloses onBack={() => onOpenChange(false)} />
      {header}
      <AriaMenu
        id={id}
        className={styles.menu}
        aria-label={label}
        autoFocus={focused}
        onClose={() => onOpenChange(false)}
      >
        {entries.map((entry) => (
          <MenuItem
            key={entry.id}
            id={entry.id}
            textValue={entry.text}
            className={entry.isDangerous ? `${styles.item} ${styles.dangerous}` : styles.item}
            onAction={entry.onAction}
          >
            <Icon name={entry.icon} />
            {entry.text}
          </MenuItem>
        ))}
        {choice && <Choice choice={choice} />}
      </AriaMenu>
    </Popover>
  );
}

function Choice({ choice: { label, value, choices, onChoice } }: { choice: MenuChoice }) {
  return (
    <MenuSection
      className={styles.choice}
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={[value]}
      onSelectionChange={(chosen) => {
        for (const key of chosen) onChoice(String(key));
      }}
    >
      <Header className={styles.choiceTitle}>{label}</Header>
      {choices.map(({ value: own, text }) => (
        <MenuItem key={own} id={own} textValue={text} className={styles.item}>
          <span className={styles.mark}>{own === value && <Icon name="check" />}</span>
          {text}
        </MenuItem>
      ))}
    </MenuSection>
  );
}

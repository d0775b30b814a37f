// A menu behind a button: the three dots of a screen, or any other trigger.
import type { ReactNode } from "react";
import {
  Button as AriaButton,
  Menu as AriaMenu,
  Header,
  MenuItem,
  MenuSection,
  MenuTrigger,
  Popover,
} from "react-aria-components";
import { general } from "../texts";
import buttons from "./Button.module.css";
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

/** One of several, at the menu's end. */
export type MenuChoice = {
  label: string;
  value: string;
  choices: { value: string; text: string }[];
  onChoice: (value: string) => void;
};

export function Menu({
  entries,
  label = general.more,
  trigger = <Icon name="more" />,
  triggerClass = buttons.iconButton,
  header,
  choice,
  isCurrent = false,
  onOpenChange,
}: {
  entries: MenuEntry[];
  label?: string;
  trigger?: ReactNode;
  triggerClass?: string | undefined;
  header?: ReactNode;
  choice?: MenuChoice;
  /** Of a navigation: one of its entries is the screen in sight. */
  isCurrent?: boolean;
  onOpenChange?: (isOpen: boolean) => void;
}) {
  return (
    <MenuTrigger {...(onOpenChange && { onOpenChange })}>
      <AriaButton className={triggerClass} aria-label={label} {...(isCurrent && { "aria-current": true })}>
        {trigger}
      </AriaButton>
      <Popover className={styles.popover} placement="bottom end" offset={6}>
        {header}
        <AriaMenu className={styles.menu} aria-label={label}>
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
    </MenuTrigger>
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

// A section that opens and closes under its heading; `note` is a short text at the heading's end.
import type { ReactNode } from "react";
import {
  Button as AriaButton,
  Disclosure as AriaDisclosure,
  DisclosurePanel,
  Heading,
} from "react-aria-components";
import styles from "./Disclosure.module.css";
import { Icon } from "./Icon";
import type { IconName } from "./icons";

export function Disclosure({
  title,
  icon,
  note,
  isOpenAtFirst = false,
  level = 2,
  isOpen,
  onOpenChange,
  children,
}: {
  title: string;
  icon?: IconName;
  note?: ReactNode;
  isOpenAtFirst?: boolean;
  level?: 2 | 3 | 4;
  /** Controlled, together with `onOpenChange`. */
  isOpen?: boolean;
  onOpenChange?: (isOpen: boolean) => void;
  children: ReactNode;
}) {
  return (
    <AriaDisclosure
      className={styles.disclosure}
      defaultExpanded={isOpenAtFirst}
      {...(isOpen !== undefined && { isExpanded: isOpen })}
      {...(onOpenChange && { onExpandedChange: onOpenChange })}
    >
      <Heading level={level} className={styles.heading}>
        <AriaButton slot="trigger" className={styles.trigger}>
          {icon && <Icon name={icon} />}
          <span className={styles.texts}>
            <span className={styles.title}>{title}</span>
            {note && <span className={styles.note}>{note}</span>}
          </span>
          <Icon name="chevron-down" />
        </AriaButton>
      </Heading>
      <DisclosurePanel className={styles.panel}>{children}</DisclosurePanel>
    </AriaDisclosure>
  );
}

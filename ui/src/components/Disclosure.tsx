// A section that opens and closes under its heading; `note` is a short text at the heading's right side.
import type { ReactNode } from "react";
import {
  Button as AriaButton,
  Disclosure as AriaDisclosure,
  DisclosurePanel,
  Heading,
} from "react-aria-components";
import { Icon } from "./Icon";
import type { IconName } from "./icons";

export function Disclosure({
  title,
  icon,
  note,
  isOpenAtFirst = false,
  level = 2,
  children,
}: {
  title: string;
  icon?: IconName;
  note?: ReactNode;
  isOpenAtFirst?: boolean;
  level?: 2 | 3 | 4;
  children: ReactNode;
}) {
  return (
    <AriaDisclosure className="disclosure" defaultExpanded={isOpenAtFirst}>
      <Heading level={level} className="disclosure-heading">
        <AriaButton slot="trigger" className="disclosure-trigger">
          {icon && <Icon name={icon} />}
          <span className="disclosure-title">{title}</span>
          {note && <span className="disclosure-note">{note}</span>}
          <Icon name="chevron-down" />
        </AriaButton>
      </Heading>
      <DisclosurePanel className="disclosure-panel">{children}</DisclosurePanel>
    </AriaDisclosure>
  );
}

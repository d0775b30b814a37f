// The copter of a flight in the list: opens and closes the panel of what flew along.
import { Button as AriaButton, Tooltip, TooltipTrigger } from "react-aria-components";
import { Icon } from "../../components/Icon";
import { flights } from "../../texts";

export function CopterButton({
  copter,
  isOpen,
  panelId,
  onToggle,
}: {
  copter: string;
  isOpen: boolean;
  panelId: string;
  onToggle: () => void;
}) {
  const action = isOpen ? flights.hideEquipment : flights.showEquipment;
  return (
    <TooltipTrigger delay={600}>
      <AriaButton
        className="copter-button"
        aria-label={`${copter}, ${action}`}
        aria-expanded={isOpen}
        {...(isOpen && { "aria-controls": panelId })}
        onPress={onToggle}
      >
        <Icon name="drone" size={18} />
        <span className="copter-button-name">{copter}</span>
        <Icon name={isOpen ? "chevron-up" : "chevron-down"} size={18} />
      </AriaButton>
      <Tooltip className="tooltip" offset={6}>
        {action}
      </Tooltip>
    </TooltipTrigger>
  );
}

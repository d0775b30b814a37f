// The copter of a flight in the list: opens and closes the panel of the flight's equipment. A native button with a CSS
// tooltip, because there may be thousands.
import buttons from "../../components/Button.module.css";
import { Icon } from "../../components/Icon";
import { flights } from "../../components/texts/flights";
import styles from "./CopterButton.module.css";
import clamp from "./clamp.module.css";

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
    <button
      type="button"
      className={`${styles.button} ${buttons.hinted}`}
      aria-label={`${copter}, ${action}`}
      aria-expanded={isOpen}
      aria-controls={isOpen ? panelId : undefined}
      data-hint={action}
      onClick={onToggle}
    >
      <span className={`${clamp.threeLines} ${styles.name}`}>{copter}</span>
      <Icon name={isOpen ? "chevron-up" : "chevron-down"} size={18} />
    </button>
  );
}

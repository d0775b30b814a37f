// An icon button that also shows its label on touch screens, which have no tooltips.
import { Button, IconButton } from "../../components/Button";
import type { IconName } from "../../components/icons";
import { isTouchScreen } from "../../lib/touch";

/** The button. `about` distinguishes several of them for screen readers. */
export function LabelledIconButton({
  icon,
  label,
  about,
  onPress,
}: {
  icon: IconName;
  label: string;
  about: string;
  onPress: () => void;
}) {
  if (!isTouchScreen()) return <IconButton icon={icon} label={`${label} ${about}`} onPress={onPress} />;
  return (
    <Button variant="quiet" icon={icon} onPress={onPress}>
      {label}
      <span className="visually-hidden"> {about}</span>
    </Button>
  );
}

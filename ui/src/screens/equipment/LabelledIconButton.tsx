// A button of one icon that, where fingers point and no tooltip can appear, shows its label too.
// Knows nothing of what it does.
import { Button, IconButton } from "../../components/Button";
import type { IconName } from "../../components/icons";
import { isTouchScreen } from "../../lib/touch";

/** `about` tells several of them apart for screen readers. */
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

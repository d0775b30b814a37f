// One icon of the set, as an inline SVG in the colour of the text around it. Always decoration: the words beside it
// or the button's label say what it means.
import { type IconName, iconShapes } from "./iconShapes";

export function Icon({ name, size = 20 }: { name: IconName; size?: number }) {
  return (
    <svg className="icon" width={size} height={size} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={iconShapes[name]} />
    </svg>
  );
}

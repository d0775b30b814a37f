// The icon of each kind of equipment, by code: 0 copter, 1 battery, 2 goggles, 3 transmitter, 4 video camera.
// Knows nothing of items.
import type { IconName } from "./icons";

const icons: IconName[] = ["drone", "battery", "goggles", "transmitter", "camera"];

export function equipmentIcon(type: number): IconName {
  return icons[type] ?? "drone";
}

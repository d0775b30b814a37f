// Icons of the kinds of equipment.
import { Kind } from "../api/generated/Kind";
import type { IconName } from "./icons";

export const kindIcons: Record<Kind, IconName> = {
  [Kind.Copter]: "drone",
  [Kind.Battery]: "battery",
  [Kind.Goggles]: "goggles",
  [Kind.Transmitter]: "transmitter",
  [Kind.VideoCamera]: "camera",
};

// The start weight of a copter. Knows no widgets.
import { Kind } from "../../api/generated/Kind";

/** The kinds that hang on the copter; goggles and transmitters stay with the pilot. */
export const isCarried: Record<Kind, boolean> = {
  [Kind.Copter]: true,
  [Kind.Battery]: true,
  [Kind.Goggles]: false,
  [Kind.Transmitter]: false,
  [Kind.VideoCamera]: true,
};

/** In g, rounded to thousandths as the server does; an item without a weight counts as zero. */
export function startWeight(
  items: readonly { type: Kind; weight: number | null }[],
  payloads: readonly { weight: number }[],
): number {
  const carried = items.filter((item) => isCarried[item.type]);
  const sum =
    carried.reduce((total, item) => total + (item.weight ?? 0), 0) +
    payloads.reduce((total, payload) => total + payload.weight, 0);
  return Math.round(sum * 1000) / 1000;
}

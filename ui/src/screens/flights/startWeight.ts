// The start weight of a copter. Pure functions.
import { Kind } from "../../api/generated/Kind";

/** Kinds that are mounted on the copter; goggles and transmitters stay with the pilot. */
export const isCarried: Record<Kind, boolean> = {
  [Kind.Copter]: true,
  [Kind.Battery]: true,
  [Kind.Goggles]: false,
  [Kind.Transmitter]: false,
  [Kind.VideoCamera]: true,
};

/** Returns the weight in g, rounded to thousandths like the server's; an item without a weight counts as zero. */
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

// What a copter weighs at the start. Knows nothing of how it is shown or chosen.

/** By code; what hangs on the copter counts, goggles and transmitters stay with the pilot. */
const carriedTypes = new Set([0, 1, 4]);

export function isCarried(type: number): boolean {
  return carriedTypes.has(type);
}

/** In g, rounded to thousandths as the server does; an item without a weight counts nothing. */
export function startWeight(
  items: readonly { type: number; weight: number | null }[],
  payloads: readonly { weight: number }[],
): number {
  const carried = items.filter((item) => isCarried(item.type));
  const sum =
    carried.reduce((total, item) => total + (item.weight ?? 0), 0) +
    payloads.reduce((total, payload) => total + payload.weight, 0);
  return Math.round(sum * 1000) / 1000;
}

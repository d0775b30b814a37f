// Values of a flight over time: rows sorted by seconds, each value a number or null. Independent of units and
// components.

/** Minimum and maximum of the known values; null when there is none. */
export function rangeOf(values: readonly (number | null)[]): [number, number] | null {
  let range: [number, number] | null = null;
  for (const value of values) {
    if (value === null) continue;
    range = range ? [Math.min(range[0], value), Math.max(range[1], value)] : [value, value];
  }
  return range;
}

/** The row nearest to this time. There must be at least one row. */
export function rowAt(seconds: readonly number[], time: number): number {
  let [low, high] = [0, seconds.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((seconds[middle] ?? 0) <= time) low = middle;
    else high = middle;
  }
  return time - (seconds[low] ?? 0) <= (seconds[high] ?? 0) - time ? low : high;
}

/** The row `step` seconds later or earlier, at least the adjacent one. */
export function rowBeside(seconds: readonly number[], row: number, step: number): number {
  const there = rowAt(seconds, (seconds[row] ?? 0) + step);
  const next = step > 0 ? Math.max(there, row + 1) : Math.min(there, row - 1);
  return Math.min(seconds.length - 1, Math.max(0, next));
}

/** SVG path of the values in a box of 100 by 100, with gaps where a value isn't known. */
export function lineOf(
  seconds: readonly number[],
  values: readonly (number | null)[],
  [least, most]: readonly [number, number],
): string {
  const [first, last] = [seconds[0] ?? 0, seconds.at(-1) ?? 0];
  let isGap = true;
  return values
    .map((value, row) => {
      if (value === null) {
        isGap = true;
        return "";
      }
      const x = 100 * shareOf(seconds[row] ?? 0, first, last);
      const y = 100 * (1 - shareOf(value, least, most));
      const pen = isGap ? "M" : "L";
      isGap = false;
      return `${pen}${x.toFixed(2)} ${y.toFixed(2)}`;
    })
    .join("");
}

/** Position of a value between `least` and `most`, from 0 to 1; 0.5 when they are equal. */
export function shareOf(value: number, least: number, most: number): number {
  return most > least ? (value - least) / (most - least) : 0.5;
}

/** Time as "4:19" or "1:04:19". */
export function clockOf(seconds: number): string {
  const whole = Math.round(seconds);
  const two = (number: number) => String(number).padStart(2, "0");
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  const rest = two(whole % 60);
  return hours > 0 ? `${hours}:${two(minutes)}:${rest}` : `${minutes}:${rest}`;
}

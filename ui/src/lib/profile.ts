// The values of a flight over its time: rows in the order of their seconds, each value a number or null. Knows no call,
// no unit and no component.

/** Least and greatest of the known values; null when there is none. */
export function rangeOf(values: readonly (number | null)[]): [number, number] | null {
  let range: [number, number] | null = null;
  for (const value of values) {
    if (value === null) continue;
    range = range ? [Math.min(range[0], value), Math.max(range[1], value)] : [value, value];
  }
  return range;
}

/** The row that is nearest to this time. There is at least one. */
export function rowAt(seconds: readonly number[], time: number): number {
  let [low, high] = [0, seconds.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((seconds[middle] ?? 0) <= time) low = middle;
    else high = middle;
  }
  return time - (seconds[low] ?? 0) <= (seconds[high] ?? 0) - time ? low : high;
}

/** The row that is so many seconds later, or earlier, and at least the next one. */
export function rowBeside(seconds: readonly number[], row: number, step: number): number {
  const there = rowAt(seconds, (seconds[row] ?? 0) + step);
  const next = step > 0 ? Math.max(there, row + 1) : Math.min(there, row - 1);
  return Math.min(seconds.length - 1, Math.max(0, next));
}

/** The line of the values, with gaps, in a box of 100 by 100: time to the right, the range from below to the top. */
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

/** From 0 to 1; in the middle when the range is a single value. */
export function shareOf(value: number, least: number, most: number): number {
  return most > least ? (value - least) / (most - least) : 0.5;
}

/** "4:19", "1:04:19" */
export function clockOf(seconds: number): string {
  const whole = Math.round(seconds);
  const two = (number: number) => String(number).padStart(2, "0");
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  const rest = two(whole % 60);
  return hours > 0 ? `${hours}:${two(minutes)}:${rest}` : `${minutes}:${rest}`;
}

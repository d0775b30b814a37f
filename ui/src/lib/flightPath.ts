// Projects a flight's path to a drawing: from above with north up, or slanted, turned so that its longer side lies
// across, with heights over the start. In metres. Independent of components.
import type { Coordinates } from "./gps";
import { groundAround, minMetres, type Point, roundLength } from "./sketch";

/** Position in m relative to the start: east, north and up. */
export type Spot = { east: number; north: number; up: number };

export type PathView = "above" | "slanted";

export type Projection = {
  pointOf: (spot: Spot) => Point;
  /** The point on the ground below the spot. */
  groundOf: (spot: Spot) => Point;
  /** Direction of north, in degrees clockwise from up. */
  north: number;
  /** Height divided by width of a circle on the ground. */
  tilt: number;
  /** Exaggeration of heights. */
  raised: number;
  /** A round length, and its size across the drawing. */
  scale: { metres: number; length: number };
};

/** Slanted view from 30° above the horizon: scales of depth and height. */
const tilt = Math.sin(Math.PI / 6);
const upright = Math.cos(Math.PI / 6);
/** A flat path is exaggerated by the smallest of `raises` that reaches this ratio of height to width. */
const minShare = 0.16;
const raises = [1, 2, 3, 5, 10, 20];
const scaleShare = 0.3;

/** Positions relative to the first place; null where it isn't known. A missing height is the last known one. */
export function spotsOf(
  places: readonly (Coordinates | null)[],
  heights: readonly (number | null)[],
): (Spot | null)[] {
  const first = places.find((place) => place !== null);
  if (!first) return places.map(() => null);
  const flat = groundAround(first);
  let up = 0;
  return places.map((place, row) => {
    up = heights[row] ?? up;
    return place && { ...flat(place), up };
  });
}

/** A projection of these spots, at least one, into a drawing of this size. `turned`: clockwise, in radians. */
export function projectionOf(
  spots: readonly Spot[],
  view: PathView,
  { width, height, margin }: { width: number; height: number; margin: number },
  turned = 0,
): Projection {
  const isSlanted = view === "slanted";
  const unturned = isSlanted ? longerSideOf(spots) : 0;
  const turn = unturned + turned;
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
  const depth = isSlanted ? tilt : 1;
  const across = alongIn(turn);
  const down = ({ east, north }: Spot) => (east * sin - north * cos) * depth;
  const wide = endsOf(spots.map(across));
  // Turning doesn't change the heights.
  const raised = isSlanted ? raiseOf(spots, endsOf(spots.map(alongIn(unturned)))) : 1;
  const lift = isSlanted ? upright * raised : 0;
  const high = endsOf(spots.flatMap((spot) => [down(spot), down(spot) - spot.up * lift]));
  const metresOfUnit = Math.max(
    Math.max(wide[1] - wide[0], minMetres) / (width - 2 * margin),
    Math.max(high[1] - high[0], minMetres * depth) / (height - 2 * margin),
  );
  const at = (spot: Spot, lifted: number): Point => ({
    x: width / 2 + (across(spot) - (wide[0] + wide[1]) / 2) / metresOfUnit,
    y: height / 2 + (down(spot) - lifted - (high[0] + high[1]) / 2) / metresOfUnit,
  });
  const metres = roundLength(width * scaleShare * metresOfUnit);
  return {
    pointOf: (spot) => at(spot, spot.up * lift),
    groundOf: (spot) => at(spot, 0),
    north: (Math.atan2(sin, cos * depth) * 180) / Math.PI,
    tilt: depth,
    raised,
    scale: { metres, length: metres / metresOfUnit },
  };
}

/**
 * Direction of the path's longer side (principal axis), in radians from east to north; north stays in the upper half.
 */
function longerSideOf(spots: readonly Spot[]): number {
  const count = Math.max(spots.length, 1);
  const mean = (of: (spot: Spot) => number) => spots.reduce((sum, spot) => sum + of(spot), 0) / count;
  const [east, north] = [mean((spot) => spot.east), mean((spot) => spot.north)];
  const both = mean((spot) => (spot.east - east) * (spot.north - north));
  const ofEast = mean((spot) => (spot.east - east) ** 2);
  const ofNorth = mean((spot) => (spot.north - north) ** 2);
  return Math.atan2(2 * both, ofEast - ofNorth) / 2;
}

/** Returns metres in a direction, in radians from east to north. */
function alongIn(direction: number): (spot: Spot) => number {
  const [cos, sin] = [Math.cos(direction), Math.sin(direction)];
  return ({ east, north }) => east * cos + north * sin;
}

function raiseOf(spots: readonly Spot[], [from, to]: [number, number]): number {
  const [, highest] = endsOf(spots.map(({ up }) => up));
  const wanted = (minShare * Math.max(to - from, minMetres)) / (upright * highest);
  return raises.find((raise) => raise >= wanted) ?? 1;
}

/** Minimum and maximum of the values and 0, the start. */
function endsOf(values: readonly number[]): [number, number] {
  return values.reduce<[number, number]>(
    ([least, most], value) => [Math.min(least, value), Math.max(most, value)],
    [0, 0],
  );
}

/** A part of the path in one shade, null where the value isn't known. `from` and `to` are rows. */
export type Run = { shade: number | null; from: number; to: number };

/**
 * Splits the path into runs of one shade, from 0 to `shades` - 1 by value, with gaps where the position isn't known.
 */
export function runsOf(
  spots: readonly (Spot | null)[],
  values: readonly (number | null)[],
  [least, most]: readonly [number, number],
  shades: number,
): Run[] {
  const shadeOf = (row: number) => {
    const [one, other] = [values[row] ?? null, values[row + 1] ?? null];
    const value = one === null || other === null ? (one ?? other) : (one + other) / 2;
    if (value === null) return null;
    const share = most > least ? (value - least) / (most - least) : 0;
    return Math.min(shades - 1, Math.max(0, Math.floor(share * shades)));
  };
  const runs: Run[] = [];
  for (let row = 0; row + 1 < spots.length; row++) {
    if (!spots[row] || !spots[row + 1]) continue;
    const shade = shadeOf(row);
    const last = runs.at(-1);
    if (last && last.to === row && last.shade === shade) last.to = row + 1;
    else runs.push({ shade, from: row, to: row + 1 });
  }
  return runs;
}

/** The row of the nearest point. */
export function nearestPoint(points: readonly (Point | null)[], { x, y }: Point): number | null {
  let nearest: number | null = null;
  let least = Number.POSITIVE_INFINITY;
  points.forEach((point, row) => {
    if (!point) return;
    const square = (point.x - x) ** 2 + (point.y - y) ** 2;
    if (square < least) [nearest, least] = [row, square];
  });
  return nearest;
}

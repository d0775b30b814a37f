// Projects places to a drawing with north up and a scale. A flight is small enough for an equirectangular projection
// around the drawing's centre. Independent of components.
import { type Coordinates, metresBetween } from "./gps";

export type Point = { x: number; y: number };

type Sketch = {
  /** x to the right, y down. */
  pointOf: (place: Coordinates) => Point;
  /** A round length, and its size in the drawing. */
  scale: { metres: number; length: number };
};

/** Smallest width of the view in m. */
export const minMetres = 40;
/** Largest share of the width for the scale. */
const longestScale = 0.4;

const metresOfDegree = metresBetween({ latitude: 0, longitude: 0 }, { latitude: 1, longitude: 0 });

/** The sketch of these places, at least one, in a drawing of this size. */
export function sketchOf(
  places: readonly Coordinates[],
  { width, height, margin }: { width: number; height: number; margin: number },
): Sketch {
  const flat = groundAround(places[0] ?? { latitude: 0, longitude: 0 });
  const all = places.map(flat);
  const [west, east] = endsOf(all.map((place) => place.east));
  const [south, north] = endsOf(all.map((place) => place.north));
  const metresOfUnit = Math.max(
    Math.max(east - west, minMetres) / (width - 2 * margin),
    Math.max(north - south, minMetres) / (height - 2 * margin),
  );
  const metres = roundLength(width * longestScale * metresOfUnit);
  return {
    pointOf: (place) => {
      const at = flat(place);
      return {
        x: width / 2 + (at.east - (east + west) / 2) / metresOfUnit,
        y: height / 2 - (at.north - (north + south) / 2) / metresOfUnit,
      };
    },
    scale: { metres, length: metres / metresOfUnit },
  };
}

/** Converts places to metres east and north of `middle`, the short way around the earth. */
export function groundAround(middle: Coordinates) {
  const narrowing = Math.cos((middle.latitude * Math.PI) / 180);
  return ({ latitude, longitude }: Coordinates) => ({
    east: (((longitude - middle.longitude + 540) % 360) - 180) * narrowing * metresOfDegree,
    north: (latitude - middle.latitude) * metresOfDegree,
  });
}

/** The small path through these places: east and north of the first one in dm, alternating. */
export function pathThrough(places: readonly Coordinates[]): number[] {
  const [start] = places;
  if (start === undefined) return [];
  const flat = groundAround(start);
  return places.map(flat).flatMap(({ east, north }) => [Math.round(10 * east), Math.round(10 * north)]);
}

function endsOf(values: number[]): [number, number] {
  return values.reduce<[number, number]>(
    ([least, most], value) => [Math.min(least, value), Math.max(most, value)],
    [0, 0],
  );
}

/** The largest of 1, 2, 5, 10, 20, 50 … that isn't larger than `longest`. */
export function roundLength(longest: number): number {
  const power = 10 ** Math.floor(Math.log10(longest));
  const step = [5, 2, 1].find((one) => one * power <= longest) ?? 1;
  return step * power;
}

/** Number of compass directions, clockwise from north. */
const directions = 8;

/** Direction from one place to another: 0 north, 1 northeast, … */
export function directionTo(from: Coordinates, to: Coordinates): number {
  const east =
    (((to.longitude - from.longitude + 540) % 360) - 180) * Math.cos((from.latitude * Math.PI) / 180);
  const turn = Math.atan2(east, to.latitude - from.latitude) / (2 * Math.PI);
  return (Math.round(turn * directions) + directions) % directions;
}

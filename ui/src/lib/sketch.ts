// A drawing of places on the ground, north up: where each stands, and how long its scale is. A flight is small, so the
// earth is flat in it (equirectangular projection at the drawing's middle). Knows no component.
import { type Coordinates, metresBetween } from "./gps";

export type Point = { x: number; y: number };

type Sketch = {
  /** x to the right, y down. */
  pointOf: (place: Coordinates) => Point;
  /** A round length, and what it measures in the drawing. */
  scale: { metres: number; length: number };
};

/** Places that are nearer to each other are drawn as if the view were so wide. */
export const minMetres = 40;
/** The scale takes up to this part of the width. */
const longestScale = 0.4;

const metresOfDegree = metresBetween({ latitude: 0, longitude: 0 }, { latitude: 1, longitude: 0 });

/** The sketch of these places, at least one, in a drawing of this size, with so much room around. */
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

/** Metres east and north of a place, the short way around the earth. */
export function groundAround(middle: Coordinates) {
  const narrowing = Math.cos((middle.latitude * Math.PI) / 180);
  return ({ latitude, longitude }: Coordinates) => ({
    east: (((longitude - middle.longitude + 540) % 360) - 180) * narrowing * metresOfDegree,
    north: (latitude - middle.latitude) * metresOfDegree,
  });
}

function endsOf(values: number[]): [number, number] {
  return values.reduce<[number, number]>(
    ([least, most], value) => [Math.min(least, value), Math.max(most, value)],
    [0, 0],
  );
}

/** The longest of 1, 2, 5, 10, 20, 50 … that isn't longer. */
export function roundLength(longest: number): number {
  const power = 10 ** Math.floor(Math.log10(longest));
  const step = [5, 2, 1].find((one) => one * power <= longest) ?? 1;
  return step * power;
}

/** The eight directions of the compass, clockwise from north. */
const directions = 8;

/** From one place to another: 0 north, 1 northeast, … */
export function directionTo(from: Coordinates, to: Coordinates): number {
  const east =
    (((to.longitude - from.longitude + 540) % 360) - 180) * Math.cos((from.latitude * Math.PI) / 180);
  const turn = Math.atan2(east, to.latitude - from.latitude) / (2 * Math.PI);
  return (Math.round(turn * directions) + directions) % directions;
}

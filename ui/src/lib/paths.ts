// Draws the small paths of flights, as the server sends them: east and north of the start in dm, alternating.
// Independent of components.
import type { Point } from "./sketch";

export type Box = { x: number; y: number; width: number; height: number };

/** Share of the paths that fit a box: the farthest would make all others small. */
const fittingShare = 0.85;
/** Smallest size of a view in dm. */
const minSize = 400;

/** The points of a path, x to the right and y down; `tilt` foreshortens a slanted view. */
export function pointsOf(path: readonly number[], tilt = 1): Point[] {
  return Array.from({ length: Math.floor(path.length / 2) }, (_, at) => ({
    x: path[2 * at] ?? 0,
    y: -(path[2 * at + 1] ?? 0) * tilt,
  }));
}

/** The SVG path through these points, its corners rounded. */
export function lineThrough(points: readonly Point[]): string {
  let line = "";
  points.forEach(({ x, y }, at) => {
    const next = points[at + 1];
    if (at === 0) line = `M${x} ${y.toFixed()}`;
    else if (next)
      line += `Q${x} ${y.toFixed()} ${((x + next.x) / 2).toFixed()} ${((y + next.y) / 2).toFixed()}`;
    else line += `L${x} ${y.toFixed()}`;
  });
  return line;
}

/** The box around these points and their start, at least as large as a small meadow. */
export function boxAround(points: readonly Point[]): Box {
  const xs = [0, ...points.map(({ x }) => x)];
  const ys = [0, ...points.map(({ y }) => y)];
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  const [wide, high] = [Math.max(...xs) - left, Math.max(...ys) - top];
  const [width, height] = [Math.max(wide, minSize), Math.max(high, minSize)];
  return { x: left - (width - wide) / 2, y: top - (height - high) / 2, width, height };
}

/** The box around most paths and the newest one. */
export function fittingBox(all: readonly Point[][]): Box {
  const reaches = all.map((points) => Math.max(0, ...points.map(({ x, y }) => Math.hypot(x, y))));
  const limit = reaches.toSorted((a, b) => a - b)[Math.ceil(reaches.length * fittingShare) - 1] ?? 0;
  const fitting = all.filter((_, at) => at === all.length - 1 || (reaches[at] ?? 0) <= limit);
  return boxAround(fitting.flat());
}

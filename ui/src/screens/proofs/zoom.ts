// The view of a picture that is moved and enlarged by fingers. Independent of elements; lengths in px, places from the
// middle of the frame.

export type Point = { x: number; y: number };
/** `scale` 1: the whole picture. `x`, `y`: where its middle is. */
export type View = Point & { scale: number };
export type Frame = { width: number; height: number };

export const whole: View = { scale: 1, x: 0, y: 0 };

const largestScale = 6;

/** Keeps the frame within the picture. */
function bounded({ scale, x, y }: View, { width, height }: Frame): View {
  const clamp = (value: number, limit: number) => Math.min(Math.max(value, -limit), limit);
  return { scale, x: clamp(x, ((scale - 1) * width) / 2), y: clamp(y, ((scale - 1) * height) / 2) };
}

/** The view enlarged by a factor; the place under `at` stays where it is. */
export function zoomed(view: View, factor: number, at: Point, frame: Frame): View {
  const scale = Math.min(Math.max(view.scale * factor, 1), largestScale);
  const grown = scale / view.scale;
  return bounded({ scale, x: at.x - (at.x - view.x) * grown, y: at.y - (at.y - view.y) * grown }, frame);
}

export function moved(view: View, by: Point, frame: Frame): View {
  return bounded({ ...view, x: view.x + by.x, y: view.y + by.y }, frame);
}

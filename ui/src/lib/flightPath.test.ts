// The path of a flight on its drawing.
import { expect, test } from "vitest";
import { nearestPoint, projectionOf, runsOf, type Spot, spotsOf } from "./flightPath";

const size = { width: 300, height: 200, margin: 20 };
const spot = (east: number, north: number, up = 0): Spot => ({ east, north, up });

test("a point of a path is in metres from the first known place, and keeps the last known height", () => {
  const start = { latitude: 53.5, longitude: 10 };
  const north = { latitude: 53.501, longitude: 10 };
  const [unknown, first, second] = spotsOf([null, start, north], [null, 3, null]);
  expect(unknown).toBeNull();
  expect(first).toEqual({ east: 0, north: 0, up: 3 });
  expect(second?.north).toBeCloseTo(111.2, 1);
  expect(second?.up).toBe(3);
});

test("a path seen from above has north up, and height changes nothing", () => {
  const { pointOf, groundOf, north, tilt, raised } = projectionOf(
    [spot(0, 0), spot(100, 80, 50)],
    "above",
    size,
  );
  const there = pointOf(spot(100, 80, 50));
  expect(there.x).toBeGreaterThan(pointOf(spot(0, 0)).x);
  expect(there.y).toBeLessThan(pointOf(spot(0, 0)).y);
  expect(there).toEqual(groundOf(spot(100, 80, 50)));
  expect([north, tilt, raised]).toEqual([0, 1, 1]);
});

test("slanted the longer side lies across, north isn't below, and a curtain hangs straight down", () => {
  const path = [spot(0, 0), spot(10, 200, 60), spot(20, 400, 90)];
  const { pointOf, groundOf, north } = projectionOf(path, "slanted", size);
  const [from, , to] = path.map(pointOf);
  expect(Math.abs((to?.x ?? 0) - (from?.x ?? 0))).toBeCloseTo(260, 0);
  expect(Math.abs(north)).toBeLessThanOrEqual(90);
  const last = path[2] ?? spot(0, 0);
  expect(groundOf(last).x).toBe(pointOf(last).x);
  expect(groundOf(last).y).toBeGreaterThan(pointOf(last).y + 30);
});

test("every view keeps the path and its curtain within the margin, at one scale", () => {
  const paths = [
    [spot(0, 0), spot(3000, -4000, 120)],
    [spot(0, 0), spot(1, 1, 300)],
    [spot(0, 0), spot(-30, 900, -80)],
  ];
  for (const path of paths) {
    for (const view of ["above", "slanted"] as const) {
      const { pointOf, groundOf, scale } = projectionOf(path, view, size);
      for (const { x, y } of path.flatMap((one) => [pointOf(one), groundOf(one)])) {
        expect(x).toBeGreaterThanOrEqual(19.99);
        expect(x).toBeLessThanOrEqual(280.01);
        expect(y).toBeGreaterThanOrEqual(19.99);
        expect(y).toBeLessThanOrEqual(180.01);
      }
      expect(scale.length).toBeLessThanOrEqual(90);
      expect(String(scale.metres)).toMatch(/^[125]0*$/);
    }
  }
});

test("a turned path has north as far to the right, fits its drawing, and keeps its heights", () => {
  const path = [spot(0, 0), spot(10, 200, 6), spot(20, 400, 9)];
  const quarter = projectionOf(path, "above", size, Math.PI / 2);
  expect(quarter.north).toBeCloseTo(90);
  const [from, , to] = path.map(quarter.pointOf);
  expect((to?.x ?? 0) - (from?.x ?? 0)).toBeCloseTo(260, 0);
  const { raised } = projectionOf(path, "slanted", size);
  for (const degrees of [-180, -70, 5, 90]) {
    const turned = projectionOf(path, "slanted", size, (degrees * Math.PI) / 180);
    expect(turned.raised).toBe(raised);
    for (const { x, y } of path.map(turned.pointOf)) {
      expect(x).toBeGreaterThanOrEqual(size.margin - 1e-6);
      expect(x).toBeLessThanOrEqual(size.width - size.margin + 1e-6);
      expect(y).toBeGreaterThanOrEqual(size.margin - 1e-6);
      expect(y).toBeLessThanOrEqual(size.height - size.margin + 1e-6);
    }
  }
});

test("a flat path is raised by a whole number, and a high one as it is", () => {
  const raisedBy = (up: number) => projectionOf([spot(0, 0), spot(1000, 0, up)], "slanted", size).raised;
  expect([400, 100, 40, 12].map(raisedBy)).toEqual([1, 2, 5, 20]);
});

test("neighbours of one shade are one part, an unknown place parts the path, an unknown value has no shade", () => {
  const path = [spot(0, 0), spot(1, 0), spot(2, 0), spot(3, 0), null, spot(5, 0), spot(6, 0)];
  expect(runsOf(path, [0, 0, 1, 10, 10, null, null], [0, 10], 5)).toEqual([
    { shade: 0, from: 0, to: 2 },
    { shade: 2, from: 2, to: 3 },
    { shade: null, from: 5, to: 6 },
  ]);
});

test("the nearest point is found past those that aren't known", () => {
  expect(nearestPoint([null, { x: 0, y: 0 }, { x: 10, y: 0 }], { x: 7, y: 1 })).toBe(2);
  expect(nearestPoint([null], { x: 0, y: 0 })).toBeNull();
});

// Places on a drawing.
import { expect, test } from "vitest";
import { directionTo, sketchOf } from "./sketch";

const size = { width: 160, height: 100, margin: 10 };
const start = { latitude: 53.5, longitude: 10 };

test("north is up, east is right, and both have one scale", () => {
  // 0.001° are 111 m; of longitude only 66 m here.
  const north = { latitude: 53.501, longitude: 10 };
  const east = { latitude: 53.5, longitude: 10.001 };
  const { pointOf } = sketchOf([start, north, east], size);
  const [from, up, right] = [pointOf(start), pointOf(north), pointOf(east)];
  expect(up.x).toBeCloseTo(from.x);
  expect(from.y - up.y).toBeCloseTo(80);
  expect(right.y).toBeCloseTo(from.y);
  expect((right.x - from.x) / (from.y - up.y)).toBeCloseTo(Math.cos((53.5 * Math.PI) / 180), 3);
});

test("everything lies within the margin, and its middle in the middle", () => {
  for (const [latitude, longitude] of [
    [53.5, 10.4],
    [53.9, 10.001],
    [-80, 170],
  ] as const) {
    const end = { latitude, longitude };
    const { pointOf } = sketchOf([start, end], size);
    const [one, other] = [pointOf(start), pointOf(end)];
    for (const { x, y } of [one, other]) {
      expect(x).toBeGreaterThanOrEqual(9.999);
      expect(x).toBeLessThanOrEqual(150.001);
      expect(y).toBeGreaterThanOrEqual(9.999);
      expect(y).toBeLessThanOrEqual(90.001);
    }
    expect((one.x + other.x) / 2).toBeCloseTo(80);
    expect((one.y + other.y) / 2).toBeCloseTo(50);
  }
});

test("the scale is a round length of up to two fifths of the width", () => {
  const lengths = [0.0001, 0.001, 0.01, 0.1, 1].map((degrees) => {
    const end = { latitude: 53.5 + degrees, longitude: 10 };
    const { scale, pointOf } = sketchOf([start, end], size);
    expect(scale.length).toBeLessThanOrEqual(64);
    expect(scale.length).toBeGreaterThan(25);
    // As long as what it says.
    if (degrees > 0.0005) {
      expect(scale.metres / scale.length).toBeCloseTo(
        (degrees * 111_195) / (pointOf(start).y - pointOf(end).y),
        1,
      );
    }
    return scale.metres;
  });
  expect(lengths).toEqual([20, 50, 500, 5_000, 50_000]);
});

test("one place alone stands in the middle of a field", () => {
  const { pointOf, scale } = sketchOf([start, start], size);
  expect(pointOf(start)).toEqual({ x: 80, y: 50 });
  expect(scale.metres).toBe(20);
});

test("a path across the date line is short", () => {
  const [west, east] = [
    { latitude: 0, longitude: 179.999 },
    { latitude: 0, longitude: -179.999 },
  ];
  const { pointOf, scale } = sketchOf([west, east], size);
  expect(pointOf(east).x).toBeGreaterThan(pointOf(west).x);
  expect(scale.metres).toBe(100);
});

test("directions go clockwise from north", () => {
  const to = (north: number, east: number) =>
    directionTo(start, { latitude: 53.5 + north, longitude: 10 + east / Math.cos((53.5 * Math.PI) / 180) });
  expect([to(1, 0), to(1, 1), to(0, 1), to(-1, 1), to(-1, 0), to(-1, -1), to(0, -1), to(1, -1)]).toEqual([
    0, 1, 2, 3, 4, 5, 6, 7,
  ]);
});

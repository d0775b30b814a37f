// Small paths: the box and the line that they are drawn with.
import { expect, test } from "vitest";
import { boxAround, fittingBox, lineThrough, pointsOf } from "./paths";
import { pathThrough } from "./sketch";

test("A path is drawn from its start, with north up and its corners rounded", () => {
  expect(lineThrough(pointsOf([0, 0, 100, 200, 300, 0]))).toBe("M0 0Q100 -200 200 -100L300 0");
  expect(lineThrough([])).toBe("");
});

test("A short path isn't blown up: its box is 40 m wide and high", () => {
  expect(boxAround(pointsOf([0, 0, 100, 0]))).toEqual({ x: -150, y: -200, width: 400, height: 400 });
});

test("A single far flight doesn't make all others small, unless it is the newest", () => {
  const near = Array.from({ length: 9 }, () => pointsOf([0, 0, 900, 900]));
  const far = pointsOf([0, 0, 50_000, 0]);
  expect(fittingBox([far, ...near]).width).toBe(900);
  expect(fittingBox([...near, far]).width).toBe(50_000);
});

test("The path of places begins at the first one, in decimetres", () => {
  const places = [
    { latitude: 60, longitude: 8 },
    { latitude: 60, longitude: 8.0002 },
    { latitude: 59.9998, longitude: 8 },
  ];
  expect(pathThrough(places)).toEqual([0, 0, 111, 0, 0, -222]);
});

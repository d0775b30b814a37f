// The view of a picture under fingers.
import { expect, test } from "vitest";
import { moved, whole, zoomed } from "./zoom";

const frame = { width: 400, height: 800 };

test("The place under the fingers stays while the picture grows", () => {
  const at = { x: 50, y: -100 };
  const near = zoomed(whole, 2, at, frame);
  expect(near).toEqual({ scale: 2, x: -50, y: 100 });
  expect(zoomed(near, 0.5, at, frame)).toEqual(whole);
});

test("The picture never gets smaller than the frame, nor leaves it", () => {
  expect(zoomed(whole, 0.2, { x: 100, y: 100 }, frame)).toMatchObject({ scale: 1 });
  expect(zoomed(whole, 100, { x: 0, y: 0 }, frame).scale).toBe(6);
  expect(moved({ scale: 2, x: 0, y: 0 }, { x: 900, y: -900 }, frame)).toEqual({ scale: 2, x: 200, y: -400 });
  const { x, y } = moved(whole, { x: 30, y: 30 }, frame);
  expect([Math.abs(x), Math.abs(y)]).toEqual([0, 0]);
});

// The devices that forget what waits, and those that don't.
import { afterEach, expect, test } from "vitest";
import { isEvictedByIos, isInstalled } from "./installed";

afterEach(() => {
  Reflect.deleteProperty(navigator, "standalone");
});

test.each([
  { device: "another than iOS's", standalone: undefined, isForgotten: false, isThere: false },
  { device: "iOS's, as a page of Safari", standalone: false, isForgotten: true, isThere: false },
  { device: "iOS's, on the home screen", standalone: true, isForgotten: false, isThere: true },
])("The browser is $device", ({ standalone, isForgotten, isThere }) => {
  if (standalone !== undefined)
    Object.defineProperty(navigator, "standalone", { configurable: true, value: standalone });
  expect(isEvictedByIos()).toBe(isForgotten);
  expect(isInstalled()).toBe(isThere);
});

import { expect, it } from "vitest";
import { fingerprintOf } from "./certificate";

it("A fingerprint is shown as systems show it", () => {
  expect(fingerprintOf("sha-256=:AAH+/w==:")).toBe("00:01:FE:FF");
  expect(fingerprintOf(null)).toBeNull();
  expect(fingerprintOf("sha-512=:AAH+/w==:")).toBeNull();
});

// Ids as the server accepts them: unique UUIDs of version 7, in the order in which they were made.
import fc from "fast-check";
import { expect, test } from "vitest";
import { newId } from "./ids";

test("an id is a UUID of version 7 that begins with its time", () => {
  fc.assert(
    fc.property(fc.nat(2 ** 48 - 1), (now) => {
      const id = newId(now);
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(Number.parseInt(id.replace("-", "").slice(0, 12), 16)).toBe(now);
    }),
  );
});

test("two ids of one millisecond differ", () => {
  expect(new Set(Array.from({ length: 1000 }, () => newId(0))).size).toBe(1000);
});

// The kinds of equipment and their codes in addresses.
import { expect, test } from "vitest";
import { Kind } from "./generated/Kind";
import { kinds, parseKind } from "./kinds";

test("the kinds are in the order of their codes", () => {
  expect(kinds).toEqual([0, 1, 2, 3, 4]);
  expect(kinds[0]).toBe(Kind.Copter);
});

test.each(["0", "1", "2", "3", "4"])("%s is a kind", (text) => {
  expect(parseKind(text)).toBe(Number(text));
});

test.each([undefined, "", "5", "-1", "00", "1 ", "1.0", "copter"])("%j is no kind", (text) => {
  expect(parseKind(text)).toBeNull();
});

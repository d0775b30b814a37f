// Searching a list by typed words.
import { expect, test } from "vitest";
import { matchesWords } from "./search";

test("every word has to be there, in any text, order and case", () => {
  const texts = ["Lüneburger Heide", "Nazgul F5"];
  for (const found of ["", "  ", "heide", "HEIDE", "nazgul heide", "LÜNE f5"]) {
    expect(matchesWords(found, texts), found).toBe(true);
  }
  for (const missed of ["elbe", "heide elbe", "heidef5"])
    expect(matchesWords(missed, texts), missed).toBe(false);
});

test("an accent is one however it is written", () => {
  expect(matchesWords("übung", ["U\u0308bungsplatz"])).toBe(true);
  expect(matchesWords("u\u0308bung", ["Übungsplatz"])).toBe(true);
});

test("a word is found within one text, never across two", () => {
  expect(matchesWords("ab", ["a", "b"])).toBe(false);
});

test("special characters of patterns are plain text", () => {
  expect(matchesWords(".*", ["Elbdeich"])).toBe(false);
  expect(matchesWords("(a", ["Feld (a)"])).toBe(true);
});

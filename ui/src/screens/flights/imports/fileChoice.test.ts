import { expect, test } from "vitest";
import { problemOf } from "./fileChoice";

const file = (name: string, megabytes: number) => ({ name, size: megabytes * 1024 * 1024 });

test.each([
  [[file("a.csv", 100)], null],
  [[file("a.csv", 101)], "Die Datei ist zu groß (höchstens 100 MB)."],
  [[file("a.csv", 1), file("b.csv", 101)], "b.csv: Die Datei ist zu groß (höchstens 100 MB)."],
  [Array.from({ length: 21 }, () => file("a.csv", 1)), "Höchstens 20 Dateien auf einmal."],
  [
    [file("a.csv", 90), file("b.csv", 90), file("c.csv", 90)],
    "Die Dateien sind zusammen zu groß (höchstens 200 MB).",
  ],
])("files are refused before they are sent %#", (files, problem) => {
  expect(problemOf(files)).toBe(problem);
});

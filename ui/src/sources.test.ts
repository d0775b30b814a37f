// No line is wider than a screen, and no function longer than two. The formatter begins and ends the outermost ones
// without an indentation.
import { expect, test } from "vitest";

const sources = import.meta.glob<string>(["./**/*.{ts,tsx}", "!./**/*.test.{ts,tsx}"], {
  query: "?raw",
  import: "default",
  eager: true,
});

/** From its first line to the bracket that ends it. */
const functionPattern = /^(?:export )?(?:async )?(?:function|const) (\w+)(?: = memo)?\((?:.*\n)+?[})]+;?$/gm;

test("No function has more than 120 lines", () => {
  const functions = Object.entries(sources).flatMap(([file, source]) =>
    [...source.matchAll(functionPattern)].map(([text, name]) => ({
      file,
      name,
      lines: text.split("\n").length,
    })),
  );
  expect(functions.length).toBeGreaterThan(700);
  expect(functions.filter(({ lines }) => lines > 120)).toEqual([]);
});

test("No line has more than 120 characters", () => {
  const wide = Object.entries(sources)
    .filter(([file]) => !file.startsWith("./api/generated/"))
    .flatMap(([file, source]) =>
      source.split("\n").flatMap((line, at) => (line.length > 120 ? [`${file}:${at + 1}`] : [])),
    );
  expect(wide).toEqual([]);
});

// The classes of CSS modules: TypeScript accepts every name, and a misspelt one would show only on the screen.
import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { expect, test } from "vitest";

const root = import.meta.dirname;
const files = readdirSync(root, { recursive: true, encoding: "utf8" });
const read = (file: string) => readFileSync(join(root, file), "utf8");
const withoutImports = (file: string) => read(file).replace(/^import .*$/gm, "");

/** The imports of CSS modules: the module's file, its importer, and its name there. */
const imports = files
  .filter((file) => file.endsWith(".tsx"))
  .flatMap((importer) =>
    [...read(importer).matchAll(/^import (\w+) from "(.+\.module\.css)";$/gm)].map(
      ([, name = "", path = ""]) => ({
        importer,
        name,
        sheet: relative(root, join(root, dirname(importer), path)),
      }),
    ),
  );

function usedIn({ importer, name }: { importer: string; name: string }): string[] {
  return [...withoutImports(importer).matchAll(new RegExp(`\\b${name}\\.(\\w+)`, "g"))].map(
    ([, used = ""]) => used,
  );
}

function classesOf(sheet: string): Set<string> {
  const selectors = read(sheet)
    .replace(/\/\*.*?\*\//gs, "")
    .replace(/:global\([^)]*\)/g, "")
    .match(/[^{};]+(?=\{)/g);
  return new Set(
    (selectors ?? [])
      .flatMap((selector) => selector.match(/\.[a-zA-Z][\w-]*/g) ?? [])
      .map((dotted) => dotted.slice(1)),
  );
}

const sheets = files.filter((file) => file.endsWith(".module.css"));

/** The classes that other style sheets compose, by the path of their own. */
const composed = sheets.flatMap((sheet) =>
  [...read(sheet).matchAll(/composes: (\w+) from "(.+)";/g)].map(([, name = "", path = ""]) => ({
    name,
    sheet: join(dirname(sheet), path),
  })),
);

test.each(sheets)("every class of %s is used, and none that it doesn't have", (sheet) => {
  const isThis = (one: { sheet: string }) => one.sheet === sheet;
  const used = [
    ...imports.filter(isThis).flatMap(usedIn),
    ...composed.filter(isThis).map(({ name }) => name),
  ];
  expect([...new Set(used)].sort()).toEqual([...classesOf(sheet)].sort());
});

test("every class is used by its name in the style sheet, so that it can be found", () => {
  const hidden = imports.filter(({ importer, name }) =>
    new RegExp(`\\b${name}(\\[|\\?\\.|\\s*[,)])`).test(withoutImports(importer)),
  );
  expect(hidden).toEqual([]);
});

test("every class in quotes is a global one", () => {
  const shared = new Set([...classesOf("styles/base.css"), ...classesOf("styles/shell.css")]);
  const quoted = files
    .filter((file) => file.endsWith(".tsx"))
    .concat("../index.html")
    .flatMap((file) => [...read(file).matchAll(/class(?:Name)?=\{?["`]([a-z -]+)/g)])
    .flatMap(([, words = ""]) => words.trim().split(" "));
  expect([...new Set(quoted)].sort()).toEqual([...shared].sort());
});

test("No two CSS modules have one name, as their classes would", () => {
  const names = files.filter((file) => file.endsWith(".module.css")).map((file) => basename(file));
  expect(names.length).toBeGreaterThan(20);
  expect(new Set(names).size).toBe(names.length);
});

// Sizes relative to the letters (em), to the window and of nothing (0) are no values of their own.
const own = {
  colour: /#[0-9a-f]{3,8}\b|\brgb|\bhsl|\bokl\w+\(|light-dark\(/,
  size: /(?<![\w.])\d*\.?\d*[1-9]\d*\.?\d*(rem|px|pt)\b/,
};
const sized = /^(font-size|[a-z-]*radius|(row-|column-)?gap|(padding|margin)(-[a-z-]+)?)$/;

test.each(files.filter((file) => file.endsWith(".css") && !/(tokens|stage)\.css$/.test(file)))(
  "%s takes its colours, letters, corners and distances from the tokens",
  (sheet) => {
    const rules = read(sheet).replace(/\/\*.*?\*\//gs, "");
    const values = [...rules.matchAll(/([a-z-]+):\s*([^;{}]+);/g)].filter(
      ([, name = "", value = ""]) => own.colour.test(value) || (sized.test(name) && own.size.test(value)),
    );
    expect(values.map(([text]) => text)).toEqual([]);
  },
);

// Labels are on the paper, have a code that cameras read, and text that stays within them.
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Label } from "../../api/generated/Label";
import { fitted, formats, pathOf, perSheet, type Size, sheetsOf } from "./sheet";

const label = (name: string, number: number | null = 7, modules = 33): Label => ({
  ...{ dpfId: name, name, number, link: "https://fluglog.example.org/app/s/01ABCXYZ" },
  qr: Array.from({ length: modules }, () => "1".repeat(modules)),
});
const sizes: Size[] = ["square", "small", "large"];

test.each(sizes)("every %s label lies on the paper and none on another", (size) => {
  const { width, height } = formats[size];
  const count = perSheet(size);
  const [sheet = [], ...others] = sheetsOf(
    Array.from({ length: count }, () => label("Akku")),
    size,
    1,
    () => "",
  );
  expect([sheet.length, others.length]).toEqual([count, 0]);
  for (const [at, one] of sheet.entries()) {
    expect(one.x).toBeGreaterThanOrEqual(4);
    expect(one.y).toBeGreaterThanOrEqual(8);
    expect(one.x + width).toBeLessThanOrEqual(206);
    expect(one.y + height).toBeLessThanOrEqual(289);
    for (const other of sheet.slice(at + 1)) {
      const isApart =
        Math.abs(one.x - other.x) >= width - 0.001 || Math.abs(one.y - other.y) >= height - 0.001;
      expect(isApart).toBe(true);
    }
  }
});

test.each(sizes)(
  "the code of a %s label is 15 mm wide at least, with four white modules around it",
  (size) => {
    const { width, height } = formats[size];
    fc.assert(
      fc.property(fc.integer({ min: 29, max: 49 }), (modules) => {
        const [[placed] = []] = sheetsOf([label("Akku", 7, modules)], size, 1, () => "Anna, 0170 1234567");
        if (!placed) throw new Error("no label");
        const { x, y, side } = placed.code;
        const quiet = (4 * side) / modules - 0.001;
        expect(side).toBeGreaterThanOrEqual(15);
        expect(Math.min(x, y, width - x - side, height - y - side)).toBeGreaterThanOrEqual(quiet);
        for (const text of placed.texts) {
          const isRight = text.x >= x + side + quiet;
          const isBelow = text.y - text.size * 0.8 >= y + side;
          expect(isRight || isBelow).toBe(true);
        }
      }),
    );
  },
);

test.each(sizes)("whatever is written on a %s label stays within it", (size) => {
  const { width, height } = formats[size];
  const text = fc.string({ unit: "grapheme", maxLength: 60 });
  fc.assert(
    fc.property(text, text, fc.option(fc.integer({ min: 1, max: 999 })), (name, contact, number) => {
      const [[placed] = []] = sheetsOf([label(name, number)], size, 1, () => contact);
      for (const { x, y, size: letters, text, isBold } of placed?.texts ?? []) {
        expect(x + [...text].length * letters * (isBold ? 0.62 : 0.56)).toBeLessThanOrEqual(width);
        expect(y).toBeLessThanOrEqual(height);
      }
    }),
  );
});

test("the number is the largest text, and nothing stands in its place when there is none", () => {
  for (const size of sizes) {
    const [[numbered] = [], [bare] = []] = [label("Akku 1", 12), label("Akku 1", null)].map(
      (one) => sheetsOf([one], size, 1, () => "0170 1234567")[0],
    );
    const largest = numbered?.texts.toSorted((one, other) => other.size - one.size)[0];
    expect(largest?.text).toBe("12");
    expect(bare?.texts.map(({ text }) => text)).toEqual(["Akku 1", "0170 1234567"]);
  }
});

test("a sheet that was begun is filled from its first free field, and the rest goes on the next one", () => {
  const labels = [label("a"), label("b"), label("c")];
  const sheets = sheetsOf(labels, "large", 26, () => "");
  expect(sheets.map((sheet) => sheet.map(({ label }) => label.name))).toEqual([["a", "b"], ["c"]]);
  const [, [onNext] = []] = sheets;
  expect([onNext?.x, onNext?.y]).toEqual([7.25, expect.closeTo(15.3)]);
});

test("a text takes the largest letters in which it has room, and loses its end in the smallest", () => {
  expect(fitted("Akku 5", 20, [4, 2], 1)).toEqual({ size: 4, lines: ["Akku 5"] });
  expect(fitted("Langstrecke 2", 20, [4, 2], 1)).toEqual({ size: 2, lines: ["Langstrecke 2"] });
  expect(fitted("Langstrecke 2", 20, [4, 2], 2)).toEqual({ size: 2, lines: ["Langstrecke 2"] });
  expect(fitted("Ein langer Name", 9, [2], 1)).toEqual({ size: 2, lines: ["Ein lan…"] });
  expect(fitted("", 9, [2], 1).lines).toEqual([]);
});

test("the dark modules of a row are drawn as runs", () => {
  expect(pathOf(["1101", "0000", "0111"])).toBe("M0 0h2v1h-2zM3 0h1v1h-1zM1 2h3v1h-3z");
});

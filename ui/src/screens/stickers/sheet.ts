// Layout of label sheets: the position of each label on A4 and of its contents, in millimetres. Pure functions.
import type { Label } from "../../api/generated/Label";

export type Size = "square" | "small" | "large";

type Format = {
  /** Size of one label. */
  width: number;
  height: number;
  columns: number;
  rows: number;
  /** Distance from one label to the next. */
  across: number;
  down: number;
  /** Size of the QR code without its quiet zone: cameras need 15 mm. */
  code: number;
  /** Whether the text is below the code instead of beside it. */
  isBelow: boolean;
  /** Whether the labels are cut out instead of peeled off a sheet. */
  isCut: boolean;
};

const page = { width: 210, height: 297 };

/** The square ones are cut out; the others fit the usual sheets of 65 and 27. */
export const formats: Record<Size, Format> = {
  square: {
    ...{ width: 25, height: 25, columns: 7, rows: 10, across: 27, down: 27 },
    ...{ code: 15, isBelow: true, isCut: true },
  },
  small: {
    ...{ width: 38.1, height: 21.2, columns: 5, rows: 13, across: 40.6, down: 21.2 },
    ...{ code: 15.4, isBelow: false, isCut: false },
  },
  large: {
    ...{ width: 63.5, height: 29.6, columns: 3, rows: 9, across: 66, down: 29.6 },
    ...{ code: 21, isBelow: false, isCut: false },
  },
};

/** Quiet zone around a code, in modules, as ISO/IEC 18004 requires. */
const quietModules = 4;

type Text = { x: number; y: number; size: number; isBold: boolean; text: string };
export type Placed = {
  label: Label;
  /** The upper left corner on the page. */
  x: number;
  y: number;
  code: { x: number; y: number; side: number };
  texts: Text[];
};

export function perSheet(size: Size): number {
  return formats[size].columns * formats[size].rows;
}

/**
 * Places the labels on pages. The first is on field number `first`, counted by rows from 1. `contactOf`: how finders
 * reach the owner of a label's item.
 */
export function sheetsOf(
  labels: readonly Label[],
  size: Size,
  first: number,
  contactOf: (label: Label) => string,
): Placed[][] {
  const format = formats[size];
  const left = (page.width - (format.columns - 1) * format.across - format.width) / 2;
  const top = (page.height - (format.rows - 1) * format.down - format.height) / 2;
  const sheets: Placed[][] = [];
  for (const [at, label] of labels.entries()) {
    const field = at + first - 1;
    const onPage = field % perSheet(size);
    const sheet = Math.floor(field / perSheet(size));
    const x = left + (onPage % format.columns) * format.across;
    const y = top + Math.floor(onPage / format.columns) * format.down;
    const placed = { label, x, y, ...inside(label, format, contactOf(label)) };
    sheets[sheet] = [...(sheets[sheet] ?? []), placed];
  }
  return sheets;
}

/** Distance between the text and the edge of a label. */
const margin = 1.2;

function inside(label: Label, format: Format, contact: string): Pick<Placed, "code" | "texts"> {
  const { width, height, code: side, isBelow } = format;
  const quiet = (quietModules * side) / label.qr.length;
  const number = label.number === null ? "" : String(label.number);
  if (isBelow) {
    const code = { x: (width - side) / 2, y: quiet, side };
    const top = 2 * quiet + side;
    return { code, texts: belowCode(number, label.name, contact, top, width) };
  }
  const code = { x: quiet, y: (height - side) / 2, side };
  const left = 2 * quiet + side;
  return { code, texts: besideCode(number, label.name, contact, left, format) };
}

/** Places the number and the name on one line, and the contact below. */
function belowCode(number: string, name: string, contact: string, top: number, width: number): Text[] {
  const room = width - 2 * margin;
  const large = 4;
  const used = number === "" ? 0 : widthOf(number, large, true) + 1;
  const [small = ""] = fitted(name, room - used, [2.4, 2.1, 1.9], 1).lines;
  const nameSize = fitted(name, room - used, [2.4, 2.1, 1.9], 1).size;
  const baseline = top + 2.6;
  const below = fitted(contact, room, [1.7, 1.5, 1.3], 2);
  return [
    { x: margin, y: baseline + 0.6, size: large, isBold: true, text: number },
    { x: margin + used, y: baseline, size: nameSize, isBold: false, text: small },
    ...below.lines.map((text, line) => ({
      ...{ x: margin, size: below.size, isBold: false, text },
      y: baseline + 0.6 + below.size * (1.15 * (line + 1)),
    })),
  ].filter(({ text }) => text !== "");
}

/** Places the number at the top, the name below it, and the contact at the bottom. */
function besideCode(number: string, name: string, contact: string, left: number, format: Format): Text[] {
  const { width, height } = format;
  const room = width - left - margin;
  const large = height * 0.34;
  const middle = fitted(name, room, [height * 0.13, height * 0.115, height * 0.1], 2);
  const foot = fitted(contact, room, [height * 0.09, height * 0.08, height * 0.07], 3);
  const first = number === "" ? margin + middle.size : margin + large * 0.8 + middle.size * 1.3;
  return [
    { x: left, y: margin + large * 0.76, size: large, isBold: true, text: number },
    ...middle.lines.map((text, line) => ({
      ...{ x: left, size: middle.size, isBold: false, text },
      y: first + line * middle.size * 1.15,
    })),
    ...foot.lines.map((text, line) => ({
      ...{ x: left, size: foot.size, isBold: false, text },
      y: height - margin - (foot.lines.length - 1 - line) * foot.size * 1.15,
    })),
  ].filter(({ text }) => text !== "");
}

/** Approximate width of letters in usual fonts, as a fraction of their size. */
const letterWidth = { normal: 0.56, bold: 0.62 };

function widthOf(text: string, size: number, isBold: boolean): number {
  return [...text].length * size * (isBold ? letterWidth.bold : letterWidth.normal);
}

/**
 * Splits a text into lines, in the largest size in which its words fit; in the smallest size words are broken or cut.
 */
export function fitted(
  text: string,
  room: number,
  sizes: readonly number[],
  mostLines: number,
): { size: number; lines: string[] } {
  for (const size of sizes) {
    const letters = Math.floor(room / (size * letterWidth.normal));
    const isBroken = text.split(/\s+/).some((word) => [...word].length > letters);
    const lines = wrapped(text, letters);
    if (lines.length <= mostLines && !(isBroken && size !== sizes.at(-1))) return { size, lines };
  }
  const size = sizes.at(-1) ?? 1;
  const letters = Math.max(1, Math.floor(room / (size * letterWidth.normal)));
  const lines = wrapped(text, letters);
  const kept = lines.slice(0, mostLines - 1);
  const rest = [...lines.slice(mostLines - 1).join(" ")].slice(0, letters - 1).join("");
  return { size, lines: [...kept, `${rest.trimEnd()}…`] };
}

/** Wraps words into lines, breaking those that are too long. */
function wrapped(text: string, letters: number): string[] {
  if (letters < 1) return text === "" ? [] : [...text];
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(/\s+/).filter((part) => part !== "")) {
    let rest = word;
    if (line !== "" && [...line, ...rest].length + 1 > letters) {
      lines.push(line);
      line = "";
    }
    while ([...rest].length > letters) {
      lines.push([...rest].slice(0, letters).join(""));
      rest = [...rest].slice(letters).join("");
    }
    line = line === "" ? rest : `${line} ${rest}`;
  }
  return line === "" ? lines : [...lines, line];
}

/** Returns the dark modules of a code as one path, in units of a module. */
export function pathOf(rows: readonly string[]): string {
  return rows
    .flatMap((row, y) =>
      [...row.matchAll(/1+/g)].map(({ 0: run, index: x }) => `M${x} ${y}h${run.length}v1h-${run.length}z`),
    )
    .join("");
}

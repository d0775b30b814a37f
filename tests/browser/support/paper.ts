// A page on paper: printed to PDF by the browser, and rasterised like a printer does it.

import { execFileSync } from "node:child_process";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import jsqr from "jsqr";

/** Dots per inch of cheap printers. */
const resolution = 300;
const pixelsPerInch = 96;

/** A part of a printed page, in CSS pixels from its upper left corner. */
export interface Part {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** A printed page in shades of grey. */
export interface Sheet {
  width: number;
  height: number;
  shades: Uint8Array;
}

/** Returns every page that the browser prints. */
export async function print(page: Page): Promise<Sheet[]> {
  const need = join(import.meta.dirname, "../../need.sh");
  const ghostscript = execFileSync(need, ["ghostscript", "gs"], { encoding: "utf8" }).trim();
  const options = ["-q", "-dSAFER", "-dBATCH", "-dNOPAUSE", "-sDEVICE=pgmraw", `-r${resolution}`];
  const input = await page.pdf({ preferCSSPageSize: true });
  const output = execFileSync(ghostscript, [...options, "-sOutputFile=-", "-"], {
    input,
    maxBuffer: 500_000_000,
  });
  return pagesOf(output);
}

/** Parses consecutive portable grey maps (PGM). */
function pagesOf(bytes: Buffer): Sheet[] {
  const sheets: Sheet[] = [];
  for (let at = 0; at < bytes.length; ) {
    const head = /^P5\s(?:#.*\s)*(\d+)\s(\d+)\s255\s/.exec(bytes.toString("latin1", at, at + 200));
    if (head === null) throw new Error("This is no grey map.");
    const [width, height] = [Number(head[1]), Number(head[2])];
    const begin = at + head[0].length;
    at = begin + width * height;
    sheets.push({ width, height, shades: bytes.subarray(begin, at) });
  }
  return sheets;
}

/** White margin around a part, in dots. */
const edge = 24;

/** Returns the text of the code in a part of a printed page; null when there is none. */
export function readPrintedCode(sheet: Sheet, part: Part): string | null {
  const scaled = (pixels: number) => Math.round((pixels * resolution) / pixelsPerInch);
  const [left, top] = [scaled(part.x), scaled(part.y)];
  const [width, height] = [scaled(part.width), scaled(part.height)];
  const across = width + 2 * edge;
  const down = height + 2 * edge;
  const colours = new Uint8ClampedArray(across * down * 4).fill(255);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const shade = sheet.shades[(top + y) * sheet.width + left + x] ?? 255;
      const at = ((y + edge) * across + x + edge) * 4;
      colours.fill(shade, at, at + 3);
    }
  }
  return jsqr.default(colours, across, down)?.data ?? null;
}

// A page on paper: printed to PDF by the browser, and rasterised as a printer does it.

import { execFileSync } from "node:child_process";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { decodeQrCode } from "./qr.ts";

/** Dots per inch, of printers that are cheap. */
const resolution = 300;
const pixelsPerInch = 96;

/** A part of a printed page, in pixels of the browser from its upper left corner. */
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

/** Every page of what the browser prints. */
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

/** Portable grey maps, one after the other. */
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

/** White around a part, in dots. */
const edge = 24;

/** Returns the text of the code in a part of a printed page; null when none can be read. */
export function readPrintedCode(sheet: Sheet, part: Part): Promise<string | null> {
  const scaled = (pixels: number) => Math.round((pixels * resolution) / pixelsPerInch);
  const [left, top] = [scaled(part.x), scaled(part.y)];
  const [width, height] = [scaled(part.width), scaled(part.height)];
  const across = width + 2 * edge;
  const down = height + 2 * edge;
  const shades = new Uint8Array(across * down).fill(255);
  for (let y = 0; y < height; y++) {
    const begin = (top + y) * sheet.width + left;
    shades.set(sheet.shades.subarray(begin, begin + width), (y + edge) * across + edge);
  }
  return decodeQrCode(Buffer.concat([Buffer.from(`P5 ${across} ${down} 255\n`), shades]));
}

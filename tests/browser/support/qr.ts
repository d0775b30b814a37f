// Reads QR codes from pictures, as a phone does.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Locator } from "@playwright/test";
import { prepareZXingModule, readBarcodes } from "zxing-wasm/reader";

// By default the module is fetched from a CDN.
const reader = readFileSync(createRequire(import.meta.url).resolve("zxing-wasm/reader/zxing_reader.wasm"));
prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(reader).buffer } });

/** Returns the text of the only code in a PNG or a portable grey map; null when none can be read. */
export async function decodeQrCode(picture: Uint8Array): Promise<string | null> {
  const [code] = await readBarcodes(picture, { formats: ["QRCode"], tryHarder: true, maxNumberOfSymbols: 1 });
  return code?.text ?? null;
}

/** Returns the text of the code that this image shows on the screen; throws when none can be read. */
export async function readQrCode(image: Locator): Promise<string> {
  await image.evaluate((element: HTMLImageElement) => element.decode());
  const text = await decodeQrCode(await image.screenshot());
  if (text === null) throw new Error("There is no QR code to be read.");
  return text;
}

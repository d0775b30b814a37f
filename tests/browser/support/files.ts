// Files on this machine that a test chooses or drops. Knows nothing of the product.

import { mkdir, truncate, writeFile } from "node:fs/promises";
import { dirname } from "node:path";

/** Writes a file, filled with zeros up to `bytes`, which take no room on the disk. Answers its path. */
export async function writeTestFile(path: string, content: string | Uint8Array, bytes?: number): Promise<string> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
  if (bytes !== undefined) await truncate(path, bytes);
  return path;
}

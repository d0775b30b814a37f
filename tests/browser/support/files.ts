// Files on this machine for a test to choose or drop.

import { mkdir, truncate, writeFile } from "node:fs/promises";
import { dirname } from "node:path";

/** Writes a file, filled up to `bytes` with zeros that take no room on the disk. Returns its path. */
export async function writeTestFile(path: string, content: string | Uint8Array, bytes?: number): Promise<string> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
  if (bytes !== undefined) await truncate(path, bytes);
  return path;
}

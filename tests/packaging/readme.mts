// The command lines of the READMEs: every line of their sh blocks, in order. The German README has the same ones.

import { deepEqual } from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const repository = join(import.meta.dirname, "../..");

/** The lines that begin with this word. */
export function readmeLines(program: string): string[] {
  const lines = linesOf("README.md");
  deepEqual(linesOf("README.de.md"), lines, "both READMEs have the same command lines");
  return lines.filter((line) => line.startsWith(`${program} `));
}

function linesOf(name: string): string[] {
  const text = readFileSync(join(repository, name), "utf8");
  return [...text.matchAll(/^```sh\n(.*?)^```$/gms)].flatMap((block) => (block[1] ?? "").trimEnd().split("\n"));
}

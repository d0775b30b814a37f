// The command lines of the READMEs and of the documents beside them: every line of their sh blocks, in order. The
// German ones have the same lines.

import { deepEqual, ok } from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const repository = join(import.meta.dirname, "../..");

/** The lines that begin with this word. */
export function readmeLines(program: string): string[] {
  const lines = linesOf(["README.md", "packaging/docs/server.md", "packaging/docs/install.md"]);
  const german = linesOf(["README.de.md", "packaging/docs/de/server.md", "packaging/docs/de/install.md"]);
  deepEqual(german, lines, "both languages have the same command lines");
  return lines.filter((line) => line.startsWith(`${program} `));
}

function linesOf(documents: string[]): string[] {
  const text = documents.map((name) => readFileSync(join(repository, name), "utf8")).join("");
  return [...text.matchAll(/^```sh\n(.*?)^```$/gms)].flatMap((block) => (block[1] ?? "").trimEnd().split("\n"));
}

/** The lines of the only code block of this kind under a heading of a document. */
export function linesUnder(document: string, heading: string, kind: string): string[] {
  const text = readFileSync(join(repository, document), "utf8");
  const [, section = ""] = text.split(`\n${heading}\n`);
  const [own = ""] = section.split(/^#{1,3} /m);
  const blocks = [...own.matchAll(new RegExp(`^\`\`\`${kind}\n(.*?)^\`\`\`$`, "gms"))];
  ok(blocks.length > 0, `${document} has lines of ${kind} under ${heading}`);
  return blocks.flatMap((block) => (block[1] ?? "").trimEnd().split("\n"));
}

// The licences of everything in the published binaries, as `fluglog --licenses` prints them: embed/licenses.txt.gz.
//
//   ui/node_modules/.bin/node packaging/licenses/list.mts [--check]
//
// With `--check` it writes nothing, and fails when the file is out of date. Rust crates are those that cargo compiles for
// any of the published targets, npm packages those that the UI depends on, without optional ones, which are for Node. A
// text that several share is printed once.

import { execFileSync } from "node:child_process";
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";

interface Part {
  name: string;
  version: string;
  license: string;
  folder: string;
  authors?: string[];
}

const repository = join(import.meta.dirname, "../..");
const file = join(repository, "embed/licenses.txt.gz");
const targets = ["x86_64-unknown-linux-musl", "aarch64-unknown-linux-musl", "armv7-unknown-linux-musleabihf"];
const licenseFile = /^(licen[cs]e|copying|copyright|notice|unlicense)[^.]*(\.(md|txt|mit))?$/i;
// Of several licences to choose from, MIT is taken.
const alternatives = /(apache|boost|bsl|unlicense|zlib|isc|0bsd)/i;

const parts = [...crates(), ...packages()];
const texts = new Map<string, { text: string; names: Set<string> }>();
add(readFileSync(join(repository, "LICENSE"), "utf8"), "Fluglog (MIT)");
add(readFileSync(join(import.meta.dirname, "rust.txt"), "utf8"), "Rust standard library (MIT OR Apache-2.0)");
add(readFileSync(join(import.meta.dirname, "musl.txt"), "utf8"), "musl libc (MIT)");
add(readFileSync(join(repository, "src/pdf/fonts/LICENSE.txt"), "utf8"), "Inter (OFL-1.1)");
for (const part of parts) {
  for (const text of textsOf(part)) add(text, `${part.name} ${part.version} (${part.license})`);
}
const separator = "-".repeat(80);
const head = "Fluglog enthält diese Programme und Bibliotheken, mit Dank an alle, die sie geschrieben haben.\n";
// Texts of one form have nearly the same length: side by side they compress to half.
const sections = [...texts.values()]
  .sort((one, other) => one.text.length - other.text.length)
  .map(({ text, names }) => `${[...names].join("\n")}\n\n${text}\n`);
const list = [head, ...sections].join(`\n${separator}\n`);

if (!process.argv.includes("--check")) writeFileSync(file, gzipSync(list, { level: 9 }));
else if (gunzipSync(readFileSync(file)).toString() !== list) {
  console.error("The list of licences is out of date: make licenses, and commit embed/licenses.txt.gz.");
  process.exitCode = 1;
}

function crates(): Part[] {
  const metadata = JSON.parse(run("cargo", ["metadata", "--locked", "--format-version", "1"]));
  const compiled = targets.flatMap((target) =>
    run("cargo", ["tree", "--locked", "--target", target, "--edges", "normal,no-proc-macro", "--prefix", "none"])
      .split("\n")
      .map((line) => line.split(" ").slice(0, 2).join(" ").replace(" v", " ")),
  );
  const names = new Set(compiled);
  return metadata.packages
    .filter(({ name, version, source }: Part & { source: string | null }) =>
      source !== null && names.has(`${name} ${version}`))
    .map((crate: Part & { manifest_path: string }) => ({ ...crate, folder: dirname(crate.manifest_path) }))
    .sort(byName);
}

function packages(): Part[] {
  const found = run("npm", ["--prefix", "ui", "--loglevel", "error", "query", ":root *:is(.prod):not(.optional)"]);
  return JSON.parse(found)
    .map((part: Part & { location: string }) => ({ ...part, folder: join(repository, "ui", part.location) }))
    .sort(byName);
}

function textsOf({ name, license, folder, authors }: Part): string[] {
  const all = globSync("**/*", { cwd: folder, exclude: ["node_modules"] }).sort();
  const files = all.filter((path) => licenseFile.test(basename(path)));
  const choice = / OR |\//.test(license) && files.some((path) => /mit/i.test(basename(path)));
  const chosen = choice ? files.filter((path) => !alternatives.test(basename(path))) : files;
  // Some crates come without the text that they name: then it is that of the MIT licence with their authors.
  if (chosen.length === 0 && /\bMIT\b/.test(license) && authors) return [mit(authors, name)];
  // client-only has nothing but its package.json.
  if (chosen.length === 0 && name !== "client-only") throw new Error(`${name} has no text of its licence`);
  return chosen.map((path) => readFileSync(join(folder, path), "utf8"));
}

/** The text of the MIT licence, which is ours, with other holders. */
function mit(authors: string[], name: string): string {
  const names = authors.map((author) => author.replace(/ <.*>$/, "")).join(", ");
  const holders = names === "" ? `The authors of ${name}` : names;
  return readFileSync(join(repository, "LICENSE"), "utf8").replace(/^Copyright .*$/m, `Copyright (c) ${holders}`);
}

/** Adds a text, or only the name to one that differs in nothing but white space. */
function add(text: string, name: string): void {
  const key = text.replace(/\s+/g, " ").trim();
  const known = texts.get(key);
  if (known) known.names.add(name);
  else {
    const lines = text.split("\n").map((line) => line.trimEnd());
    texts.set(key, { text: lines.join("\n").replace(/^\n+|\n+$/g, ""), names: new Set([name]) });
  }
}

function run(program: string, options: string[]): string {
  return execFileSync(program, options, { cwd: repository, encoding: "utf8", maxBuffer: 64 << 20 });
}

function byName(one: Part, other: Part): number {
  return one.name < other.name || (one.name === other.name && one.version < other.version) ? -1 : 1;
}

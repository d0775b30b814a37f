// Makes embed/public-suffixes.txt.gz from the list of https://publicsuffix.org/list/public_suffix_list.dat: its rules,
// in ASCII, one a line.
//
//   ui/node_modules/.bin/node packaging/licenses/public-suffixes.mts public_suffix_list.dat

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { domainToASCII } from "node:url";
import { gzipSync } from "node:zlib";

const [list] = process.argv.slice(2);
if (list === undefined) throw new Error("usage: public-suffixes.mts public_suffix_list.dat");
const lines = readFileSync(list, "utf8").split("\n").map((line) => line.trim());
const rules = lines.filter((line) => line !== "" && !line.startsWith("//"));
const ascii = rules.map((rule) => {
  const [, sign = "", name = ""] = /^(!|\*\.)?(.*)$/.exec(rule) ?? [];
  const encoded = domainToASCII(name);
  if (encoded === "") throw new Error(`no name: ${rule}`);
  return `${sign}${encoded}\n`;
});
const file = join(import.meta.dirname, "../../embed/public-suffixes.txt.gz");
writeFileSync(file, gzipSync(ascii.sort().join(""), { level: 9 }));

// Measures the figures of README.md beside this file and reports exceeded limits. The figures of a file in `figures/`
// stand together; names of such files as arguments measure only these.

import { loadavg } from "node:os";
import { binarySize } from "./figures/binary.mts";
import { documents } from "./figures/documents.mts";
import { growth } from "./figures/growth.mts";
import { largeImport } from "./figures/imports.mts";
import { lighthouse } from "./figures/lighthouse.mts";
import { flightList } from "./figures/list.mts";
import { logins } from "./figures/logins.mts";
import { memory } from "./figures/memory.mts";
import { firstPage } from "./figures/page.mts";
import { slowPhone } from "./figures/phone.mts";
import { pictures } from "./figures/pictures.mts";
import { pocketBase } from "./figures/pocketbase.mts";
import { reads } from "./figures/reads.mts";
import { saves } from "./figures/saves.mts";
import { firstAnswer } from "./figures/start.mts";
import { type Figure, isKept, table } from "./support/figure.mts";
import { type Measure, withWorld } from "./support/world.mts";

/** By the name of its file. */
const all: Record<string, Measure> = {
  binary: binarySize,
  start: firstAnswer,
  memory,
  logins,
  reads,
  list: flightList,
  saves,
  imports: largeImport,
  documents,
  pictures,
  pocketbase: pocketBase,
  growth,
  page: firstPage,
  phone: slowPhone,
  lighthouse,
};

const load = loadavg()[0] ?? 0;
const names = process.argv.slice(2);
const unknown = names.filter((name) => !(name in all));
if (unknown.length > 0) throw new Error(`${unknown.join(", ")}: there are ${Object.keys(all).join(", ")}`);

await withWorld(async (world) => {
  const figures: Figure[] = [];
  for (const [name, measure] of Object.entries(all)) {
    if (names.length === 0 || names.includes(name)) figures.push(...(await measure(world)));
  }
  console.log(`Load at the start: ${load.toFixed(2)}\n\n${table(figures)}`);
  process.exitCode = figures.every(isKept) ? 0 : 1;
});

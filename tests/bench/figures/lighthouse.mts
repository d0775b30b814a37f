// Lighthouse's figures of the first screens, on the demo's data and as its pilot.

import { logIn } from "../../browser/support/client.ts";
import { lighthouseScores } from "../../browser/support/lighthouse.ts";
import { fluglog, makeDataDir, removeDataDir } from "../../browser/support/server.ts";
import type { Figure } from "../support/figure.mts";
import { withServer } from "../support/world.mts";

export async function lighthouse(): Promise<Figure[]> {
  const dataDir = await makeDataDir();
  const figures: Figure[] = [];
  try {
    await fluglog(["demo", "--data-dir", dataDir]);
    await withServer(dataDir, async (server) => {
      const demo = await logIn(server.origin, "demo@example.org", "fluglog-demo");
      for (const path of ["login", "home", "flights", "equipments/1"]) {
        const scores = await lighthouseScores(server, path, path === "login" ? null : demo);
        const { performance, accessibility, bestPractices, blockingMs, largestPaintMs } = scores;
        const note = `accessibility ${accessibility}, best practices ${bestPractices}`;
        figures.push(
          { name: `${path}: points short of 100`, value: 100 - performance, limit: 5, unit: "points", note },
          { name: `${path}: blocking time`, value: blockingMs, limit: 150, unit: "ms", note: "" },
          { name: `${path}: largest paint`, value: largestPaintMs, limit: 2_000, unit: "ms", note: "" },
        );
      }
    });
  } finally {
    await removeDataDir(dataDir);
  }
  return figures;
}

// Lighthouse scores of the pages that a pilot opens first: as a phone with a slow network, over plain http. `make
// bench` installs its program. Knows no limits.

import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { chromium } from "@playwright/test";
import { launchOptions } from "./chromium.ts";
import { type Client, sessionCookies } from "./client.ts";
import { freePort } from "./port.ts";
import type { Server } from "./server.ts";

const program = join(import.meta.dirname, "../../bench/node_modules/lighthouse/cli/index.js");
const rounds = 5;

/** Medians of five rounds. */
export interface PageScores {
  /** 0 to 100. */
  performance: number;
  accessibility: number;
  bestPractices: number;
  blockingMs: number;
  largestPaintMs: number;
}

interface Report {
  finalDisplayedUrl: string;
  categories: Record<string, { score: number | null }>;
  audits: Record<string, { numericValue?: number }>;
}

/** Opens the path as this pilot, or as a visitor. */
export async function lighthouseScores(server: Server, path: string, pilot: Client | null): Promise<PageScores> {
  // Lighthouse finds the browser by this port.
  const port = await freePort();
  const args = [...launchOptions.args, `--remote-debugging-port=${port}`];
  const browser = await chromium.launch({ ...launchOptions, args });
  try {
    if (pilot) {
      const session = await browser.newBrowserCDPSession();
      await session.send("Storage.setCookies", { cookies: sessionCookies(server.url, pilot) });
    }
    const reports: Report[] = [];
    for (let round = 0; round < rounds; round++) reports.push(await reportOf(`${server.url}${path}`, port));
    const score = (name: string) => median(reports.map(({ categories }) => (categories[name]?.score ?? 0) * 100));
    const time = (name: string) => median(reports.map(({ audits }) => audits[name]?.numericValue ?? Number.NaN));
    return {
      performance: score("performance"),
      accessibility: score("accessibility"),
      bestPractices: score("best-practices"),
      blockingMs: time("total-blocking-time"),
      largestPaintMs: time("largest-contentful-paint"),
    };
  } finally {
    await browser.close();
  }
}

async function reportOf(address: string, port: number): Promise<Report> {
  const options = ["--output=json", "--quiet", "--only-categories=performance,accessibility,best-practices"];
  const { stdout } = await promisify(execFile)(process.execPath, [program, address, `--port=${port}`, ...options], {
    maxBuffer: 100_000_000,
  });
  const report: Report = JSON.parse(stdout);
  if (report.finalDisplayedUrl !== address) throw new Error(`Lighthouse saw ${report.finalDisplayedUrl}`);
  return report;
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

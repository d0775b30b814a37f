// Measures the bytes that a browser loads before a page is usable. Knows no limits.

import { get } from "node:http";
import { buffer } from "node:stream/consumers";
import { chromium, type Page } from "@playwright/test";
import { saveData } from "./actions.ts";
import { desktop, launchOptions } from "./chromium.ts";
import { type Client, sessionCookies } from "./client.ts";
import type { Server } from "./server.ts";

/** The bytes of a page's code, gzipped. */
export interface CodeBytes {
  script: number;
  style: number;
}

/** Returns the code until a visitor sees the login, and until a pilot sees home. */
export async function firstPageBytes(server: Server, pilot: Client): Promise<{ login: CodeBytes; home: CodeBytes }> {
  const browser = await chromium.launch(launchOptions);
  try {
    const login = await browser.newContext(desktop);
    const home = await browser.newContext(desktop);
    await home.addCookies(sessionCookies(server.url, pilot));
    return {
      login: await gzippedCodeBytes(await login.newPage(), server.url),
      home: await gzippedCodeBytes(await home.newPage(), server.url),
    };
  } finally {
    await browser.close();
  }
}

/**
 * Opens the address and returns the bytes loaded for this page alone, without those loaded later. Plain http in a LAN
 * gets gzip, not brotli.
 */
export async function gzippedCodeBytes(page: Page, address: string): Promise<CodeBytes> {
  await saveData(page);
  await page.goto(address);
  await page.waitForFunction(() => performance.getEntriesByName("fluglog-later").length > 0);
  const loaded = await page.evaluate(() => {
    const later = performance.getEntriesByName("fluglog-later")[0]?.startTime ?? 0;
    const resources = performance.getEntriesByType("resource").filter(({ startTime }) => startTime < later);
    return [...new Set(resources.map(({ name }) => name))];
  });
  const bytesOf = async (kind: string) => {
    const sizes = await Promise.all(loaded.filter((name) => new URL(name).pathname.endsWith(kind)).map(sentBytes));
    return sizes.reduce((sum, size) => sum + size, 0);
  };
  return { script: await bytesOf(".js"), style: await bytesOf(".css") };
}

/** Returns the bytes sent for a file. The smallest ones aren't compressed: gzip would make them longer. */
function sentBytes(address: string): Promise<number> {
  return new Promise((resolve, reject) => {
    get(address, { headers: { "Accept-Encoding": "gzip" } }, (answer) => {
      buffer(answer).then((body) => resolve(body.length), reject);
    }).on("error", reject);
  });
}

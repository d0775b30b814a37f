// Measures the bytes that a browser loads before a page is usable. Knows no limits.

import { get } from "node:http";
import { buffer } from "node:stream/consumers";
import { chromium, type Page } from "@playwright/test";
import { desktop, launchOptions } from "./chromium.ts";
import { type Client, sessionCookies } from "./client.ts";
import type { Server } from "./server.ts";
import { saveData } from "./ways.ts";

/** The bytes of gzipped JavaScript and CSS until a visitor sees the login, and until a pilot sees home. */
export async function firstPageBytes(server: Server, pilot: Client): Promise<{ login: number; home: number }> {
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

/** Opens the address and returns the bytes loaded for this page alone. Plain http in a LAN gets gzip, not brotli. */
export async function gzippedCodeBytes(page: Page, address: string): Promise<number> {
  await saveData(page);
  await page.goto(address, { waitUntil: "networkidle" });
  const loaded = await page.evaluate(() => performance.getEntriesByType("resource").map(({ name }) => name));
  const code = [...new Set(loaded)].filter((resource) => /\.(js|css)$/.test(new URL(resource).pathname));
  const sizes = await Promise.all(code.map(sentBytes));
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** The smallest files come as they are: gzip would make them longer. */
function sentBytes(address: string): Promise<number> {
  return new Promise((resolve, reject) => {
    get(address, { headers: { "Accept-Encoding": "gzip" } }, (answer) => {
      buffer(answer).then((body) => resolve(body.length), reject);
    }).on("error", reject);
  });
}

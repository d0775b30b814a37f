// What a browser has to load before a page can be used. Knows how to ask for it, nothing of limits.

import { get } from "node:http";
import { buffer } from "node:stream/consumers";
import type { Page } from "@playwright/test";

/** The bytes of gzipped JavaScript and CSS that the page has loaded so far: a LAN without https gets gzip, not brotli. */
export async function gzippedCodeBytes(page: Page): Promise<number> {
  const addresses = await page.evaluate(() => performance.getEntriesByType("resource").map(({ name }) => name));
  const code = [...new Set(addresses)].filter((address) => /\.(js|css)$/.test(new URL(address).pathname));
  const sizes = await Promise.all(code.map(gzippedBytes));
  return sizes.reduce((sum, size) => sum + size, 0);
}

function gzippedBytes(address: string): Promise<number> {
  return new Promise((resolve, reject) => {
    get(address, { headers: { "Accept-Encoding": "gzip" } }, (answer) => {
      if (answer.headers["content-encoding"] !== "gzip") reject(new Error(`${address} was not sent gzipped`));
      buffer(answer).then((body) => resolve(body.length), reject);
    }).on("error", reject);
  });
}

// Times of a phone whose processor is six times slower than this machine's. Knows no limits.

import { type BrowserContext, chromium, type Page } from "@playwright/test";
import { germanBrowser, launchOptions, phone } from "./chromium.ts";
import { type Client, clientWith, sessionCookies } from "./client.ts";
import type { Server } from "./server.ts";

const slowness = 6;
const rounds = 5;

/** In milliseconds. */
export interface PhoneTimes {
  /** From the address until home is complete: on a first visit, and when the browser has cached the files. */
  coldMs: number;
  warmMs: number;
  /** From a word typed into the search of all flights until the matching ones are listed. */
  searchMs: number;
  /** The longest task while scrolling through all flights; 0 without one over 50 ms. */
  longestTaskMs: number;
}

/** Returns the times of each of five rounds. */
export async function phoneTimes(server: Server, pilot: Client): Promise<PhoneTimes[]> {
  const browser = await chromium.launch(launchOptions);
  const times: PhoneTimes[] = [];
  try {
    for (let round = 0; round < rounds; round++) {
      const context = await browser.newContext({ ...germanBrowser, ...phone, baseURL: server.url });
      await context.addCookies(sessionCookies(server.url, pilot));
      times.push(await measure(context));
      await context.close();
    }
  } finally {
    await browser.close();
  }
  return times;
}

/**
 * Returns the milliseconds of each round from the address until home is rendered from the browser's storage, without
 * the server.
 */
export async function offlineTimes(server: Server, login: Record<"email" | "password", string>): Promise<number[]> {
  const browser = await chromium.launch(launchOptions);
  const times: number[] = [];
  try {
    const pilot = clientWith(server.origin, "");
    await pilot.call("Login", { ...login, rememberMe: "true" });
    for (let round = 0; round < rounds; round++) {
      const context = await browser.newContext({ ...germanBrowser, ...phone, baseURL: server.url });
      await context.addCookies(sessionCookies(server.url, pilot));
      const page = await context.newPage();
      await timeToHome(page);
      await page.waitForFunction(() => navigator.serviceWorker.controller?.state === "activated");
      await page.waitForLoadState("networkidle");
      await server.stop();
      const session = await context.newCDPSession(page);
      await session.send("Emulation.setCPUThrottlingRate", { rate: slowness });
      times.push(await timeToHome(page));
      await server.startAgain();
      await context.close();
    }
  } finally {
    await browser.close();
  }
  return times;
}

async function measure(context: BrowserContext): Promise<PhoneTimes> {
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: slowness });
  const coldMs = await timeToHome(page);
  await page.waitForLoadState("networkidle");
  const warmMs = await timeToHome(page);

  await page.goto("flights");
  await page.getByRole("button", { name: "Filtern" }).click();
  await page.getByText(/^[\d.]+ Flüge, /).waitFor();
  const longestTaskMs = await page.evaluate(scroll);
  await page.evaluate(() => window.scrollTo(0, 0));
  const found = page.evaluate(timeToFind);
  await page.getByLabel("Suche").fill("heide");
  return { coldMs, warmMs, searchMs: await found, longestTaskMs };
}

async function timeToHome(page: Page): Promise<number> {
  await page.goto("home", { waitUntil: "commit" });
  await page.waitForFunction(
    () => document.querySelector("main h1") !== null && document.querySelector("[data-loading]") === null,
  );
  return page.evaluate(() => performance.now());
}

/** Runs in the page: scrolls through all flights and returns the longest task in milliseconds. */
async function scroll(): Promise<number> {
  let longest = 0;
  const observer = new PerformanceObserver((list) => {
    longest = Math.max(longest, ...list.getEntries().map(({ duration }) => duration));
  });
  observer.observe({ type: "longtask" });
  for (let step = 0; step < 180; step++) {
    window.scrollBy(0, 100);
    await new Promise(requestAnimationFrame);
  }
  observer.disconnect();
  return longest;
}

/** Runs in the page: milliseconds from the next input until the list says how many flights were found. */
function timeToFind(): Promise<number> {
  return new Promise((resolve) => {
    document.addEventListener(
      "input",
      () => {
        const typed = performance.now();
        const look = () => {
          if (/[\d.]+ von [\d.]+ Flügen/.test(document.body.textContent)) resolve(performance.now() - typed);
          else requestAnimationFrame(look);
        };
        look();
      },
      { once: true, capture: true },
    );
  });
}

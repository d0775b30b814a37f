// The basis of every browser test: `test` with its fixtures, and helpers to open the app. Each test gets its own server
// on data that hold one pilot and nothing else, so tests can't affect each other.

import { cp } from "node:fs/promises";
import { type BrowserContext, test as base, expect, type Page } from "@playwright/test";
import { saveData } from "./actions.ts";
import { lanHost } from "./chromium.ts";
import { type Client, clientWith, logIn, sessionCookies } from "./client.ts";
import { type Faults, watchFaults } from "./faults.ts";
import { type LossyProxy, startLossyProxy } from "./lossy-proxy.ts";
import { watchPauses } from "./pauses.ts";
import { makeDataDir, removeDataDir, type Server, type Settings, startServer, type User } from "./server.ts";

/** A data directory with the pilot in it, and the cookies of a login. */
interface PreparedSession {
  dataDir: string;
  cookies: string;
}

const pilot = { email: "pilotin@example.org", nickname: "Pilotin", password: "rotorblatt-17" };

interface Fixtures {
  /** The program's settings, beyond its defaults. */
  settings: Settings;
  /** A program with its arguments that runs the server: to restrict it. */
  wrap: string[];
  /** Whether the user has accepted the cookies before. */
  hasConsented: boolean;
  /**
   * Whether the app prefetches all screens, as it does unless the browser saves data: half the work of a short test.
   */
  prefetches: boolean;
  /** The running program. */
  app: Server;
  /** The user in the data, who can log in. */
  pilot: User;
  /** The pilot's session outside the browser, to prepare data. */
  api: Client;
  /** A proxy to the program that can drop answers. */
  lossyProxy: LossyProxy;
  /** The browser's complaints; anything unannounced fails the test. */
  faults: Faults;
}

export const test = base.extend<Fixtures, { prepared: PreparedSession }>({
  // Created once for all tests of a worker: each takes a copy.
  prepared: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright wants to see the fixtures that are used.
    async ({}, use) => {
      const dataDir = await makeDataDir();
      try {
        const server = await startServer({ dataDir });
        await server.addUser(pilot);
        const cookies = (await logIn(server.origin, pilot.email, pilot.password)).cookie();
        await server.stop();
        await use({ dataDir, cookies });
      } finally {
        await removeDataDir(dataDir);
      }
    },
    { scope: "worker" },
  ],
  settings: [{}, { option: true }],
  wrap: [[], { option: true }],
  hasConsented: [true, { option: true }],
  prefetches: [false, { option: true }],
  app: async ({ prepared, settings, wrap }, use, testInfo) => {
    const dataDir = await makeDataDir();
    try {
      await cp(prepared.dataDir, dataDir, { recursive: true });
      const server = await startServer({ dataDir, settings, wrap });
      await use(server);
      if (testInfo.status !== testInfo.expectedStatus) await testInfo.attach("server.log", { body: server.log() });
      await server.stop();
      expect(server.log(), "log of the server").not.toContain("panicked");
    } finally {
      await removeDataDir(dataDir);
    }
  },
  pilot,
  api: async ({ app, prepared }, use) => {
    await use(clientWith(app.origin, prepared.cookies));
  },
  baseURL: async ({ app }, use) => {
    await use(app.url);
  },
  faults: async ({ app, context }, use) => {
    const faults = watchFaults(context, [app.origin, `http://${lanHost}:${app.port}`]);
    await use(faults);
    expect(faults.list(), "complaints of the browser").toEqual([]);
  },
  lossyProxy: async ({ app, faults }, use) => {
    const lossyProxy = await startLossyProxy(app.port);
    faults.allowOrigin(lossyProxy.origin);
    await use(lossyProxy);
    await lossyProxy.close();
  },
  // Every test with a page has its faults watched.
  page: async ({ page, app, hasConsented, prefetches, faults: _ }, use) => {
    if (!prefetches) await saveData(page.context());
    await watchPauses(page.context());
    if (hasConsented) {
      const places = [app.origin, `http://${lanHost}:${app.port}`];
      await page.context().addCookies(places.map(consentCookie));
    }
    const { stop } = app;
    app.stop = async () => {
      await dialogsLoaded(page);
      await stop();
    };
    await use(page);
    app.stop = stop;
  },
});

/**
 * Waits until a screen's dialogs are loaded, which happens after the screen itself: tests don't cover a server that
 * stops in between.
 */
async function dialogsLoaded(page: Page): Promise<void> {
  const isComplete = () =>
    !document.querySelector("#root") || performance.getEntriesByName("fluglog-complete").length > 0;
  await page.waitForFunction(isComplete, null, { timeout: 5_000 }).catch(() => {});
}

/** Returns the browser's cookie with the consent. */
export function consentCookie(origin: string) {
  return { name: "cookieConsent", value: "necessary", url: `${origin}/` };
}

/** Returns the cookies that log the user in, without the consent and the cookie that identifies the browser. */
export async function accountCookies(context: BrowserContext) {
  return (await context.cookies()).filter(({ name }) => !["cookieConsent", "device"].includes(name));
}

/** Opens a path such as `flights` with the session of this client, without the login screen. */
export async function openAs(page: Page, client: Client, { url }: { url: string }, path: string): Promise<void> {
  await page.context().addCookies(sessionCookies(url, client));
  await page.goto(new URL(path, url).href);
}

export { expect };

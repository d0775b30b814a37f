// A page or a whole browser that dies right after a press: the next opening sends what was pressed, once.

import { rm } from "node:fs/promises";
import { type BrowserContext, chromium } from "@playwright/test";
import { saveData } from "../support/actions.ts";
import { germanBrowser, launchOptions, phone } from "../support/chromium.ts";
import { addChargedPack, addEquipment, addFlight, ago, type Client, kind, sessionCookies } from "../support/client.ts";
import { makeDataDir } from "../support/server.ts";
import { consentCookie, expect, openAs, test } from "../support/test.ts";

async function addFlownCopter(api: Client): Promise<void> {
  const copter = await addEquipment(api, kind.copter, "Brummer");
  const pack = await addChargedPack(api, "Akku 4", { model: "6S 1300" }, { chargeEndTime: ago(0) });
  await addFlight(api, { copter, equipments: [pack] }, { startTime: ago(180), flightTime: 5, location: "Elbwiesen" });
}

const deaths = [
  { what: "page", command: "Page.crash" },
  { what: "browser", command: "Browser.crash" },
] as const;

for (const { what, command } of deaths) {
  for (const hasArrived of [false, true]) {
    const moment = hasArrived ? "after the server has started the flight" : "before the server has the start";
    test(`A ${what} that dies ${moment} leaves one flight`, { tag: "@phone" }, async ({ app, api }) => {
      await addFlownCopter(api);
      const flights = async () => JSON.parse(await api.call("GetFlights", {})).length;
      const profile = await makeDataDir();
      async function open(): Promise<BrowserContext> {
        const { contextOptions, ...look } = germanBrowser;
        const options = { ...look, ...contextOptions, ...phone, ...launchOptions, baseURL: app.url };
        const context = await chromium.launchPersistentContext(profile, { ...options, serviceWorkers: "block" });
        await saveData(context);
        await context.addCookies([...sessionCookies(app.url, api), consentCookie(app.origin)]);
        return context;
      }
      const context = await open();
      const page = await context.newPage();
      await page.goto("home");
      // No answer comes back.
      await page.route("**/api/CreateFlight", (route) => hasArrived && route.fetch().then(() => {}));
      const sent = page.waitForRequest("**/api/CreateFlight");
      await page.getByRole("button", { name: "Jetzt starten" }).click();
      await sent;
      await expect.poll(flights).toBe(hasArrived ? 2 : 1);
      const session = await context.newCDPSession(page);
      const died = what === "page" ? page.waitForEvent("crash") : context.waitForEvent("close");
      session.send(command).catch(() => {});
      await died;

      const next = what === "page" ? context : await open();
      const opened = await next.newPage();
      await opened.goto("home");
      await expect(opened.getByRole("link", { name: "Fluglog beenden" })).toBeVisible();
      await expect.poll(flights).toBe(2);
      await expect(opened.getByText(/wartet/)).toHaveCount(0);
      expect(await flights()).toBe(2);
      await next.close();
      await rm(profile, { recursive: true });
    });
  }
}

test("A page that is loaded anew while it sends leaves the sending to the next one at once", { tag: "@phone" }, async ({
  page,
  app,
  api,
}) => {
  await addFlownCopter(api);
  // Only a release ends the turn of the page before: without passing time it never runs out.
  await page.clock.setFixedTime(new Date());
  await openAs(page, api, app, "home");
  await page.route("**/api/CreateFlight", () => {});
  const sent = page.waitForRequest("**/api/CreateFlight");
  await page.getByRole("button", { name: "Jetzt starten" }).click();
  await sent;
  const holder = () =>
    page.evaluate(async () => {
      const names = (await indexedDB.databases()).map(({ name = "" }) => name);
      const opened = indexedDB.open(names.find((name) => name.startsWith("fluglog-")) ?? "");
      await new Promise((resolve) => opened.addEventListener("success", resolve));
      const lease = opened.result.transaction("lease").objectStore("lease").get("sender");
      await new Promise((resolve) => lease.addEventListener("success", resolve));
      opened.result.close();
      return lease.result?.holder as string | undefined;
    });
  await expect.poll(holder).toBeDefined();
  const before = await holder();
  await page.reload();
  await expect.poll(holder).not.toBe(before);
});

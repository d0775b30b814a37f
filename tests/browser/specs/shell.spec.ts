// The app without network: a browser that has been here opens it, with what it knew, and the server takes it back.

import type { Page } from "@playwright/test";
import { type Client, logIn } from "../support/client.ts";
import { expect, openAs, test } from "../support/test.ts";

test.use({ serviceWorkers: "allow", loadsAhead: true });

/** The worker has kept all files, and the page is its own. */
async function kept(page: Page): Promise<void> {
  await page.waitForFunction(() => navigator.serviceWorker.controller?.state === "activated");
}

test("A browser that was here opens the app without a server, and its calls go past the worker", {
  tag: "@phone",
}, async ({ page, app, api, faults }) => {
  faults.expectLostRequests();
  await openAs(page, api, app, "home");
  await kept(page);
  await app.stop();
  await page.goto(`${app.url}flights`);
  await expect(page.getByText("Auf diesem Gerät sind keine Daten gespeichert.")).toBeVisible();
});

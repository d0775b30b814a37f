// The size of the first page, for phones with a bad network.

import { sessionCookies } from "../support/client.ts";
import { gzippedCodeBytes } from "../support/first-page.ts";
import { expect, openAs, test } from "../support/test.ts";
import { recordCalls } from "../support/ways.ts";

const limits = { script: 180_000, style: 20_000 };

test("The login needs at most 180 kB of gzipped JavaScript and 20 kB of CSS", { tag: "@phone" }, async ({
  page,
  app,
}) => {
  const { script, style } = await gzippedCodeBytes(page, app.url);
  expect(script).toBeLessThanOrEqual(limits.script);
  expect(style).toBeLessThanOrEqual(limits.style);
});

test("Home needs at most 180 kB of gzipped JavaScript and 20 kB of CSS", { tag: "@phone" }, async ({
  page,
  app,
  api,
}) => {
  await page.context().addCookies(sessionCookies(app.url, api));
  const { script, style } = await gzippedCodeBytes(page, app.url);
  expect(script).toBeLessThanOrEqual(limits.script);
  expect(style).toBeLessThanOrEqual(limits.style);
});

test("What home shows is asked for once, while the application is still being loaded", { tag: "@phone" }, async ({
  page,
  app,
  api,
}) => {
  const calls = recordCalls(page);
  await page.route("**/assets/index-*.js", async (route) => {
    await expect.poll(() => calls).toContain("GetStatistics");
    await route.continue();
  });
  await openAs(page, api, app, "home");
  await expect(page.getByText("Drei Schritte bis zum ersten Flug")).toBeVisible();
  await expect(page.locator("[data-loading]")).toHaveCount(0);
  expect(calls).toEqual([...new Set(calls)]);
});

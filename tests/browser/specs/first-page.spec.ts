// The first page: its size, for phones with a slow network, and its content before the application is loaded.

import { recordCalls } from "../support/actions.ts";
import { phone } from "../support/chromium.ts";
import { addEquipment, createFlight, finishFlight, kind, sessionCookies } from "../support/client.ts";
import { gzippedCodeBytes } from "../support/first-page.ts";
import { expect, openAs, test } from "../support/test.ts";

const limits = { login: 176_000, home: 156_000, lists: 172_000, style: 35_200 };

test("The login needs at most 176 kB of gzipped JavaScript and 35.2 kB of CSS", { tag: "@phone" }, async ({
  page,
  app,
}) => {
  const { script, style } = await gzippedCodeBytes(page, app.url);
  expect(script).toBeLessThanOrEqual(limits.login);
  expect(style).toBeLessThanOrEqual(limits.style);
});

test.describe("Without consent", () => {
  test.use({ hasConsented: false });

  test("The dialog about cookies on the first visit needs no more code than the login", { tag: "@phone" }, async ({
    page,
    app,
  }) => {
    const { script, style } = await gzippedCodeBytes(page, app.url);
    await expect(page.getByRole("dialog", { name: "Cookies" })).toBeVisible();
    expect(script).toBeLessThanOrEqual(limits.login);
    expect(style).toBeLessThanOrEqual(limits.style);
  });
});

test("Home needs at most 156 kB of gzipped JavaScript and 35.2 kB of CSS", { tag: "@phone" }, async ({
  page,
  app,
  api,
}) => {
  await page.context().addCookies(sessionCookies(app.url, api));
  const { script, style } = await gzippedCodeBytes(page, app.url);
  expect(script).toBeLessThanOrEqual(limits.home);
  expect(style).toBeLessThanOrEqual(limits.style);
});

for (const [list, path] of [
  ["flights", "flights"],
  ["packs", "equipments/1"],
]) {
  test(`The list of ${list} needs at most 172 kB of gzipped JavaScript, and asks for each answer once`, {
    tag: "@phone",
  }, async ({ page, app, api }) => {
    const copter = await addEquipment(api, kind.copter, "Falke");
    await addEquipment(api, kind.battery, "Akku");
    await finishFlight(api, await createFlight(api, { copter }), {});
    await page.context().addCookies(sessionCookies(app.url, api));
    const calls = recordCalls(page);
    const { script } = await gzippedCodeBytes(page, `${app.url}${path}`);
    expect(script).toBeLessThanOrEqual(limits.lists);
    expect(calls).toEqual([...new Set(calls)]);
  });
}

test("The page says that the application is being loaded, and what home shows is asked for meanwhile, once", {
  tag: "@phone",
}, async ({ page, app, api }) => {
  const calls = recordCalls(page);
  const loading = page.getByText("Fluglog wird geladen …");
  const name = page.getByRole("banner").getByText("Fluglog");
  const places: unknown[] = [];
  await page.route("**/assets/index-*.js", async (route) => {
    await expect.poll(() => calls).toContain("GetStatistics");
    await expect(loading).toBeVisible();
    places.push(await name.boundingBox());
    await route.continue();
  });
  await openAs(page, api, app, "home");
  await expect(page.getByText("Drei Schritte bis zum ersten Flug")).toBeVisible();
  // The header was there before, and didn't move.
  expect(places).toEqual([await name.boundingBox()]);
  await expect(loading).toHaveCount(0);
  await expect(page.locator("[data-loading]")).toHaveCount(0);
  expect(calls).toEqual([...new Set(calls)]);
});

test("Without JavaScript the page says what is missing", { tag: "@phone" }, async ({ browser, app }) => {
  const context = await browser.newContext({ ...phone, javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(app.url);
  // A locator by text doesn't match this element.
  const missing = page.locator("noscript > p");
  await expect(missing).toHaveText("Fluglog braucht JavaScript.");
  await expect(missing).toBeInViewport();
  await expect(page.getByText("Fluglog wird geladen …")).toBeHidden();
  await context.close();
});

test("What is asked for ahead is read to its end, also when the application never takes it", { tag: "@phone" }, async ({
  page,
  app,
  api,
}) => {
  const calls = recordCalls(page);
  const open = new Set<string>();
  page.on("request", (request) => open.add(request.url()));
  page.on("requestfinished", (request) => open.delete(request.url()));
  page.on("requestfailed", (request) => open.delete(request.url()));
  await page.route("**/assets/index-*.js", (route) => route.fulfill({ contentType: "text/javascript", body: "" }));
  await openAs(page, api, app, "home");
  await expect.poll(() => calls).toContain("GetStatistics");
  await expect.poll(() => [...open]).toEqual([]);
});

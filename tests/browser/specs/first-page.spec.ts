// The size of the first page, for phones with a bad network.

import { sessionCookies } from "../support/client.ts";
import { gzippedCodeBytes } from "../support/first-page.ts";
import { expect, test } from "../support/test.ts";

const limitBytes = 250_000;

test("The login needs at most 250 kB of gzipped JavaScript and CSS", { tag: "@phone" }, async ({ page, app }) => {
  expect(await gzippedCodeBytes(page, app.url)).toBeLessThanOrEqual(limitBytes);
});

test("Home needs at most 250 kB of gzipped JavaScript and CSS", { tag: "@phone" }, async ({ page, app, api }) => {
  await page.context().addCookies(sessionCookies(app.url, api));
  expect(await gzippedCodeBytes(page, app.url)).toBeLessThanOrEqual(limitBytes);
});

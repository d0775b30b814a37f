// The login by mail: the waiting browser, the mail, and the page behind its link.

import type { Browser, Page } from "@playwright/test";
import { expectAccessible } from "../support/accessible.ts";
import { field, submitLogin } from "../support/actions.ts";
import { mailedLink } from "../support/mails.ts";
import { accountCookies, expect, test } from "../support/test.ts";

// The server answers a waiting browser after half a second without a change, so that it asks more than once.
test.use({ settings: { FLUGLOG_LIMITS__LOGIN_WAIT_SECONDS: "0.5" } });

test("A pilot logs in without a password, confirmed in another browser, to the wanted page, and stays logged in", {
  tag: "@phone",
}, async ({ page, app, pilot, browser, context }) => {
  await page.goto("equipments/1?ausgemustert=true");
  await page.getByText("Angemeldet bleiben").click();
  const number = await sendWithoutPassword(page, pilot.email);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Anmeldung bestätigen");
  await expect(page.getByText(pilot.email)).toBeVisible();
  await expect(page.getByText(/muss innerhalb von 10 Minuten bestätigt werden/)).toBeVisible();
  await expectAccessible(page);
  await page.reload();

  const other = await openLink(browser, await mailedLink(app, pilot.email));
  await expect(other).toHaveURL(/\/app\/loginConfirmation$/);
  await expect(other.getByText(/^\d\d\.\d\d\.\d{4} \d\d:\d\d$/)).toBeVisible();
  await expect(other.getByText(/Chrom/)).toBeVisible();
  await other.reload();
  await expect(other.getByText(/Chrom/)).toBeVisible();
  await expect(field(other, "Zahl aus dem wartenden Browser")).toHaveAttribute("inputmode", "numeric");
  await expectAccessible(other);
  await field(other, "Zahl aus dem wartenden Browser").fill(number);
  await other.getByRole("button", { name: "Anmeldung bestätigen" }).click();
  await expect(other.getByRole("heading", { level: 1 })).toHaveText("Die Anmeldung ist bestätigt");
  await expectAccessible(other);
  // The confirming browser isn't logged in.
  expect(await accountCookies(other.context())).toEqual([]);
  await other.context().close();

  await expect(page).toHaveURL(/\/app\/equipments\/1\?ausgemustert=true$/);
  await page.waitForLoadState("networkidle");
  const remembered = (await context.cookies()).find(({ name }) => name === "login");
  expect(remembered).toMatchObject({ httpOnly: true, sameSite: "Strict", path: "/" });
  await context.clearCookies({ name: "session" });
  await page.goto("home");
  await expect(page.getByRole("heading", { level: 1, name: "Hallo, Pilotin" })).toBeVisible();
});

/** Submits the login without a password and returns the number on the waiting screen. */
async function sendWithoutPassword(page: Page, email: string): Promise<string> {
  await submitLogin(page, { email, password: "" });
  const number = page.getByText(/^\d\d$/);
  await expect(number).toBeVisible();
  return (await number.textContent()) ?? "";
}

/** Opens a link in a new browser. */
async function openLink(browser: Browser, link: string): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  await page.goto(link);
  return page;
}

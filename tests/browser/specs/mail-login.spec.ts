// The login by mail: the waiting browser, the mail, and the page behind its link.

import type { Browser, Page } from "@playwright/test";
import { expectAccessible } from "../support/accessible.ts";
import { expectFieldError, field, recordCalls, refuseCookie, submitLogin } from "../support/actions.ts";
import { mailedLink, mailsTo } from "../support/mails.ts";
import { accountCookies, expect, test } from "../support/test.ts";

// The server answers a waiting browser after half a second without a change, so that it asks more than once.
test.use({ settings: { FLUGLOG_LIMITS__LOGIN_WAIT_SECONDS: "0.5" } });

const gone = "Dieser Link ist abgelaufen oder wurde schon benutzt.";
const wrongNumber = "Die Zahl stimmt nicht mit der überein, die der wartende Browser zeigt.";

test("A pilot logs in without a password, and confirms it in another browser", { tag: "@phone" }, async ({
  page,
  app,
  pilot,
  browser,
  context,
}) => {
  const number = await askToLogIn(page, pilot.email);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Anmeldung bestätigen");
  await expect(page.getByText(pilot.email)).toBeVisible();
  await expect(page.getByText(/muss innerhalb von 10 Minuten bestätigt werden/)).toBeVisible();
  await expectAccessible(page);

  const other = await openLink(browser, await mailedLink(app, pilot.email));
  await expect(other).toHaveURL(/\/app\/loginConfirmation$/);
  await expect(other.getByText(/^\d\d\.\d\d\.\d{4} \d\d:\d\d$/)).toBeVisible();
  await expect(other.getByText(/Chrom/)).toBeVisible();
  await expect(field(other, "Zahl aus dem wartenden Browser")).toHaveAttribute("inputmode", "numeric");
  await expectAccessible(other);
  await typeNumber(other, number);
  await expect(other.getByRole("heading", { level: 1 })).toHaveText("Die Anmeldung ist bestätigt");
  await expectAccessible(other);

  await expect(page).toHaveURL(/\/app\/home$/);
  await expect(page.getByRole("heading", { level: 1, name: "Hallo, Pilotin" })).toBeVisible();
  expect((await accountCookies(context)).map(({ name }) => name)).toContain("session");
  expect((await accountCookies(context)).map(({ name }) => name)).not.toContain("login");
  // The confirming browser isn't logged in.
  expect(await accountCookies(other.context())).toEqual([]);
  await page.reload();
  await expect(page).toHaveURL(/\/app\/home$/);
  await other.context().close();
});

test("The waiting goes on after a reload, with the same number, and asks again as long as nothing happens", {
  tag: "@phone",
}, async ({ page, app, pilot, browser }) => {
  const number = await askToLogIn(page, pilot.email);
  const calls = recordCalls(page);
  await page.reload();
  await expect(page.getByText(number, { exact: true })).toBeVisible();
  await expect(page.getByText(pilot.email)).toBeVisible();
  await expect.poll(() => calls.filter((call) => call === "CheckLoginToken").length).toBeGreaterThan(2);
  expect(await mailsTo(app, pilot.email)).toHaveLength(1);
  const other = await openLink(browser, await mailedLink(app, pilot.email));
  await typeNumber(other, number);
  await expect(page).toHaveURL(/\/app\/home$/);
  await other.context().close();
});

test("After the login by mail a pilot gets to the page that was wanted, and stays logged in as asked", {
  tag: "@phone",
}, async ({ page, app, pilot, browser, context }) => {
  await page.goto("equipments/1?ausgemustert=true");
  await page.getByText("Angemeldet bleiben").click();
  const number = await sendWithoutPassword(page, pilot.email);
  await page.reload();
  const other = await openLink(browser, await mailedLink(app, pilot.email));
  await typeNumber(other, number);
  await expect(page).toHaveURL(/\/app\/equipments\/1\?ausgemustert=true$/);
  await other.context().close();
  await page.waitForLoadState("networkidle");

  const remembered = (await context.cookies()).find(({ name }) => name === "login");
  expect(remembered).toMatchObject({ httpOnly: true, sameSite: "Strict", path: "/" });
  await context.clearCookies({ name: "session" });
  await page.goto("home");
  await expect(page.getByRole("heading", { level: 1, name: "Hallo, Pilotin" })).toBeVisible();
});

test("An unknown address looks the same and gets no mail", { tag: "@desktop" }, async ({ page, app, pilot }) => {
  await askToLogIn(page, "niemand@example.org");
  await expect(page.getByText("niemand@example.org")).toBeVisible();
  await page.getByRole("button", { name: "Zurück zur Anmeldung" }).click();
  await sendWithoutPassword(page, pilot.email);
  await mailedLink(app, pilot.email);
  expect(await mailsTo(app, "niemand@example.org")).toEqual([]);
});

test("The waiting screen leads back to the form, which has kept the e-mail", { tag: "@desktop" }, async ({
  page,
  pilot,
}) => {
  await askToLogIn(page, pilot.email);
  await page.getByRole("button", { name: "Zurück zur Anmeldung" }).click();
  await expect(field(page, "E-Mail")).toHaveValue(pilot.email);
  const calls = recordCalls(page);
  await page.reload();
  await expect(page.getByLabel("E-Mail")).toBeVisible();
  await page.waitForLoadState("networkidle");
  expect(calls).not.toContain("CheckLoginToken");
  await submitLogin(page, pilot);
  await expect(page).toHaveURL(/\/app\/home$/);
});

test("Without a number or with a wrong one nothing is confirmed, and three wrong ones end the request on both sides", {
  tag: "@phone",
}, async ({ page, app, pilot, browser, faults }) => {
  faults.expectAnswer("CheckLoginToken", 410);
  const number = await askToLogIn(page, pilot.email);
  const other = await openLink(browser, await mailedLink(app, pilot.email));
  const input = field(other, "Zahl aus dem wartenden Browser");
  await other.getByRole("button", { name: "Anmeldung bestätigen" }).click();
  await expectFieldError(input, "Bitte geben Sie die Zahl ein, die der wartende Browser zeigt.");

  const wrong = number === "11" ? "22" : "11";
  for (let tries = 0; tries < 3; tries++) {
    const answered = other.waitForResponse(/\/app\/api\/ConfirmLogin$/);
    await typeNumber(other, wrong);
    expect((await answered).status()).toBe(400);
    await expectFieldError(input, wrongNumber);
  }
  await typeNumber(other, number);
  await expect(other.getByRole("alert")).toHaveText(gone);
  await expectAccessible(other);
  await other.context().close();

  await expect(page.getByRole("alert")).toHaveText("Die Anmeldung ist abgelaufen. Bitte melden Sie sich erneut an.");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Zurück zur Anmeldung" }).click();
  await expect(field(page, "E-Mail")).toHaveValue(pilot.email);
});

test("A browser that keeps no cookies gets an error instead of waiting in vain", { tag: "@desktop" }, async ({
  page,
  pilot,
  faults,
}) => {
  faults.expectAnswer("CheckLoginToken", 400);
  await page.goto("login");
  await refuseCookie(page, "CheckLoginToken", "loginRequest");
  await submitLogin(page, { email: pilot.email, password: "" });
  await expect(page.getByRole("alert")).toContainText("Ihr Browser hat das Cookie nicht gespeichert");
  await page.getByRole("button", { name: "Zurück zur Anmeldung" }).click();
  await expect(field(page, "E-Mail")).toHaveValue(pilot.email);
});

test("A browser that doesn't keep the session's cookie gets an error after the confirmation", {
  tag: "@desktop",
}, async ({ page, app, pilot, browser }) => {
  const number = await askToLogIn(page, pilot.email);
  await refuseCookie(page, "CheckSession", "session");
  const other = await openLink(browser, await mailedLink(app, pilot.email));
  await typeNumber(other, number);
  await expect(page.getByRole("alert")).toContainText("Ihr Browser hat das Cookie nicht gespeichert");
  await expect(page).toHaveURL(/\/app\/login$/);
  await other.context().close();
});

test("A login link works once", { tag: "@desktop" }, async ({ page, app, pilot, browser }) => {
  const number = await askToLogIn(page, pilot.email);
  const link = await mailedLink(app, pilot.email);
  const other = await openLink(browser, link);
  // With spaces, like from the clipboard.
  await typeNumber(other, ` ${number} `);
  await expect(other.getByRole("heading", { level: 1 })).toHaveText("Die Anmeldung ist bestätigt");
  await other.context().close();
  const another = await openLink(browser, link);
  await expect(another.getByRole("alert")).toHaveText(gone);
  await expect(another.getByRole("link", { name: "Zur Anmeldung" })).toBeVisible();
  await another.context().close();
});

test("Opening the link confirms nothing, a reload keeps the page, and users who didn't ask end the login", {
  tag: "@phone",
}, async ({ page, app, pilot, browser, faults }) => {
  faults.expectAnswer("CheckLoginToken", 410);
  await askToLogIn(page, pilot.email);
  const other = await openLink(browser, await mailedLink(app, pilot.email));
  await expect(other.getByText("in diesem Netz")).toBeVisible();
  await other.reload();
  await expect(other.getByText(/Chrom/)).toBeVisible();
  await other.getByRole("button", { name: "Das war ich nicht" }).click();
  await expect(other.getByRole("heading", { level: 1 })).toHaveText("Niemand wurde angemeldet");
  await expectAccessible(other);
  await other.context().close();
  await expect(page.getByRole("alert")).toContainText("abgelaufen");
  await expect(page).toHaveURL(/\/app\/login$/);
});

test("A logged-in browser can confirm another's login", { tag: "@desktop" }, async ({ page, app, pilot, browser }) => {
  await page.goto("login");
  await submitLogin(page, pilot);
  await expect(page).toHaveURL(/\/app\/home$/);
  const waiting = await (await browser.newContext()).newPage();
  await waiting.context().addCookies([{ name: "cookieConsent", value: "necessary", url: `${app.origin}/` }]);
  await waiting.goto(`${app.url}login`);
  const number = await sendWithoutPassword(waiting, pilot.email);
  await page.goto(await mailedLink(app, pilot.email));
  await typeNumber(page, number);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Die Anmeldung ist bestätigt");
  await expect(waiting).toHaveURL(/\/app\/home$/);
  await waiting.context().close();
});

test("A link without its end, and one that never was, say so", { tag: "@desktop" }, async ({ page, faults }) => {
  faults.expectAnswer("GetLoginRequest", 410);
  await page.goto("loginConfirmation");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Link unvollständig");
  await expect(page.getByRole("alert")).toHaveText(
    "Dieser Link ist unvollständig. Bitte öffnen Sie ihn noch einmal aus der E-Mail.",
  );
  await page.goto("impressum");
  await page.goto("loginConfirmation#0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef");
  await expect(page.getByRole("alert")).toHaveText(gone);
  await expect(page).toHaveURL(/\/app\/loginConfirmation$/);
});

test("While the server is gone the waiting goes on, and so it does once it is back", { tag: "@phone" }, async ({
  page,
  app,
  pilot,
  browser,
  faults,
}) => {
  faults.expectLostRequests();
  const number = await askToLogIn(page, pilot.email);
  const link = await mailedLink(app, pilot.email);
  await app.stop();
  await expect(page.getByText("Nicht verbunden")).toBeVisible();
  await expect(page.getByText(number, { exact: true })).toBeVisible();
  await app.startAgain();
  const other = await openLink(browser, link);
  await typeNumber(other, number);
  await expect(page).toHaveURL(/\/app\/home$/);
  await other.context().close();
});

/** Opens the login, submits it without a password and returns the number on the waiting screen. */
async function askToLogIn(page: Page, email: string): Promise<string> {
  await page.goto("login");
  return sendWithoutPassword(page, email);
}

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

async function typeNumber(page: Page, number: string): Promise<void> {
  await field(page, "Zahl aus dem wartenden Browser").fill(number);
  await page.getByRole("button", { name: "Anmeldung bestätigen" }).click();
}

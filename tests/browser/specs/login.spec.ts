// The login: its cookies, the consent to them, and its error in a low window.

import { expectAccessible } from "../support/accessible.ts";
import { acceptCookies, recordCalls, submitLogin } from "../support/actions.ts";
import { expect, test } from "../support/test.ts";

const needsConsent = "Bitte akzeptieren Sie die technisch notwendigen Cookies.";

test("In a low window the error of a login is below its button, and visible", { tag: "@phone" }, async ({
  page,
  pilot,
  faults,
}) => {
  faults.expectAnswer("Login", 401);
  await page.setViewportSize({ width: 390, height: 690 });
  await page.goto("login");
  await page.getByLabel("E-Mail").fill(pilot.email);
  await page.getByLabel("Passwort", { exact: true }).fill("falsch-geraten");
  await page.keyboard.press("Enter");
  const alert = page.getByRole("alert");
  await expect(alert).toHaveText("Login fehlgeschlagen");
  await expect(alert).toBeInViewport({ ratio: 1 });
  const button = await page.getByRole("button", { name: "Login" }).boundingBox();
  const bottom = (button?.y ?? Number.NaN) + (button?.height ?? Number.NaN);
  expect((await alert.boundingBox())?.y).toBeGreaterThanOrEqual(bottom);
});

test("With 'stay logged in' the login survives closing the browser", { tag: "@phone" }, async ({
  page,
  context,
  pilot,
}) => {
  await page.goto("login");
  await page.getByText("Angemeldet bleiben").click();
  await expect(page.getByRole("checkbox", { name: "Angemeldet bleiben" })).toBeChecked();
  await submitLogin(page, pilot);
  await expect(page).toHaveURL(/\/app\/home$/);
  await expect(page.getByText("Drei Schritte bis zum ersten Flug")).toBeVisible();

  const remembered = (await context.cookies()).find(({ name }) => name === "login");
  // Browsers limit the requested hundred years to 400 days.
  const daysLeft = ((remembered?.expires ?? 0) - Date.now() / 1000) / 86_400;
  expect(daysLeft).toBeGreaterThan(399);
  expect(remembered).toMatchObject({ httpOnly: true, sameSite: "Strict", path: "/" });

  await context.clearCookies({ name: "session" });
  await page.goto("flights");
  await expect(page).toHaveURL(/\/app\/flights$/);
});

test.describe("Without consent", () => {
  test.use({ hasConsented: false });

  test("The login asks for the consent to its cookies, and remembers it for as long as browsers allow", {
    tag: "@phone",
  }, async ({ page, context, pilot }) => {
    await page.goto("login");
    const dialog = page.getByRole("dialog", { name: "Cookies" });
    await expect(dialog).toBeVisible();
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Akzeptieren" }).click();
    await expect(dialog.getByRole("alert")).toHaveText(needsConsent);
    expect(await context.cookies()).toEqual([]);

    await dialog.getByText("Technisch notwendige Cookies", { exact: true }).click();
    await expect(dialog.getByRole("alert")).toHaveCount(0);
    await dialog.getByRole("button", { name: "Akzeptieren" }).click();
    await expect(dialog).toHaveCount(0);
    const [consent] = await context.cookies();
    expect(consent).toMatchObject({ name: "cookieConsent", value: "necessary", path: "/" });
    // Browsers limit the requested hundred years to 400 days.
    expect(((consent?.expires ?? 0) - Date.now() / 1000) / 86_400).toBeGreaterThan(399);

    await page.reload();
    await expect(page.getByLabel("E-Mail")).toBeVisible();
    await submitLogin(page, pilot);
    await expect(page).toHaveURL(/\/app\/home$/);
  });

  test("Without accepting the cookies, put off by Escape, there is no login", { tag: "@desktop" }, async ({
    page,
    pilot,
  }) => {
    await page.goto("login");
    const dialog = page.getByRole("dialog", { name: "Cookies" });
    await expect(dialog).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(dialog).toHaveCount(0);
    const calls = recordCalls(page);
    for (const password of [pilot.password, ""]) {
      await submitLogin(page, { email: pilot.email, password });
      await expect(page.getByRole("alert")).toHaveText(needsConsent);
    }
    expect(calls.filter((call) => call !== "CheckSession")).toEqual([]);
    await expectAccessible(page);

    await page.getByRole("button", { name: "Cookie-Hinweis öffnen" }).click();
    await acceptCookies(page);
    await expect(page.getByRole("alert")).toHaveCount(0);
    await submitLogin(page, pilot);
    await expect(page).toHaveURL(/\/app\/home$/);
  });
});

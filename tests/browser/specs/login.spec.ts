// The login form: its errors, and its messages while it waits and when it fails.

import { expectAccessible } from "../support/accessible.ts";
import { acceptCookies, holdCall, recordCalls, refuseCookie, submitLogin } from "../support/actions.ts";
import { logIn } from "../support/client.ts";
import { accountCookies, expect, openAs, test } from "../support/test.ts";

const needsConsent = "Bitte akzeptieren Sie die technisch notwendigen Cookies.";

test("The login names an e-mail that is none beside its field and sends nothing", { tag: "@desktop" }, async ({
  page,
}) => {
  await page.goto("login");
  const calls = recordCalls(page);
  const email = page.getByLabel("E-Mail");
  for (const wrong of ["", "pilotin", "pilotin@example", "pilotin @example.org"]) {
    await submitLogin(page, { email: wrong, password: "" });
    await expect(email, wrong).toHaveAccessibleDescription("Bitte geben Sie eine gültige E-Mail-Adresse ein.");
    await expect(email, wrong).toBeFocused();
  }
  expect(calls.filter((call) => !["CheckSession", "GetSetupState"].includes(call))).toEqual([]);
});

test("While the password is checked the login says so and can't be sent twice", { tag: "@phone" }, async ({
  page,
  pilot,
}) => {
  await page.goto("login");
  const calls = recordCalls(page);
  const held = await holdCall(page, "Login");
  await submitLogin(page, pilot);
  await expect(page.getByText("Ihre Login-Daten werden überprüft.")).toBeVisible();
  const button = page.getByRole("button", { name: "Login" });
  await expect(button).toBeDisabled();
  await button.click({ force: true });
  await page.getByLabel("Passwort", { exact: true }).press("Enter");
  held.release();
  await expect(page).toHaveURL(/\/app\/home$/);
  expect(calls.filter((call) => call === "Login")).toHaveLength(1);
});

test("Enter in the password's field logs in, and spaces around the e-mail don't matter", { tag: "@desktop" }, async ({
  page,
  pilot,
}) => {
  await page.goto("login");
  await page.getByLabel("E-Mail").fill(` ${pilot.email} `);
  await page.getByLabel("Passwort", { exact: true }).fill(pilot.password);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/app\/home$/);
});

test("A browser that keeps no cookies gets an error instead of the login again", { tag: "@desktop" }, async ({
  page,
  pilot,
}) => {
  await page.goto("login");
  await refuseCookie(page, "CheckSession", "session");
  await submitLogin(page, pilot);
  await expect(page.getByRole("alert")).toContainText("Ihr Browser hat das Cookie nicht gespeichert");
  await expect(page).toHaveURL(/\/app\/login$/);
});

test("The password can be shown and hidden again", { tag: "@phone" }, async ({ page }) => {
  await page.goto("login");
  const password = page.getByLabel("Passwort", { exact: true });
  await password.fill("rotorblatt-17");
  await expect(password).toHaveAttribute("type", "password");
  await page.getByRole("button", { name: "Passwort anzeigen" }).click();
  await expect(password).toHaveAttribute("type", "text");
  await page.getByRole("button", { name: "Passwort verbergen" }).click();
  await expect(password).toHaveAttribute("type", "password");
});

test("An unknown e-mail is refused in the same words as a wrong password", { tag: "@desktop" }, async ({
  page,
  pilot,
  faults,
}) => {
  faults.expectAnswer("Login", 401);
  await page.goto("login");
  await submitLogin(page, { email: "niemand@example.org", password: pilot.password });
  await expect(page.getByRole("alert")).toHaveText("Login fehlgeschlagen");
  await expect(page.getByRole("button", { name: "Login" })).toBeEnabled();
});

test("With the server gone the login says that an error occurred, keeps the typed values, and works once it is back", {
  tag: "@phone",
}, async ({ page, app, pilot, faults }) => {
  faults.expectLostRequests();
  await page.goto("login");
  await app.stop();
  await submitLogin(page, pilot);
  await expect(page.getByRole("alert")).toHaveText("Ein Fehler ist aufgetreten");
  await expect(page.getByLabel("E-Mail")).toHaveValue(pilot.email);
  await expect(page.getByLabel("Passwort", { exact: true })).toHaveValue(pilot.password);

  await app.startAgain();
  await page.getByRole("button", { name: "Login" }).click();
  await expect(page).toHaveURL(/\/app\/home$/);
});

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

test("After five wrong passwords the login asks to wait, even with the right one", { tag: "@desktop" }, async ({
  page,
  app,
  pilot,
  faults,
}) => {
  for (let tries = 0; tries < 5; tries++) {
    await expect(logIn(app.origin, pilot.email, `geraten-${tries}`)).rejects.toThrow("401");
  }
  faults.expectAnswer("Login", 429);
  await page.goto("login");
  await submitLogin(page, pilot);
  await expect(page.getByRole("alert")).toHaveText(
    "Zu viele Versuche. Bitte warten Sie einige Minuten und versuchen Sie es erneut.",
  );
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

test("Without 'stay logged in' closing the browser logs out", { tag: "@desktop" }, async ({ page, context, pilot }) => {
  await page.goto("login");
  await submitLogin(page, pilot);
  await expect(page).toHaveURL(/\/app\/home$/);
  await expect(page.getByText("Drei Schritte bis zum ersten Flug")).toBeVisible();
  const cookies = await accountCookies(context);
  expect(cookies.map(({ name }) => name)).toEqual(["session"]);
  expect(cookies[0]).toMatchObject({ expires: -1, httpOnly: true });

  await context.clearCookies({ name: "session" });
  await page.goto("home");
  await expect(page).toHaveURL(/\/app\/login$/);
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

  for (const way of ["by its button", "by Escape"]) {
    test(`Without accepting the cookies, put off ${way}, there is no login`, async ({ page, pilot }) => {
      await page.goto("login");
      const dialog = page.getByRole("dialog", { name: "Cookies" });
      if (way === "by Escape") {
        await expect(dialog).toBeVisible();
        await page.keyboard.press("Escape");
      } else await dialog.getByRole("button", { name: "Ablehnen" }).click();
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
  }

  test("The cookies' dialog leads to the privacy policy, and logged-in users never see it", { tag: "@phone" }, async ({
    page,
    app,
    api,
    context,
  }) => {
    await page.goto("login");
    const opened = context.waitForEvent("page");
    await page.getByRole("dialog").getByRole("link", { name: "Datenschutz" }).click();
    await expect((await opened).getByRole("heading", { level: 1 })).toHaveText("Datenschutz");
    await openAs(page, api, app, "login");
    await expect(page).toHaveURL(/\/app\/home$/);
    await expect(page.getByRole("dialog")).toHaveCount(0);
  });
});

// Registering: e-mail and nickname, then the code from the mail.

import type { Page } from "@playwright/test";
import { expectAccessible } from "../support/accessible.ts";
import { expectFieldError, field, recordCalls, submitLogin } from "../support/actions.ts";
import { mailedCode, mailsTo } from "../support/mails.ts";
import { expect, test } from "../support/test.ts";

const email = "neuling@example.org";

test("A visitor registers, types the code with Enter and is logged in at home", { tag: "@phone" }, async ({
  page,
  app,
}) => {
  await page.goto("login");
  await page.getByRole("link", { name: "Registrieren" }).click();
  await expect(page).toHaveURL(/\/app\/register$/);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Registrieren");
  await expect(page).toHaveTitle("Registrieren · Fluglog");
  await expectAccessible(page);
  await field(page, "E-Mail").fill(` ${email} `);
  await field(page, "Nickname").fill("Neuling");
  await page.getByRole("button", { name: "Registrieren" }).click();

  await expect(page).toHaveURL(/\/app\/register\/verify$/);
  await expect(page.getByText(email)).toBeVisible();
  await expectAccessible(page);
  const code = await mailedCode(app, email);
  const input = field(page, "Code");
  await expect(input).toHaveAttribute("autocomplete", "one-time-code");
  await expect(input).toHaveAttribute("inputmode", "numeric");
  // Copied with the digits in groups.
  await input.fill(`${code.slice(0, 3)} ${code.slice(3)}`);
  await input.press("Enter");
  await expect(page).toHaveURL(/\/app\/home$/);
  await expect(page.getByRole("heading", { level: 1, name: "Hallo, Neuling" })).toBeVisible();
  await page.reload();
  await expect(page.getByRole("heading", { level: 1, name: "Hallo, Neuling" })).toBeVisible();
});

test("Without a password home says so and leads to the profile, until one is set or the hint is closed", {
  tag: "@phone",
}, async ({ page, app }) => {
  await page.goto("register");
  await register(page, email);
  await field(page, "Code").fill(await mailedCode(app, email));
  await page.keyboard.press("Enter");
  const hint = page.getByText("Sie melden sich bisher nur per E-Mail an.");
  await expect(hint).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Schließen" }).click();
  await expect(hint).toHaveCount(0);
  await page.reload();
  await expect(page.getByText("Drei Schritte bis zum ersten Flug")).toBeVisible();
  await expect(hint).toHaveCount(0);

  await page.evaluate(() => localStorage.clear());
  await page.reload();
  await page.getByRole("link", { name: "Passwort festlegen" }).click();
  await expect(page).toHaveURL(/\/app\/myProfile#password$/);
  const dialog = page.getByRole("dialog", { name: "Passwort festlegen" });
  await dialog.getByRole("button", { name: "Abbrechen" }).click();
  await expect(page).toHaveURL(/\/app\/myProfile$/);
  await page.getByRole("button", { name: "Passwort festlegen" }).click();
  for (const label of ["Neues Passwort", "Neues Passwort wiederholen"]) {
    await field(page, label).fill("rotorblatt-17");
  }
  await dialog.getByRole("button", { name: "Speichern" }).click();
  await expect(page.getByText("Passwort erfolgreich gespeichert.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Passwort ändern" })).toBeVisible();
  await page.goto("home");
  await expect(page.getByText("Drei Schritte bis zum ersten Flug")).toBeVisible();
  await expect(hint).toHaveCount(0);
});

test("Registration and login lead to each other", { tag: "@desktop" }, async ({ page }) => {
  await page.goto("register");
  await page.getByRole("link", { name: "Zur Anmeldung" }).click();
  await expect(page).toHaveURL(/\/app\/login$/);
  await page.getByRole("link", { name: "Registrieren" }).click();
  await expect(page).toHaveURL(/\/app\/register$/);
});

test("E-mail and nickname are both needed, and nothing is sent without", { tag: "@desktop" }, async ({ page }) => {
  await page.goto("register");
  const calls = recordCalls(page);
  await page.getByRole("button", { name: "Registrieren" }).click();
  await expectFieldError(field(page, "E-Mail"), "Bitte geben Sie Ihre E-Mail-Adresse ein.");
  await expectFieldError(field(page, "Nickname"), "Bitte geben Sie einen Nickname ein.");
  await field(page, "E-Mail").fill(email);
  await page.getByRole("button", { name: "Registrieren" }).click();
  await expect(field(page, "Nickname")).toBeFocused();
  expect(calls.filter((call) => call !== "GetSetupState")).toEqual([]);
});

test("An address that is none is refused beside its field, as the server says it", { tag: "@desktop" }, async ({
  page,
  faults,
}) => {
  faults.expectAnswer("RegistrationAndVerification", 400);
  await page.goto("register");
  await register(page, "neuling");
  await expectFieldError(field(page, "E-Mail"), "Bitte geben Sie eine gültige E-Mail-Adresse ein.");
  await expect(field(page, "E-Mail")).toBeFocused();
});

test("An address that is registered already is refused, and what was typed stays", { tag: "@phone" }, async ({
  page,
  app,
  pilot,
  faults,
}) => {
  faults.expectAnswer("RegistrationAndVerification", 409);
  await page.goto("register");
  await register(page, pilot.email);
  await expect(page.getByRole("alert")).toHaveText("Diese E-Mail-Adresse ist bereits registriert.");
  await expect(field(page, "E-Mail")).toHaveValue(pilot.email);
  await expect(field(page, "Nickname")).toHaveValue("Neuling");
  await expectAccessible(page);
  expect(await mailsTo(app, pilot.email)).toEqual([]);
});

test("With the server gone the registration says so, and works once it is back", { tag: "@desktop" }, async ({
  page,
  app,
  faults,
}) => {
  faults.expectLostRequests();
  await page.goto("register");
  await field(page, "E-Mail").fill(email);
  await field(page, "Nickname").fill("Neuling");
  await app.stop();
  await page.getByRole("button", { name: "Registrieren" }).click();
  await expect(page.getByRole("alert")).toHaveText(
    "Registrierung ist fehlgeschlagen. Bitte laden Sie die Seite neu und versuchen Sie es erneut.",
  );
  await app.startAgain();
  await page.getByRole("button", { name: "Registrieren" }).click();
  await expect(page).toHaveURL(/\/app\/register\/verify$/);
});

test("No code and a wrong code are refused beside the field; after five wrong ones the right one is dead too", {
  tag: "@phone",
}, async ({ page, app, faults }) => {
  faults.expectAnswer("Verification", 400);
  faults.expectAnswer("Verification", 410);
  await page.goto("register");
  await register(page, email);
  const code = await mailedCode(app, email);
  const input = field(page, "Code");
  const calls = recordCalls(page);
  await input.press("Enter");
  await expectFieldError(input, "Bitte geben Sie den Code ein.");
  expect(calls).toEqual([]);

  const wrong = code === "000000" ? "111111" : "000000";
  for (let tries = 0; tries < 5; tries++) {
    const answered = page.waitForResponse(/\/app\/api\/Verification$/);
    await input.fill(wrong);
    await input.press("Enter");
    await answered;
    await expectFieldError(input, "Der Code ist falsch.");
  }
  await input.fill(code);
  await input.press("Enter");
  await expect(page.getByRole("alert")).toHaveText("Der Code ist abgelaufen. Bitte registrieren Sie sich erneut.");
  await expectAccessible(page);

  await page.getByRole("link", { name: "Noch einmal registrieren" }).click();
  await expect(field(page, "E-Mail")).toHaveValue(email);
  await expect(field(page, "Nickname")).toHaveValue("Neuling");
});

test("With the server gone the code can't be checked, and is once the server is back", { tag: "@desktop" }, async ({
  page,
  app,
  faults,
}) => {
  faults.expectLostRequests();
  await page.goto("register");
  await register(page, email);
  await field(page, "Code").fill(await mailedCode(app, email));
  await app.stop();
  await page.getByRole("button", { name: "Code prüfen" }).click();
  await expect(page.getByRole("alert")).toHaveText(
    "Verifizierung ist fehlgeschlagen! Bitte geben Sie den Code erneut ein.",
  );
  await app.startAgain();
  await page.getByRole("button", { name: "Code prüfen" }).click();
  await expect(page).toHaveURL(/\/app\/home$/);
});

test("The code is worth nothing in another browser", { tag: "@desktop" }, async ({ page, app, browser, faults }) => {
  faults.expectAnswer("Verification", 410);
  const other = await (await browser.newContext()).newPage();
  await other.goto(`${app.url}register`);
  await register(other, email);
  const code = await mailedCode(app, email);
  await other.context().close();

  await page.goto("register/verify");
  await field(page, "Code").fill(code);
  await field(page, "Code").press("Enter");
  await expect(page.getByRole("alert")).toHaveText("Der Code ist abgelaufen. Bitte registrieren Sie sich erneut.");
});

test("The browser's Back from the code restores the typed values", { tag: "@desktop" }, async ({ page }) => {
  await page.goto("register");
  await register(page, email);
  await page.goBack();
  await expect(page).toHaveURL(/\/app\/register$/);
  await expect(field(page, "E-Mail")).toHaveValue(email);
  await expect(field(page, "Nickname")).toHaveValue("Neuling");
});

test("An address that somebody else has registered meanwhile is refused in the server's words", {
  tag: "@desktop",
}, async ({ page, app, faults }) => {
  faults.expectAnswer("Verification", 409);
  await page.goto("register");
  await register(page, email);
  const code = await mailedCode(app, email);
  await app.addUser({ email, nickname: "Schneller", password: "rotorblatt-17" });
  await field(page, "Code").fill(code);
  await field(page, "Code").press("Enter");
  await expect(page.getByRole("alert")).toHaveText("Diese E-Mail-Adresse ist bereits registriert.");
  await page.goto("login");
  await submitLogin(page, { email, password: "rotorblatt-17" });
  await expect(page.getByRole("heading", { level: 1, name: "Hallo, Schneller" })).toBeVisible();
});

test.describe("On a server that is closed for newcomers", () => {
  test.use({ settings: { FLUGLOG_REGISTRATION: "closed" } });

  test("a registration is refused and says whom to ask", { tag: "@phone" }, async ({ page, faults }) => {
    faults.expectAnswer("RegistrationAndVerification", 403);
    await page.goto("register");
    await register(page, email);
    await expect(page.getByRole("alert")).toHaveText(
      "Die Registrierung ist auf diesem Server geschlossen. Bitte wenden Sie sich an den Betreiber.",
    );
    await expect(page).toHaveURL(/\/app\/register$/);
  });
});

/** Fills in the form and submits it; if it was accepted, the code's screen follows. */
async function register(page: Page, address: string): Promise<void> {
  await field(page, "E-Mail").fill(address);
  await field(page, "Nickname").fill("Neuling");
  const answered = page.waitForResponse(/\/app\/api\/RegistrationAndVerification$/);
  await page.getByRole("button", { name: "Registrieren" }).click();
  if ((await answered).ok()) await expect(field(page, "Code")).toBeVisible();
}

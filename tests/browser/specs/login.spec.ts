// The login form: what it refuses, what it says while it waits, and what it says when it fails.

import { logIn } from "../support/client.ts";
import { expect, test } from "../support/test.ts";
import { holdCall, recordCalls, submitLogin } from "../support/ways.ts";

test("The login names an e-mail that is none and a missing password, each beside its field, and sends nothing", async ({
  page,
}) => {
  await page.goto("login");
  const calls = recordCalls(page);
  const email = page.getByLabel("E-Mail");
  const password = page.getByLabel("Passwort", { exact: true });
  for (const wrong of ["", "pilotin", "pilotin@example", "pilotin @example.org"]) {
    await submitLogin(page, { email: wrong, password: "" });
    await expect(email, wrong).toHaveAccessibleDescription("Bitte geben Sie eine gültige E-Mail-Adresse ein.");
    await expect(email, wrong).toBeFocused();
  }
  await expect(password).toHaveAccessibleDescription("Bitte geben Sie Ihr Passwort ein.");

  await submitLogin(page, { email: "pilotin@example.org", password: "" });
  await expect(email).not.toHaveAttribute("aria-invalid");
  await expect(password).toBeFocused();
  expect(calls).not.toContain("Login");
});

test("While the password is checked the login says so and can't be sent twice", async ({ page, pilot }) => {
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

test("Enter in the password's field logs in, and spaces around the e-mail don't matter", async ({ page, pilot }) => {
  await page.goto("login");
  await page.getByLabel("E-Mail").fill(` ${pilot.email} `);
  await page.getByLabel("Passwort", { exact: true }).fill(pilot.password);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/app\/home$/);
});

test("The password can be shown and hidden again", async ({ page }) => {
  await page.goto("login");
  const password = page.getByLabel("Passwort", { exact: true });
  await password.fill("rotorblatt-17");
  await expect(password).toHaveAttribute("type", "password");
  await page.getByRole("button", { name: "Passwort anzeigen" }).click();
  await expect(password).toHaveAttribute("type", "text");
  await page.getByRole("button", { name: "Passwort verbergen" }).click();
  await expect(password).toHaveAttribute("type", "password");
});

test("An unknown e-mail is refused in the same words as a wrong password", async ({ page, pilot, faults }) => {
  faults.expectAnswer("Login", 401);
  await page.goto("login");
  await submitLogin(page, { email: "niemand@example.org", password: pilot.password });
  await expect(page.getByRole("alert")).toHaveText("Login fehlgeschlagen");
  await expect(page.getByRole("button", { name: "Login" })).toBeEnabled();
});

test("With the server gone the login says that an error occurred, keeps what was typed, and works once it is back", async ({
  page,
  app,
  pilot,
  faults,
}) => {
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

test("After five wrong passwords the login asks to wait, even with the right one", async ({
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

test("Who stays logged in is still so in a browser that was closed", async ({ page, context, pilot }) => {
  await page.goto("login");
  await page.getByText("Angemeldet bleiben").click();
  await expect(page.getByRole("checkbox", { name: "Angemeldet bleiben" })).toBeChecked();
  await submitLogin(page, pilot);
  await expect(page).toHaveURL(/\/app\/home$/);
  await expect(page.getByText("Anzahl der Flüge")).toBeVisible();

  const remembered = (await context.cookies()).find(({ name }) => name === "login");
  // Browsers cut the hundred years that the server asks for to 400 days.
  const daysLeft = ((remembered?.expires ?? 0) - Date.now() / 1000) / 86_400;
  expect(daysLeft).toBeGreaterThan(399);
  expect(remembered).toMatchObject({ httpOnly: true, sameSite: "Strict", path: "/" });

  await context.clearCookies({ name: "session" });
  await page.goto("flights");
  await expect(page).toHaveURL(/\/app\/flights$/);
});

test("Who doesn't ask to stay logged in is logged out in a browser that was closed", async ({
  page,
  context,
  pilot,
}) => {
  await page.goto("login");
  await submitLogin(page, pilot);
  await expect(page).toHaveURL(/\/app\/home$/);
  await expect(page.getByText("Anzahl der Flüge")).toBeVisible();
  expect((await context.cookies()).map(({ name }) => name)).toEqual(["session"]);
  expect((await context.cookies())[0]).toMatchObject({ expires: -1, httpOnly: true });

  await context.clearCookies({ name: "session" });
  await page.goto("home");
  await expect(page).toHaveURL(/\/app\/login$/);
});

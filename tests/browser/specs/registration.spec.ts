// Registering: e-mail and nickname, then the code from the mail.

import { expectAccessible } from "../support/accessible.ts";
import { expectFieldError, field } from "../support/actions.ts";
import { mailedCode } from "../support/mails.ts";
import { expect, test } from "../support/test.ts";

const email = "neuling@example.org";

test("A visitor who mistyped the address at first registers, types the code with Enter and is logged in at home", {
  tag: "@phone",
}, async ({ page, app, faults }) => {
  faults.expectAnswer("RegistrationAndVerification", 400);
  await page.goto("login");
  await page.getByRole("link", { name: "Registrieren" }).click();
  await expect(page).toHaveURL(/\/app\/register$/);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Registrieren");
  await expect(page).toHaveTitle("Registrieren · Fluglog");
  await expectAccessible(page);
  await field(page, "E-Mail").fill("neuling");
  await field(page, "Nickname").fill("Neuling");
  await page.getByRole("button", { name: "Registrieren" }).click();
  await expectFieldError(field(page, "E-Mail"), "Bitte geben Sie eine gültige E-Mail-Adresse ein.");
  await expect(field(page, "E-Mail")).toBeFocused();
  await expectAccessible(page);
  await field(page, "E-Mail").fill(` ${email} `);
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
  await field(page, "E-Mail").fill(email);
  await field(page, "Nickname").fill("Neuling");
  await page.getByRole("button", { name: "Registrieren" }).click();
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

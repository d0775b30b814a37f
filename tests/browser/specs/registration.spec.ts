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
  await expect(page.getByText("Sie melden sich bisher nur per E-Mail an.")).toBeVisible();
  await expectAccessible(page);
});

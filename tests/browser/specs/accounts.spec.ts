// The first account, by the address that the server prints.

import { expectAccessible } from "../support/accessible.ts";
import { expectFieldError, field } from "../support/actions.ts";
import { makeDataDir, removeDataDir, startServer } from "../support/server.ts";
import { expect, test } from "../support/test.ts";

const email = "anna@example.org";
const password = "rotorblatt-17";

test("The address that the server prints makes the first account and logs in", { tag: "@phone" }, async ({
  page,
  faults,
}) => {
  const dataDir = await makeDataDir();
  const mailServer = { FLUGLOG_SMTP__HOST: "127.0.0.1", FLUGLOG_SMTP__FROM: "fluglog@example.org" };
  const server = await startServer({ dataDir, settings: mailServer });
  faults.allowOrigin(server.origin);
  faults.expectAnswer("CreateFirstAccount", 400);
  faults.expectAnswer("CheckSetupLink", 410);
  try {
    await page.goto(`${server.url}login`);
    const hint = page.getByText("Auf diesem Server gibt es noch kein Konto.");
    await expect(hint).toBeVisible();
    await expectAccessible(page);
    await page.goto(`${server.url}register`);
    await expect(hint).toBeVisible();

    const [url = ""] = server.output().match(/http\S+\/app\/setup#\S+/) ?? [];
    await page.goto(`${url}x`);
    await expect(page.getByText("Diese Adresse gilt nicht mehr.")).toBeVisible();
    await expect(field(page, "E-Mail")).toHaveCount(0);
    await page.goto(url);
    await expect(page).toHaveURL(/\/app\/setup$/);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Erstes Konto anlegen");
    await expectAccessible(page);
    await field(page, "E-Mail").fill(email);
    await field(page, "Nickname").fill("Anna");
    await field(page, "Passwort").fill("12345678");
    await page.getByRole("button", { name: "Konto anlegen" }).click();
    await expectFieldError(
      field(page, "Passwort"),
      "Dieses Passwort gehört zu den häufigsten und wird als erstes geraten. Bitte wählen Sie ein anderes.",
    );
    await field(page, "Passwort").fill(password);
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(/\/app\/home$/);
    await expect(page.getByRole("heading", { level: 1, name: "Hallo, Anna" })).toBeVisible();
    // The first account is the operator's, who sees the server's problems.
    await expect(page.getByText("Zum Mailserver fehlt public_url")).toBeVisible();
    await expectAccessible(page);

    await page.context().clearCookies();
    await page.goto(url);
    await expect(page.getByText("Das erste Konto ist schon angelegt.")).toBeVisible();
    await page.goto(`${server.url}login`);
    await expect(page.getByRole("button", { name: "Login" })).toBeVisible();
    await expect(hint).toHaveCount(0);
  } finally {
    await server.stop();
    await removeDataDir(dataDir);
  }
});

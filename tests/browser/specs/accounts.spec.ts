// Access to an account besides login and registration: the first account, and a change of the e-mail address.

import { expectAccessible } from "../support/accessible.ts";
import { expectFieldError, field, toast } from "../support/actions.ts";
import { mailedLink } from "../support/mails.ts";
import { makeDataDir, removeDataDir, startServer } from "../support/server.ts";
import { expect, openAs, test } from "../support/test.ts";

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

test("A pilot changes nickname and e-mail address in the profile", { tag: "@desktop" }, async ({ page, app, api }) => {
  await openAs(page, api, app, "myProfile");
  await page.getByRole("button", { name: "Nickname ändern" }).click();
  await field(page, "Neuer Nickname").fill("Luftikus");
  await page.keyboard.press("Enter");
  await expect(toast(page, "Erfolgreich gespeichert.")).toBeVisible();
  await page.getByRole("button", { name: "E-Mail-Adresse ändern" }).click();
  await expectAccessible(page);
  await field(page, "Neue E-Mail-Adresse").fill("neu@example.org");
  await page.getByRole("button", { name: "Link senden" }).click();
  await expect(toast(page, "Der Link ist an neu@example.org unterwegs.")).toBeVisible();

  await page.goto(await mailedLink(app, "neu@example.org"));
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("E-Mail-Adresse bestätigen");
  await expect(page.getByText("neu@example.org")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Ja, bestätigen" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Die neue E-Mail-Adresse gilt");
  await page.goto("myProfile");
  await expect(page.getByText("neu@example.org")).toBeVisible();
  await expect(page.getByRole("definition").filter({ hasText: "Luftikus" })).toBeVisible();
});

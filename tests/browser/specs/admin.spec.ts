// Administration on a phone: password, problems, accounts, a backup; and the page is accessible.

import { expectAccessible } from "../support/accessible.ts";
import { field, toast } from "../support/actions.ts";
import { expect, openAs, test } from "../support/test.ts";

test("An operator shows the password, sees what is wrong, and invites, locks and deletes an account", {
  tag: "@phone",
}, async ({ page, app, api, pilot, faults }) => {
  faults.expectAnswer("ConfirmAdmin", 400);
  await app.addUser({ email: "ben@example.org", nickname: "Ben", password: "windkanal-19" });
  await openAs(page, api, app, "myProfile");
  await page.getByRole("link", { name: "Verwaltung öffnen" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Verwaltung");
  await expectAccessible(page);
  await field(page, "Passwort").fill("falsch-gedacht");
  await page.getByRole("button", { name: "Weiter" }).click();
  await expect(page.getByText("Das Passwort ist falsch.")).toBeVisible();
  await field(page, "Passwort").fill(pilot.password);
  await page.getByRole("button", { name: "Weiter" }).click();

  const overview = page.getByRole("region", { name: "Übersicht" });
  await expect(overview).toContainText("Es gibt noch keine Sicherung.");
  await overview.getByRole("link", { name: "Sicherung öffnen" }).click();
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Herunterladen" }).click();
  expect((await download).suggestedFilename()).toMatch(/^fluglog-\d{8}-\d{6}\.tar$/);
  await expectAccessible(page);

  await page.getByRole("button", { name: "Konten" }).click();
  await page.getByRole("button", { name: "Einladen" }).click();
  await page.getByRole("button", { name: "Link erstellen" }).click();
  await expect(field(page, "Link")).toHaveValue(/\/app\/invitation#/);
  await page.getByRole("dialog").getByRole("button", { name: "Schließen" }).click();

  await page.getByRole("button", { name: "ben@example.org verwalten" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Sperren" }).click();
  await expect(toast(page, "ben@example.org ist gesperrt und überall abgemeldet.")).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Konto löschen" }).click();
  await field(page, "E-Mail-Adresse zur Bestätigung").fill("ben@example.org");
  await dialog.getByRole("button", { name: "Konto löschen" }).click();
  await expect(toast(page, "ben@example.org ist gelöscht.")).toBeVisible();
  await expect(page.getByText("ben@example.org", { exact: true })).toHaveCount(0);

  await page.getByRole("button", { name: "Protokoll" }).click();
  await expect(page.getByText(`${pilot.email}: hat ein Konto gelöscht`)).toBeVisible();
  await expectAccessible(page);
});

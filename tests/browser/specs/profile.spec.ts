// The profile as everybody can read it, and the download of all own data.

import { expectAccessible } from "../support/accessible.ts";
import { downloaded, expectFieldError, field, toast } from "../support/actions.ts";
import { addDocument } from "../support/client.ts";
import { expect, openAs, test } from "../support/test.ts";

test("The profile, its dialogs and what they refuse can be read by everybody", { tag: "@phone" }, async ({
  page,
  app,
  api,
  faults,
}) => {
  faults.expectLostRequests();
  await openAs(page, api, app, "myProfile");
  const devices = page.getByRole("region", { name: "Angemeldete Geräte" });
  await expect(devices.getByRole("listitem").first()).toContainText("dieses Gerät");

  await page.getByRole("button", { name: "Passwort ändern" }).click();
  await field(page, "Neues Passwort").fill("tragflaeche-23");
  await field(page, "Neues Passwort wiederholen").fill("tragflaeche-24");
  const dialog = page.getByRole("dialog", { name: "Passwort ändern" });
  await dialog.getByRole("button", { name: "Speichern" }).click();
  await expectFieldError(field(page, "Neues Passwort wiederholen"), "Die Passwörten stimmen nicht überein!");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Abbrechen" }).click();

  await page.getByRole("button", { name: "Alle Geräte abmelden" }).click();
  await expect(page.getByRole("alertdialog")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("alertdialog").getByRole("button", { name: "Nein" }).click();

  await field(page, "Vorname").fill("Anna");
  await app.stop();
  await page.getByRole("button", { name: "Speichern" }).click();
  await expect(page.getByText("Speichern fehlgeschlagen.")).toBeVisible();
  // Elsewhere the line below the header may cross a button.
  await page.evaluate(() => window.scrollTo(0, 0));
  await expectAccessible(page);
});

test("All own data are downloaded as a file, or without pictures for another Fluglog", { tag: "@desktop" }, async ({
  page,
  app,
  api,
}) => {
  await addDocument(api, { name: "Beleg.txt", content: "Eins" });
  await openAs(page, api, app, "myProfile");
  const section = page.getByRole("region", { name: "Meine Daten" });
  await expect(section.getByText("Speicherplatz: 0,1\u00a0MB von 10\u00a0GB belegt")).toBeVisible();

  const whole = await downloaded(page, () => section.getByRole("button", { name: "Alles herunterladen" }).click());
  expect(whole.name).toMatch(/^fluglog-.+-\d{4}-\d\d-\d\d\.zip$/);
  for (const member of ["tabellen/Flüge.csv", "dokumente/Beleg.txt"]) {
    expect(whole.content.includes(member), member).toBe(true);
  }
  await expect(toast(page, "Der Download beginnt: etwa 0,1\u00a0MB.")).toBeVisible();

  const move = section.getByRole("button", { name: "Flüge herunterladen" });
  const small = await downloaded(page, () => move.click());
  expect(small.content.includes("json/flights.json")).toBe(true);
  expect(small.content.includes("dokumente/Beleg.txt")).toBe(false);
});

// The account: its details, the password, and ending all sessions.

import type { Page } from "@playwright/test";
import { expectAccessible } from "../support/accessible.ts";
import {
  downloaded,
  expectFieldError,
  field,
  mark,
  pickFromMenu,
  recordCalls,
  submitLogin,
  toast,
  tryAgain,
} from "../support/actions.ts";
import { addDocument, logIn } from "../support/client.ts";
import { accountCookies, expect, openAs, test } from "../support/test.ts";

const newPassword = "tragflaeche-23";

test("The account's menu leads to the profile, which shows e-mail and nickname to read", { tag: "@phone" }, async ({
  page,
  app,
  api,
  pilot,
}) => {
  await openAs(page, api, app, "home");
  await pickFromMenu(page, "Mein Profil", "Konto");
  await expect(page).toHaveURL(/\/app\/myProfile$/);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Mein Profil");
  await expect(page.getByRole("definition").filter({ hasText: pilot.email })).toBeVisible();
  await expect(page.getByRole("definition").filter({ hasText: pilot.nickname }).last()).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Zurück" }).click();
  await expect(page).toHaveURL(/\/app\/home$/);
});

test("A new password is saved, ends the other sessions and keeps this one", { tag: "@desktop" }, async ({
  page,
  app,
  api,
  pilot,
}) => {
  await page.goto("login");
  await submitLogin(page, pilot);
  await expect(page).toHaveURL(/\/app\/home$/);
  await page.goto("myProfile");
  await page.getByRole("button", { name: "Passwort ändern" }).click();
  const dialog = page.getByRole("dialog", { name: "Passwort ändern" });
  await expect(dialog).toBeVisible();
  await expectAccessible(page);
  await fillPasswords(page, newPassword, newPassword);
  await dialog.getByRole("button", { name: "Speichern" }).click();
  await expect(toast(page, "Passwort erfolgreich gespeichert.")).toBeVisible();
  await expect(dialog).toHaveCount(0);

  await expect(api.call("CheckSession")).rejects.toThrow("401");
  await page.reload();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Mein Profil");
  await expect(logIn(app.origin, pilot.email, pilot.password)).rejects.toThrow("401");
  await logIn(app.origin, pilot.email, newPassword);
});

test("The new password can't be saved while a field is empty, nor when the two differ", { tag: "@phone" }, async ({
  page,
  app,
  api,
}) => {
  await openAs(page, api, app, "myProfile");
  await page.getByRole("button", { name: "Passwort ändern" }).click();
  const save = page.getByRole("dialog").getByRole("button", { name: "Speichern" });
  const calls = recordCalls(page);
  for (const [password, repeated] of [
    ["", ""],
    [newPassword, ""],
    ["", newPassword],
  ] as const) {
    await fillPasswords(page, password, repeated);
    await expect(save).toBeDisabled();
  }
  await fillPasswords(page, newPassword, "tragflaeche-24");
  await save.click();
  await expectFieldError(field(page, "Neues Passwort wiederholen"), "Die Passwörten stimmen nicht überein!");
  await expectAccessible(page);
  expect(calls).toEqual([]);

  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toBeVisible();
  await page.getByRole("button", { name: "Abbrechen" }).click();
  await expect(page.getByRole("dialog")).toHaveCount(0);
});

test("A password that is too short is refused beside its field", { tag: "@desktop" }, async ({
  page,
  app,
  api,
  faults,
}) => {
  faults.expectAnswer("SavePassword", 400);
  await openAs(page, api, app, "myProfile");
  await page.getByRole("button", { name: "Passwort ändern" }).click();
  await fillPasswords(page, "kurz", "kurz");
  await page.getByRole("dialog").getByRole("button", { name: "Speichern" }).click();
  await expectFieldError(field(page, "Neues Passwort"), "Das Passwort muss mindestens 8 Zeichen lang sein.");
});

test("With the server gone neither the password nor the end of every login is saved, and each says so", {
  tag: "@desktop",
}, async ({ page, app, api, faults }) => {
  faults.expectLostRequests();
  await openAs(page, api, app, "myProfile");
  await page.getByRole("button", { name: "Passwort ändern" }).click();
  await fillPasswords(page, newPassword, newPassword);
  await app.stop();
  await page.getByRole("dialog").getByRole("button", { name: "Speichern" }).click();
  await expect(page.getByRole("dialog").getByRole("alert")).toHaveText("Ein Fehler ist aufgetreten");
  await page.getByRole("button", { name: "Abbrechen" }).click();

  await page.getByRole("button", { name: "Alle Geräte abmelden" }).click();
  await page.getByRole("button", { name: "Ja", exact: true }).click();
  await expect(page.getByRole("alert")).toHaveText("Speichern fehlgeschlagen.");
  await expect(page).toHaveURL(/\/app\/myProfile$/);

  await app.startAgain();
  await page.getByRole("button", { name: "Alle Geräte abmelden" }).click();
  await page.getByRole("button", { name: "Ja", exact: true }).click();
  await expect(page).toHaveURL(/\/app\/login$/);
});

test("Nein leaves every login as it is; Ja ends them all, this one and the remembered ones too", {
  tag: "@phone",
}, async ({ page, api, context, pilot }) => {
  await page.goto("login");
  await page.getByText("Angemeldet bleiben").click();
  await submitLogin(page, pilot);
  await expect(page).toHaveURL(/\/app\/home$/);
  const remembered = await accountCookies(context);
  await page.goto("myProfile");
  await page.getByRole("button", { name: "Alle Geräte abmelden" }).click();
  const question = page.getByRole("alertdialog", { name: "Wollen Sie sich auf allen Geräten abmelden?" });
  await expect(question).toContainText("Auch dieses Gerät wird abgemeldet.");
  await expectAccessible(page);
  await question.getByRole("button", { name: "Nein" }).click();
  await expect(question).toHaveCount(0);
  await api.call("CheckSession");

  await page.getByRole("button", { name: "Alle Geräte abmelden" }).click();
  await question.getByRole("button", { name: "Ja" }).click();
  await expect(toast(page, "Alle Geräte wurden erfolgreich ausgeloggt.")).toBeVisible();
  await expect(page).toHaveURL(/\/app\/login$/);
  await expect(page.getByText("Nach der Anmeldung geht es dort weiter, wo Sie waren.")).toHaveCount(0);
  expect(await accountCookies(context)).toEqual([]);
  await expect(api.call("CheckSession")).rejects.toThrow("401");
  await context.addCookies(remembered);
  await page.goto("home");
  await expect(page).toHaveURL(/\/app\/login$/);
});

test("A pilot switches the evening's mail about packs on, and off again", {
  tag: "@phone",
}, async ({ page, app, api }) => {
  await openAs(page, api, app, "myProfile");
  const reminder = page.getByRole("switch", { name: "Erinnerung an Akkus" });
  await expect(reminder).not.toBeChecked();
  for (const on of [true, false]) {
    await page.getByText("Erinnerung an Akkus").click();
    await expect(reminder).toBeChecked({ checked: on });
    await page.reload();
    await expect(reminder).toBeChecked({ checked: on });
  }
});

test("The profile lists where the pilot is logged in, and one press ends another login", { tag: "@phone" }, async ({
  page,
  app,
  api,
  pilot,
}) => {
  await page.goto("login");
  await submitLogin(page, pilot);
  await expect(page).toHaveURL(/\/app\/home$/);
  await page.goto("myProfile");
  const devices = page.getByRole("region", { name: "Angemeldete Geräte" });
  await expect(devices.getByRole("listitem")).toHaveCount(2);
  const own = devices.getByRole("listitem").first();
  await expect(own).toContainText(/Chrome auf .*dieses Gerät/);
  await expect(own).toContainText(/Angemeldet seit \d\d\.\d\d\.\d{4} \d\d:\d\d, zuletzt gesehen/);
  await expectAccessible(page);
  await devices
    .getByRole("listitem")
    .last()
    .getByRole("button", { name: /^Abmelden/ })
    .click();
  await expect(toast(page, "Das Gerät wurde abgemeldet.")).toBeVisible();
  await expect(devices.getByRole("listitem")).toHaveCount(1);
  await expect(api.call("CheckSession")).rejects.toThrow("401");
  await logIn(app.origin, pilot.email, pilot.password);
  await own.getByRole("button", { name: /^Abmelden/ }).click();
  await expect(page).toHaveURL(/\/app\/login$/);
});

test("A profile that can't be loaded says so, and comes once the server is back", { tag: "@desktop" }, async ({
  page,
  app,
  pilot,
  faults,
}) => {
  faults.expectLostRequests();
  await page.goto("login");
  await submitLogin(page, pilot);
  // The screen's code is loaded, but not its data: a logout clears them.
  await pickFromMenu(page, "Mein Profil", "Konto");
  await expect(page.getByRole("heading", { name: "Sicherheit" })).toBeVisible();
  await pickFromMenu(page, "Logout", "Konto");
  await submitLogin(page, pilot);
  await expect(page).toHaveURL(/\/app\/home$/);
  await app.stop();
  await pickFromMenu(page, "Mein Profil", "Konto");
  await expect(page.getByRole("alert")).toContainText(
    "Profile konnte nicht geladen werden. Bitte versuchen Sie es erneut.",
  );
  await tryAgain(page, app, "GetDetailedUser");
  await expect(page.getByRole("heading", { name: "Sicherheit" })).toBeVisible();
});

async function fillPasswords(page: Page, password: string, repeated: string): Promise<void> {
  await field(page, "Neues Passwort").fill(password);
  await field(page, "Neues Passwort wiederholen").fill(repeated);
}

test("All own data are downloaded as a file, or without pictures for another Fluglog", { tag: "@desktop" }, async ({
  page,
  app,
  api,
}) => {
  await addDocument(api, { name: "Beleg.txt", content: "Eins" });
  await openAs(page, api, app, "myProfile");
  const section = page.getByRole("region", { name: "Meine Daten" });
  await expect(section.getByText("Speicherplatz: 0,1\u00a0MB von 10\u00a0GB belegt")).toBeVisible();
  await expectAccessible(page);

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

test("A download that the server refuses says why, on its page", { tag: "@phone" }, async ({
  page,
  app,
  api,
  faults,
}) => {
  faults.expectAnswer("GetExportSize", 503);
  await openAs(page, api, app, "myProfile");
  const sentence =
    "Gerade laden schon andere ihre Daten herunter. Bitte versuchen Sie es in einigen Minuten noch einmal.";
  await page.route("**/GetExportSize", (route) =>
    route.fulfill({ status: 503, headers: mark, contentType: "text/plain; charset=utf-8", body: sentence }),
  );
  const calls = recordCalls(page);
  await page.getByRole("button", { name: "Alles herunterladen" }).click();
  await expect(page.getByRole("region", { name: "Meine Daten" }).getByRole("alert")).toHaveText(sentence);
  await expectAccessible(page);
  expect(calls).not.toContain("GetExport");
  await page.unroute("**/GetExportSize");
  await downloaded(page, () => page.getByRole("button", { name: "Alles herunterladen" }).click());
  await expect(page.getByText(sentence)).toHaveCount(0);
});

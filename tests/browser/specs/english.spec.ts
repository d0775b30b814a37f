// What an English browser shows: Fluglog in German, with German dates and numbers. German browsers are tested in all
// other files.

import { expectAccessible } from "../support/accessible.ts";
import { acceptCookies, expectDate, expectFieldError, field, goFromRow, toast, typeDate } from "../support/actions.ts";
import { addEquipment, createFlight, kind } from "../support/client.ts";
import { mailedCode } from "../support/mails.ts";
import { expect, openAs, test } from "../support/test.ts";

test.describe("In an English browser", () => {
  test("a pilot is led to the login, told in German what is wrong, and logged in until Logout", async ({
    page,
    pilot,
    faults,
  }) => {
    faults.expectAnswer("Login", 401);
    await page.goto("flights");
    await expect(page).toHaveURL(/\/app\/login$/);
    await page.getByLabel("E-Mail").fill(pilot.email);
    await page.getByLabel("Passwort", { exact: true }).fill("falsch-geraten");
    await page.getByRole("button", { name: "Login" }).click();
    await expect(page.getByRole("alert").filter({ hasText: "Login fehlgeschlagen" })).toBeVisible();
    await expect(page.getByLabel("E-Mail")).toHaveValue(pilot.email);

    await page.getByLabel("Passwort", { exact: true }).fill(pilot.password);
    await page.getByRole("button", { name: "Login" }).click();
    await expect(page).toHaveURL(/\/app\/flights$/);
    await page.goto("home");
    await page.reload();
    await expect(page.getByText("Drei Schritte bis zum ersten Flug")).toBeVisible();
    await expectAccessible(page);
    await page.getByRole("button", { name: /Konto/ }).click();
    await page.getByRole("menuitem", { name: "Logout" }).click();
    await expect(page).toHaveURL(/\/app\/login$/);
    await page.goto("home");
    await expect(page).toHaveURL(/\/app\/login$/);
  });

  test("forms say in German what is wrong, and save dates, times and numbers that are typed the German way", async ({
    page,
    app,
    api,
  }) => {
    await openAs(page, api, app, "equipments/1/editor");
    await field(page, "Gewicht (g)").fill("12 g");
    await typeDate(page, "Kaufdatum", "3102");
    await page.getByRole("button", { name: "Speichern" }).click();
    await expectFieldError(field(page, "Name"), "Bitte geben Sie einen Namen ein.");
    await expectFieldError(field(page, "Gewicht (g)"), "Ungültige Eingabe");
    await expect(page.getByRole("group", { name: "Kaufdatum", exact: true })).toHaveAccessibleDescription(
      /Ungültige Eingabe/,
    );
    await page.getByRole("button", { name: "Kalender öffnen Kaufdatum" }).click();
    await expect(page.getByRole("dialog", { name: "Kalender" }).locator("thead th").first()).toHaveText("Mo");
    await page.keyboard.press("Escape");

    await field(page, "Name").fill("Akku 1");
    await field(page, "Gewicht (g)").fill("1250.5");
    await typeDate(page, "Kaufdatum", "31122025");
    await page.getByRole("button", { name: "Speichern" }).click();
    await goFromRow(page, "Bearbeiten", "Akku 1");
    await expect(field(page, "Gewicht (g)")).toHaveValue("1250,5");
    await expectDate(page, "Kaufdatum", 31, 12, 2025);

    const copter = await addEquipment(api, kind.copter, "Nazgul F5");
    const flight = await createFlight(api, { copter });
    await page.goto(`flights/${flight}/new`);
    await typeDate(page, "Startzeit", "010320260905");
    await page.getByRole("button", { name: "Speichern" }).click();
    await expect(page).toHaveURL(/\/app\/home$/);
    expect(JSON.parse(await api.call("GetFlight", { dpfId: flight }))).toMatchObject({ startTime: "01.03.2026 09:05" });
  });

  test("a visitor accepts the cookies, registers, sends feedback and opens the profile", async ({ page, app }) => {
    await page.context().clearCookies();
    await page.goto("login");
    await acceptCookies(page);
    await page.getByRole("link", { name: "Registrieren" }).click();
    await page.getByRole("button", { name: "Registrieren" }).click();
    await expectFieldError(field(page, "Nickname"), "Bitte geben Sie einen Nickname ein.");
    await field(page, "E-Mail").fill("neuling@example.org");
    await field(page, "Nickname").fill("Neuling");
    await page.getByRole("button", { name: "Registrieren" }).click();
    await field(page, "Code").fill(await mailedCode(app, "neuling@example.org"));
    await page.getByRole("button", { name: "Code prüfen" }).click();
    await expect(page).toHaveURL(/\/app\/home$/);

    await page.getByRole("button", { name: "Feedback" }).click();
    await page.getByRole("button", { name: "Senden" }).click();
    await expectFieldError(field(page, "Nachricht"), "Bitte geben Sie eine Nachricht ein.");
    await field(page, "Nachricht").fill("Läuft");
    await page.getByRole("button", { name: "Senden" }).click();
    await expect(toast(page, "Feedback erfolgreich gesendet!")).toBeVisible();

    await page.getByRole("button", { name: "Konto" }).click();
    await page.getByRole("menuitem", { name: "Mein Profil" }).click();
    await page.getByRole("button", { name: "Passwort festlegen" }).click();
    await expect(page.getByRole("dialog").getByRole("button", { name: "Speichern" })).toBeDisabled();
    await expectAccessible(page);
  });
});

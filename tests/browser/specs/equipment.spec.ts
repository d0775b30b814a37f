// Equipment: a form as it is typed, the dialog that retires an item, and a list without a server. The forms of all kinds
// and their errors are tested in ui/src/screens/equipment/.

import type { Locator } from "@playwright/test";
import {
  dateParts,
  expectBlocking,
  expectDate,
  field,
  goFromRow,
  pickFromMenu,
  toast,
  typeDate,
} from "../support/actions.ts";
import { addEquipment, kind } from "../support/client.ts";
import { endPause } from "../support/pauses.ts";
import { expect, openAs, test } from "../support/test.ts";

/** Returns the distance of a text from the left edge of its field's frame: texts of fields below each other align. */
function textStart(target: Locator): Promise<number> {
  return target.evaluate((element) => {
    const frame = element.closest('input, [role="group"]')?.getBoundingClientRect().left ?? Number.NaN;
    const { paddingLeft, borderLeftWidth } = getComputedStyle(element);
    return (
      element.getBoundingClientRect().left + Number.parseFloat(borderLeftWidth) + Number.parseFloat(paddingLeft) - frame
    );
  });
}

test("Every type of field is saved and comes back, its text below the one above", { tag: "@phone" }, async ({
  page,
  app,
  api,
}) => {
  await openAs(page, api, app, `equipments/${kind.battery}`);
  await page.getByRole("link", { name: "Hinzufügen" }).click();
  for (const label of ["Name", "Modell", "Hersteller", "Verkäufer", "Batterietyp"]) {
    await field(page, label).fill(`${label} des Akkus`);
  }
  for (const label of ["Kapazität (mA)", "Gewicht (g)"]) await field(page, label).fill("1250,5");
  await typeDate(page, "Kaufdatum", "29022024");
  await page.getByRole("button", { name: "Speichern" }).click();
  await expect(toast(page, "Erfolgreich gespeichert.")).toBeVisible();

  await goFromRow(page, "Bearbeiten", "Name des Akkus");
  for (const label of ["Name", "Modell", "Hersteller", "Verkäufer", "Batterietyp"]) {
    await expect(field(page, label)).toHaveValue(`${label} des Akkus`);
  }
  for (const label of ["Kapazität (mA)", "Gewicht (g)"]) await expect(field(page, label)).toHaveValue("1250,5");
  await expectDate(page, "Kaufdatum", 29, 2, 2024);
  const [day, name] = [dateParts(page, "Kaufdatum").first(), field(page, "Name")];
  expect(await textStart(day)).toBeCloseTo(await textStart(name), 0);

  await field(page, "Hersteller").fill("Jemand anders");
  await page.getByRole("button", { name: "Speichern" }).click();
  await expect(toast(page, "Erfolgreich gespeichert.")).toBeVisible();
  await page.reload();
  await expect(field(page, "Hersteller")).toHaveValue("Jemand anders");
});

test("A date is taken from the keyboard; half of one, or one that doesn't exist, is refused", {
  tag: "@phone",
}, async ({ page, app, api }) => {
  const date = page.getByRole("group", { name: "Kaufdatum", exact: true });
  const save = page.getByRole("button", { name: "Speichern" });
  await openAs(page, api, app, `equipments/${kind.copter}/editor`);
  await field(page, "Name").fill("Nazgul F5");
  await typeDate(page, "Kaufdatum", "3102");
  await save.click();
  await expect(date).toHaveAccessibleDescription(/Ungültige Eingabe/);
  await expect(dateParts(page, "Kaufdatum").first()).toBeFocused();

  await typeDate(page, "Kaufdatum", "31022026");
  await save.click();
  await expect(date).toHaveAccessibleDescription(/Ungültige Eingabe: 31\.02\.2026/);
  await expect(page).toHaveURL(/\/editor$/);

  await typeDate(page, "Kaufdatum", "01032026");
  await expect(date).not.toHaveAccessibleDescription(/Ungültige Eingabe/);
  await save.click();
  await goFromRow(page, "Bearbeiten", "Nazgul F5");
  await expectDate(page, "Kaufdatum", 1, 3, 2026);
});

test("Retiring asks for a reason in a dialog that no keyboard covers, and that only its buttons close", {
  tag: "@phone",
}, async ({ page, app, api }) => {
  const copter = await addEquipment(api, kind.copter, "Nazgul F5");
  await openAs(page, api, app, `equipments/${kind.copter}/editor/${copter}`);
  const dialog = page.getByRole("dialog", { name: "Equipment deaktvieren" });
  await pickFromMenu(page, "Deaktivieren");
  // A focused field would bring the keyboard.
  await expect(dialog).toBeFocused();
  await expectBlocking(page, dialog);
  await dialog.getByRole("textbox", { name: "Grund" }).fill("Rahmen gebrochen");
  await dialog.getByRole("button", { name: "Deaktivieren" }).click();
  await expect(toast(page, "Erfolgreich deaktiviert.")).toBeVisible();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByText(/Ausgemustert am \d\d\.\d\d\.\d{4}\s\d\d:\d\d/)).toBeVisible();
  await expect(page.getByText("Rahmen gebrochen")).toBeVisible();
});

test("With the server gone a list that was never opened shows what is known of it, and is asked for once it is back", {
  tag: "@phone",
}, async ({ page, app, api, faults }) => {
  faults.expectLostRequests();
  await addEquipment(api, kind.battery, "Akku 1");
  await openAs(page, api, app, `equipments/${kind.copter}`);
  await expect(page.getByText("Kein Copter in Betrieb.")).toBeVisible();
  const known = page.waitForResponse("**/app/api/GetAllEquipments");
  await page.getByRole("link", { name: "Fluglog, zur Startseite" }).click();
  await known;
  await app.stop();
  await page.getByRole("link", { name: "Batterien" }).click();
  await expect(page.getByRole("heading", { name: "Akku 1" })).toBeVisible();
  await expect(page.getByText("Kein Netz. Alles wird gemerkt.")).toBeVisible();
  const asked = page.waitForResponse("**/app/api/GetEquipments");
  await app.startAgain();
  await endPause(page, "poll");
  await asked;
  await expect(page.getByRole("heading", { name: "Akku 1" })).toBeVisible();
});

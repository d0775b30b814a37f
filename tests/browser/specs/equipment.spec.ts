// Equipment of all five kinds: the lists, the forms with their errors, retiring and reactivating.

import type { Locator } from "@playwright/test";
import {
  dateParts,
  expectDate,
  expectFieldError,
  field,
  goFromRow,
  holdCall,
  pickFromMenu,
  recordCalls,
  toast,
  typeDate,
} from "../support/actions.ts";
import { addEquipment, createFlight, kind, logIn } from "../support/client.ts";
import { damageDatabase } from "../support/damage.ts";
import { expect, openAs, test } from "../support/test.ts";

// The name first: while it is empty, focusing it takes the model.
const common = ["Name", "Modell", "Hersteller", "Verkäufer"];
const kinds = [
  { type: kind.copter, one: "Copter", many: "Copter", own: ["Gewicht (g)"] },
  { type: kind.battery, one: "Batterie", many: "Batterien", own: ["Batterietyp", "Kapazität (mA)", "Gewicht (g)"] },
  { type: kind.goggles, one: "Brille", many: "Brillen", own: ["Firmware-Nummer"] },
  { type: kind.transmitter, one: "Sender", many: "Sender", own: ["Firmware-Nummer"] },
  { type: kind.videoCamera, one: "Videokamera", many: "Videokameras", own: ["Gewicht (g)"] },
];

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

for (const { type, one, many, own } of kinds) {
  test(`${one}: every field of the form is saved and comes back, and number fields refuse what is no number`, {
    // The battery's form has every type of field.
    tag: type === kind.battery ? [] : "@desktop",
  }, async ({ page, app, api }) => {
    const heading = page.getByRole("heading", { level: 1 });
    await openAs(page, api, app, `equipments/${type}`);
    await expect(heading).toHaveText(`In Betrieb ${many}`);
    await expect(page.getByText(/^Keine? .* in Betrieb\./)).toBeVisible();
    await page.getByRole("link", { name: "Hinzufügen" }).click();
    await expect(heading).toHaveText(`${one} neu erfassen`);
    await expect(page.getByRole("main").getByRole("textbox")).toHaveCount(common.length + own.length);

    const calls = recordCalls(page);
    const numbers = own.filter((label) => label.endsWith(")"));
    for (const label of numbers) await field(page, label).fill("zwölf");
    await page.getByRole("button", { name: "Speichern" }).click();
    await expectFieldError(field(page, "Name"), "Bitte geben Sie einen Namen ein.");
    await expect(field(page, "Name")).toBeFocused();
    for (const label of numbers) await expectFieldError(field(page, label), "Ungültige Eingabe");
    expect(calls).not.toContain("SaveNewEquipment");

    for (const label of common) await field(page, label).fill(`${label} von ${one}`);
    for (const label of own) await field(page, label).fill(label.endsWith(")") ? "1250,5" : `${label} von ${one}`);
    await typeDate(page, "Kaufdatum", "29022024");
    await page.getByRole("button", { name: "Speichern" }).click();
    await expect(toast(page, "Erfolgreich gespeichert.")).toBeVisible();
    await expect(heading).toHaveText(`In Betrieb ${many}`);

    await goFromRow(page, "Bearbeiten", `Name von ${one}`);
    await expect(heading).toHaveText(`${one} editieren`);
    for (const label of common) await expect(field(page, label)).toHaveValue(`${label} von ${one}`);
    for (const label of own) {
      await expect(field(page, label)).toHaveValue(label.endsWith(")") ? "1250,5" : `${label} von ${one}`);
    }
    await expectDate(page, "Kaufdatum", 29, 2, 2024);
    const [day, name] = [dateParts(page, "Kaufdatum").first(), field(page, "Name")];
    expect(await textStart(day)).toBeCloseTo(await textStart(name), 0);

    await field(page, "Hersteller").fill("Jemand anders");
    await page.getByRole("button", { name: "Speichern" }).click();
    await expect(toast(page, "Erfolgreich gespeichert.")).toBeVisible();
    await page.reload();
    await expect(field(page, "Hersteller")).toHaveValue("Jemand anders");
  });
}

test("What is no number is said at its field, which is asked for again", { tag: "@desktop" }, async ({
  page,
  app,
  api,
}) => {
  await openAs(page, api, app, `equipments/${kind.copter}/editor`);
  await field(page, "Name").fill("Nazgul F5");
  for (const wrong of ["1.5.2", "-1", "1e9", "1234567890", "12 g"]) {
    await field(page, "Gewicht (g)").fill(wrong);
    await page.getByRole("button", { name: "Speichern" }).click();
    await expectFieldError(field(page, "Gewicht (g)"), "Ungültige Eingabe");
    await expect(field(page, "Gewicht (g)")).toBeFocused();
    await field(page, "Gewicht (g)").fill("1");
    await expect(page.getByText("Ungültige Eingabe")).toHaveCount(0);
  }
});

test("On a phone a comma in a number becomes a dot", { tag: "@phone" }, async ({ page, app, api }) => {
  await openAs(page, api, app, `equipments/${kind.copter}/editor`);
  await field(page, "Gewicht (g)").pressSequentially("680,5");
  await expect(field(page, "Gewicht (g)")).toHaveValue("680.5");
});

test("A name of spaces only is none", { tag: "@desktop" }, async ({ page, app, api }) => {
  await openAs(page, api, app, `equipments/${kind.copter}/editor`);
  await field(page, "Name").fill("   ");
  await page.getByRole("button", { name: "Speichern" }).click();
  await expectFieldError(field(page, "Name"), "Bitte geben Sie einen Namen ein.");
});

test("An empty name takes the model when it gets the focus, a filled one keeps what it is", {
  tag: "@desktop",
}, async ({ page, app, api }) => {
  await openAs(page, api, app, `equipments/${kind.battery}/editor`);
  await field(page, "Name").focus();
  await expect(field(page, "Name")).toHaveValue("");
  await field(page, "Modell").fill("Tattu R-Line 1550");
  await field(page, "Name").focus();
  await expect(field(page, "Name")).toHaveValue("Tattu R-Line 1550");
  await field(page, "Name").fill("Akku 1");
  await field(page, "Modell").focus();
  await field(page, "Name").focus();
  await expect(field(page, "Name")).toHaveValue("Akku 1");
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

test("A date that is pasted is understood", { tag: "@desktop" }, async ({ page, app, api }) => {
  await openAs(page, api, app, `equipments/${kind.copter}/editor`);
  await dateParts(page, "Kaufdatum").first().focus();
  await page.evaluate(() => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", "1.3.2026");
    document.activeElement?.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true }));
  });
  await expectDate(page, "Kaufdatum", 1, 3, 2026);
});

test("The calendar begins on Monday and has Heute, Bestätigen and Löschen", { tag: "@desktop" }, async ({
  page,
  app,
  api,
}) => {
  await page.clock.setFixedTime(new Date("2026-03-04T10:00:00+01:00"));
  await openAs(page, api, app, `equipments/${kind.copter}/editor`);
  const open = page.getByRole("button", { name: "Kalender öffnen Kaufdatum" });
  const calendar = page.getByRole("dialog", { name: "Kalender" });

  await open.click();
  await expect(calendar.getByRole("heading")).toHaveText("März 2026");
  await expect(calendar.locator("thead th").first()).toHaveText("Mo");
  await calendar.getByRole("button", { name: "Heute", exact: true }).click();
  await calendar.getByRole("button", { name: "Bestätigen" }).click();
  await expect(calendar).toHaveCount(0);
  await expectDate(page, "Kaufdatum", 4, 3, 2026);

  await open.click();
  await calendar.getByRole("button", { name: "Voriger Monat" }).click();
  await calendar.getByRole("button", { name: /17\. Februar 2026/ }).click();
  await calendar.getByRole("button", { name: "Bestätigen" }).click();
  await expectDate(page, "Kaufdatum", 17, 2, 2026);

  await open.click();
  await page.keyboard.press("Escape");
  await expect(calendar).toHaveCount(0);
  await open.click();
  await calendar.getByRole("button", { name: "Löschen" }).click();
  await expect(calendar).toHaveCount(0);
  await expect(dateParts(page, "Kaufdatum").and(page.locator("[data-placeholder]"))).toHaveCount(3);
});

test("Retiring asks for a reason, in a dialog that only its buttons close", { tag: "@phone" }, async ({
  page,
  app,
  api,
  isMobile,
}) => {
  const copter = await addEquipment(api, kind.copter, "Nazgul F5");
  await openAs(page, api, app, `equipments/${kind.copter}/editor/${copter}`);
  const dialog = page.getByRole("dialog", { name: "Equipment deaktvieren" });
  const reason = dialog.getByRole("textbox", { name: "Grund" });

  await pickFromMenu(page, "Deaktivieren");
  // On a phone the keyboard would cover the dialog: there the dialog itself has the focus.
  await expect(isMobile ? dialog : reason).toBeFocused();
  for (let times = 0; times < 3; times++) await page.keyboard.press("Escape");
  await page.mouse.click(5, 5);
  await expect(dialog).toBeVisible();
  await dialog.getByRole("button", { name: "Deaktivieren" }).click();
  await expectFieldError(reason, "Bitte geben Sie einen Grund ein.");
  await reason.fill("   ");
  await dialog.getByRole("button", { name: "Deaktivieren" }).click();
  await expectFieldError(reason, "Bitte geben Sie einen Grund ein.");
  await dialog.getByRole("button", { name: "Abbrechen" }).click();
  await expect(dialog).toHaveCount(0);

  await pickFromMenu(page, "Deaktivieren");
  await expect(reason).toHaveValue("");
  await reason.fill("Rahmen gebrochen");
  await dialog.getByRole("button", { name: "Deaktivieren" }).click();
  await expect(toast(page, "Erfolgreich deaktiviert.")).toBeVisible();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByText("Rahmen gebrochen")).toBeVisible();
  await expect(page.getByText(/Ausgemustert am \d\d\.\d\d\.\d{4}\s\d\d:\d\d/)).toBeVisible();

  await page.getByRole("button", { name: "Mehr", exact: true }).click();
  await expect(page.getByRole("menuitem")).toHaveText(["Aktivieren"]);
});

test("A retired item is taken back into use after a question", { tag: "@desktop" }, async ({ page, app, api }) => {
  const copter = await addEquipment(api, kind.copter, "Nazgul F5");
  await api.call("DeactivateEquipment", { dpfId: copter, info: "Rahmen gebrochen" });
  await openAs(page, api, app, `equipments/${kind.copter}/editor/${copter}`);
  const question = page.getByRole("alertdialog", { name: "Equipment wirklich wieder aktvieren?" });
  await pickFromMenu(page, "Aktivieren");
  await question.getByRole("button", { name: "Nein" }).click();
  await expect(page.getByText("Rahmen gebrochen")).toBeVisible();
  await pickFromMenu(page, "Aktivieren");
  await question.getByRole("button", { name: "Ja" }).click();
  await expect(toast(page, "Erfolgreich aktiviert.")).toBeVisible();
  await expect(page.getByText("Rahmen gebrochen")).toHaveCount(0);
});

test("Values typed before retiring stay in the form", { tag: "@desktop" }, async ({ page, app, api }) => {
  const copter = await addEquipment(api, kind.copter, "Nazgul F5");
  await openAs(page, api, app, `equipments/${kind.copter}/editor/${copter}`);
  await field(page, "Verkäufer").fill("Flohmarkt");
  await pickFromMenu(page, "Deaktivieren");
  await page.getByRole("textbox", { name: "Grund" }).fill("Verkauft");
  await page.getByRole("dialog").getByRole("button", { name: "Deaktivieren" }).click();
  await expect(toast(page, "Erfolgreich deaktiviert.")).toBeVisible();
  await expect(field(page, "Verkäufer")).toHaveValue("Flohmarkt");
});

test("An item of the open flight can't be retired, and the dialog says why and keeps the reason", {
  tag: "@desktop",
}, async ({ page, app, api, faults }) => {
  const copter = await addEquipment(api, kind.copter, "Nazgul F5");
  await createFlight(api, { copter });
  faults.expectAnswer("DeactivateEquipment", 409);
  await openAs(page, api, app, `equipments/${kind.copter}/editor/${copter}`);
  await pickFromMenu(page, "Deaktivieren");
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Grund" }).fill("Rahmen gebrochen");
  await dialog.getByRole("button", { name: "Deaktivieren" }).click();
  await expect(dialog.getByRole("alert")).toHaveText(
    "Dieses Equipment ist gerade im Flug. Bitte beenden Sie zuerst den Fluglog.",
  );
  await expect(dialog.getByRole("textbox", { name: "Grund" })).toHaveValue("Rahmen gebrochen");
});

test("The list shows what is in use or what is retired, and says so when there is nothing", { tag: "@phone" }, async ({
  page,
  app,
  api,
}) => {
  const old = await addEquipment(api, kind.goggles, "Fatshark");
  await addEquipment(api, kind.goggles, "DJI Goggles 3", { firmwareNumber: "01.00.0300" });
  await api.call("DeactivateEquipment", { dpfId: old, info: "Display defekt" });
  await openAs(page, api, app, `equipments/${kind.goggles}`);
  const heading = page.getByRole("heading", { level: 1 });
  const items = page.getByRole("main").getByRole("heading", { level: 2 });
  const view = page.getByRole("switch", { name: "Ausgemustert" });

  await expect(heading).toHaveText("In Betrieb Brillen");
  await expect(items).toHaveText(["DJI Goggles 3"]);
  await expect(page.getByText("01.00.0300")).toBeVisible();
  await page.getByText("Ausgemustert", { exact: true }).click();
  await expect(view).toBeChecked();
  await expect(heading).toHaveText("Ausgemusterte Brillen");
  await expect(items).toHaveText(["Fatshark"]);
  await expect(page.getByText("Display defekt")).toBeVisible();

  // The view is part of the address: a reload and Back from an item restore it.
  await page.reload();
  await expect(items).toHaveText(["Fatshark"]);
  await goFromRow(page, "Bearbeiten", "Fatshark");
  await expect(heading).toHaveText("Brille editieren");
  await page.getByRole("button", { name: "Zurück" }).click();
  await expect(heading).toHaveText("Ausgemusterte Brillen");
  await page.getByRole("button", { name: "Zurück" }).click();
  await expect(page).toHaveURL(/\/app\/home$/);

  await page.goto(`equipments/${kind.videoCamera}?ausgemustert=true`);
  await expect(page.getByText("Keine ausgemusterten Videokameras.")).toBeVisible();
  await page.getByRole("link", { name: "In Betrieb anzeigen" }).click();
  await expect(page.getByText("Keine Videokamera in Betrieb.")).toBeVisible();
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
  await asked;
  await expect(page.getByRole("heading", { name: "Akku 1" })).toBeVisible();
});

test("A list that the server refuses says so and can be asked for again", { tag: "@desktop" }, async ({
  page,
  app,
  api,
  faults,
}) => {
  await addEquipment(api, kind.copter, "Nazgul F5");
  await openAs(page, api, app, "home");
  await expect(page.getByText("Drei Schritte bis zum ersten Flug")).toBeVisible();
  const sound = await damageDatabase(app, "Nazgul F5");
  faults.expectAnswer("GetEquipments", 500);
  await page.getByRole("link", { name: "Copter", exact: true }).click();
  await expect(page.getByRole("alert")).toContainText(
    "Das Laden vom Equipment ist fehlgeschlagen. Bitte versuchen Sie es erneut.",
  );
  await sound.restore();
  await page.getByRole("button", { name: "Nochmal" }).click();
  await expect(page.getByRole("heading", { name: "Nazgul F5" })).toBeVisible();
});

test("An item that is someone else's leads one step back", { tag: "@desktop" }, async ({ page, app, api, faults }) => {
  await app.addUser({ email: "nachbar@example.org", nickname: "Nachbar", password: "rotorblatt-18" });
  const neighbour = await logIn(app.origin, "nachbar@example.org", "rotorblatt-18");
  const theirs = await addEquipment(neighbour, kind.copter, "Nicht meiner");
  faults.expectAnswer("GetEquipment", 403);
  await openAs(page, api, app, `equipments/${kind.copter}`);
  await expect(page.getByText("Kein Copter in Betrieb.")).toBeVisible();
  await page.goto(`equipments/${kind.copter}/editor/${theirs}`);
  await expect(page).toHaveURL(/\/app\/equipments\/0$/);
  await expect(page.getByText("Nicht meiner")).toHaveCount(0);
});

test("A kind that doesn't exist leads home, and an item under another kind's address to its own", {
  tag: "@desktop",
}, async ({ page, app, api }) => {
  const battery = await addEquipment(api, kind.battery, "Akku 1");
  await openAs(page, api, app, "equipments/5");
  await expect(page).toHaveURL(/\/app\/home$/);
  await page.goto(`equipments/${kind.copter}/editor/${battery}`);
  await expect(page).toHaveURL(new RegExp(`/equipments/${kind.battery}/editor/${battery}$`));
});

test("While an item is saved the button is busy, and pressing it again doesn't save it twice", {
  tag: "@phone",
}, async ({ page, app, api }) => {
  await openAs(page, api, app, `equipments/${kind.copter}/editor`);
  await field(page, "Name").fill("Nazgul F5");
  const held = await holdCall(page, "SaveNewEquipment");
  const save = page.getByRole("button", { name: "Speichern" });
  await save.click();
  await expect(save).toBeDisabled();
  await save.click({ force: true });
  await field(page, "Name").press("Enter");
  held.release();
  await expect(page.getByRole("main").getByRole("heading", { level: 2 })).toHaveText(["Nazgul F5"]);
});

test("A success message goes away after six seconds", { tag: "@desktop" }, async ({ page, app, api }) => {
  await page.clock.install();
  const copter = await addEquipment(api, kind.copter, "Nazgul F5");
  await openAs(page, api, app, `equipments/${kind.copter}/editor/${copter}`);
  await field(page, "Verkäufer").fill("Flohmarkt");
  await page.getByRole("button", { name: "Speichern" }).click();
  const message = toast(page, "Erfolgreich gespeichert.");
  await expect(message).toBeVisible();
  await page.clock.pauseAt(new Date(Date.now() + 60_000));
  await expect(message).toHaveCount(0);
});

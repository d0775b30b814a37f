// Logs of equipment items and of flights: created, edited, deleted, with a document and without one.

import { expectAccessible } from "../support/accessible.ts";
import {
  dateParts,
  downloaded,
  drop,
  expectBlocking,
  expectDate,
  expectFieldError,
  field,
  goFromRow,
  holdCall,
  pick,
  recordCalls,
  toast,
  tryAgain,
  typeDate,
} from "../support/actions.ts";
import { addEquipment, addLog, createFlight, finishFlight, kind, logIn } from "../support/client.ts";
import { writeTestFile } from "../support/files.ts";
import { expect, openAs, test } from "../support/test.ts";

const invoice = { name: "Rechnung.pdf", mimeType: "application/pdf", buffer: Buffer.from("Propeller, vier Stück") };
const notes = { name: "Notiz.txt", mimeType: "text/plain", buffer: Buffer.from("Motor 3 läuft ruhig") };

test("Logs of somebody else's item aren't tried again: the page says so and leads to the own equipment", {
  tag: "@desktop",
}, async ({ page, app, api, faults }) => {
  await app.addUser({ email: "nachbar@example.org", nickname: "Nachbar", password: "rotorblatt-18" });
  const neighbour = await logIn(app.origin, "nachbar@example.org", "rotorblatt-18");
  const theirs = await addEquipment(neighbour, kind.battery, "Nicht meiner");
  faults.expectAnswer("GetEquipmentLogs", 403);
  await openAs(page, api, app, `equipments/${kind.battery}/logs/${theirs}`);
  await expect(page.getByRole("alert")).toContainText("gehört zu einem anderen Konto");
  await expect(page.getByRole("button", { name: "Nochmal" })).toHaveCount(0);
  await expectAccessible(page);
  await page.getByRole("link", { name: "Zum Equipment" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("In Betrieb Batterien");
});

test("Without logs the page says so, and the first is written from there", { tag: "@phone" }, async ({
  page,
  app,
  api,
}) => {
  const copter = await addEquipment(api, kind.copter, "Nazgul F5", { model: "Nazgul Evoque F5" });
  await openAs(page, api, app, `equipments/${kind.copter}`);
  await goFromRow(page, "Logs", "Nazgul F5");
  await expect(page).toHaveURL(new RegExp(`/equipments/0/logs/${copter}$`));
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Logs für Nazgul F5");
  await expect(page.getByText("Keine Logs vorhanden")).toBeVisible();
  await expectAccessible(page);

  await page.getByRole("button", { name: "Log erstellen" }).click();
  const dialog = page.getByRole("dialog", { name: "Neuer Log für Nazgul Evoque F5" });
  await expectBlocking(page, dialog);
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Speichern" }).click();
  await expectFieldError(field(page, "Text"), "Bitte geben Sie einen Text ein.");
  await field(page, "Text").fill("Propeller getauscht");
  await typeDate(page, "Datum", "120320261805");
  await dialog.getByRole("button", { name: "Speichern" }).click();
  await expect(toast(page, "Erfolgreich gespeichert.")).toBeVisible();
  await expect(dialog).toBeHidden();
  await expect(page.getByText("Propeller getauscht")).toBeVisible();
  await expect(page.getByText("12.03.2026 18:05")).toBeVisible();
  await expectAccessible(page);

  await page.getByRole("button", { name: "Zurück" }).click();
  await expect(page).toHaveURL(/\/equipments\/0$/);
});

test("A log needs a date", { tag: "@desktop" }, async ({ page, app, api }) => {
  const copter = await addEquipment(api, kind.copter, "Nazgul F5");
  await openAs(page, api, app, `equipments/${kind.copter}/logs/${copter}`);
  await page.getByRole("button", { name: "Log erstellen" }).click();
  await field(page, "Text").fill("Propeller getauscht");
  const calls = recordCalls(page);
  for (const part of await dateParts(page, "Datum").all()) {
    await part.focus();
    for (let digit = 0; digit < 4; digit++) await page.keyboard.press("Backspace");
  }
  await page.getByRole("button", { name: "Speichern" }).click();
  await expect(page.getByText("Bitte geben Sie Datum und Uhrzeit ein.")).toBeVisible();
  expect(calls).not.toContain("SaveEquipmentLog");
});

test("A name of two hundred letters breaks, and leaves a dialog room for its fields", async ({ page, app, api }) => {
  const name = "Langstreckenbatterie".repeat(10);
  const battery = await addEquipment(api, kind.battery, name);
  const file = { name: `${"Rechnung".repeat(15)}.pdf`, content: "x" };
  await addLog(api, "equipment", battery, { info: name, time: "01.03.2026 10:00", file });
  await openAs(page, api, app, `equipments/${kind.battery}/logs/${battery}`);
  const edit = page.getByRole("button", { name: "Log vom 01.03.2026 10:00 editieren" });
  await expect(edit).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(page.viewportSize()?.width);
  await edit.click();
  await expect(field(page, "Text")).toBeInViewport({ ratio: 1 });
  const title = await page.getByRole("dialog").getByRole("heading").boundingBox();
  expect(title?.height).toBeLessThan(120);
});

test("A document is attached, downloaded, replaced and taken away; without a change it stays", {
  tag: "@phone",
}, async ({ page, app, api }) => {
  const battery = await addEquipment(api, kind.battery, "Akku 1");
  await openAs(page, api, app, `equipments/${kind.battery}/logs/${battery}`);
  await page.getByRole("button", { name: "Log erstellen" }).click();
  // Without a model the title has the item's name.
  const dialog = page.getByRole("dialog");
  await expect(dialog).toHaveAccessibleName("Neuer Log für Akku 1");
  await field(page, "Text").fill("Stecker gelötet");
  await typeDate(page, "Datum", "020120261000");
  await pick(page, "Datei auswählen", invoice);
  await expect(dialog.getByText("Rechnung.pdf")).toBeVisible();
  await dialog.getByRole("button", { name: "Speichern" }).click();
  await expect(dialog).toBeHidden();

  const document = (name: string) => page.getByRole("main").getByRole("button", { name: new RegExp(name) });
  expect(await downloaded(page, () => document("Rechnung.pdf").click())).toEqual({
    name: "Rechnung.pdf",
    content: "Propeller, vier Stück",
  });

  const edit = page.getByRole("button", { name: "Log vom 02.01.2026 10:00 editieren" });
  await edit.click();
  await expect(dialog).toHaveAccessibleName("Log Editieren für Akku 1");
  await expect(field(page, "Text")).toHaveValue("Stecker gelötet");
  await expectDate(page, "Datum", 2, 1, 2026, 10, 0);
  await expectBlocking(page, dialog);
  await expectAccessible(page);
  await field(page, "Text").fill("Stecker neu gelötet");
  await dialog.getByRole("button", { name: "Speichern" }).click();
  await expect(page.getByText("Stecker neu gelötet")).toBeVisible();
  await expect(document("Rechnung.pdf")).toBeVisible();

  await edit.click();
  await pick(page, "Datei auswählen", notes);
  await dialog.getByRole("button", { name: "Speichern" }).click();
  await expect(document("Notiz.txt")).toBeVisible();
  await expect(document("Rechnung.pdf")).toBeHidden();
  expect((await downloaded(page, () => document("Notiz.txt").click())).content).toBe("Motor 3 läuft ruhig");

  await edit.click();
  await dialog.getByRole("button", { name: "Notiz.txt entfernen" }).click();
  await dialog.getByRole("button", { name: "Speichern" }).click();
  await expect(dialog).toBeHidden();
  await expect(document("Notiz.txt")).toBeHidden();
  await expect(page.getByText("Stecker neu gelötet")).toBeVisible();
});

test(
  "A document is dropped; one of more than 50 MB isn't taken",
  { tag: "@desktop" },
  async ({ page, app, api }, testInfo) => {
    const copter = await addEquipment(api, kind.copter, "Nazgul F5");
    await openAs(page, api, app, `equipments/${kind.copter}/logs/${copter}`);
    await page.getByRole("button", { name: "Log erstellen" }).click();
    const dialog = page.getByRole("dialog");
    const zone = dialog.getByText("Datei hierher ziehen oder auswählen");
    await drop(page, zone, [await writeTestFile(testInfo.outputPath("51.bin"), "", 52_428_801)]);
    await expect(
      dialog.getByText("Die Datei überschreitet die 50-MB-Grenze und wurde nicht hinzugefügt"),
    ).toBeVisible();
    await drop(page, zone, [await writeTestFile(testInfo.outputPath("Notiz.txt"), "x")]);
    await expect(dialog.getByText("Notiz.txt")).toBeVisible();
  },
);

test("Logs are deleted after a question", { tag: "@phone" }, async ({ page, app, api }) => {
  const copter = await addEquipment(api, kind.copter, "Nazgul F5");
  await addLog(api, "equipment", copter, { info: "Erster Log", time: "01.03.2026 10:00" });
  await addLog(api, "equipment", copter, {
    info: "Zweiter Log",
    time: "02.03.2026 10:00",
    file: { name: "Anlage.txt", content: "x" },
  });
  await openAs(page, api, app, `equipments/${kind.copter}/logs/${copter}`);
  await page.getByRole("button", { name: "Log vom 02.03.2026 10:00 löschen" }).click();
  const question = page.getByRole("alertdialog", { name: "Wollen Sie den Log löschen?" });
  await expect(question.getByText("Das Dokument Anlage.txt wird mit gelöscht.")).toBeVisible();
  await expectAccessible(page);
  await question.getByRole("button", { name: "Nein" }).click();
  await expect(page.getByText("Zweiter Log")).toBeVisible();

  await page.getByRole("button", { name: "Log vom 02.03.2026 10:00 löschen" }).click();
  await question.getByRole("button", { name: "Ja" }).click();
  await expect(question).toBeHidden();
  await expect(page.getByText("Zweiter Log")).toBeHidden();
  await expect(page.getByText("Erster Log")).toBeVisible();
  await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
});

test("A row writes a log without leaving the list", { tag: "@phone" }, async ({ page, app, api }) => {
  const copter = await addEquipment(api, kind.copter, "Nazgul F5", { model: "Nazgul Evoque F5" });
  await openAs(page, api, app, `equipments/${kind.copter}`);
  await goFromRow(page, "Log erstellen", "Nazgul F5");
  await expect(page.getByRole("dialog", { name: "Neuer Log für Nazgul Evoque F5" })).toBeVisible();
  await field(page, "Text").fill("Vom Platz aus");
  await field(page, "Text").press("Control+Enter");
  await expect(toast(page, "Erfolgreich gespeichert.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Mehr zu Nazgul F5" })).toBeFocused();
  await expect(page).toHaveURL(/\/equipments\/0$/);
  expect(JSON.parse(await api.call("GetEquipmentLogs", { dpfId: copter })).logs).toMatchObject([
    { info: "Vom Platz aus", documentObj: null },
  ]);
});

test("A flight has logs of its own", { tag: "@phone" }, async ({ page, app, api }) => {
  const copter = await addEquipment(api, kind.copter, "Nazgul F5", { model: "Nazgul Evoque F5" });
  const flight = await createFlight(api, { copter });
  await finishFlight(api, flight, { flightTime: 10 });
  await openAs(page, api, app, `flights/${flight}`);
  await expect(page.getByText("Keine Logs vorhanden")).toBeVisible();
  await page.getByRole("button", { name: "Log erstellen" }).click();
  const dialog = page.getByRole("dialog", { name: "Neuer Log für Nazgul Evoque F5" });
  await field(page, "Text").fill("Antenne abgeknickt");
  await typeDate(page, "Datum", "120320261805");
  await pick(page, "Datei auswählen", notes);
  await dialog.getByRole("button", { name: "Speichern" }).click();
  await expect(page.getByText("Antenne abgeknickt")).toBeVisible();
  await expectAccessible(page);

  await page.getByRole("button", { name: "Log vom 12.03.2026 18:05 editieren" }).click();
  await expect(page.getByRole("dialog", { name: "Log Editieren für Nazgul Evoque F5" })).toBeVisible();
  await page.getByRole("button", { name: "Abbrechen" }).click();

  await page.getByRole("button", { name: "Log vom 12.03.2026 18:05 löschen" }).click();
  await page.getByRole("button", { name: "Ja" }).click();
  await expect(page.getByText("Keine Logs vorhanden")).toBeVisible();
});

test("Typed values survive a reload; Abbrechen discards them", { tag: "@phone" }, async ({ page, app, api }) => {
  const copter = await addEquipment(api, kind.copter, "Nazgul F5");
  await openAs(page, api, app, `equipments/${kind.copter}/logs/${copter}`);
  await page.getByRole("button", { name: "Log erstellen" }).click();
  await field(page, "Text").fill("Halb geschrieben");
  await page.reload();
  await page.getByRole("button", { name: "Log erstellen" }).click();
  await expect(field(page, "Text")).toHaveValue("Halb geschrieben");
  await page.getByRole("button", { name: "Abbrechen" }).click();
  await page.getByRole("button", { name: "Log erstellen" }).click();
  await expect(field(page, "Text")).toHaveValue("");
});

test("The save button of a log can't be pressed twice", { tag: "@phone" }, async ({ page, app, api }) => {
  const copter = await addEquipment(api, kind.copter, "Nazgul F5");
  await openAs(page, api, app, `equipments/${kind.copter}/logs/${copter}`);
  await page.getByRole("button", { name: "Log erstellen" }).click();
  await field(page, "Text").fill("Einmal");
  const held = await holdCall(page, "SaveEquipmentLog");
  const calls = recordCalls(page);
  const save = page.getByRole("dialog").getByRole("button", { name: "Speichern" });
  await save.click();
  await save.click({ force: true });
  held.release();
  await expect(page.getByRole("dialog")).toBeHidden();
  expect(calls.filter((call) => call === "SaveEquipmentLog")).toHaveLength(1);
});

test("A server that doesn't answer is an error, and another try helps", { tag: "@phone" }, async ({
  page,
  app,
  api,
  faults,
}) => {
  const copter = await addEquipment(api, kind.copter, "Nazgul F5");
  await addLog(api, "equipment", copter, { info: "Erster Log", time: "01.03.2026 10:00" });
  faults.expectLostRequests();
  await openAs(page, api, app, `equipments/${kind.copter}`);
  // The screen's own files are loaded before the server stops.
  const held = await holdCall(page, "GetEquipmentLogs");
  await goFromRow(page, "Logs", "Nazgul F5");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Logs");
  await app.stop();
  held.release();
  const sentence = page.getByText("Logs konnten nicht geladen werden. Bitte versuchen Sie es erneut.");
  await expect(sentence).toBeVisible();
  await expectAccessible(page);
  await tryAgain(page, app, "GetEquipmentLogs");
  await expect(page.getByText("Erster Log")).toBeVisible();
});

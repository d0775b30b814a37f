// Chargings of a battery: starting, finishing and editing in the dialog, its errors, and the history with entries of
// flights.

import type { Page } from "@playwright/test";
import { expectAccessible } from "../support/accessible.ts";
import {
  dateParts,
  expectDate,
  expectFieldError,
  field,
  goFromRow,
  holdCall,
  toast,
  tryAgain,
  typeDate,
} from "../support/actions.ts";
import { addEquipment, type Client, createFlight, finishFlight, kind } from "../support/client.ts";
import { expect, openAs, test } from "../support/test.ts";

const path = `equipments/${kind.battery}`;

const start = { chargeStartTime: "01.05.2026 10:00", fromVoltage: "21,6" };
const end = { chargeEndTime: "01.05.2026 11:05", toVoltage: "25,2", charged: "1234" };

async function charge(api: Client, battery: string, fields: Record<string, string>): Promise<string> {
  return JSON.parse(await api.call("SaveCharging", { battery, ...fields })).dpfId;
}

const chargingsOf = async (api: Client, battery: string) =>
  JSON.parse(await api.call("GetChargings", { battery })).chargings;

const form = (page: Page) => page.getByRole("dialog", { name: "Ladevorgang für Akku 1" });
const history = (page: Page) => page.getByRole("dialog", { name: "Akkuladungsverlauf:Akku 1" });
const rows = (page: Page) => history(page).getByRole("listitem");
const row = (page: Page) => page.getByRole("listitem").filter({ has: page.getByRole("heading", { name: "Akku 1" }) });
const startButton = (page: Page) => page.getByRole("button", { name: "Ladevorgang starten Akku 1" });
const finishButton = (page: Page) => page.getByRole("button", { name: "Ladevorgang beenden Akku 1" });
const group = (page: Page, name: string) => form(page).getByRole("group", { name, exact: true });
const cellVoltage = (page: Page, of: string) => group(page, of).getByRole("textbox", { name: "Zellspannung (V)" });

async function openHistory(page: Page): Promise<void> {
  await goFromRow(page, "Akkuladungsverlauf", "Akku 1");
  await expect(history(page)).toBeVisible();
}

test("A charging is started now, is open with since when, and is finished", { tag: "@phone" }, async ({
  page,
  app,
  api,
}) => {
  await page.clock.setFixedTime(new Date("2026-05-01T10:00:00+02:00"));
  const battery = await addEquipment(api, kind.battery, "Akku 1");
  await openAs(page, api, app, path);
  await startButton(page).click();
  await expectDate(page, "Startzeit", 1, 5, 2026, 10, 0);
  await field(page, "Startspannung (V)").fill("21,6");
  await cellVoltage(page, "Beginn").fill("3,6");
  await form(page).getByRole("button", { name: "Starten", exact: true }).click();
  await expect(toast(page, "Ladevorgang gestartet.")).toBeVisible();
  await expect(form(page)).toHaveCount(0);
  await expect(row(page)).toContainText("lädt · seit 10:00");
  await expect(startButton(page)).toHaveCount(0);
  await expect(finishButton(page)).toBeFocused();

  await page.clock.setFixedTime(new Date("2026-05-01T11:05:00+02:00"));
  // The message stays while the mouse is on it, and moves up for the dialog.
  await toast(page, "Ladevorgang gestartet.").hover();
  await finishButton(page).press("Enter");
  const submit = form(page).getByRole("button", { name: "Abschließen" });
  await expect(submit).toBeVisible();
  const message = await toast(page, "Ladevorgang gestartet.").boundingBox();
  expect(message?.y).toBeLessThan((await form(page).boundingBox())?.y ?? Number.NaN);
  await expectDate(page, "Endzeit", 1, 5, 2026, 11, 5);
  await expectDate(page, "Startzeit", 1, 5, 2026, 10, 0);
  await expect(field(page, "Startspannung (V)")).toHaveValue("21,6");
  await expect(cellVoltage(page, "Beginn")).toHaveValue("3,6");
  await field(page, "Endspannung (V)").fill("25.2");
  await field(page, "Geladen (mA)").fill("1234");
  await cellVoltage(page, "Ende").fill("4,2");
  await submit.click();
  await expect(toast(page, "Ladevorgang abgeschlossen.")).toBeVisible();
  await expect(finishButton(page)).toHaveCount(0);
  await expect(row(page)).toContainText("voll");
  expect(JSON.parse(await api.call("GetEquipment", { dpfId: battery }))).toMatchObject({
    lastChargeTime: "01.05.2026 11:05",
    chargeCount: 1,
  });
  expect(await chargingsOf(api, battery)).toMatchObject([
    { fromVoltage: 21.6, fromCellVoltage: 3.6, toVoltage: 25.2, toCellVoltage: 4.2, charged: 1234 },
  ]);
});

test("The dialog begins in its first empty field, and a retired battery has no button to start one", {
  tag: "@desktop",
}, async ({ page, app, api }) => {
  const battery = await addEquipment(api, kind.battery, "Akku 1");
  await openAs(page, api, app, path);
  await startButton(page).click();
  await expect(field(page, "Startspannung (V)")).toBeFocused();
  await page.keyboard.type("21.6");
  await form(page).getByRole("button", { name: "Starten" }).click();
  await finishButton(page).click();
  await expect(field(page, "Endspannung (V)")).toBeFocused();
  await form(page).getByRole("button", { name: "Abbrechen" }).click();

  await api.call("DeactivateEquipment", { dpfId: battery, info: "gebläht" });
  await page.goto(`${path}?ausgemustert=true`);
  await finishButton(page).click();
  await expect(field(page, "Endspannung (V)")).toBeFocused();
  await page.keyboard.type("25.2");
  await field(page, "Geladen (mA)").fill("1100");
  await form(page).getByRole("button", { name: "Abschließen" }).click();
  await expect(page.getByRole("listitem").getByText("Ladezyklen").locator("..")).toContainText("1");
  await expect(finishButton(page)).toHaveCount(0);
  await expect(startButton(page)).toHaveCount(0);
});

test("Only the buttons close the dialog, and cancelling keeps nothing", { tag: "@phone" }, async ({
  page,
  app,
  api,
}) => {
  const battery = await addEquipment(api, kind.battery, "Akku 1");
  await openAs(page, api, app, path);
  await startButton(page).click();
  await field(page, "Startspannung (V)").fill("21,6");
  for (let times = 0; times < 3; times++) await page.keyboard.press("Escape");
  await page.mouse.click(5, 5);
  await expect(form(page)).toBeVisible();

  // Escape in the calendar closes only the calendar.
  await form(page).getByRole("button", { name: "Kalender öffnen Startzeit" }).click();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog", { name: "Kalender" })).toHaveCount(0);
  await expect(form(page)).toBeVisible();

  await form(page).getByRole("button", { name: "Abbrechen" }).click();
  await expect(form(page)).toHaveCount(0);
  await expect(startButton(page)).toBeFocused();
  await startButton(page).click();
  await expect(field(page, "Startspannung (V)")).toHaveValue("");
  expect(await chargingsOf(api, battery)).toEqual([]);
});

test("A start needs its time and its voltage, and numbers", { tag: "@desktop" }, async ({ page, app, api }) => {
  await addEquipment(api, kind.battery, "Akku 1");
  await openAs(page, api, app, path);
  await startButton(page).click();
  const submit = form(page).getByRole("button", { name: "Starten", exact: true });
  await form(page).getByRole("button", { name: "Kalender öffnen Startzeit" }).click();
  await page.getByRole("button", { name: "Löschen" }).click();
  await cellVoltage(page, "Beginn").fill("viel");
  await submit.click();
  await expect(page.getByRole("group", { name: "Startzeit", exact: true })).toHaveAccessibleDescription(
    "Bitte geben Sie die Startzeit des Ladevorgangs ein.",
  );
  await expectFieldError(field(page, "Startspannung (V)"), "Bitte geben Sie die Spannung vor dem Ladevorgang ein.");
  await expectFieldError(cellVoltage(page, "Beginn"), "Ungültige Eingabe");
  await field(page, "Startspannung (V)").fill("1.5.2");
  await expectFieldError(field(page, "Startspannung (V)"), "Ungültige Eingabe");
});

test("Finishing needs voltage, capacity and a time that isn't before the start", { tag: "@desktop" }, async ({
  page,
  app,
  api,
}) => {
  const battery = await addEquipment(api, kind.battery, "Akku 1");
  await charge(api, battery, start);
  await openAs(page, api, app, path);
  await finishButton(page).click();
  const submit = form(page).getByRole("button", { name: "Abschließen" });
  const time = page.getByRole("group", { name: "Endzeit", exact: true });
  await submit.click();
  await expectFieldError(field(page, "Endspannung (V)"), "Bitte geben Sie die Spannung nach dem Ladevorgang ein.");
  await expectFieldError(field(page, "Geladen (mA)"), "Bitte geben Sie die geladene Kapazität ein.");

  await field(page, "Endspannung (V)").fill("-1");
  await field(page, "Geladen (mA)").fill("1e9");
  await cellVoltage(page, "Ende").fill("1234567890");
  await typeDate(page, "Endzeit", "010520260959");
  await submit.click();
  await expectFieldError(field(page, "Endspannung (V)"), "Ungültige Eingabe");
  await expectFieldError(field(page, "Geladen (mA)"), "Ungültige Eingabe");
  await expectFieldError(cellVoltage(page, "Ende"), "Ungültige Eingabe");
  await expect(time).toHaveAccessibleDescription(/Die Endzeit liegt vor der Startzeit\.$/);

  await form(page).getByRole("button", { name: "Kalender öffnen Endzeit" }).click();
  const calendar = page.getByRole("dialog", { name: "Kalender" });
  await expect(calendar.getByRole("button", { name: "Voriger Monat" })).toBeInViewport({ ratio: 1 });
  await expect(calendar.getByRole("button", { name: "Bestätigen" })).toBeInViewport({ ratio: 1 });
  await calendar.getByRole("button", { name: "Löschen" }).click();
  await submit.click();
  await expect(time).toHaveAccessibleDescription("Bitte geben Sie die Endzeit des Ladevorgangs ein.");
  expect(await chargingsOf(api, battery)).toMatchObject([{ chargeEndTime: "", toVoltage: null }]);
});

test("A charging that another device has started is an error in the dialog, and then shown in its row", {
  tag: "@desktop",
}, async ({ page, app, api, faults }) => {
  const battery = await addEquipment(api, kind.battery, "Akku 1");
  await openAs(page, api, app, path);
  await startButton(page).click();
  await charge(api, battery, start);
  faults.expectAnswer("SaveCharging", 409);
  await field(page, "Startspannung (V)").fill("20");
  await form(page).getByRole("button", { name: "Starten", exact: true }).click();
  await expect(form(page).getByRole("alert")).toHaveText("Für diese Batterie läuft bereits ein Ladevorgang.");
  await expect(field(page, "Startspannung (V)")).toHaveValue("20");
  await form(page).getByRole("button", { name: "Abbrechen" }).click();
  await expect(finishButton(page)).toBeVisible();
});

test("After a lost answer the charging is kept, shown, and there once", { tag: "@desktop" }, async ({
  page,
  lossyProxy,
  api,
  faults,
}) => {
  faults.expectLostRequests();
  const battery = await addEquipment(api, kind.battery, "Akku 1");
  await openAs(page, api, lossyProxy, path);
  const voltage = field(page, "Startspannung (V)");
  lossyProxy.loseAnswers("/app/api/SaveCharging");
  await startButton(page).click();
  await voltage.fill("21.6");
  const submit = form(page).getByRole("button", { name: "Starten", exact: true });
  await submit.click();
  await expect(toast(page, "Gemerkt.")).toBeVisible();
  await expect(form(page)).toHaveCount(0);
  await expect(finishButton(page)).toBeVisible();
  expect(await chargingsOf(api, battery)).toHaveLength(1);
  lossyProxy.restore();
  await expect(page.getByText("wartet", { exact: true })).toHaveCount(0);
  await expect(finishButton(page)).toBeVisible();
  expect(await chargingsOf(api, battery)).toHaveLength(1);
});

test("The end that is proposed is the pack's own, even if its history comes late", { tag: "@phone" }, async ({
  page,
  app,
  api,
}) => {
  const battery = await addEquipment(api, kind.battery, "Akku 1", { model: "6S 1300" });
  const stored = { chargeStartTime: "01.05.2026 10:00", chargeEndTime: "01.05.2026 11:00", charged: "900" };
  await charge(api, battery, { ...stored, fromVoltage: "21,6", toVoltage: "24,9" });
  await charge(api, battery, { chargeStartTime: "02.05.2026 10:00", fromVoltage: "22,2" });
  const held = await holdCall(page, "GetChargings");
  await openAs(page, api, app, path);
  await finishButton(page).click();
  await expect(form(page)).toBeVisible();
  await expect(field(page, "Endspannung (V)")).toHaveCount(0);
  held.release();
  await expect(field(page, "Endspannung (V)")).toHaveValue("24,9");
});

test("Typed values survive a reload", { tag: "@phone" }, async ({ page, app, api }) => {
  const battery = await addEquipment(api, kind.battery, "Akku 1");
  await charge(api, battery, start);
  await openAs(page, api, app, path);
  await finishButton(page).click();
  await field(page, "Endspannung (V)").fill("25.1");
  await field(page, "Geladen (mA)").fill("900");
  await page.reload();
  await finishButton(page).click();
  await expect(form(page).getByText(/Entwurf von .* wiederhergestellt/)).toBeVisible();
  await expect(field(page, "Endspannung (V)")).toHaveValue("25.1");
  await form(page).getByRole("button", { name: "Abschließen" }).click();
  await expect(finishButton(page)).toHaveCount(0);
  expect(await chargingsOf(api, battery)).toMatchObject([{ toVoltage: 25.1, charged: 900 }]);
});

test("A number that only reads differently from what is stored is no draft", { tag: "@desktop" }, async ({
  page,
  app,
  api,
}) => {
  const battery = await addEquipment(api, kind.battery, "Akku 1");
  await charge(api, battery, { ...start, ...end });
  await openAs(page, api, app, path);
  await openHistory(page);
  const edit = rows(page)
    .first()
    .getByRole("button", { name: /Bearbeiten/ });
  await edit.click();
  await field(page, "Startspannung (V)").fill("21.6");
  await page.reload();
  await edit.click();
  await expect(field(page, "Startspannung (V)")).toHaveValue("21,6");
  await expect(form(page).getByText(/Entwurf von/)).toHaveCount(0);
});

test("While a charging is saved, pressing again doesn't save it twice", { tag: "@desktop" }, async ({
  page,
  app,
  api,
}) => {
  const battery = await addEquipment(api, kind.battery, "Akku 1");
  await openAs(page, api, app, path);
  await startButton(page).click();
  await expect(field(page, "Startspannung (V)")).toBeFocused();
  await field(page, "Startspannung (V)").fill("21,6");
  const held = await holdCall(page, "SaveCharging");
  const submit = form(page).getByRole("button", { name: "Starten", exact: true });
  await submit.click();
  await expect(submit).toBeDisabled();
  await submit.click({ force: true });
  await field(page, "Startspannung (V)").press("Enter");
  held.release();
  await expect(finishButton(page)).toBeVisible();
  expect(await chargingsOf(api, battery)).toHaveLength(1);
});

test("The history has every kind of entry, the newest first, and leads to a flight and back", {
  tag: "@phone",
}, async ({ page, app, api }) => {
  const battery = await addEquipment(api, kind.battery, "Akku 1");
  const copter = await addEquipment(api, kind.copter, "Nazgul F5");
  await charge(api, battery, { ...start, ...end, fromCellVoltage: "3,6", toCellVoltage: "4,2" });
  const flight = await createFlight(api, { copter, equipments: [battery] });
  await finishFlight(api, flight, {
    startTime: "02.05.2026 10:00",
    flightTime: 12,
    batteryStartVoltage: 25.1,
    batteryEndVoltage: 21.9,
    consumedCapacity: 905,
  });
  await charge(api, battery, {
    chargeStartTime: "03.05.2026 10:00",
    fromVoltage: "25,2",
    chargeEndTime: "03.05.2026 10:30",
    toVoltage: "22,8",
    charged: "640",
  });
  await charge(api, battery, { chargeStartTime: "04.05.2026 10:00", fromVoltage: "22,8" });
  await openAs(page, api, app, path);
  await openHistory(page);
  await expect(rows(page)).toHaveCount(4);
  const open = rows(page).nth(0);
  const discharge = rows(page).nth(1);
  const flown = rows(page).nth(2);
  const charged = rows(page).nth(3);

  await expect(open).toContainText("Ladevorgang läuft");
  await expect(open).toContainText("04.05.2026 10:00");
  await expect(discharge).toContainText("Entladung");
  await expect(discharge).toContainText("0,64 A");
  await expect(flown).toContainText("0,91 A");
  await expect(flown).toContainText("02.05.2026 10:12");
  await expect(flown.getByRole("button")).toHaveCount(0);
  await expect(charged).toContainText("Aufladung");
  for (const text of ["01.05.2026 10:00", "01.05.2026 11:05", "1,23 A"]) await expect(charged).toContainText(text);
  await expect(charged).toContainText(/21,6\sV → 25,2\sV/);
  await expect(charged).toContainText(/3,6\sV → 4,2\sV/);
  // Each value is on one line, 1.5 times as high as its font size.
  for (const value of await rows(page).getByRole("definition").all()) {
    const lines = await value.evaluate((element) => {
      const letters = Number.parseFloat(getComputedStyle(element).fontSize);
      return element.getBoundingClientRect().height / (1.5 * letters);
    });
    expect(lines, (await value.textContent()) ?? "").toBeLessThan(1.5);
  }
  await expectAccessible(page);

  await flown.getByRole("link", { name: "Flug vom 02.05.2026 10:00 anzeigen" }).click();
  await expect(page).toHaveURL(new RegExp(`/flights/${flight}$`));
  await page.goBack();
  await expect(rows(page)).toHaveCount(4);
  await page.keyboard.press("Escape");
  await expect(history(page)).toHaveCount(0);
  await expect(page).toHaveURL(/\/equipments\/1(\/[\da-f-]{36})?$/);
});

test("A finished charging is edited from the history, an open one is finished there", { tag: "@phone" }, async ({
  page,
  app,
  api,
}) => {
  const battery = await addEquipment(api, kind.battery, "Akku 1");
  await charge(api, battery, { ...start, ...end });
  await charge(api, battery, { chargeStartTime: "02.05.2026 10:00", fromVoltage: "22" });
  await openAs(page, api, app, path);
  await openHistory(page);
  await rows(page).nth(1).getByRole("button", { name: "Bearbeiten 01.05.2026 10:00" }).click();
  await expect(field(page, "Geladen (mA)")).toHaveValue("1234");
  await expectDate(page, "Endzeit", 1, 5, 2026, 11, 5);
  for (let times = 0; times < 3; times++) await page.keyboard.press("Escape");
  await expect(form(page)).toBeVisible();
  await expectAccessible(page);
  await field(page, "Endspannung (V)").fill("20");
  await form(page).getByRole("button", { name: "Speichern" }).click();
  await expect(toast(page, "Erfolgreich gespeichert.")).toBeVisible();
  await expect(rows(page).nth(1)).toContainText("Entladung");

  await rows(page).nth(0).getByRole("button", { name: "Ladevorgang beenden" }).click();
  await field(page, "Endspannung (V)").fill("25,2");
  await field(page, "Geladen (mA)").fill("800");
  await dateParts(page, "Endzeit").first().focus();
  await typeDate(page, "Endzeit", "020520261100");
  await form(page).getByRole("button", { name: "Abschließen" }).click();
  await expect(rows(page).nth(0)).toContainText("Aufladung");
  await expect(rows(page).nth(0)).toContainText("0,80 A");
  await history(page).getByText("Schließen", { exact: true }).click();
  await expect(finishButton(page)).toHaveCount(0);
});

test("Three chargings make a chart that says in words what it shows", { tag: "@phone" }, async ({ page, app, api }) => {
  const battery = await addEquipment(api, kind.battery, "Akku 1");
  const day = (number: number) =>
    charge(api, battery, {
      chargeStartTime: `0${number}.05.2026 10:00`,
      fromVoltage: "21,6",
      chargeEndTime: `0${number}.05.2026 11:00`,
      toVoltage: number === 3 ? "25,1" : "25,2",
      charged: String(1200 - number * 100),
    });
  await day(1);
  await day(2);
  await openAs(page, api, app, path);
  await openHistory(page);
  const chart = history(page).getByRole("figure", { name: "3 Aufladungen im Lauf der Zeit" });
  await expect(rows(page)).toHaveCount(2);
  await expect(chart).toHaveCount(0);
  await day(3);
  await page.reload();
  await expect(chart.getByRole("img", { name: "Spannung vor und nach dem Laden" })).toHaveAccessibleDescription(
    /^3 Aufladungen vom 01\.05\.2026 bis zum 03\.05\.2026\. Vor dem Laden 21,6\sV, danach 25,1\sV bis 25,2\sV\.$/,
  );
  await expect(chart.getByRole("img", { name: "Geladen" })).toHaveAccessibleDescription(
    /^Geladen wurden 0,90\sA bis 1,10\sA, zuletzt 0,90\sA\.$/,
  );
  await expectAccessible(page);
});

test("A battery without any charging says so", { tag: "@desktop" }, async ({ page, app, api }) => {
  await addEquipment(api, kind.battery, "Akku 1");
  await openAs(page, api, app, path);
  await openHistory(page);
  await expect(history(page)).toContainText("Kein Akkuladungsverlauf vorhanden");
  await page.goBack();
  await expect(history(page)).toHaveCount(0);
  await expect(startButton(page)).toBeVisible();
});

test("A history that can't be loaded says so and can be asked for again", { tag: "@desktop" }, async ({
  page,
  app,
  api,
  faults,
}) => {
  await addEquipment(api, kind.battery, "Akku 1");
  faults.expectLostRequests();
  await openAs(page, api, app, path);
  await expect(page.getByRole("heading", { name: "Akku 1" })).toBeVisible();
  await app.stop();
  await openHistory(page);
  await expect(history(page).getByRole("alert")).toContainText(
    "Akkuladungsverlauf konnten nicht geladen werden. Bitte versuchen Sie es erneut.",
  );
  await tryAgain(page, app, "GetChargings", history(page));
  await expect(history(page)).toContainText("Kein Akkuladungsverlauf vorhanden");
});

test("Both forms are accessible, with and without errors", { tag: "@phone" }, async ({ page, app, api }) => {
  const battery = await addEquipment(api, kind.battery, "Akku 1");
  await openAs(page, api, app, path);
  await startButton(page).click();
  // On a phone axe recognises the dialog only a moment after its field has the focus.
  await expect(() => expectAccessible(page)).toPass();
  await form(page).getByRole("button", { name: "Starten", exact: true }).click();
  await expectAccessible(page);
  await charge(api, battery, start);
  await page.reload();
  await expectAccessible(page);
  await finishButton(page).click();
  await form(page).getByRole("button", { name: "Abschließen" }).click();
  await expectFieldError(field(page, "Geladen (mA)"), "Bitte geben Sie die geladene Kapazität ein.");
  await expect(() => expectAccessible(page)).toPass();
});

test("Nothing but batteries is charged", { tag: "@desktop" }, async ({ page, app, api }) => {
  const copter = await addEquipment(api, kind.copter, "Nazgul F5");
  await openAs(page, api, app, `equipments/${kind.copter}?verlauf=${copter}`);
  await expect(page.getByRole("heading", { name: "Nazgul F5" })).toBeVisible();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(page.getByRole("button", { name: /Ladevorgang|Akkuladungsverlauf/ })).toHaveCount(0);
});

test("A long history shows its newest entries, all of them when asked or printed", { tag: "@desktop" }, async ({
  page,
  app,
  api,
}) => {
  const battery = await addEquipment(api, kind.battery, "Akku 1");
  for (let minute = 10; minute < 71; minute++) {
    const time = `01.05.2026 ${minute < 60 ? 10 : 11}:${String(minute % 60).padStart(2, "0")}`;
    await charge(api, battery, { ...end, chargeStartTime: time, chargeEndTime: time, fromVoltage: "21,6" });
  }
  await openAs(page, api, app, path);
  await openHistory(page);
  await expect(rows(page)).toHaveCount(60);
  await expect(rows(page).first()).toContainText("01.05.2026 11:10");
  await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
  await expect(rows(page)).toHaveCount(61);
  await page.reload();
  await expect(rows(page)).toHaveCount(60);
  await page.getByRole("button", { name: "Alle 61 Einträge anzeigen" }).click();
  await expect(rows(page)).toHaveCount(61);
  await expect(rows(page).last()).toContainText("01.05.2026 10:10");
});

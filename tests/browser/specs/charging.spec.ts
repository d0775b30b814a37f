// Chargings of a battery: the focus of their dialog and the layout of the history. The forms, their errors and the
// entries of the history are tested in ui/src/screens/equipment/ChargingDialog.test.tsx.

import type { Page } from "@playwright/test";
import { expectAccessible } from "../support/accessible.ts";
import { expectBlocking, expectDate, expectFieldError, field, goFromRow, toast } from "../support/actions.ts";
import { addEquipment, type Client, createFlight, finishFlight, kind } from "../support/client.ts";
import { expect, openAs, test } from "../support/test.ts";

const path = `equipments/${kind.battery}`;

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
const cellVoltage = (page: Page, when: "vorher" | "nachher") => field(page, `Zellspannung ${when} (V)`);

test("A charging is started now, is open with since when, and is finished, each form in its first empty field", {
  tag: "@phone",
}, async ({ page, app, api }) => {
  await page.clock.setFixedTime(new Date("2026-05-01T10:00:00+02:00"));
  const battery = await addEquipment(api, kind.battery, "Akku 1");
  await openAs(page, api, app, path);
  await startButton(page).click();
  await expectDate(page, "Startzeit", 1, 5, 2026, 10, 0);
  await expect(field(page, "Startspannung (V)")).toBeFocused();
  // On a phone axe recognises the dialog only a moment after its field has the focus.
  await expect(() => expectAccessible(page)).toPass();
  await form(page).getByRole("button", { name: "Starten", exact: true }).click();
  await expectFieldError(field(page, "Startspannung (V)"), "Bitte geben Sie die Spannung vor dem Ladevorgang ein.");
  await expectAccessible(page);
  await field(page, "Startspannung (V)").fill("21,6");
  await cellVoltage(page, "vorher").fill("3,6");
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
  await expect(cellVoltage(page, "vorher")).toHaveValue("3,6");
  await expect(field(page, "Endspannung (V)")).toBeFocused();
  await expect(() => expectAccessible(page)).toPass();
  await submit.click();
  await expectFieldError(field(page, "Geladen (mA)"), "Bitte geben Sie die geladene Kapazität ein.");
  await expectAccessible(page);
  await field(page, "Endspannung (V)").fill("25.2");
  await field(page, "Geladen (mA)").fill("1234");
  await cellVoltage(page, "nachher").fill("4,2");
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

test("In the history each value is on one line, beside a chart, and Back leads from a flight into it", {
  tag: "@phone",
}, async ({ page, app, api }) => {
  const battery = await addEquipment(api, kind.battery, "Akku 1");
  const copter = await addEquipment(api, kind.copter, "Nazgul F5");
  for (const day of ["28", "29", "30"]) {
    const times = { chargeStartTime: `${day}.04.2026 10:00`, chargeEndTime: `${day}.04.2026 11:05` };
    const voltages = { fromVoltage: "21,6", toVoltage: "25,2", fromCellVoltage: "3,6", toCellVoltage: "4,2" };
    await charge(api, battery, { ...times, ...voltages, charged: "1234" });
  }
  const flight = await createFlight(api, { copter, equipments: [battery] });
  await finishFlight(api, flight, {
    startTime: "02.05.2026 10:00",
    flightTime: 12,
    batteryStartVoltage: 25.1,
    batteryEndVoltage: 21.9,
    consumedCapacity: 905,
  });
  await charge(api, battery, { chargeStartTime: "04.05.2026 10:00", fromVoltage: "22,8" });
  await openAs(page, api, app, path);
  await goFromRow(page, "Akkuladungsverlauf", "Akku 1");
  await expect(rows(page)).toHaveCount(5);
  await expect(history(page).getByRole("figure", { name: "3 Aufladungen im Lauf der Zeit" })).toBeVisible();
  // Each value is 1.5 times as high as its font size.
  for (const value of await rows(page).getByRole("definition").all()) {
    const lines = await value.evaluate((element) => {
      const letters = Number.parseFloat(getComputedStyle(element).fontSize);
      return element.getBoundingClientRect().height / (1.5 * letters);
    });
    expect(lines, (await value.textContent()) ?? "").toBeLessThan(1.5);
  }
  await expectAccessible(page);
  await rows(page).nth(2).getByRole("button", { name: "Bearbeiten 30.04.2026 10:00" }).click();
  await expect(field(page, "Geladen (mA)")).toHaveValue("1234");
  await expectBlocking(page, form(page));
  await expectAccessible(page);
  await form(page).getByRole("button", { name: "Abbrechen" }).click();

  await rows(page).nth(1).getByRole("link", { name: "Flug vom 02.05.2026 10:00 anzeigen" }).click();
  await expect(page).toHaveURL(new RegExp(`/flights/${flight}$`));
  await page.goBack();
  await expect(rows(page)).toHaveCount(5);
  await page.keyboard.press("Escape");
  await expect(history(page)).toHaveCount(0);
  await expect(page).toHaveURL(/\/equipments\/1(\/[\da-f-]{36})?$/);
});

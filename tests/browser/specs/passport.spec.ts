// The passport of a pack: charged and stored by one tap, measured cell by cell, with all details on one page.

import { expectAccessible } from "../support/accessible.ts";
import { toast } from "../support/actions.ts";
import { addChargedPack, addEquipment, addFlight, addFlights, ago, type Client, kind } from "../support/client.ts";
import { expect, openAs, test } from "../support/test.ts";
import { thumbOn } from "../support/thumb.ts";

const path = `equipments/${kind.battery}`;

const times = { chargeStartTime: "01.05.2026 10:00", chargeEndTime: "01.05.2026 11:00" };
const charging = { ...times, fromVoltage: "22,1", charged: "900" };

/** Adds a pack of six cells that was charged to `volts` in May. */
const pack = (api: Client, volts: string) =>
  addChargedPack(api, "Akku 1", { model: "R-Line 6S 1300", capacity: 1300 }, { ...charging, toVoltage: volts });

/** Adds a pack with everything that its passport shows. */
async function measured(api: Client): Promise<string> {
  const battery = await pack(api, "25,2");
  for (const [day, third] of [
    ["02", "4,4"],
    ["03", "4,4"],
    ["04", "4,6"],
    ["05", "7"],
  ]) {
    await api.call("SaveBatteryReading", {
      battery,
      time: `${day}.05.2026 18:00`,
      cellVoltages: "4,18;4,18;4,15;4,18;4,18;4,18",
      resistances: `4,4;4,5;${third};4,6;4,5;4,4`,
      temperature: "20",
    });
  }
  return battery;
}

test("With one thumb a full pack is stored in two taps, and any other is charged in one", { tag: "@phone" }, async ({
  page,
  app,
  api,
}) => {
  const battery = await pack(api, "25,2");
  await openAs(page, api, app, path);
  const row = page.getByRole("main").getByRole("listitem").filter({ hasText: "Akku 1" });
  await expect(row).toContainText(/voll · seit/);
  const thumb = thumbOn(page);
  await thumb.tap(page.getByRole("button", { name: "Mehr zu Akku 1" }));
  await thumb.tap(page.getByRole("menuitem", { name: "Eingelagert" }));
  await expect(toast(page, "Akku 1 ist eingelagert.")).toBeVisible();
  await expect(row).toContainText(/Lagerung · seit heute/);
  expect(thumb.effort()).toEqual({ taps: 2, swipes: 0, characters: 0 });
  await thumb.tap(page.getByRole("button", { name: "Geladen Akku 1" }));
  await expect(row).toContainText(/voll/);
  expect(thumb.effort()).toEqual({ taps: 3, swipes: 0, characters: 0 });
  const item = JSON.parse(await api.call("GetEquipment", { dpfId: battery }));
  expect(item).toMatchObject({ chargeCount: 2, currentCharge: 25.2, state: "full" });
});

test("Two taps from home say that a pack was charged whose voltage nobody knows, and its page shows none before", {
  tag: "@phone",
}, async ({ page, app, api }) => {
  const battery = await pack(api, "25,2");
  const copter = await addEquipment(api, kind.copter, "Falke");
  await addFlight(api, { copter, equipments: [battery] }, { startTime: ago(60), flightTime: 5 });
  await openAs(page, api, app, `${path}/${battery}`);
  const stage = page.getByRole("region", { name: "Akkupass" });
  await expect(stage).toContainText("unbekannt");
  await expect(stage).not.toContainText("25,2");
  await openAs(page, api, app, "home");
  const thumb = thumbOn(page);
  await thumb.tap(page.getByRole("link", { name: "Akkus", exact: true }));
  await thumb.tap(page.getByRole("button", { name: "Geladen Akku 1" }));
  await expect(toast(page, "Akku 1 ist geladen.")).toBeVisible();
  expect(thumb.effort()).toEqual({ taps: 2, swipes: 0, characters: 0 });
  const item = JSON.parse(await api.call("GetEquipment", { dpfId: battery }));
  expect(item).toMatchObject({ chargeCount: 2, stateVoltage: 25.2, state: "full" });
});

test("A pack that is full for too long is stored from home with one tap, and that is taken back with another", {
  tag: "@phone",
}, async ({ page, app, api }) => {
  const battery = await pack(api, "25,2");
  await addFlights(api, 1, { copter: await addEquipment(api, kind.copter, "Falke") });
  await openAs(page, api, app, "home");
  const line = page.getByRole("list", { name: "Zu erledigen" }).getByRole("listitem");
  await expect(line).toContainText(/Dringend\.\s*Akku 1\s*Seit \d+ Tagen voll\./);
  await expectAccessible(page);
  const thumb = thumbOn(page);
  await thumb.tap(line.getByRole("button", { name: "Eingelagert Akku 1" }));
  await expect(line).toHaveCount(0);
  await thumb.tap(page.getByRole("button", { name: "Rückgängig" }));
  await expect(toast(page, "Rückgängig gemacht.")).toBeVisible();
  await expect(line).toHaveCount(1);
  expect(thumb.effort()).toEqual({ taps: 2, swipes: 0, characters: 0 });
  expect(JSON.parse(await api.call("GetEquipment", { dpfId: battery })).state).toBe("full");
});

test("Six cells are typed with the keyboard's next key, and a pasted line of a charger fills them all", {
  tag: "@phone",
}, async ({ page, app, api }) => {
  const battery = await pack(api, "22,9");
  await openAs(page, api, app, `${path}/${battery}`);
  await page.getByRole("link", { name: "Messen" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Akku 1 messen");
  await page.getByRole("textbox", { name: "Zelle 1, Spannung (V)" }).focus();
  for (const volts of ["3,82", "3,82", "3,79", "3,82", "3,81", "3,82"]) {
    await page.keyboard.type(volts);
    await page.keyboard.press("Enter");
  }
  const ohms = page.getByRole("textbox", { name: "Zelle 1, Widerstand (mΩ)" });
  await expect(ohms).toBeFocused();
  await ohms.evaluate((field) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text", "IR 4.7 4.8 7.0 4.5 5.1 4.8 mΩ");
    field.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  });
  await expect(page.getByRole("textbox", { name: "Zelle 6, Widerstand (mΩ)" })).toHaveValue("4,8");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Speichern" }).click();
  await expect(page.getByRole("list", { name: "Zellen" }).getByRole("listitem").nth(2)).toContainText("Zelle 3: 3,79");
  const { readings } = JSON.parse(await api.call("GetBatteryPassport", { dpfId: battery }));
  expect(readings[0]).toMatchObject({
    cellVoltages: [3.82, 3.82, 3.79, 3.82, 3.81, 3.82],
    resistances: [4.7, 4.8, 7, 4.5, 5.1, 4.8],
  });
});

test("The passport says why it warns, and can be read by everybody in each look", { tag: "@phone" }, async ({
  page,
  app,
  api,
}) => {
  const battery = await measured(api);
  await openAs(page, api, app, "impressum");
  for (const look of ["hell", "dunkel", "sonne"]) {
    await page.evaluate((chosen) => localStorage.setItem("fluglog.look", chosen), look);
    await page.goto(`${app.url}${path}/${battery}`);
    await expect(page.getByText("Zelle 3: 7,0 mΩ, 1,6-mal so viel wie am Anfang (4,4).")).toBeVisible();
    await page.getByText("Warum?").last().click();
    await expect(page.getByRole("img", { name: /Am höchsten ist Zelle 3 mit 7\smΩ\./ })).toBeVisible();
    await expectAccessible(page);
  }
});

test("On a desktop the passport can be read by everybody, and is printed on one page", { tag: "@desktop" }, async ({
  page,
  app,
  api,
}) => {
  const battery = await measured(api);
  await openAs(page, api, app, `${path}/${battery}`);
  await expect(page.getByRole("heading", { name: "Verlauf" })).toBeVisible();
  await page.getByText("Warum?").last().click();
  await expectAccessible(page);
  const pdf = (await page.pdf({ format: "A4" })).toString("latin1");
  expect(pdf.match(/\/Type\s*\/Page\b(?!s)/g)).toHaveLength(1);
});

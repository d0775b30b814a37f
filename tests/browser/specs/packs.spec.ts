// Packs in use: rows that are readable from afar, and their chargings in two taps. States and their order are tested in
// ui/src/screens/equipment/EquipmentList.test.tsx.

import { expectAccessible } from "../support/accessible.ts";
import { goFromRow } from "../support/actions.ts";
import { addChargedPack, addEquipment, type Client, createFlight, finishFlight, kind } from "../support/client.ts";
import { expect, openAs, test } from "../support/test.ts";
import { thumbOn } from "../support/thumb.ts";

const path = `equipments/${kind.battery}`;

const times = { chargeStartTime: "01.05.2026 10:00", chargeEndTime: "01.05.2026 11:00" };
const charging = { ...times, fromVoltage: "21,6", charged: "900" };

/** Adds a pack of six cells that was charged to `volts`. */
const pack = (api: Client, name: string, volts: string) =>
  addChargedPack(api, name, { model: "R-Line 6S 1300", batteryType: "LiPo" }, { ...charging, toVoltage: volts });

/** Adds a pack in each state. */
async function everyState(api: Client): Promise<void> {
  for (const [name, volts] of [
    ["Akku 1", "22,9"],
    ["Akku 2", "25,2"],
    ["Akku 3", "21,9"],
    ["Akku 4", "19"],
    ["Akku 5", "24"],
    ["Akku 6", "25,2"],
  ] as const) {
    await pack(api, name, volts);
  }
  await addEquipment(api, kind.battery, "Akku 7");
  const onCharger = await pack(api, "Akku 8", "25,2");
  await api.call("SaveCharging", { battery: onCharger, chargeStartTime: "02.05.2026 10:00", fromVoltage: "22" });
  const copter = await addEquipment(api, kind.copter, "Nazgul F5");
  await createFlight(api, { copter, equipments: [await pack(api, "Akku 9", "25,2")] });
}

test("Eight packs are in sight on a phone, in the large letters for the sun five, each with its button beside it", {
  tag: "@phone",
}, async ({ page, app, api }) => {
  await everyState(api);
  await openAs(page, api, app, path);
  const rows = page.getByRole("main").getByRole("listitem");
  await expect(rows.nth(7)).toBeInViewport({ ratio: 1 });
  const buttons = page.getByRole("button", { name: /^Ladevorgang/ });
  await expect(buttons).toHaveCount(6);
  for (const button of await buttons.all()) {
    const box = await button.boundingBox();
    expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(48);
  }
  await expectAccessible(page);

  await page.evaluate(() => localStorage.setItem("fluglog.look", "sonne"));
  await page.reload();
  const fifth = page.getByRole("main").getByRole("listitem").nth(4);
  const [row, button, navigation] = await Promise.all([
    fifth.boundingBox(),
    fifth.getByRole("button", { name: /^Ladevorgang/ }).boundingBox(),
    page.getByRole("navigation", { name: "Hauptnavigation" }).boundingBox(),
  ]);
  expect((row?.y ?? 0) + (row?.height ?? 0)).toBeLessThanOrEqual(navigation?.y ?? 0);
  expect(button?.height).toBeGreaterThanOrEqual(56);
});

test("On a phone the name of a pack leads to everything else of it, and Back to its row", { tag: "@phone" }, async ({
  page,
  app,
  api,
}) => {
  await pack(api, "Langstrecke 12", "25,2");
  await openAs(page, api, app, path);
  const name = page.getByRole("link", { name: "Langstrecke 12" });
  // On one line, like the text that follows it.
  expect((await name.boundingBox())?.height).toBeLessThan(30);
  await expect(page.getByRole("listitem").getByText("R-Line 6S 1300")).toBeVisible();
  await name.tap();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Langstrecke 12");
  await expect(page.getByText("voll", { exact: true })).toBeVisible();
  for (const way of ["Log erstellen", "Ladevorgang starten"]) {
    await expect(page.getByRole("button", { name: way })).toBeVisible();
  }
  for (const way of ["Bearbeiten", "1 Eintrag anzeigen"]) {
    await expect(page.getByRole("link", { name: way })).toBeVisible();
  }
  await page.getByRole("button", { name: "Zurück" }).tap();
  await expect(page.getByRole("listitem")).toHaveCount(1);
});

test("At a desk a pack is charged with the keyboard alone", { tag: "@desktop" }, async ({ page, app, api }) => {
  const battery = await pack(api, "Akku 1", "25,2");
  await openAs(page, api, app, path);
  // The menu charges a full pack, which has the button while it is charging.
  await goFromRow(page, "Ladevorgang starten", "Akku 1");
  await expect(page.getByRole("button", { name: "Starten", exact: true })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: "Mehr zu Akku 1" })).toBeFocused();
  await page.getByRole("button", { name: "Ladevorgang beenden Akku 1" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("textbox", { name: "Geladen (mA)" })).toBeFocused();
  await page.keyboard.type("850");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("link", { name: "Akku 1" })).toBeFocused();
  const item = JSON.parse(await api.call("GetEquipment", { dpfId: battery }));
  expect(item).toMatchObject({ chargeCount: 1, currentCharge: 25.2, lastCharging: null });
});

test("With one thumb a flown pack is put on the charger in two taps, and taken off it in two", {
  tag: "@phone",
}, async ({ page, app, api }) => {
  const battery = await pack(api, "Akku 1", "25,1");
  const copter = await addEquipment(api, kind.copter, "Nazgul F5");
  const flight = await createFlight(api, { copter, equipments: [battery] });
  await finishFlight(api, flight, {
    startTime: "02.05.2026 10:00",
    flightTime: 5,
    batteryStartVoltage: 25.1,
    batteryEndVoltage: 22.2,
    consumedCapacity: 905,
  });
  await openAs(page, api, app, path);
  const thumb = thumbOn(page);
  await thumb.tap(page.getByRole("button", { name: "Ladevorgang starten Akku 1" }));
  await thumb.tap(page.getByRole("button", { name: "Starten", exact: true }));
  await expect(page.getByRole("listitem").filter({ hasText: "Akku 1" })).toContainText("lädt");
  expect(thumb.effort()).toEqual({ taps: 2, swipes: 0, characters: 0 });
  await thumb.tap(page.getByRole("button", { name: "Ladevorgang beenden Akku 1" }));
  await thumb.tap(page.getByRole("button", { name: "Abschließen" }));
  await expect(page.getByRole("listitem").filter({ hasText: "Akku 1" })).toContainText("voll");
  expect(thumb.effort()).toEqual({ taps: 4, swipes: 0, characters: 0 });
  const [charging] = JSON.parse(await api.call("GetChargings", { battery })).chargings;
  expect(charging).toMatchObject({ fromVoltage: 22.2, toVoltage: 25.1, charged: 905 });
});

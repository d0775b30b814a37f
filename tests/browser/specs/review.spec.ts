// The look back: two taps away, with the days, the records and a picture to save.

import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { expectAccessible } from "../support/accessible.ts";
import { addEquipment, type Client, createFlight, finishFlight, kind } from "../support/client.ts";
import { expect, openAs, test } from "../support/test.ts";

async function fill(api: Client) {
  const copter = await addEquipment(api, kind.copter, "Nazgul F5");
  const other = await addEquipment(api, kind.copter, "Milan");
  const battery = await addEquipment(api, kind.battery, "Akku 1");
  const fly = async (of: string, startTime: string, fields: object) => {
    const flight = await createFlight(api, { copter: of, equipments: [battery] });
    await finishFlight(api, flight, { startTime, ...fields });
    return flight;
  };
  await fly(copter, "02.05.2024 10:00", { flightTime: 30, location: "Heide" });
  const longest = await fly(copter, "03.05.2025 10:00", { flightTime: 21, location: "Elbdeich", distance: 3.5 });
  await fly(copter, "03.05.2025 11:00", { flightTime: 9, location: "Elbdeich" });
  const fastest = await fly(other, "04.07.2025 11:00", { flightTime: 12, location: "Heide", speed: 131 });
  return { longest, fastest };
}

function region(page: Page, name: string) {
  return page.getByRole("region", { name });
}

test("Two taps lead to the latest year, its days and records to their flights, and every period can be read", {
  tag: "@phone",
}, async ({ page, app, api }) => {
  const { longest, fastest } = await fill(api);
  await openAs(page, api, app, "equipments/1");
  await page.getByRole("button", { name: "Mehr Bereiche" }).click();
  await page.getByRole("dialog").getByRole("link").filter({ hasText: "Rückblick" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Rückblick");
  await expect(page.getByLabel("Zeitraum")).toHaveValue("2025");
  const stage = region(page, "Stunden in der Luft");
  await expect(stage).toContainText("0:42");
  await expect(stage).toContainText("0:12 mehr als 2024");
  await expect(stage).toContainText("Flüge3");

  const days = region(page, "2 Flugtage");
  await expect(days.getByRole("link")).toHaveText("Fr, 04.07.20251 Flug · 12 min");
  await days.getByRole("button", { name: "Voriger Flugtag" }).click();
  await days.getByRole("link", { name: "Sa, 03.05.2025" }).click();
  await expect(page).toHaveURL((url) => url.pathname === "/app/flights");
  await expect(page.getByText("2 von 4 Flügen, 30 min")).toBeVisible();
  await page.goBack();
  const records = region(page, "Bestmarken");
  await expect(records.getByRole("link")).toHaveCount(2);
  await records.getByRole("link", { name: "Längster Flug" }).click();
  await expect(page).toHaveURL(new RegExp(`/app/flights/${longest}$`));
  await page.goBack();
  await records.getByRole("link", { name: "Am schnellsten" }).click();
  await expect(page).toHaveURL(new RegExp(`/app/flights/${fastest}$`));

  await page.goto("review?jahr=alle");
  await expect(page.getByRole("img", { name: /^Kalender/ })).not.toHaveCount(0);
  await expectAccessible(page);
  await page.goto("review?jahr=2019");
  await expect(page.getByText("In diesem Zeitraum gibt es dazu keinen Flug.")).toBeVisible();
  await expectAccessible(page);
});

test("A picture is made of what is ticked: a place is on it only then", { tag: "@phone" }, async ({
  page,
  app,
  api,
}) => {
  await fill(api);
  await openAs(page, api, app, "review");
  await page.getByRole("button", { name: "Bild teilen" }).click();
  const dialog = page.getByRole("dialog", { name: "Bild teilen" });
  const place = dialog.getByRole("switch", { name: "Orte" });
  await expect(place).not.toBeChecked();
  await expect(dialog.getByRole("img", { name: "Vorschau des Bildes" })).toBeVisible();
  await expectAccessible(page);
  const without = await saved(page);
  await dialog.getByText("Orte", { exact: true }).click();
  await expect(place).toBeChecked();
  const withPlaces = await saved(page);
  expect(withPlaces.equals(without)).toBe(false);
  await dialog.getByText("Orte", { exact: true }).click();
  expect((await saved(page)).equals(without)).toBe(true);
});

/** Returns the picture that "Speichern" downloads, after checking that it is a PNG of the right size. */
async function saved(page: Page): Promise<Buffer> {
  const download = page.waitForEvent("download");
  await page.getByRole("dialog").getByRole("button", { name: "Speichern" }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe("fluglog-2025.png");
  const picture = await readFile(await file.path());
  expect(picture.subarray(1, 4).toString()).toBe("PNG");
  expect([picture.readUInt32BE(16), picture.readUInt32BE(20)]).toEqual([1080, 1350]);
  return picture;
}

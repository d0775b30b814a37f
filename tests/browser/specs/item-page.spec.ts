// The page of one item of equipment: its details, and its links and actions.

import { expectAccessible } from "../support/accessible.ts";
import { field } from "../support/actions.ts";
import { addEquipment, addLog, type Client, createFlight, finishFlight, kind } from "../support/client.ts";
import { expect, openAs, test } from "../support/test.ts";

async function fly(api: Client, copter: string, battery: string, fields: Record<string, unknown>): Promise<string> {
  const flight = await createFlight(api, { copter, equipments: [battery] });
  await finishFlight(api, flight, { batteryStartVoltage: 25.2, batteryEndVoltage: 21.6, ...fields });
  return flight;
}

async function fill(api: Client) {
  const copter = await addEquipment(api, kind.copter, "Nazgul F5", { weight: 680, model: "Nazgul Evoque" });
  const other = await addEquipment(api, kind.copter, "Milan");
  const battery = await addEquipment(api, kind.battery, "Akku 1", { weight: 190, batteryType: "LiPo 6S" });
  for (let day = 1; day <= 7; day++) {
    await fly(api, copter, battery, { startTime: `0${day}.03.2026 09:05`, location: `Platz ${day}`, flightTime: 10 });
  }
  await fly(api, other, battery, { startTime: "01.04.2026 10:00", location: "Deich", flightTime: 30 });
  return { copter, battery };
}

test("A copter's page has its figures, months, flights and logs, and leads on to a flight and its battery, and back", {
  tag: "@phone",
}, async ({ page, app, api }) => {
  const { copter } = await fill(api);
  await addLog(api, "equipment", copter, { info: "Propeller getauscht", time: "05.03.2026 18:00" });
  await openAs(page, api, app, "equipments/0");
  await page.getByRole("link", { name: "Nazgul F5", exact: true }).click();
  await expect(page).toHaveURL(new RegExp(`/app/equipments/0/${copter}$`));
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Nazgul F5");
  await expect(page.getByText("Copter · Nazgul Evoque")).toBeVisible();
  const figures = page.getByRole("region", { name: "Copter" });
  await expect(figures).toContainText("Nutzungszeit1 h 10 min");
  await expect(figures).toContainText("Gewicht680 g");
  await expect(figures).toContainText("Flüge7");
  await expect(page.getByRole("figure", { name: "Flüge nach Monaten" })).toContainText("7 Flüge, 1 h 10 min");
  await expect(page.getByText("Propeller getauscht")).toBeVisible();

  const rows = page.getByRole("list", { name: "Flüge" }).getByRole("link");
  await expect(rows).toHaveCount(5);
  await expect(rows.first()).toContainText("Platz 7");
  await page.getByRole("button", { name: "Alle 7 Flüge anzeigen" }).click();
  await expect(rows).toHaveCount(7);
  await rows.last().click();
  await expect(page).toHaveURL(/\/app\/flights\//);
  const flight = page.url();
  await page.getByRole("link", { name: "Akku 1", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Akku 1");
  await page.getByRole("button", { name: "Zurück" }).click();
  await expect(page).toHaveURL(flight);
  await page.goBack();
  await expect(rows).toHaveCount(7);

  await page.getByRole("link", { name: "Bearbeiten" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Copter editieren");
  await page.getByRole("button", { name: "Zurück" }).click();
  await page.getByRole("button", { name: "Log erstellen" }).click();
  await field(page, "Text").fill("Motor 3 gereinigt");
  await page.getByRole("dialog").getByRole("button", { name: "Speichern" }).click();
  await expect(page.getByText("Motor 3 gereinigt")).toBeVisible();
});

test("A copter's page is printed on one sheet, with its months, flights and logs", { tag: "@desktop" }, async ({
  page,
  app,
  api,
}) => {
  const { copter } = await fill(api);
  for (const day of [3, 4, 5]) {
    await addLog(api, "equipment", copter, { info: `Wartung ${day}`, time: `0${day}.03.2026 18:00` });
  }
  await openAs(page, api, app, `equipments/0/${copter}`);
  await expect(page.getByRole("figure", { name: "Flüge nach Monaten" })).toBeVisible();
  await expect(page.getByText("Platz 7")).toBeVisible();
  await expect(page.getByText("Wartung 3")).toBeVisible();
  const pdf = (await page.pdf({ preferCSSPageSize: true })).toString("latin1");
  expect(pdf.match(/\/Type\s*\/Page\b(?!s)/g)).toHaveLength(1);
  await page.emulateMedia({ media: "print" });
  await expect(page.getByText("Wartung 3")).toBeVisible();
  await expect(page.getByRole("button")).toHaveCount(0);
});

test("A battery's page charges it and shows its history, with its flights of every copter", { tag: "@phone" }, async ({
  page,
  app,
  api,
}) => {
  const { battery } = await fill(api);
  await openAs(page, api, app, `equipments/1/${battery}`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Akku 1");
  const flights = page.getByRole("list", { name: "Flüge", exact: true });
  await expect(flights.getByRole("link").first()).toContainText("01.04.2026 10:00 · Milan");
  await expect(page.getByRole("region", { name: "Batterie" })).toContainText("Flüge8");
  await page.getByRole("button", { name: "Ladevorgang starten" }).click();
  await field(page, "Startspannung (V)").fill("21,6");
  await page.getByRole("dialog").getByRole("button", { name: "Starten", exact: true }).click();
  await expect(page.getByRole("button", { name: "Ladevorgang beenden" })).toBeVisible();
  await expectAccessible(page);

  await page.getByRole("link", { name: "Alle 9 Einträge anzeigen" }).click();
  const history = page.getByRole("dialog", { name: /Akkuladungsverlauf/ });
  await expect(history.getByRole("list").getByRole("listitem")).toHaveCount(9);
  await history.getByRole("button", { name: "Schließen" }).click();
  await expect(history).toHaveCount(0);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Akku 1");
});

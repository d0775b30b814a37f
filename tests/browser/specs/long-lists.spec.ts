// Long lists of equipment, documents and logs have search and sorting; short ones don't.

import { expectAccessible } from "../support/accessible.ts";
import { goFromRow } from "../support/actions.ts";
import { addDocument, addEquipment, addLog, createFlight, finishFlight, kind } from "../support/client.ts";
import { expect, openAs, test } from "../support/test.ts";

test("Many items are searched by name, maker and reason, and sorted by what they did", { tag: "@phone" }, async ({
  page,
  app,
  api,
}) => {
  const copters: string[] = [];
  for (let number = 1; number <= 8; number++) {
    const fields = { manufacturer: number === 3 ? "iFlight" : "DJI" };
    copters.push(await addEquipment(api, kind.copter, `Copter ${number}`, fields));
  }
  const flight = await createFlight(api, { copter: copters[4] ?? "" });
  await finishFlight(api, flight, { startTime: "01.03.2026 10:00", flightTime: 5 });
  await openAs(page, api, app, "equipments/0");
  const names = page.getByRole("main").getByRole("heading", { level: 2 });
  await expect(names).toHaveCount(8);
  await expectAccessible(page);
  await page.getByLabel("Sortierung").selectOption("Zuletzt geflogen");
  await expect(names.first()).toHaveText("Copter 5");
  await page.getByLabel("Suche").fill("iflight");
  await expect(names).toHaveText(["Copter 3"]);
  await expect(page).toHaveURL(/\/app\/equipments\/0\?sortierung=letzter-flug&suche=iflight$/);
  await page.reload();
  await expect(names).toHaveText(["Copter 3"]);
  await goFromRow(page, "Bearbeiten", "Copter 3");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Copter editieren");
  await page.getByRole("button", { name: "Zurück" }).click();
  await expect(names).toHaveText(["Copter 3"]);

  await page.getByLabel("Suche").fill("gibt es nicht");
  await expect(page.getByText("Nichts gefunden.")).toBeVisible();
  await expect(page.getByText("Kein Copter in Betrieb.")).toHaveCount(0);
  await page.getByRole("button", { name: "Filter zurücksetzen" }).click();
  await expect(names).toHaveCount(8);
});

test("A few items have no field to search in", { tag: "@phone" }, async ({ page, app, api }) => {
  for (let number = 1; number <= 3; number++) await addEquipment(api, kind.copter, `Copter ${number}`);
  await openAs(page, api, app, "equipments/0");
  await expect(page.getByRole("main").getByRole("heading", { level: 2 })).toHaveCount(3);
  await expect(page.getByLabel("Suche")).toHaveCount(0);
});

test("Many documents are searched and sorted by name", { tag: "@phone" }, async ({ page, app, api }) => {
  for (const number of [2, 10, 1, 3, 4, 5, 6, 7]) {
    await addDocument(api, { name: `Rechnung ${number}.pdf`, content: "1" }, number === 4 ? "Akku" : "Copter");
  }
  await openAs(page, api, app, "myDocuments");
  const documents = page.getByRole("link", { name: /^Rechnung/ });
  await expect(documents.first()).toHaveText(/^Rechnung 7\.pdf/);
  await page.getByLabel("Sortierung").selectOption("Name, A bis Z");
  await expect(documents.first()).toHaveText(/^Rechnung 1\.pdf/);
  await expect(documents.last()).toHaveText(/^Rechnung 10\.pdf/);
  await page.getByLabel("Suche").fill("akku");
  await expect(documents).toHaveText([/^Rechnung 4\.pdf/]);
  await expectAccessible(page);
});

test("Many logs are searched and turned round", { tag: "@desktop" }, async ({ page, app, api }) => {
  const copter = await addEquipment(api, kind.copter, "Nazgul F5");
  for (let day = 1; day <= 8; day++) {
    const info = day === 5 ? "Propeller gewechselt" : `Sichtprüfung ${day}`;
    await addLog(api, "equipment", copter, { info, time: `0${day}.03.2026 10:00` });
  }
  await openAs(page, api, app, `equipments/0/logs/${copter}`);
  const times = page.getByText(/^\d\d\.03\.2026 10:00$/);
  await expect(times.first()).toHaveText("08.03.2026 10:00");
  await page.getByLabel("Sortierung").selectOption("Älteste zuerst");
  await expect(times.first()).toHaveText("01.03.2026 10:00");
  await page.getByLabel("Suche").fill("propeller");
  await expect(times).toHaveText(["05.03.2026 10:00"]);
  await expectAccessible(page);
});

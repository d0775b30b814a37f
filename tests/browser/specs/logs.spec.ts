// Logs of an item: written on its page and from its row, and what a long name needs.

import { expectAccessible } from "../support/accessible.ts";
import { expectBlocking, expectFieldError, field, goFromRow, toast, typeDate } from "../support/actions.ts";
import { desktop, phone } from "../support/chromium.ts";
import { addEquipment, addLog, kind } from "../support/client.ts";
import { expect, openAs, test } from "../support/test.ts";

test("Without logs the page says so; the first is written from there, the next from the item's row", {
  tag: "@phone",
}, async ({ page, app, api }) => {
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

  await page.getByRole("button", { name: "Zurück" }).click();
  await expect(page).toHaveURL(/\/equipments\/0$/);
  await goFromRow(page, "Log erstellen", "Nazgul F5");
  await expect(page.getByRole("dialog", { name: "Neuer Log für Nazgul Evoque F5" })).toBeVisible();
  await field(page, "Text").fill("Vom Platz aus");
  await field(page, "Text").press("Control+Enter");
  await expect(toast(page, "Erfolgreich gespeichert.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Mehr zu Nazgul F5" })).toBeFocused();
  await expect(page).toHaveURL(/\/equipments\/0$/);
  expect(JSON.parse(await api.call("GetEquipmentLogs", { dpfId: copter })).logs).toMatchObject([
    { info: "Vom Platz aus", documentObj: null },
    { info: "Propeller getauscht", documentObj: null },
  ]);
});

test("A name of two hundred letters breaks at any width, and leaves a dialog room for its fields", {
  tag: "@phone",
}, async ({ page, app, api }) => {
  const name = "Langstreckenbatterie".repeat(10);
  const battery = await addEquipment(api, kind.battery, name);
  const file = { name: `${"Rechnung".repeat(15)}.pdf`, content: "x" };
  await addLog(api, "equipment", battery, { info: name, time: "01.03.2026 10:00", file });
  for (const viewport of [phone.viewport, desktop.viewport]) {
    await page.setViewportSize(viewport);
    await openAs(page, api, app, `equipments/${kind.battery}/logs/${battery}`);
    const edit = page.getByRole("button", { name: "Log vom 01.03.2026 10:00 editieren" });
    await expect(edit).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(viewport.width);
    await edit.click();
    await expect(field(page, "Text")).toBeInViewport({ ratio: 1 });
    const title = await page.getByRole("dialog").getByRole("heading").boundingBox();
    expect(title?.height).toBeLessThan(120);
  }
});

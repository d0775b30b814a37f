// Typed values survive a server that stops, and a second tab that was quicker.

import type { Page } from "@playwright/test";
import { field, toast, unfold } from "../support/actions.ts";
import { addEquipment, type Client, createFlight, finishFlight, kind } from "../support/client.ts";
import { endPause } from "../support/pauses.ts";
import { expect, openAs, test } from "../support/test.ts";

const save = (page: Page) => page.getByRole("button", { name: "Speichern" });

async function openFlight(api: Client): Promise<string> {
  const copter = await addEquipment(api, kind.copter, "Nazgul F5");
  return createFlight(api, { copter });
}

async function finishedFlight(api: Client): Promise<string> {
  const flight = await openFlight(api);
  await finishFlight(api, flight, { startTime: "01.03.2026 09:05", location: "Elbdeich" });
  return flight;
}

test("With the server gone a flight is kept, and is saved once the server is back", { tag: "@phone" }, async ({
  page,
  app,
  api,
  faults,
}) => {
  faults.expectLostRequests();
  const flight = await openFlight(api);
  await openAs(page, api, app, "flights");
  await page.getByRole("link", { name: "Fluglog beenden" }).click();
  await field(page, "Endspannung (V)").fill("14,2");
  await unfold(page, "Notizen");
  await field(page, "Notizen").fill("Böig");
  await app.stop();
  await page.getByRole("button", { name: "Abschließen" }).click();
  await expect(toast(page, "Gemerkt.")).toBeVisible();
  await expect(page).toHaveURL(/\/app\/flights$/);
  await expect(page.getByRole("link", { name: "Fluglog starten" })).toBeVisible();
  await expect(page.getByText("wartet", { exact: true })).toBeVisible();
  await app.startAgain();
  await endPause(page, "poll");
  await expect(page.getByText("wartet", { exact: true })).toHaveCount(0);
  expect(JSON.parse(await api.call("GetFlight", { dpfId: flight }))).toMatchObject({
    open: false,
    batteryEndVoltage: 14.2,
    notes: "Böig",
  });
});

test("Of two tabs that finish one flight the second hears that it is done, and what it holds is still there", {
  tag: "@phone",
}, async ({ page, app, api, context, faults }) => {
  const flight = await openFlight(api);
  await openAs(page, api, app, `flights/${flight}/finish`);
  await field(page, "Endspannung (V)").fill("14,2");
  const other = await context.newPage();
  await other.goto(`flights/${flight}/finish`);
  await unfold(other, "Flug");
  await field(other, "Höhe (m)").fill("85");
  await page.getByRole("button", { name: "Abschließen" }).click();
  await expect(page).toHaveURL(new RegExp(`/app/flights/${flight}$`));

  faults.expectAnswer("SaveFlight", 409);
  await other.bringToFront();
  await other.getByRole("button", { name: "Abschließen" }).click();
  await expect(other.getByRole("alert")).toContainText("Dieser Flug ist bereits abgeschlossen.");
  await expect(field(other, "Höhe (m)")).toHaveValue("85");
  await save(other).click();
  await expect(toast(other, "Erfolgreich gespeichert.")).toBeVisible();
  expect(JSON.parse(await api.call("GetFlight", { dpfId: flight }))).toMatchObject({
    open: false,
    batteryEndVoltage: 14.2,
    maximumAltitude: 85,
  });
});

test("Two tabs that edit different fields of one flight don't undo each other", { tag: "@phone" }, async ({
  page,
  app,
  api,
  context,
}) => {
  const flight = await finishedFlight(api);
  await openAs(page, api, app, `flights/${flight}/edit`);
  const other = await context.newPage();
  await other.goto(`flights/${flight}/edit`);
  await field(other, "Zweck").fill("Training");
  await field(page, "Wetter").fill("Sonnig");
  await save(page).click();
  await expect(toast(page, "Erfolgreich gespeichert.")).toBeVisible();
  await save(other).click();
  await expect(toast(other, "Erfolgreich gespeichert.")).toBeVisible();
  expect(JSON.parse(await api.call("GetFlight", { dpfId: flight }))).toMatchObject({
    weatherConditions: "Sonnig",
    purpose: "Training",
    location: "Elbdeich",
  });
});

test("Two tabs that edit different fields of one item don't undo each other", { tag: "@phone" }, async ({
  page,
  app,
  api,
  context,
}) => {
  const battery = await addEquipment(api, kind.battery, "Akku 1", { manufacturer: "Tattu", weight: 200 });
  await openAs(page, api, app, `equipments/1/editor/${battery}`);
  const other = await context.newPage();
  await other.goto(`equipments/1/editor/${battery}`);
  await field(other, "Verkäufer").fill("Vereinskollege");
  await field(page, "Gewicht (g)").fill("204,5");
  await save(page).click();
  await expect(toast(page, "Erfolgreich gespeichert.")).toBeVisible();
  await save(other).click();
  await expect(toast(other, "Erfolgreich gespeichert.")).toBeVisible();
  await expect(field(other, "Gewicht (g)")).toHaveValue("204,5");
  expect(JSON.parse(await api.call("GetEquipment", { dpfId: battery }))).toMatchObject({
    manufacturer: "Tattu",
    seller: "Vereinskollege",
    weight: 204.5,
  });
});

test("A draft that another tab has saved is no draft any more", { tag: "@phone" }, async ({
  page,
  app,
  api,
  context,
}) => {
  const flight = await finishedFlight(api);
  await openAs(page, api, app, `flights/${flight}/edit`);
  await field(page, "Zweck").fill("Training");
  const other = await context.newPage();
  await other.goto(`flights/${flight}/edit`);
  await expect(other.getByText(/Entwurf von \d\d:\d\d wiederhergestellt/)).toBeVisible();
  await save(other).click();
  await expect(toast(other, "Erfolgreich gespeichert.")).toBeVisible();
  await page.reload();
  await expect(field(page, "Zweck")).toHaveValue("Training");
  await expect(page.getByText(/Entwurf von/)).toHaveCount(0);
});

test("Saving in one tab leaves the draft of another", { tag: "@phone" }, async ({ page, app, api, context }) => {
  const flight = await finishedFlight(api);
  await openAs(page, api, app, `flights/${flight}/edit`);
  const other = await context.newPage();
  await other.goto(`flights/${flight}/edit`);
  await field(page, "Wetter").fill("Sonnig");
  await field(other, "Zweck").fill("Training");
  await save(page).click();
  await expect(toast(page, "Erfolgreich gespeichert.")).toBeVisible();
  await other.reload();
  await expect(field(other, "Zweck")).toHaveValue("Training");
  await expect(field(other, "Wetter")).toHaveValue("Sonnig");
});

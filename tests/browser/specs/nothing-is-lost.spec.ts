// Typed values survive a reload, the end of a session, a server that stops, and a second tab that was quicker.

import type { Page } from "@playwright/test";
import { field, pickFromMenu, submitLogin, toast, unfold } from "../support/actions.ts";
import { addEquipment, type Client, createFlight, finishFlight, kind } from "../support/client.ts";
import { expect, openAs, test } from "../support/test.ts";

const save = (page: Page) => page.getByRole("button", { name: "Speichern" });
const restored = (page: Page) => page.getByText(/Entwurf von \d\d:\d\d wiederhergestellt/);

async function openFlight(api: Client): Promise<string> {
  const copter = await addEquipment(api, kind.copter, "Nazgul F5");
  return createFlight(api, { copter });
}

async function finishedFlight(api: Client): Promise<string> {
  const flight = await openFlight(api);
  await finishFlight(api, flight, { startTime: "01.03.2026 09:05", location: "Elbdeich" });
  return flight;
}

test("A new item that was being typed is there again after a reload, and can be dropped", { tag: "@phone" }, async ({
  page,
  app,
  api,
}) => {
  await openAs(page, api, app, "equipments/1/editor");
  await field(page, "Name").fill("Akku 1");
  await field(page, "Kapazität (mA)").fill("15zu50");
  await page.reload();
  await expect(restored(page)).toBeVisible();
  await expect(field(page, "Name")).toHaveValue("Akku 1");
  await expect(field(page, "Kapazität (mA)")).toHaveValue("15zu50");
  await page.goto("equipments/0/editor");
  await expect(field(page, "Name")).toHaveValue("");

  await page.goto("equipments/1/editor");
  await page.getByRole("button", { name: "Verwerfen" }).click();
  await expect(field(page, "Name")).toHaveValue("");
  await page.reload();
  await expect(field(page, "Name")).toHaveValue("");
  await expect(restored(page)).toHaveCount(0);
});

test("A flight that was being edited is there again after a reload, until it is saved", { tag: "@phone" }, async ({
  page,
  app,
  api,
}) => {
  const flight = await finishedFlight(api);
  await openAs(page, api, app, `flights/${flight}/edit`);
  await field(page, "Notizen").fill("Böig");
  await page.reload();
  await expect(restored(page)).toBeVisible();
  await expect(field(page, "Notizen")).toHaveValue("Böig");
  await expect(field(page, "Ort")).toHaveValue("Elbdeich");
  await save(page).click();
  await expect(toast(page, "Erfolgreich gespeichert.")).toBeVisible();
  await expect(restored(page)).toHaveCount(0);
  await page.reload();
  await expect(field(page, "Notizen")).toHaveValue("Böig");
  await expect(restored(page)).toHaveCount(0);
});

test("Logout takes the drafts along", { tag: "@desktop" }, async ({ page, app, api, pilot }) => {
  const flight = await finishedFlight(api);
  await openAs(page, api, app, `flights/${flight}/edit`);
  await field(page, "Notizen").fill("Böig");
  await pickFromMenu(page, "Logout", "Konto");
  await expect(page).toHaveURL(/\/app\/login$/);
  expect(await page.evaluate(() => Object.keys(localStorage))).toEqual([]);
  await submitLogin(page, pilot);
  await expect(page).toHaveURL(/\/app\/home$/);
  await page.goto(`flights/${flight}/edit`);
  await expect(field(page, "Ort")).toHaveValue("Elbdeich");
  await expect(field(page, "Notizen")).toHaveValue("");
});

test("A session that ended while a flight was being edited: after the login the text is there and can be saved", {
  tag: "@phone",
}, async ({ page, app, api, pilot, faults }) => {
  const flight = await finishedFlight(api);
  await openAs(page, api, app, `flights/${flight}/edit`);
  await field(page, "Notizen").fill("Böig");
  await api.call("Logout");
  faults.expectAnswer(/./, 401);
  await save(page).click();
  await expect(page).toHaveURL(/\/app\/login$/);
  await submitLogin(page, pilot);
  await expect(page).toHaveURL(new RegExp(`/app/flights/${flight}/edit$`));
  await expect(restored(page)).toBeVisible();
  await expect(field(page, "Notizen")).toHaveValue("Böig");
  await save(page).click();
  await expect(toast(page, "Erfolgreich gespeichert.")).toBeVisible();
});

test("A session that ended while equipment was being chosen: after the login the choice is there", {
  tag: "@phone",
}, async ({ page, app, api, pilot, faults }) => {
  await addEquipment(api, kind.copter, "Nazgul F5", { weight: 680 });
  await openAs(page, api, app, "flights/config");
  await page.getByText("Nazgul F5").click();
  await api.call("Logout");
  faults.expectAnswer(/./, 401);
  await page.getByRole("button", { name: "Weiter" }).click();
  await expect(page).toHaveURL(/\/app\/login$/);
  await submitLogin(page, pilot);
  await expect(page.getByText("Startgewicht: 680g")).toBeVisible();
  await page.getByRole("button", { name: "Weiter" }).click();
  await expect(page).toHaveURL(/\/new$/);
});

test("A session that ended while a reason was being typed: after the login the reason is there", {
  tag: "@phone",
}, async ({ page, app, api, pilot, faults }) => {
  const copter = await addEquipment(api, kind.copter, "Nazgul F5");
  await openAs(page, api, app, `equipments/0/editor/${copter}`);
  await pickFromMenu(page, "Deaktivieren");
  const reason = page.getByRole("textbox", { name: "Grund" });
  await reason.fill("Rahmen gebrochen");
  await api.call("Logout");
  faults.expectAnswer(/./, 401);
  await page.getByRole("dialog").getByRole("button", { name: "Deaktivieren" }).click();
  await expect(page).toHaveURL(/\/app\/login$/);
  await submitLogin(page, pilot);
  await pickFromMenu(page, "Deaktivieren");
  await expect(reason).toHaveValue("Rahmen gebrochen");
});

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
  await expect(page.getByText("wartet", { exact: true })).toHaveCount(0);
  expect(JSON.parse(await api.call("GetFlight", { dpfId: flight }))).toMatchObject({
    open: false,
    batteryEndVoltage: 14.2,
    notes: "Böig",
  });
});

test("With the server gone an item isn't saved, the text stays, and saving works once it is back", {
  tag: "@phone",
}, async ({ page, app, api, faults }) => {
  faults.expectLostRequests();
  await openAs(page, api, app, "equipments/0/editor");
  await field(page, "Name").fill("Nazgul F5");
  await app.stop();
  await save(page).click();
  await expect(page.getByRole("alert")).toHaveText("Speichern fehlgeschlagen.");
  await expect(field(page, "Name")).toHaveValue("Nazgul F5");
  await app.startAgain();
  await save(page).click();
  await expect(page.getByRole("main").getByRole("heading", { level: 2 })).toHaveText(["Nazgul F5"]);
});

test("With the server gone an item isn't retired, the reason stays, and it works once it is back", {
  tag: "@phone",
}, async ({ page, app, api, faults }) => {
  faults.expectLostRequests();
  const copter = await addEquipment(api, kind.copter, "Nazgul F5");
  await openAs(page, api, app, `equipments/0/editor/${copter}`);
  await pickFromMenu(page, "Deaktivieren");
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Grund" }).fill("Rahmen gebrochen");
  await app.stop();
  await dialog.getByRole("button", { name: "Deaktivieren" }).click();
  await expect(dialog.getByRole("alert")).toHaveText("Speichern fehlgeschlagen.");
  await app.startAgain();
  await dialog.getByRole("button", { name: "Deaktivieren" }).click();
  await expect(toast(page, "Erfolgreich deaktiviert.")).toBeVisible();
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

test("A draft isn't put over what was saved since; it is offered", { tag: "@phone" }, async ({ page, app, api }) => {
  const flight = await finishedFlight(api);
  await openAs(page, api, app, `flights/${flight}/edit`);
  await field(page, "Notizen").fill("Böig");
  await field(page, "Zweck").fill("Training");
  await api.call("SaveFlight", {
    flight: JSON.stringify({ dpfId: flight, notes: "Windstill" }),
    endFlight: "false",
  });
  await page.reload();
  await expect(page.getByText(/Es gibt einen Entwurf von \d\d:\d\d\./)).toBeVisible();
  await expect(field(page, "Notizen")).toHaveValue("Windstill");
  await page.getByRole("button", { name: "Wiederherstellen" }).click();
  await expect(field(page, "Notizen")).toHaveValue("Böig");
  await expect(field(page, "Zweck")).toHaveValue("Training");
  await page.getByRole("button", { name: "Verwerfen" }).click();
  await expect(field(page, "Notizen")).toHaveValue("Windstill");
  await page.reload();
  await expect(field(page, "Notizen")).toHaveValue("Windstill");
  await expect(page.getByText(/Entwurf von/)).toHaveCount(0);
});

test("A number that only reads differently from what is stored is no draft and stops nobody", {
  tag: "@phone",
}, async ({ page, app, api }) => {
  const flight = await finishedFlight(api);
  await api.call("SaveFlight", {
    flight: JSON.stringify({ dpfId: flight, batteryEndVoltage: 14.2 }),
    endFlight: "false",
  });
  await openAs(page, api, app, `flights/${flight}`);
  await page.getByRole("link", { name: "Editieren" }).click();
  await expect(field(page, "Endspannung (V)")).toHaveValue("14,2");
  await field(page, "Endspannung (V)").fill("14.2");
  await page.getByRole("button", { name: "Zurück" }).click();
  await expect(page).toHaveURL(new RegExp(`/app/flights/${flight}$`));
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

test("A flight that was deleted in another tab says so when it is saved, and the text stays", {
  tag: "@phone",
}, async ({ page, app, api, faults }) => {
  const flight = await finishedFlight(api);
  await openAs(page, api, app, `flights/${flight}/edit`);
  await field(page, "Notizen").fill("Böig");
  await api.call("DeleteFlight", { dpfId: flight });
  faults.expectAnswer("SaveFlight", 403);
  await save(page).click();
  await expect(page.getByRole("alert")).toContainText(
    "Darauf haben Sie keinen Zugriff. Der Flug wurde gelöscht oder gehört zu einem anderen Konto.",
  );
  await expect(field(page, "Notizen")).toHaveValue("Böig");
});

test("An error of the server is shown beside its field", { tag: "@phone" }, async ({ page, app, api, faults }) => {
  const flight = await finishedFlight(api);
  await openAs(page, api, app, `flights/${flight}/edit`);
  // A character that can be pasted but not typed: the form accepts it, the server doesn't.
  await field(page, "Ort").fill("Elb\u0007deich");
  faults.expectAnswer("SaveFlight", 400);
  await save(page).click();
  await expect(field(page, "Ort")).toHaveAccessibleDescription("Der Text enthält nicht erlaubte Steuerzeichen.");
  await expect(field(page, "Ort")).toBeFocused();
  await field(page, "Ort").fill("Elbdeich 7");
  await save(page).click();
  await expect(toast(page, "Erfolgreich gespeichert.")).toBeVisible();
});

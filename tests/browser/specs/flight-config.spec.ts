// The choice of equipment: sections with their counts, start weight, payloads, and errors before a flight exists.

import type { Page } from "@playwright/test";
import { expectFieldError, field, holdCall, recordCalls, tryAgain } from "../support/actions.ts";
import { addEquipment, type Client, createFlight, finishFlight, kind } from "../support/client.ts";
import { expect, openAs, test } from "../support/test.ts";

const start = (page: Page) => page.getByRole("button", { name: "Weiter" });
const section = (page: Page, title: string) => page.getByRole("heading", { level: 2, name: title });

async function addOneOfEach(api: Client) {
  return {
    copter: await addEquipment(api, kind.copter, "Nazgul F5", { weight: 680 }),
    battery: await addEquipment(api, kind.battery, "Akku 1", { weight: "190,5" }),
    goggles: await addEquipment(api, kind.goggles, "DJI Goggles 3"),
    transmitter: await addEquipment(api, kind.transmitter, "Boxer"),
    camera: await addEquipment(api, kind.videoCamera, "GoPro 12", { weight: 154 }),
  };
}

test("Sections count what is chosen, and the start weight leaves out what stays with the pilot", {
  tag: "@desktop",
}, async ({ page, app, api }) => {
  await addOneOfEach(api);
  await addEquipment(api, kind.battery, "Akku ohne Gewicht");
  await openAs(page, api, app, "flights/config");
  await expect(page.getByRole("main").getByRole("heading", { level: 2 })).toHaveText([
    "Copter0 ausgewählt",
    "Batterien0 ausgewählt",
    "Brillen0 ausgewählt",
    "Sender0 ausgewählt",
    "Videokameras0 ausgewählt",
    "Nutzlast0 ausgewählt",
  ]);
  await expect(page.getByText("Startgewicht: 0g")).toBeVisible();
  await expect(start(page)).toBeDisabled();

  await page.getByText("Akku 1").click();
  await expect(page.getByText("Startgewicht: 190,5g")).toBeVisible();
  await expect(start(page)).toBeDisabled();
  await page.getByText("Nazgul F5").click();
  await expect(page.getByText("Startgewicht: 870,5g")).toBeVisible();
  await expect(start(page)).toBeEnabled();
  await page.getByText("Akku ohne Gewicht").click();
  await expect(section(page, "Batterien 2 ausgewählt")).toBeVisible();
  await expect(page.getByText("Startgewicht: 870,5g")).toBeVisible();

  await section(page, "Brillen").click();
  await page.getByText("DJI Goggles 3").click();
  await section(page, "Sender").click();
  await page.getByText("Boxer").click();
  await expect(section(page, "Sender 1 ausgewählt")).toBeVisible();
  await expect(page.getByText("Startgewicht: 870,5g")).toBeVisible();
  await section(page, "Videokameras").click();
  await page.getByText("GoPro 12").click();
  await expect(page.getByText("Startgewicht: 1.024,5g")).toBeVisible();
  await page.getByText("Akku 1").click();
  await expect(section(page, "Batterien 1 ausgewählt")).toBeVisible();
  await expect(page.getByText("Startgewicht: 834g")).toBeVisible();

  const request = page.waitForRequest("**/app/api/CreateFlight");
  await start(page).click();
  const config = JSON.parse(new URLSearchParams((await request).postData() ?? "").get("config") ?? "");
  expect(config.equipments).toHaveLength(4);
  await expect(page).toHaveURL(/\/new$/);
});

test("A payload needs a name and a weight that is a number, comes with Enter and goes with its button", {
  tag: "@phone",
}, async ({ page, app, api, isMobile }) => {
  await addOneOfEach(api);
  await openAs(page, api, app, "flights/config");
  await section(page, "Nutzlast").click();
  const name = field(page, "Name");
  const weight = field(page, "Gewicht (g)");
  const add = page.getByRole("button", { name: "Hinzufügen" });

  await add.click();
  await expect(section(page, "Nutzlast 0 ausgewählt")).toBeVisible();
  await expectFieldError(name, "Pflichtfeld");
  await name.fill("Wasserprobe");
  await weight.fill("1.5.2");
  await add.click();
  await expectFieldError(weight, "Ungültige Eingabe");
  await expect(section(page, "Nutzlast 0 ausgewählt")).toBeVisible();
  await weight.fill("-3");
  await add.click();
  await expectFieldError(weight, "Ungültige Eingabe");

  await weight.fill("250,5");
  await weight.press("Enter");
  await expect(section(page, "Nutzlast 1 ausgewählt")).toBeVisible();
  await expect(page.getByText("Startgewicht: 250,5g")).toBeVisible();
  await expect(name).toBeFocused();
  await expect(name).toHaveValue("");
  await name.fill("Kescher");
  await weight.fill("100");
  await add.click();
  await expect(page.getByText("Startgewicht: 350,5g")).toBeVisible();
  await page.getByRole("button", { name: "Nutzlast Wasserprobe löschen" }).click();
  await expect(section(page, "Nutzlast 1 ausgewählt")).toBeVisible();
  await expect(page.getByText("Startgewicht: 100g")).toBeVisible();
  // The focus moves on for keyboard users; on a phone no on-screen keyboard appears.
  if (isMobile) await expect(name).not.toBeFocused();
  else await expect(name).toBeFocused();
  await expect(start(page)).toBeDisabled();
});

test("The next flight is preset with what flew last and is still in use", { tag: "@desktop" }, async ({
  page,
  app,
  api,
}) => {
  const { copter, battery, goggles, camera } = await addOneOfEach(api);
  const flight = await createFlight(api, {
    copter,
    equipments: [battery, goggles, camera],
    payloads: [{ name: "Kescher", weight: 100 }],
  });
  await finishFlight(api, flight, { flightTime: 5 });
  await api.call("DeactivateEquipment", { dpfId: camera, info: "Linse zerkratzt" });
  await openAs(page, api, app, "flights/config");
  await expect(page.getByText("Wie letzter Flug")).toBeVisible();
  await expect(page.getByText("1 Teil Equipment ist nicht mehr in Betrieb.")).toBeVisible();
  await expect(page.getByRole("radio", { name: /Nazgul F5/ })).toBeChecked();
  await expect(page.getByText("Startgewicht: 970,5g")).toBeVisible();

  await page.getByRole("button", { name: "Leeren" }).click();
  await expect(page.getByText("Startgewicht: 0g")).toBeVisible();
  await expect(start(page)).toBeDisabled();
  await page.getByRole("button", { name: "Wie letzter Flug" }).click();
  await start(page).click();
  await expect(page).toHaveURL(/\/new$/);
});

test("The next flight is preset with a ready battery of the same model, in sight with its state", {
  tag: "@phone",
}, async ({ page, app, api }) => {
  const copter = await addEquipment(api, kind.copter, "Nazgul F5", { weight: 650 });
  const packs = { Flach: "Tattu", "Am Lader": "Tattu", Bereit: "Tattu", "Anderes Modell": "GNB" };
  const batteries = [];
  for (const [name, model] of Object.entries(packs)) {
    batteries.push(await addEquipment(api, kind.battery, name, { model, weight: 200 }));
  }
  const [flat = "", onCharger = ""] = batteries;
  const charge = { chargeStartTime: "01.03.2026 08:00", fromVoltage: "14.2" };
  const end = { chargeEndTime: "01.03.2026 09:00", toVoltage: "16.8", charged: "900" };
  for (const battery of batteries) await api.call("SaveCharging", { battery, ...charge, ...end });
  await finishFlight(api, await createFlight(api, { copter, equipments: [flat] }), {
    startTime: "01.03.2026 10:00",
    flightTime: 5,
  });
  await api.call("SaveCharging", { battery: onCharger, ...charge });
  await openAs(page, api, app, "flights/config");
  await expect(page.getByText("Wie letzter Flug mit Bereit (16,8\u00a0V · voll).")).toBeInViewport({ ratio: 1 });
  const offered = page.getByRole("group", { name: "Batterien" }).locator("label");
  await expect(offered).toHaveText([
    /^Bereit.*voll/,
    /^Anderes Modell.*voll/,
    /^Am Lader.*lädt/,
    /^Flach.*seitdem geflogen/,
  ]);
  await expect(page.getByRole("checkbox", { name: /Bereit/ })).toBeChecked();
  await expect(page.getByRole("checkbox", { checked: true })).toHaveCount(1);
  await start(page).click();
  await expect(page).toHaveURL(/\/new$/);
});

test("Of more than twelve items one is found by its name before all are shown", { tag: "@phone" }, async ({
  page,
  app,
  api,
}) => {
  await addEquipment(api, kind.copter, "Nazgul F5");
  for (let number = 1; number <= 13; number++) await addEquipment(api, kind.battery, `Akku ${number}`);
  await openAs(page, api, app, "flights/config");
  const packs = page.getByRole("group", { name: "Batterien" });
  await expect(packs.getByRole("checkbox")).toHaveCount(3);
  await page.getByLabel("Suche").fill("akku 13");
  await expect(packs.getByRole("checkbox")).toHaveCount(1);
  await packs.getByText("Akku 13").click();
  await expect(packs.getByRole("checkbox", { checked: true })).toHaveCount(1);
  await page.getByLabel("Suche").press("Enter");
  await expect(page).toHaveURL(/\/config$/);
  await page.getByLabel("Suche").fill("");
  await expect(page.getByRole("button", { name: "Alle 13 zeigen" })).toBeVisible();
});

test("Emptying the choice and taking the last one again moves nothing", async ({ page, app, api }) => {
  const { copter } = await addOneOfEach(api);
  await finishFlight(api, await createFlight(api, { copter }), { flightTime: 5 });
  await openAs(page, api, app, "flights/config");
  await expect(page.getByRole("radio", { name: /Nazgul F5/ })).toBeChecked();
  const before = await section(page, "Copter").boundingBox();
  await page.getByRole("button", { name: "Leeren" }).click();
  await expect(page.getByText("Eigene Auswahl")).toBeVisible();
  expect(await section(page, "Copter").boundingBox()).toEqual(before);
});

test("While the flight is created Weiter can't be pressed again, and exactly one is made", { tag: "@phone" }, async ({
  page,
  app,
  api,
}) => {
  await addOneOfEach(api);
  await openAs(page, api, app, "flights/config");
  await page.getByText("Nazgul F5").click();
  const calls = recordCalls(page);
  const held = await holdCall(page, "CreateFlight");
  await start(page).click();
  await expect(start(page)).toBeDisabled();
  await start(page).click({ force: true });
  held.release();
  await expect(page).toHaveURL(/\/new$/);
  expect(calls.filter((call) => call === "CreateFlight")).toHaveLength(1);
  // Back from the new flight must not lead to a second one.
  await page.goBack();
  await expect(page).not.toHaveURL(/config/);
});

test("With a flight open the config leads to it instead of starting another", { tag: "@desktop" }, async ({
  page,
  app,
  api,
}) => {
  const { copter } = await addOneOfEach(api);
  const flight = await createFlight(api, { copter });
  await openAs(page, api, app, "flights/config");
  await expect(page.getByText("Es läuft bereits ein Flug. Bitte beenden Sie zuerst den Fluglog.")).toBeVisible();
  await expect(start(page)).toHaveCount(0);
  await page.getByRole("link", { name: "Fluglog beenden" }).click();
  await expect(page).toHaveURL(new RegExp(`/flights/${flight}/finish$`));
});

test("Of two tabs that start a flight one wins, and the other says that one is open", { tag: "@desktop" }, async ({
  page,
  app,
  api,
  context,
  faults,
}) => {
  await addOneOfEach(api);
  await openAs(page, api, app, "flights/config");
  const other = await context.newPage();
  await other.goto("flights/config");
  await other.getByText("Nazgul F5").click();
  await page.getByText("Nazgul F5").click();
  await start(page).click();
  await expect(page).toHaveURL(/\/new$/);
  faults.expectAnswer("CreateFlight", 409);
  await start(other).click();
  await expect(other.getByText("Es läuft bereits ein Flug. Bitte beenden Sie zuerst den Fluglog.")).toBeVisible();
  await expect(other.getByRole("link", { name: "Fluglog beenden" })).toBeVisible();
  await expect(other.getByText("undefined")).toHaveCount(0);
});

test("A copter that was retired between choosing and creating is named, and the rest of the choice stays", {
  tag: "@phone",
}, async ({ page, app, api, faults }) => {
  const { copter } = await addOneOfEach(api);
  await addEquipment(api, kind.copter, "Avata 2", { weight: 377 });
  await openAs(page, api, app, "flights/config");
  await page.getByText("Nazgul F5").click();
  await page.getByText("Akku 1").click();
  await api.call("DeactivateEquipment", { dpfId: copter, info: "Rahmen gebrochen" });
  faults.expectAnswer("CreateFlight", 400);
  await start(page).click();
  await expect(page.getByRole("alert")).toContainText("Bitte wählen Sie einen Copter in Betrieb.");
  await expect(page.getByRole("radio", { name: /Nazgul F5/ })).toHaveCount(0);
  await expect(start(page)).toBeDisabled();
  await expect(section(page, "Batterien 1 ausgewählt")).toBeVisible();
  await page.getByText("Avata 2").click();
  await start(page).click();
  await expect(page).toHaveURL(/\/new$/);
});

test("A choice survives a reload until it is used or dropped", { tag: "@phone" }, async ({ page, app, api }) => {
  await addOneOfEach(api);
  await openAs(page, api, app, "flights/config");
  await page.getByText("Nazgul F5").click();
  await page.getByText("Akku 1").click();
  await page.reload();
  await expect(page.getByText(/Entwurf von \d\d:\d\d wiederhergestellt/)).toBeVisible();
  await expect(page.getByText("Startgewicht: 870,5g")).toBeVisible();
  await page.getByRole("button", { name: "Verwerfen" }).click();
  await expect(page.getByText("Startgewicht: 0g")).toBeVisible();
  await page.reload();
  await expect(page.getByText("Startgewicht: 0g")).toBeVisible();
  await expect(page.getByText(/Entwurf von/)).toHaveCount(0);
});

test("A choice whose start was lost isn't brought back once its flight is over", { tag: "@phone" }, async ({
  page,
  lossyProxy,
  api,
  faults,
}) => {
  faults.expectLostRequests();
  const copter = await addEquipment(api, kind.copter, "Nazgul F5");
  const first = await createFlight(api, { copter });
  await finishFlight(api, first, { flightTime: 5 });
  await addEquipment(api, kind.copter, "Tinyhawk");
  await openAs(page, api, lossyProxy, "flights/config");
  await page.getByText("Tinyhawk", { exact: true }).click();
  lossyProxy.loseAnswers("/app/api/CreateFlight");
  await page.getByRole("button", { name: "Weiter" }).click();
  await expect(page).toHaveURL(/\/new$/);
  expect(JSON.parse(await api.call("GetFlights"))[0]).toMatchObject({ open: true, copter: { name: "Tinyhawk" } });
  lossyProxy.restore();
  const [{ dpfId }] = JSON.parse(await api.call("GetFlights"));
  await finishFlight(api, dpfId, { flightTime: 5 });
  await page.goto(`${lossyProxy.url}flights/config`);
  await expect(page.getByText("Wie letzter Flug").first()).toBeVisible();
  await expect(page.getByText(/^Entwurf von/)).toHaveCount(0);
  await page.getByRole("button", { name: "Weiter" }).click();
  await expect(page).toHaveURL(/\/new$/);
  expect(JSON.parse(await api.call("GetFlights"))).toHaveLength(3);
});

test("Without any copter the config says how to get one", { tag: "@desktop" }, async ({ page, app, api }) => {
  await openAs(page, api, app, "flights/config");
  await expect(start(page)).toBeDisabled();
  await page.getByRole("link", { name: "Copter neu erfassen" }).click();
  await expect(page).toHaveURL(/\/app\/equipments\/0\/editor$/);
});

test("With the server gone from the beginning the config says so and tries again", { tag: "@desktop" }, async ({
  page,
  app,
  api,
  faults,
}) => {
  faults.expectLostRequests();
  await addOneOfEach(api);
  await openAs(page, api, app, "flights");
  await expect(page.getByText("Keine Flüge vorhanden")).toBeVisible();
  const held = await holdCall(page, "GetAllEquipments");
  await page.getByRole("link", { name: "Fluglog starten" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Fluglog starten");
  await app.stop();
  held.release();
  await expect(page.getByRole("alert")).toContainText(
    "Konfigurationen konnten nicht geladen werden. Bitte versuchen Sie es erneut.",
  );
  await expect(page.getByRole("button", { name: "Zurück" })).toBeVisible();
  await tryAgain(page, app, "GetAllEquipments");
  await expect(page.getByText("Nazgul F5")).toBeVisible();
  await page.getByRole("button", { name: "Zurück" }).click();
  await expect(page).toHaveURL(/\/app\/flights$/);
});

test("Charged batteries come first and are marked", { tag: "@desktop" }, async ({ page, app, api }) => {
  const copter = await addEquipment(api, kind.copter, "Nazgul F5");
  const flown = await addEquipment(api, kind.battery, "Akku 1");
  const charged = await addEquipment(api, kind.battery, "Akku 2");
  const charge = { fromVoltage: "14.2", toVoltage: "16.8", charged: "900" };
  for (const battery of [flown, charged]) {
    const times = { chargeStartTime: "01.03.2026 08:00", chargeEndTime: "01.03.2026 09:00" };
    const { dpfId } = JSON.parse(await api.call("SaveCharging", { battery, ...times, ...charge }));
    await api.call("SaveCharging", { battery, dpfId, ...times, ...charge });
  }
  const flight = await createFlight(api, { copter, equipments: [flown] });
  await finishFlight(api, flight, { startTime: "01.03.2026 10:00", flightTime: 5 });
  await openAs(page, api, app, "flights/config");
  const batteries = page.getByRole("group", { name: "Batterien" }).locator("label");
  await expect(batteries).toHaveText([/Akku 2.*voll/, /Akku 1/]);
  await expect(batteries.nth(1)).not.toContainText("voll");
});

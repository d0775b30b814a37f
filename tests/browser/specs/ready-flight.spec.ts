// The proposed next flight: its equipment, its values, and the hints at packs that aren't ready.

import type { Page, Route } from "@playwright/test";
import { expectAccessible } from "../support/accessible.ts";
import { field, unfold } from "../support/actions.ts";
import { addChargedPack, addEquipment, addFlight, ago, type Client, kind } from "../support/client.ts";
import { expect, openAs, test } from "../support/test.ts";

const startNow = (page: Page) => page.getByRole("button", { name: "Jetzt starten" });
const card = (page: Page) => page.getByRole("region", { name: "Bereit zum Start" });
const forward = (page: Page) => page.getByRole("button", { name: "Weiter" });
const pack = (page: Page, name: string) => page.getByRole("checkbox", { name });

async function addPack(api: Client, name: string, chargedTo?: string): Promise<string> {
  const fields = { model: "6S 4000", weight: 412 };
  if (chargedTo === undefined) return addEquipment(api, kind.battery, name, fields);
  const times = { chargeStartTime: ago(2_000), chargeEndTime: ago(1_940) };
  return addChargedPack(api, name, fields, { ...times, toVoltage: chargedTo });
}

/** Adds a past flight that began this many minutes ago. */
async function flew(api: Client, minutes: number, copter: string, equipments: string[], fields: object = {}) {
  const flight = { startTime: ago(minutes), flightTime: 9, location: "Elbdeich", ...fields };
  await addFlight(api, { copter, equipments }, flight);
}

/** Adds a flight of today with the first of these packs; the others are full. */
async function aDay(api: Client, fields: object = {}) {
  const copter = await addEquipment(api, kind.copter, "Albatros", { weight: 690 });
  const flown = await addPack(api, "Langstrecke 1", "25.2");
  const full = await addPack(api, "Langstrecke 2", "25.1");
  const more = { flightMode: 2, weatherConditions: "Bedeckt", purpose: "Luftbilder", batteryEndVoltage: 21.6 };
  await flew(api, 1, copter, [flown], { startLatitude: 53.5, startLongitude: 9.9, ...more, ...fields });
  return { copter, flown, full };
}

const openFlight = async (api: Client) => JSON.parse(await api.call("GetFlight", { dpfId: await openId(api) }));
async function openId(api: Client): Promise<string> {
  const rows: { dpfId: string; open: boolean }[] = JSON.parse(await api.call("GetFlights", {}));
  return rows.find(({ open }) => open)?.dpfId ?? "";
}

test("Home names the flight that is ready and starts it as it says, with one tap; then its time runs", {
  tag: "@phone",
}, async ({ page, app, api }) => {
  const { copter, full } = await aDay(api);
  await openAs(page, api, app, "home");
  await expect(card(page)).toContainText("Albatros");
  await expect(card(page)).toContainText("Langstrecke 2");
  await expect(card(page)).toContainText("25,1 V");
  await expect(card(page)).toContainText("Elbdeich");
  await expect(card(page).getByRole("link", { name: "Fluglog starten" })).toHaveAttribute("href", /\/flights\/config$/);
  await expectAccessible(page);
  await startNow(page).click();
  await expect(page.getByRole("timer")).toHaveText(/^0:\d\d$/);
  await expect(page.getByText("25,1 V beim Start")).toBeVisible();
  await expect(page.getByRole("link", { name: "Fluglog beenden" })).toBeFocused();
  await expect(page).toHaveURL(/\/home$/);
  await expectAccessible(page);
  const flight = await openFlight(api);
  expect(flight.copter.dpfId).toBe(copter);
  expect(flight.equipments.map(({ dpfId }: { dpfId: string }) => dpfId)).toEqual([full]);
  expect(flight).toMatchObject({
    ...{ location: "Elbdeich", startLatitude: 53.5, startLongitude: 9.9, batteryStartVoltage: 25.1 },
    ...{ flightMode: "2", weatherConditions: "Bedeckt", purpose: "Luftbilder", notes: "", flightTime: null },
  });
});

test("The editor after the choice has what is known, and all of it can be changed", { tag: "@phone" }, async ({
  page,
  app,
  api,
}) => {
  await aDay(api);
  await openAs(page, api, app, "flights/config");
  await expect(pack(page, "Langstrecke 2")).toBeChecked();
  await forward(page).click();
  for (const group of ["Wann und wo", "Flug", "Notizen"]) await unfold(page, group);
  await expect(field(page, "Ort")).toHaveValue("Elbdeich");
  await expect(field(page, "Startspannung (V)")).toHaveValue("25,1");
  await expect(page.getByRole("radio", { name: "Manuell" })).toBeChecked();
  await expect(field(page, "Wetter")).toHaveValue("Bedeckt");
  await field(page, "Ort").fill("Stadtpark");
  await page.getByRole("button", { name: "Speichern" }).click();
  await expect(page).toHaveURL(/\/home$/);
  expect(await openFlight(api)).toMatchObject({ location: "Stadtpark", batteryStartVoltage: 25.1 });
});

test("Where the device is, the flight has the name that the place has in earlier flights", { tag: "@phone" }, async ({
  page,
  app,
  api,
  context,
}) => {
  await context.grantPermissions(["geolocation"]);
  await context.setGeolocation({ latitude: 54.9, longitude: 8.3 });
  const { copter } = await aDay(api);
  await flew(api, 5 * 1440, copter, [], { location: "Sylt", startLatitude: 54.901, startLongitude: 8.301 });
  await openAs(page, api, app, "home");
  await expect(card(page)).toContainText("Sylt");
  await startNow(page).click();
  await expect(page.getByRole("timer")).toBeVisible();
  expect(await openFlight(api)).toMatchObject({ location: "Sylt", startLatitude: 54.9, startLongitude: 8.3 });
});

test("A refused position says so, and the flight starts without it", { tag: "@phone" }, async ({ page, app, api }) => {
  const copter = await addEquipment(api, kind.copter, "Albatros");
  await flew(api, 3 * 1440, copter, []);
  await page.addInitScript(() => {
    const query = async () => ({ state: "prompt" });
    Object.defineProperty(navigator, "permissions", { value: { query } });
  });
  await openAs(page, api, app, "home");
  await card(page).getByRole("button", { name: "Mein Standort" }).click();
  await expect(card(page).getByRole("alert")).toHaveText("Fehler beim Abrufen des Standorts.");
  await startNow(page).click();
  await expect(page.getByRole("timer")).toBeVisible();
});

test("A pack that is empty, too low, on the charger or stored says so before Weiter", { tag: "@phone" }, async ({
  page,
  app,
  api,
}) => {
  const { flown } = await aDay(api);
  const onCharger = await addPack(api, "Am Lader", "25.2");
  await api.call("SaveCharging", { battery: onCharger, chargeStartTime: ago(1), fromVoltage: "22.2" });
  await addPack(api, "Zu tief", "19.2");
  await addPack(api, "Gelagert", "22.8");
  await openAs(page, api, app, "flights/config");
  const said = page.getByRole("status").filter({ hasText: "ist" });
  await expect(pack(page, "Langstrecke 2")).toBeChecked();
  await expect(said).toHaveCount(0);
  await page.getByRole("button", { name: "Alle 5 zeigen" }).click();
  for (const [name, sentence] of [
    ["Langstrecke 1", "Langstrecke 1 ist leer."],
    ["Am Lader", "Am Lader ist am Ladegerät."],
    ["Zu tief", "Zu tief ist zu tief entladen."],
    ["Gelagert", "Gelagert ist nur auf Lagerspannung."],
  ] as const) {
    await pack(page, name).click({ force: true });
    // A pack with a red light asks for confirmation first.
    if (name === "Zu tief") await page.getByRole("button", { name: "Trotzdem wählen" }).click();
    await expect(pack(page, name)).toBeChecked();
    await expect(said.filter({ hasText: sentence })).toBeInViewport();
    await pack(page, name).uncheck({ force: true });
  }
  await expect(said).toHaveCount(0);
  expect(flown).not.toBe("");
});

test("A start that doesn't arrive, or whose answer is lost, shows its flight at once, and one flight runs", {
  tag: "@phone",
}, async ({ page, lossyProxy, api, faults }) => {
  faults.expectLostRequests();
  await aDay(api);
  await openAs(page, api, lossyProxy, "home");
  // The first try doesn't reach the server.
  await page.route("**/app/api/CreateFlight", (route) => route.abort());
  await startNow(page).click();
  await expect(page.getByRole("timer")).toBeVisible();
  await expect(page.getByText("wartet", { exact: true })).toBeVisible();
  // The second one does.
  lossyProxy.loseAnswers("/app/api/CreateFlight");
  await page.unroute("**/app/api/CreateFlight");
  await expect.poll(async () => JSON.parse(await api.call("GetFlights", {})).length).toBe(2);
  await expect(page.getByText("wartet", { exact: true })).toBeVisible();
  lossyProxy.restore();
  await expect(page.getByText("wartet", { exact: true })).toHaveCount(0);
  await expect(page.getByRole("timer")).toBeVisible();
  expect(JSON.parse(await api.call("GetFlights", {}))).toHaveLength(2);
});

test("Behind a captive portal a start waits, the page leads to the portal, and afterwards one flight runs", {
  tag: "@phone",
}, async ({ page, app, api, faults }) => {
  faults.expectLostRequests();
  await aDay(api);
  await openAs(page, api, app, "home");
  await expect(startNow(page)).toBeVisible();
  const portal = (route: Route) => route.fulfill({ contentType: "text/html", body: "<h1>Hotel-WLAN</h1>" });
  await page.route(/\/app\/(api|health)/, portal);
  await startNow(page).click();
  await expect(page.getByRole("timer")).toBeVisible();
  const line = page.getByRole("status").filter({ hasText: "Ein anderes Gerät im Netz antwortet" });
  await expect(line).toContainText("1 Eintrag wartet.");
  await expect(page.getByText("Hotel-WLAN")).toHaveCount(0);
  await expectAccessible(page);
  await page.route(/\/app\/\?network$/, portal);
  await line.getByRole("link", { name: "Seite öffnen" }).click();
  await expect(page.getByRole("heading", { name: "Hotel-WLAN" })).toBeVisible();
  await page.unrouteAll();
  await page.goBack();
  await expect(page.getByRole("timer")).toBeVisible();
  await expect(page.getByText("wartet", { exact: true })).toHaveCount(0);
  await expect(line).toHaveCount(0);
  expect(JSON.parse(await api.call("GetFlights", {}))).toHaveLength(2);
});

test("Of 200 packs and 30 copters the likely ones are in sight, the rest is found; names of 150 letters fit", {
  tag: "@phone",
}, async ({ page, app, api }) => {
  const long = (name: string) => `${name} ${"W".repeat(149 - name.length)}`;
  const copter = await addEquipment(api, kind.copter, long("Copter"));
  const first = await addPack(api, long("Erster"), "25.2");
  const names = (count: number, name: string) => Array.from({ length: count }, (_, at) => `${name} ${at + 1}`);
  for (const name of names(29, "Copter")) await addEquipment(api, kind.copter, name);
  for (const name of names(198, "Akku")) await addEquipment(api, kind.battery, name);
  await addPack(api, long("Zweiter"), "25.2");
  await flew(api, 1, copter, [first], { location: long("Ort") });
  await openAs(page, api, app, "home");
  await expect(card(page)).toContainText("Zweiter");
  const width = await page.evaluate(() => innerWidth);
  const fits = async () => expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  await fits();
  await card(page).getByRole("link", { name: "Fluglog starten" }).click();
  await expect(page.getByRole("checkbox")).toHaveCount(3);
  await expect(page.getByRole("radio")).toHaveCount(2);
  await expect(pack(page, "Zweiter")).toBeChecked();
  await fits();
  await page.getByRole("button", { name: "Alle 200 zeigen" }).click();
  await page
    .getByRole("group", { name: /^Batterien/ })
    .getByRole("searchbox")
    .fill("Akku 137");
  await expect(page.getByRole("checkbox")).toHaveCount(2);
  await page.getByText("Akku 137").click();
  await expect(page.getByRole("checkbox", { checked: true })).toHaveAccessibleName(/Akku 137/);
  await forward(page).click();
  await expect(page.getByRole("button", { name: "Speichern" })).toBeVisible();
  await fits();
  await unfold(page, "Wann und wo");
  await expect(field(page, "Ort")).toHaveValue(/^Ort W/);
  await fits();
  await page.goto(`flights/${await openId(api)}/finish`);
  await expect(field(page, "Endspannung (V)")).toBeFocused();
  await fits();
  await page.goto("home");
  await expect(page.getByRole("timer")).toBeVisible();
  await fits();
});

// The flight editor: places, messages and keyboards on the screen, and the device's position. Its fields and errors are
// tested in ui/src/screens/flights/FlightEditor.test.tsx.

import type { Page } from "@playwright/test";
import { expectDate, field, mark, submitLogin, toast, typeDate, unfold } from "../support/actions.ts";
import { lanHost } from "../support/chromium.ts";
import { addEquipment, type Client, createFlight, finishFlight, kind } from "../support/client.ts";
import { expect, openAs, test } from "../support/test.ts";

const afterLanding = [
  "Flugzeit (min)",
  "Höhe (m)",
  "Strecke (km)",
  "Max. Entfernung (m)",
  "Max. Geschwindigkeit (km/h)",
  "Endspannung (V)",
  "Verbraucht (mA)",
];
const heading = (page: Page) => page.getByRole("heading", { level: 1 });
const save = (page: Page) => page.getByRole("button", { name: "Speichern" });
const finish = (page: Page) => page.getByRole("button", { name: "Abschließen" });

async function openFlight(api: Client): Promise<string> {
  const copter = await addEquipment(api, kind.copter, "Nazgul F5");
  return createFlight(api, { copter });
}

async function finishedFlight(api: Client, fields: Record<string, unknown> = {}): Promise<string> {
  const flight = await openFlight(api);
  await finishFlight(api, flight, { startTime: "01.03.2026 09:05", ...fields });
  return flight;
}

async function saved(api: Client, dpfId: string) {
  return JSON.parse(await api.call("GetFlight", { dpfId }));
}

test("A flight that has just been started is taken back with one tap, without a question", { tag: "@phone" }, async ({
  page,
  app,
  api,
}) => {
  const copter = await addEquipment(api, kind.copter, "Nazgul F5");
  await finishFlight(api, await createFlight(api, { copter }), { startTime: "01.03.2026 09:05", flightTime: 5 });
  await page.clock.install();
  await openAs(page, api, app, "home");
  const start = page.getByRole("button", { name: "Jetzt starten" });
  await start.click();
  await page.getByRole("button", { name: "Rückgängig" }).click();
  await expect(toast(page, "Der Start ist rückgängig gemacht.")).toBeVisible();
  await expect(start).toBeVisible();
  expect(JSON.parse(await api.call("GetFlights", {}))).toHaveLength(1);

  // After ten seconds it asks.
  await start.click();
  await expect(page.getByRole("button", { name: "Rückgängig" })).toBeVisible();
  await page.clock.fastForward(11_000);
  await page.getByRole("button", { name: "Flug verwerfen" }).click();
  await page
    .getByRole("alertdialog", { name: "Wollen Sie diesen Flug verwerfen?" })
    .getByRole("button", { name: "Ja" })
    .click();
  await expect(start).toBeVisible();
  expect(JSON.parse(await api.call("GetFlights", {}))).toHaveLength(1);
});

test("The reason of a refusal is in sight wherever the page is, and further tries move nothing", {
  tag: "@phone",
}, async ({ page, app, api, faults }) => {
  faults.expectAnswer("SaveFlight", 507);
  const flight = await openFlight(api);
  await openAs(page, api, app, `flights/${flight}/finish`);
  await unfold(page, "Notizen");
  await field(page, "Notizen").fill("Wind");
  await page.route("**/app/api/SaveFlight", (route) =>
    route.fulfill({ status: 507, headers: mark, body: "Kein Platz." }),
  );
  await finish(page).click();
  await expect(page.getByText("Kein Platz.")).toBeInViewport({ ratio: 1 });
  const before = await page.evaluate(() => window.scrollY);
  expect(before).toBeGreaterThan(0);
  // By its position on the screen: clicking the element would scroll.
  const button = await finish(page).boundingBox();
  if (button === null) throw new Error("There is no button.");
  for (let tries = 0; tries < 3; tries++) {
    const refused = page.waitForResponse("**/app/api/SaveFlight");
    await page.mouse.click(button.x + button.width / 2, button.y + button.height / 2);
    await refused;
    await expect(page.getByText("Kein Platz.")).toBeInViewport({ ratio: 1 });
    expect(await page.evaluate(() => window.scrollY)).toBe(before);
  }
});

test("No on-screen keyboard covers Abschließen, whether the window shrinks for it or not", { tag: "@phone" }, async ({
  page,
  app,
  api,
}) => {
  await openAs(page, api, app, `flights/${await openFlight(api)}/finish`);
  const viewport = page.locator('meta[name="viewport"]');
  await expect(viewport).toHaveAttribute("content", /interactive-widget=resizes-content/);
  await expect(field(page, "Endspannung (V)")).toHaveAttribute("enterkeyhint", "done");
  // Like in Safari: the window keeps its size, and less of it is visible.
  const visible = 480;
  await page.evaluate((height) => {
    Object.defineProperty(window.visualViewport, "height", { value: height });
    window.visualViewport?.dispatchEvent(new Event("resize"));
  }, visible);
  await expect(async () => {
    const bar = await finish(page).boundingBox();
    expect((bar?.y ?? Number.NaN) + (bar?.height ?? 0)).toBeLessThan(visible);
  }).toPass();
});

test("Edit has every field, says Erfolgreich gespeichert. and stays; emptied fields are cleared", {
  tag: "@phone",
}, async ({ page, app, api }) => {
  const flight = await finishedFlight(api, { flightTime: 12, distance: 3.25, location: "Elbdeich", notes: "Böig" });
  await openAs(page, api, app, `flights/${flight}/edit`);
  for (const label of afterLanding) await expect(field(page, label)).toBeVisible();
  await expectDate(page, "Startzeit", 1, 3, 2026, 9, 5);
  await expect(finish(page)).toHaveCount(0);
  await field(page, "Flugzeit (min)").fill("");
  await field(page, "Notizen").fill("");
  await typeDate(page, "Startzeit", "020320261407");
  await save(page).click();
  await expect(toast(page, "Erfolgreich gespeichert.")).toBeVisible();
  // The toast covers none of the buttons, at the beginning and at the end of the page.
  for (const top of [0, 10_000]) {
    await page.evaluate((to) => window.scrollTo(0, to), top);
    // The trial ends before the message does.
    await page.getByRole("button", { name: "Zurück" }).click({ trial: true, timeout: 4_000 });
  }
  await expect(page).toHaveURL(/\/edit$/);
  expect(await saved(api, flight)).toMatchObject({
    startTime: "02.03.2026 14:07",
    flightTime: null,
    notes: "",
    distance: 3.25,
    location: "Elbdeich",
  });
});

test("Mein Standort that isn't allowed says so and keeps what was typed, and allowed fills in the device's position", {
  tag: "@phone",
}, async ({ page, app, api, context }) => {
  const flight = await openFlight(api);
  await openAs(page, api, app, `flights/${flight}/new`);
  await field(page, "GPS Start").fill("53,5 9,9");
  await page.getByRole("button", { name: "Mein Standort" }).click();
  await expect(page.getByRole("alert")).toHaveText("Fehler beim Abrufen des Standorts.");
  await expect(field(page, "GPS Start")).toHaveValue("53,5 9,9");

  await context.grantPermissions(["geolocation"]);
  await context.setGeolocation({ latitude: 53.551086, longitude: 9.993682 });
  await page.getByRole("button", { name: "Mein Standort" }).click();
  await expect(field(page, "GPS Start")).toHaveValue("53.551086, 9.993682");
  await save(page).click();
  await expect(page).toHaveURL(/\/app\/home$/);
  expect(await saved(api, flight)).toMatchObject({ startLatitude: 53.551086, startLongitude: 9.993682 });
});

test("Over plain http in a LAN Mein Standort explains what to do instead", { tag: "@phone" }, async ({
  page,
  app,
  api,
  pilot,
}) => {
  const flight = await openFlight(api);
  await page.goto(`http://${lanHost}:${app.port}/app/flights/${flight}/new`);
  await submitLogin(page, pilot);
  await page.getByRole("button", { name: "Mein Standort" }).click();
  await expect(page.getByRole("alert")).toContainText("nur über eine sichere Verbindung (https)");
  await field(page, "GPS Start").fill("53,5 9,9");
  await save(page).click();
  // The login replaced the history entry before it: Back doesn't leave the app.
  await expect(heading(page)).toHaveText("Hallo, Pilotin");
  expect(await saved(api, flight)).toMatchObject({ startLatitude: 53.5, startLongitude: 9.9 });
});

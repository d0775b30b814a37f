// The flight editor in its three modes: its fields, its errors, places, times, and the fields that it sends.

import type { Page } from "@playwright/test";
import {
  dateParts,
  expectDate,
  expectFieldError,
  field,
  holdCall,
  submitLogin,
  toast,
  typeDate,
  unfold,
} from "../support/actions.ts";
import { lanHost } from "../support/chromium.ts";
import { addEquipment, type Client, createFlight, finishFlight, kind, logIn } from "../support/client.ts";
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

test("A flight that was started by mistake is discarded from its editor", { tag: "@phone" }, async ({
  page,
  app,
  api,
}) => {
  const flight = await openFlight(api);
  await openAs(page, api, app, `flights/${flight}/new`);
  await field(page, "Ort").fill("Elbdeich");
  const discard = page.getByRole("button", { name: "Flug verwerfen" });
  await discard.click();
  const question = page.getByRole("alertdialog", { name: "Wollen Sie diesen Flug verwerfen?" });
  await question.getByRole("button", { name: "Nein" }).click();
  await expect(field(page, "Ort")).toHaveValue("Elbdeich");
  await discard.click();
  await question.getByRole("button", { name: "Ja" }).click();
  await expect(page).toHaveURL(/\/home$/);
  await expect(page.getByRole("link", { name: "Fluglog starten" })).toBeVisible();
  expect(await api.call("GetFlights", {})).toBe("");
});

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

test("A finished flight can't be discarded from its editor", { tag: "@desktop" }, async ({ page, app, api }) => {
  await openAs(page, api, app, `flights/${await finishedFlight(api)}/edit`);
  await expect(save(page)).toBeVisible();
  await expect(page.getByRole("button", { name: "Flug verwerfen" })).toHaveCount(0);
});

test("The reason of a refusal is in sight wherever the page is, and further tries move nothing", {
  tag: "@phone",
}, async ({ page, app, api, faults }) => {
  faults.expectAnswer("SaveFlight", 507);
  const flight = await openFlight(api);
  await openAs(page, api, app, `flights/${flight}/finish`);
  await unfold(page, "Notizen");
  await field(page, "Notizen").fill("Wind");
  await page.route("**/app/api/SaveFlight", (route) => route.fulfill({ status: 507, body: "Kein Platz." }));
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

test("New asks only what is known before the start, saves it and leaves the flight open", { tag: "@phone" }, async ({
  page,
  app,
  api,
}) => {
  const flight = await openFlight(api);
  await openAs(page, api, app, `flights/${flight}/new`);
  await expect(heading(page)).toHaveText("Flug-Editor");
  await expect(page.getByText("Nazgul F5")).toBeVisible();
  for (const label of [...afterLanding, "GPS Ende"]) await expect(field(page, label)).toHaveCount(0);
  await expect(finish(page)).toHaveCount(0);
  await unfold(page, "Flug");
  await expect(page.getByRole("radio", { name: "Winkel" })).toBeChecked();

  await field(page, "Ort").fill("Elbdeich");
  await field(page, "Startspannung (V)").fill("16,8");
  await page.getByText("Horizontal").click();
  await unfold(page, "Notizen");
  await field(page, "Wetter").fill("Sonnig, 18 °C");
  const request = page.waitForRequest("**/app/api/SaveFlight");
  await save(page).click();
  const sent = new URLSearchParams((await request).postData() ?? "");
  expect(sent.get("endFlight")).toBe("false");
  expect(Object.keys(JSON.parse(sent.get("flight") ?? "")).sort()).toEqual(
    ["batteryStartVoltage", "dpfId", "flightMode", "location", "weatherConditions"].sort(),
  );
  await expect(toast(page, "Erfolgreich gespeichert.")).toBeVisible();
  await expect(page).toHaveURL(/\/app\/home$/);
  expect(await saved(api, flight)).toMatchObject({
    open: true,
    location: "Elbdeich",
    batteryStartVoltage: 16.8,
    flightMode: "1",
    weatherConditions: "Sonnig, 18 °C",
  });
});

test("Finish proposes the flight time, asks for everything and ends the flight", { tag: "@phone" }, async ({
  page,
  app,
  api,
}) => {
  const flight = await openFlight(api);
  await openAs(page, api, app, "flights");
  await page.getByRole("link", { name: "Fluglog beenden" }).click();
  await expect(heading(page)).toHaveText("Flug-Editor");
  await expect(field(page, "Endspannung (V)")).toBeFocused();
  await unfold(page, "Flug");
  await expect(field(page, "Flugzeit (min)")).toHaveValue("1");
  await expect(save(page)).toHaveCount(0);

  for (const [position, label] of afterLanding.entries()) await field(page, label).fill(`${position + 1},5`);
  const request = page.waitForRequest("**/app/api/SaveFlight");
  await finish(page).click();
  expect(new URLSearchParams((await request).postData() ?? "").get("endFlight")).toBe("true");
  await expect(page).toHaveURL(/\/app\/flights$/);
  await expect(page.getByRole("link", { name: "Fluglog starten" })).toBeVisible();
  expect(await saved(api, flight)).toMatchObject({
    open: false,
    flightTime: 1.5,
    maximumAltitude: 2.5,
    distance: 3.5,
    maximumDistance: 4.5,
    speed: 5.5,
    batteryEndVoltage: 6.5,
    consumedCapacity: 7.5,
  });
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
  // It covers none of the buttons, at the beginning and at the end of the page.
  for (const top of [0, 10_000]) {
    await page.evaluate((to) => window.scrollTo(0, to), top);
    await page.getByRole("button", { name: "Zurück" }).click({ trial: true, timeout: 2_000 });
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

test("Finish of a flight that has ended already only saves", { tag: "@desktop" }, async ({ page, app, api }) => {
  const flight = await finishedFlight(api);
  await openAs(page, api, app, `flights/${flight}/finish`);
  await expect(save(page)).toBeVisible();
  await expect(finish(page)).toHaveCount(0);
  await unfold(page, "Notizen");
  await field(page, "Zweck").fill("Training");
  await save(page).click();
  await expect(toast(page, "Erfolgreich gespeichert.")).toBeVisible();
  expect(await saved(api, flight)).toMatchObject({ purpose: "Training", open: false });
});

test("Every number field says Ungültige Eingabe, and what was typed stays", { tag: "@desktop" }, async ({
  page,
  app,
  api,
}) => {
  const flight = await finishedFlight(api);
  const numbers = [...afterLanding, "Startspannung (V)"];
  await openAs(page, api, app, `flights/${flight}/edit`);
  for (const label of numbers) await field(page, label).fill("1.5.2");
  await save(page).click();
  for (const label of numbers) {
    await expectFieldError(field(page, label), "Ungültige Eingabe");
    await expect(field(page, label)).toHaveValue("1.5.2");
  }
  for (const [position, label] of numbers.entries()) await field(page, label).fill(`${position}.5`);
  for (const label of numbers) await expect(field(page, label)).not.toHaveAttribute("aria-invalid");
  await save(page).click();
  await expect(toast(page, "Erfolgreich gespeichert.")).toBeVisible();
});

test("Without a start time nothing is saved", { tag: "@desktop" }, async ({ page, app, api }) => {
  const flight = await finishedFlight(api);
  await openAs(page, api, app, `flights/${flight}/edit`);
  await page.getByRole("button", { name: "Kalender öffnen Startzeit" }).click();
  await page.getByRole("dialog", { name: "Kalender" }).getByRole("button", { name: "Löschen" }).click();
  await save(page).click();
  await expect(page.getByRole("group", { name: "Startzeit", exact: true })).toHaveAccessibleDescription(/Pflichtfeld/);
  await expect(dateParts(page, "Startzeit").first()).toBeFocused();
  expect(await saved(api, flight)).toMatchObject({ startTime: "01.03.2026 09:05" });
});

test("The start time moves by five minutes and by an hour, and keeps minutes off that grid", { tag: "@phone" }, async ({
  page,
  app,
  api,
}) => {
  const flight = await finishedFlight(api, { startTime: "31.12.2025 23:57" });
  await openAs(page, api, app, `flights/${flight}/edit`);
  await page.getByRole("button", { name: "5 Minuten später" }).click();
  await expectDate(page, "Startzeit", 1, 1, 2026, 0, 2);
  await page.getByRole("button", { name: "5 Minuten früher" }).click();
  await expectDate(page, "Startzeit", 31, 12, 2025, 23, 57);
  await page.getByRole("button", { name: "Kalender öffnen Startzeit" }).click();
  const calendar = page.getByRole("dialog", { name: "Kalender" });
  await calendar.getByRole("button", { name: "1 Stunde früher" }).click();
  await expect(calendar.getByText("22:57")).toBeVisible();
  await calendar.getByRole("button", { name: "Bestätigen" }).click();
  await expectDate(page, "Startzeit", 31, 12, 2025, 22, 57);
  await save(page).click();
  await expect(toast(page, "Erfolgreich gespeichert.")).toBeVisible();
  expect(await saved(api, flight)).toMatchObject({ startTime: "31.12.2025 22:57" });
});

test("A GPS text shows what was understood of it and links to the map only then", { tag: "@phone" }, async ({
  page,
  app,
  api,
}) => {
  const flight = await openFlight(api);
  await openAs(page, api, app, `flights/${flight}/new`);
  const gps = field(page, "GPS Start");
  const link = page.getByRole("link", { name: "Auf der Karte zeigen" });
  await expect(link).toHaveCount(0);
  for (const { text, understood, target } of [
    { text: "53.551086, 9.993682", understood: "53,551086 · 9,993682", target: "mlat=53.551086&mlon=9.993682" },
    { text: "53,551086 9,993682", understood: "53,551086 · 9,993682", target: "mlat=53.551086&mlon=9.993682" },
    { text: "Lat -33.9 Lon 18.42 (Kapstadt)", understood: "-33,9 · 18,42", target: "mlat=-33.9&mlon=18.42" },
  ]) {
    await gps.fill(text);
    await expect(gps).toHaveAccessibleDescription(new RegExp(`^Verstanden: ${understood}`));
    await expect(link).toHaveAttribute("href", new RegExp(target.replaceAll(".", "\\.")));
    await expect(link).toHaveAttribute("target", "_blank");
    await expect(link).toHaveAttribute("rel", /noopener/);
  }
  for (const { text, sentence } of [
    { text: "am Deich 7", sentence: /^Ungültige Eingabe/ },
    { text: "95.5, 9.9", sentence: "Die geografische Breite muss zwischen -90 und 90 liegen." },
    { text: "53.5, 190", sentence: "Die geografische Länge muss zwischen -180 und 180 liegen." },
  ]) {
    await gps.fill(text);
    await expect(link).toHaveCount(0);
    await save(page).click();
    await expect(gps).toHaveAccessibleDescription(sentence);
    await expect(gps).toBeFocused();
  }
  await gps.fill("53,5 9,9");
  await save(page).click();
  await expect(page).toHaveURL(/\/app\/home$/);
  expect(await saved(api, flight)).toMatchObject({ startLatitude: 53.5, startLongitude: 9.9 });
});

test("Mein Standort fills in the device's position", { tag: "@phone" }, async ({ page, app, api, context }) => {
  const flight = await openFlight(api);
  await context.grantPermissions(["geolocation"]);
  await context.setGeolocation({ latitude: 53.551086, longitude: 9.993682 });
  await openAs(page, api, app, `flights/${flight}/new`);
  await page.getByRole("button", { name: "Mein Standort" }).click();
  await expect(field(page, "GPS Start")).toHaveValue("53.551086, 9.993682");
  await save(page).click();
  await expect(page).toHaveURL(/\/app\/home$/);
  expect(await saved(api, flight)).toMatchObject({ startLatitude: 53.551086, startLongitude: 9.993682 });
});

test("Mein Standort that the pilot doesn't allow says so and keeps what was typed", { tag: "@phone" }, async ({
  page,
  app,
  api,
}) => {
  const flight = await openFlight(api);
  await openAs(page, api, app, `flights/${flight}/new`);
  await field(page, "GPS Start").fill("53,5 9,9");
  await page.getByRole("button", { name: "Mein Standort" }).click();
  await expect(page.getByRole("alert")).toHaveText("Fehler beim Abrufen des Standorts.");
  await expect(field(page, "GPS Start")).toHaveValue("53,5 9,9");
});

test("A browser that has no geolocation says so", { tag: "@desktop" }, async ({ page, app, api }) => {
  await page.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, "geolocation"));
  const flight = await openFlight(api);
  await openAs(page, api, app, `flights/${flight}/new`);
  await page.getByRole("button", { name: "Mein Standort" }).click();
  await expect(page.getByRole("alert")).toHaveText("Geolocation wird von diesem Browser nicht unterstützt.");
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

test("Ctrl+Enter saves from anywhere in the form", { tag: "@desktop" }, async ({ page, app, api }) => {
  const flight = await finishedFlight(api);
  await openAs(page, api, app, `flights/${flight}/edit`);
  await field(page, "Notizen").fill("Böig");
  await page.keyboard.press("Control+Enter");
  await expect(toast(page, "Erfolgreich gespeichert.")).toBeVisible();
  expect(await saved(api, flight)).toMatchObject({ notes: "Böig" });
});

test("While a flight is saved the button is busy and says so", { tag: "@desktop" }, async ({ page, app, api }) => {
  const flight = await finishedFlight(api);
  await openAs(page, api, app, `flights/${flight}/edit`);
  const held = await holdCall(page, "SaveFlight");
  await field(page, "Notizen").fill("Böig");
  await save(page).click();
  await expect(save(page)).toBeDisabled();
  held.release();
  await expect(toast(page, "Erfolgreich gespeichert.")).toBeVisible();
  await expect(save(page)).toBeEnabled();
});

test("A flight that is someone else's or doesn't exist says so and leads to the list", { tag: "@desktop" }, async ({
  page,
  app,
  api,
  faults,
}) => {
  await app.addUser({ email: "nachbar@example.org", nickname: "Nachbar", password: "rotorblatt-18" });
  const theirs = await finishedFlight(await logIn(app.origin, "nachbar@example.org", "rotorblatt-18"));
  faults.expectAnswer("GetFlight", 403);
  await openAs(page, api, app, "home");
  for (const path of [`flights/${theirs}`, `flights/${theirs}/edit`, "flights/gibt-es-nicht"]) {
    await page.goto(path);
    await expect(page.getByRole("alert")).toContainText("Darauf haben Sie keinen Zugriff.");
    await expect(page.getByText("Nazgul F5")).toHaveCount(0);
  }
  await page.getByRole("link", { name: "Zu den Flügen" }).click();
  await expect(page).toHaveURL(/\/app\/flights$/);
});

test("Leaving with something unsaved asks first", { tag: "@desktop" }, async ({ page, app, api }) => {
  const flight = await finishedFlight(api);
  await openAs(page, api, app, `flights/${flight}`);
  await page.getByRole("link", { name: "Editieren" }).click();
  await field(page, "Notizen").fill("Böig");
  const question = page.getByRole("alertdialog", { name: "Änderungen verwerfen und die Seite verlassen?" });
  await page.getByRole("button", { name: "Zurück" }).first().click();
  await question.getByRole("button", { name: "Nein" }).click();
  await expect(field(page, "Notizen")).toHaveValue("Böig");
  await page.getByRole("link", { name: "Fluglog, zur Startseite" }).click();
  await question.getByRole("button", { name: "Ja" }).click();
  await expect(page).toHaveURL(/\/app\/home$/);
  await page.goto(`flights/${flight}/edit`);
  await expect(field(page, "Ort")).toBeVisible();
  await expect(field(page, "Notizen")).toHaveValue("");
});

test("A number that looks like thousands says how it is understood", { tag: "@phone" }, async ({ page, app, api }) => {
  const copter = await addEquipment(api, kind.copter, "Nazgul F5");
  const flight = await createFlight(api, { copter });
  await openAs(page, api, app, `flights/${flight}/edit`);
  const distance = field(page, "Strecke (km)");
  await distance.fill("1.300");
  await expect(distance).toHaveAccessibleDescription("Verstanden: 1,3");
  await distance.fill("1300");
  await expect(distance).toHaveAccessibleDescription("");
});

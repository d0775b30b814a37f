// The app without network: a browser that was used before opens it with stored data, and the server can clear all of
// it. A logout leaves nothing behind.

import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { field, goFromRow, pickFromMenu, submitLogin, toast } from "../support/actions.ts";
import { addDocument, addEquipment, addFlight, addLog, ago, type Client, clientWith, kind } from "../support/client.ts";
import { endPause } from "../support/pauses.ts";
import type { Server, User } from "../support/server.ts";
import { expectStored } from "../support/stored.ts";
import { expect, openAs, test } from "../support/test.ts";
import { startUpdatingProxy } from "../support/updating-proxy.ts";

test.use({ serviceWorkers: "allow", prefetches: true });

const startButton = (page: Page) => page.getByRole("button", { name: "Jetzt starten" });
const offline = (page: Page) => page.getByText("Kein Netz. Alles wird gemerkt.");
const nothingKnown =
  "Ohne Netz öffnet Fluglog nur, wenn Sie „Angemeldet bleiben“ gewählt haben. " +
  "Bitte melden Sie sich mit Netz einmal so an.";
const flightsOf = async (api: Client) => JSON.parse((await api.call("GetFlights", {})) || "[]");

/** Creates a session of the pilot who stays logged in, with a copter and a charged pack that flew once. */
async function stayingPilot(app: Server, { email, password }: User): Promise<Client> {
  const api = clientWith(app.origin, "");
  await api.call("Login", { email, password, rememberMe: "true" });
  const copter = await addEquipment(api, kind.copter, "Brummer");
  const battery = await addEquipment(api, kind.battery, "Akku 4", { model: "6S 1300" });
  const past = { startTime: ago(180), flightTime: 5, location: "Elbwiesen" };
  await addFlight(api, { copter, equipments: [battery] }, past);
  const times = { chargeStartTime: ago(120), chargeEndTime: ago(0) };
  await api.call("SaveCharging", { battery, ...times, fromVoltage: "22.2", toVoltage: "25.2", charged: "1000" });
  return api;
}

/** Waits until the worker has stored the app, and the page the data of home. */
const kept = (page: Page) => expectStored(page, ["GetAllEquipments", "GetFlights", "GetStatistics"]);

/** Returns everything in this browser that has a name or belongs to the pilot. */
async function left(page: Page) {
  return page.evaluate(async () => {
    const kept = await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys()));
    const paths = kept.flat().map(({ url }) => new URL(url).pathname);
    return {
      // The router stores scroll positions under meaningless ids.
      storage: [...Object.keys(localStorage), ...Object.keys(sessionStorage)].filter(
        (key) => key !== "react-router-scroll-positions",
      ),
      databases: (await indexedDB.databases()).map(({ name }) => name),
      answers: paths.filter((path) => path.startsWith("/app/api/")),
    };
  });
}

async function logOut(page: Page): Promise<void> {
  await pickFromMenu(page, "Logout", "Konto");
  await expect(page).toHaveURL(/\/app\/login$/);
}

test("Loaded anew without a server, home is there with its time; a flight is begun, finished and sent once", {
  tag: "@phone",
}, async ({ page, app, pilot, faults }) => {
  faults.expectLostRequests();
  const api = await stayingPilot(app, pilot);
  await openAs(page, api, app, "home");
  await kept(page);
  await app.stop();
  await page.reload();
  await expect(offline(page)).toBeVisible();
  await expect(page.getByText(/^Stand \d\d:\d\d$/)).toBeVisible();
  await expect(page.getByRole("heading", { name: /Pilotin/ })).toBeVisible();
  await expect(page.getByRole("region", { name: "Bereit zum Start" })).toContainText("Akku 4");
  await expect(page.getByRole("list", { name: "Letzte Flüge" })).toContainText("Elbwiesen");

  await startButton(page).click();
  await expect(page.getByText("wartet", { exact: true })).toBeVisible();
  // Overnight on the meadow: the app is opened again, and the running flight continues.
  await page.reload();
  await page.getByRole("link", { name: "Fluglog beenden" }).click();
  await field(page, "Endspannung (V)").fill("21,4");
  await page.getByRole("button", { name: "Abschließen", exact: true }).click();
  await expect(toast(page, "Gemerkt.")).toBeVisible();
  await page.getByRole("navigation").getByRole("link", { name: "Flüge" }).last().click();
  // Home, which was shown until then, has the mark, too.
  const list = page.getByRole("list", { name: "Liste der Flüge" });
  await expect(list.getByText("wartet", { exact: true })).toHaveCount(1);

  await app.startAgain();
  await endPause(page, "poll");
  await expect(page.getByText("wartet", { exact: true })).toHaveCount(0);
  await expect(page.getByText(/^Stand /)).toHaveCount(0);
  const flown = await flightsOf(api);
  expect(flown).toHaveLength(2);
  expect(flown.every(({ open }: { open: boolean }) => !open)).toBe(true);
});

test("What was looked at is there without network as it was last seen, and nothing is red", { tag: "@phone" }, async ({
  page,
  app,
  pilot,
  faults,
}) => {
  faults.expectLostRequests();
  const api = await stayingPilot(app, pilot);
  const [copter] = JSON.parse(await api.call("GetEquipments", { type: "0", deactivated: "false" }));
  const [pack] = JSON.parse(await api.call("GetEquipments", { type: "1", deactivated: "false" }));
  const [flight] = await flightsOf(api);
  await addLog(api, "equipment", copter.dpfId, { info: "Prop getauscht", time: "01.05.2026 10:00" });
  await addLog(api, "flight", flight.dpfId, { info: "Böen am Deich", time: "01.05.2026 10:00" });
  await addDocument(api, { name: "Versicherung.txt", content: "1" });
  const screens = [
    { path: `flights/${flight.dpfId}`, text: "Böen am Deich", calls: ["GetFlight", "GetFlightLogs"] },
    { path: `equipments/0/logs/${copter.dpfId}`, text: "Prop getauscht", calls: ["GetEquipmentLogs"] },
    { path: `equipments/1/passport/${pack.dpfId}`, text: "6S 1300", calls: ["GetBatteryPassport"] },
    { path: "review", text: "Stunden in der Luft", calls: ["GetReview"] },
    { path: "myDocuments", text: "Versicherung.txt", calls: ["GetUserDocuments"] },
    { path: "myProfile", text: pilot.email, calls: ["GetDetailedUser"] },
  ];
  await openAs(page, api, app, "home");
  await kept(page);
  const look = async ({ path, text, calls }: { path: string; text: string; calls: string[] }) => {
    const tab = await page.context().newPage();
    await tab.goto(`${app.url}${path}`);
    await expect(tab.getByText(text).first()).toBeVisible();
    await expectStored(tab, calls);
    await tab.close();
  };
  await Promise.all(screens.map(look));
  await app.stop();
  for (const { path, text } of screens) {
    await page.goto(`${app.url}${path}`);
    await expect(page.getByText(text).first()).toBeVisible();
    await expect(page.getByRole("alert")).toHaveCount(0);
  }
});

test("A logout leaves nothing of the pilot, and the app opens without a server and without data", {
  tag: "@desktop",
}, async ({ page, app, pilot, faults }) => {
  faults.expectLostRequests();
  await openAs(page, await stayingPilot(app, pilot), app, "home");
  await kept(page);
  await logOut(page);
  await expect.poll(() => left(page)).toEqual({ storage: [], databases: [], answers: [] });
  await app.stop();
  await page.goto(`${app.url}home`);
  await expect(page.getByText(nothingKnown)).toBeVisible();
  await expect(page.getByText("Brummer")).toHaveCount(0);
  // This address leads past the worker, to whatever answers in the network.
  await expect(page.goto(`${app.url}?network`)).rejects.toThrow("ERR_CONNECTION_REFUSED");
});

test("A session that was ended elsewhere takes what was known along, and another account sees nothing of it", {
  tag: "@phone",
}, async ({ page, app, pilot, faults }) => {
  faults.expectLostRequests();
  const other = { email: "andere@example.org", nickname: "Andere", password: "rotorblatt-18" };
  await app.addUser(other);
  const api = await stayingPilot(app, pilot);
  await openAs(page, api, app, "home");
  await kept(page);
  // The last call that the page makes ahead: no later one is refused.
  await expectStored(page, ["GetMaintenance"]);
  await api.call("LogOutFromEveryDevice", { requestId: crypto.randomUUID() });
  await page.reload();
  await expect(page).toHaveURL(/\/app\/login$/);
  await expect.poll(() => left(page)).toEqual({ storage: [], databases: [], answers: [] });
  await submitLogin(page, other);
  await expect(page.getByText("Drei Schritte bis zum ersten Flug")).toBeVisible();
  // A temporary login: nothing is stored of this one either.
  await app.stop();
  await page.reload();
  await expect(page.getByText(nothingKnown)).toBeVisible();
  await expect(page.getByText("Brummer")).toHaveCount(0);
});

test("With offline = false worker and kept files are gone at the next visit, and the app goes on", {
  tag: "@phone",
}, async ({ page, app, pilot, faults }) => {
  faults.expectLostRequests();
  await openAs(page, await stayingPilot(app, pilot), app, "home");
  await kept(page);
  await app.stop();
  await writeFile(join(app.dataDir, "fluglog.toml"), "offline = false\n");
  await app.startAgain();
  await page.goto(`${app.url}home`);
  const keptFiles = () =>
    page.evaluate(async () => ({
      workers: (await navigator.serviceWorker.getRegistrations()).length,
      caches: await caches.keys(),
    }));
  await expect.poll(keptFiles).toEqual({ workers: 0, caches: [] });
  // The next screen comes from the server.
  const asked = page.waitForRequest(`${app.url}flights`);
  await page.getByRole("navigation").getByRole("link", { name: "Flüge" }).last().click();
  expect((await asked).isNavigationRequest()).toBe(true);
  await expect(page.getByRole("link", { name: /Brummer/ })).toBeVisible();
  await expect.poll(keptFiles).toEqual({ workers: 0, caches: [] });
});

test("An update waits for the end of a form, and what waits for the network is sent by the new app", {
  tag: "@phone",
}, async ({ page, app, pilot, faults }) => {
  faults.expectLostRequests();
  const api = await stayingPilot(app, pilot);
  const proxy = await startUpdatingProxy(app.port);
  faults.allowOrigin(proxy.origin);
  await page.context().addCookies([{ name: "cookieConsent", value: "necessary", url: proxy.origin }]);
  await openAs(page, api, proxy, "home");
  await kept(page);
  proxy.drop("/app/api/CreateFlight");
  await startButton(page).click();
  await expect(page.getByText("wartet", { exact: true })).toBeVisible();
  await page.getByRole("link", { name: "Fluglog beenden" }).click();
  await field(page, "Endspannung (V)").fill("21,4");

  proxy.update();
  await page.evaluate(() => {
    Object.assign(window, { isSamePage: true });
    document.dispatchEvent(new Event("visibilitychange"));
  });
  const waits = () =>
    page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.waiting?.state ?? null);
  await expect.poll(waits).toBe("installed");
  await expect(field(page, "Endspannung (V)")).toHaveValue("21.4");
  const isSamePage = () => page.evaluate(() => "isSamePage" in window);
  expect(await isSamePage()).toBe(true);

  await page.getByRole("button", { name: "Zurück" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Ja" }).click();
  await expect.poll(() => isSamePage().catch(() => true)).toBe(false);
  await expect(page).toHaveURL(/\/app\/home$/);
  await expect(page.getByText("wartet", { exact: true })).toBeVisible();
  proxy.restore();
  await expect(page.getByText("wartet", { exact: true })).toHaveCount(0);
  expect(await flightsOf(api)).toHaveLength(2);
  proxy.close();
});

test("A file that another app shares is looked through once, after a question", {
  tag: "@phone",
}, async ({ page, app, pilot, faults }) => {
  faults.expectLostRequests();
  const api = await stayingPilot(app, pilot);
  await openAs(page, api, app, "home");
  await kept(page);
  // Like a browser that shares from another app: a form posts to the address in the manifest.
  await page.evaluate(() => {
    document.body.innerHTML =
      '<form method="post" enctype="multipart/form-data" action="/app/flights/import"><input type="file" name="files" />';
  });
  await page.locator("input").setInputFiles(join(import.meta.dirname, "../../fixtures/flights/Litchi.csv"));
  await page.evaluate(() => document.querySelector("form")?.submit());
  const question = page.getByRole("alertdialog", { name: "Wollen Sie die geteilten Dateien einlesen?" });
  await expect(question).toContainText("Litchi.csv");
  await question.getByRole("button", { name: "Ja", exact: true }).click();
  await expect(page).toHaveURL(/\/app\/flights\/import\/[0-9a-f-]{36}$/);
  expect(await api.call("GetImports")).toContain("Litchi.csv");
  expect(await page.evaluate(() => caches.has("fluglog-shared"))).toBe(false);
});

test("Beside the worker 50 MB come down as they are, and not through it", { tag: "@phone" }, async ({
  page,
  app,
  pilot,
}) => {
  const api = await stayingPilot(app, pilot);
  const bytes = new Uint8Array(50_000_000);
  for (let at = 0; at < bytes.length; at += 65_536) crypto.getRandomValues(bytes.subarray(at, at + 65_536));
  await addDocument(api, { name: "Film.mp4", content: bytes });
  await openAs(page, api, app, "home");
  await kept(page);
  await page.goto(`${app.url}myDocuments`);
  const answer = page.waitForResponse(/DownloadDocument/);
  const coming = page.waitForEvent("download");
  await goFromRow(page, "Herunterladen", "Film.mp4");
  expect((await answer).fromServiceWorker()).toBe(false);
  const stored = await readFile(await (await coming).path());
  expect(Buffer.compare(stored, bytes)).toBe(0);
});

test("A device that is full says so, and nothing is pretended", { tag: "@phone" }, async ({
  page,
  app,
  pilot,
  faults,
}) => {
  faults.expectLostRequests();
  await openAs(page, await stayingPilot(app, pilot), app, "home");
  await kept(page);
  await app.stop();
  await page.evaluate(() => {
    IDBObjectStore.prototype.put = () => {
      throw new DOMException("full", "QuotaExceededError");
    };
  });
  await startButton(page).click();
  await expect(page.getByText("Der Speicher des Geräts ist voll. Bitte Einträge übertragen.")).toBeVisible();
  await expect(page.getByText("wartet", { exact: true })).toHaveCount(0);
});

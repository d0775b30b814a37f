// Stickers: the phone's camera opens the address in the code, and the second tap performs the action, online and
// offline. Printed labels have codes that can be read.

import type { Page } from "@playwright/test";
import { expectAccessible } from "../support/accessible.ts";
import { submitLogin, toast } from "../support/actions.ts";
import { addEquipment, addFlight, ago, type Client, clientWith, kind } from "../support/client.ts";
import { print, readPrintedCode } from "../support/paper.ts";
import { expectActivated, expectStored } from "../support/stored.ts";
import { expect, openAs, test } from "../support/test.ts";

const itemOf = async (api: Client, dpfId: string) => JSON.parse(await api.call("GetEquipment", { dpfId }));
const flightsOf = async (api: Client) => JSON.parse((await api.call("GetFlights", {})) || "[]");
const codeOf = async (api: Client, dpfId: string): Promise<string> =>
  JSON.parse(await api.call("SaveSticker", { dpfId })).code;

/** Adds a copter and a full pack, which flew once, with a sticker each. */
async function addStickers(api: Client) {
  const copter = await addEquipment(api, kind.copter, "Brummer");
  const pack = await addEquipment(api, kind.battery, "Akku 5", { model: "6S 1300" });
  const past = { startTime: ago(1800), flightTime: 7, batteryEndVoltage: "21,4" };
  await addFlight(api, { copter, equipments: [pack] }, past);
  return { copter, pack, ofPack: await codeOf(api, pack), ofCopter: await codeOf(api, copter) };
}

const action = (page: Page, name: string) =>
  page.getByRole("main").getByRole("button", { name: new RegExp(`^${name}`) });
const outcome = (page: Page, text: string) => page.getByRole("status").filter({ hasText: text });

test("A sticker scanned before the login leads to its sheet after it; the second tap marks the pack as charged", {
  tag: "@phone",
}, async ({ page, app, api, pilot }) => {
  const { pack, ofPack } = await addStickers(api);
  const other = await addEquipment(api, kind.battery, "Akku 6", { model: "6S 1300" });
  await codeOf(api, other);
  await page.goto(`${app.url}s/${ofPack}`);
  await submitLogin(page, pilot);
  await expect(page.getByRole("heading", { name: "Akku 5" })).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`/app/s/${ofPack}$`));

  await action(page, "Geladen").click();
  await expect(outcome(page, "Akku 5 ist voll, 25,2 V")).toBeVisible();
  expect(await itemOf(api, pack)).toMatchObject({ state: "full", chargeCount: 1 });
  await expectAccessible(page);
  await page.getByRole("button", { name: /^Rückgängig/ }).click();
  await expect(action(page, "Geladen")).toBeVisible();
  expect(await itemOf(api, pack)).toMatchObject({ state: "empty", chargeCount: 0 });

  await action(page, "Eingelagert").click();
  await expect(outcome(page, "Akku 5 ist eingelagert")).toBeVisible();
  expect(await itemOf(api, pack)).toMatchObject({ state: "storage" });
  await page.getByRole("link", { name: "Nächste Nr." }).click();
  await page.getByRole("button", { name: "3", exact: true }).click();
  await expect(page.getByRole("link", { name: /Akku 6/ })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Öffnen" }).click();
  await action(page, "Leer").click();
  await expect(outcome(page, "Akku 6 ist leer")).toBeVisible();
  expect(await itemOf(api, other)).toMatchObject({ state: "empty", currentCharge: 22.14 });
});

test("A pack that was flown has its flight in two taps, and the copter takes off as it last did", {
  tag: "@phone",
}, async ({ page, app, api }) => {
  const { pack, ofPack, ofCopter } = await addStickers(api);
  await openAs(page, api, app, `s/${ofPack}`);
  await action(page, "Geflogen").click();
  await expect(toast(page, "Der Flug ist eingetragen.")).toBeVisible();
  await expect(page).toHaveURL(/\/edit$/);
  const [flown] = await flightsOf(api);
  expect(flown).toMatchObject({ open: false, flightTime: 7, copter: { name: "Brummer" } });
  await page.getByRole("button", { name: "Rückgängig" }).click();
  await expect(toast(page, "Rückgängig gemacht.")).toBeVisible();
  expect(await flightsOf(api)).toHaveLength(1);

  await api.call("QuickCharge", { battery: pack });
  await openAs(page, api, app, `s/${ofCopter}`);
  await action(page, "Start wie beim letzten Flug").click();
  await expect(page.getByRole("link", { name: "Fluglog beenden" })).toBeVisible();
  const [running] = await flightsOf(api);
  expect(running).toMatchObject({ open: true, equipments: [{ name: "Akku 5" }] });
});

test("Where the browser reads codes, a sticker is scanned within the app", { tag: "@phone" }, async ({
  page,
  app,
  api,
}) => {
  const { ofPack } = await addStickers(api);
  await page.addInitScript((text) => {
    const reader = class {
      detect = async () => [{ rawValue: text }];
    };
    Object.assign(window, { BarcodeDetector: reader });
    navigator.mediaDevices.getUserMedia = async () => {
      const picture = document.createElement("canvas");
      picture.getContext("2d")?.fillRect(0, 0, 10, 10);
      return picture.captureStream(10);
    };
  }, `http://192.168.1.5:8080/app/s/${ofPack}`);
  await openAs(page, api, app, "number");
  await page.getByRole("button", { name: "Aufkleber scannen" }).click();
  await expect(page.getByRole("heading", { name: "Akku 5" })).toBeVisible();
});

test("Labels of each size are printed on A4, and every code on them is read", { tag: "@desktop" }, async ({
  page,
  app,
  api,
}) => {
  const names = ["Akku 1", "Akku 2", "Langstrecke mit einem sehr langen Namen", "Äöü 4"];
  const packs: string[] = [];
  for (const name of names) packs.push(await addEquipment(api, kind.battery, name, { model: "6S 1300" }));
  await api.call("SaveContact", { text: "Anna Müller, 0170 1234567, anna@example.org" });
  await openAs(page, api, app, `equipments/${kind.battery}`);
  await page.getByRole("link", { name: "Aufkleber drucken" }).click();
  await page.getByRole("button", { name: "4 Aufkleber erstellen" }).click();
  await expect(page.getByRole("img", { name: "Bogen 1 von 1" })).toBeVisible();
  await expectAccessible(page);
  const items = await Promise.all(packs.map((dpfId) => itemOf(api, dpfId)));
  const links = items.map(({ number, sticker }) => `${number}: ${app.url}s/${sticker}`).toSorted();
  for (const size of ["25 × 25", "38 × 21", "63 × 30"]) {
    await page.getByText(size, { exact: true }).click();
    await page.getByRole("textbox", { name: "Erstes freies Feld" }).fill("3");
    const sheets = await print(page);
    expect(sheets).toHaveLength(1);
    await page.emulateMedia({ media: "print" });
    const labels = await page.locator("[data-labels] g").evaluateAll((groups) =>
      groups.map((label) => {
        const sheet = label.closest("svg")?.getBoundingClientRect();
        const { x, y, width, height } = label.getBoundingClientRect();
        const part = { x: x - (sheet?.x ?? 0), y: y - (sheet?.y ?? 0), width, height };
        return { number: label.querySelector("text")?.textContent, part };
      }),
    );
    await page.emulateMedia({ media: null });
    const read: string[] = [];
    for (const { number, part } of labels) {
      read.push(`${number}: ${sheets[0] && (await readPrintedCode(sheets[0], part))}`);
    }
    expect(read.toSorted(), `labels of ${size} mm by number`).toEqual(links);
  }
});

test.describe("In a browser that stores the app", () => {
  test.use({ serviceWorkers: "allow", prefetches: true });

  test("Without network a sticker opens its sheet, and its action is sent once unless it was undone", {
    tag: "@phone",
  }, async ({ page, app, pilot, faults }) => {
    faults.expectLostRequests();
    const api = clientWith(app.origin, "");
    await api.call("Login", { email: pilot.email, password: pilot.password, rememberMe: "true" });
    const { pack, ofPack } = await addStickers(api);
    await openAs(page, api, app, "home");
    await expectActivated(page);
    await page.reload();
    await expect(page.getByRole("link", { name: "Nr." })).toBeVisible();
    await expectStored(page, ["GetAllEquipments"]);
    await app.stop();
    await page.goto(`${app.url}s/${ofPack}`);
    await action(page, "Geladen").click();
    await expect(outcome(page, "Akku 5 ist voll")).toContainText("wartet");
    await page.getByRole("button", { name: /^Rückgängig/ }).click();
    await expect(action(page, "Geladen")).toBeVisible();
    await action(page, "Eingelagert").click();
    await expect(outcome(page, "Akku 5 ist eingelagert")).toContainText("wartet");
    await page.reload();
    await expect(page.getByText("Lagerung")).toBeVisible();

    await app.startAgain();
    await page.goto(`${app.url}s/${ofPack}`);
    await expect.poll(async () => (await itemOf(api, pack)).state).toBe("storage");
    const { chargings } = JSON.parse(await api.call("GetChargings", { battery: pack }));
    expect(chargings.filter(({ flight }: { flight: unknown }) => flight === null)).toHaveLength(1);
    await expect(page.getByText("wartet", { exact: true })).toHaveCount(0);
  });
});

// A series: ending one flight starts the next one with the next charged pack, without another screen; and interruptions
// in between. The proposed time of a flight, and refusals, are tested in ui/src/screens/flights/Series.test.tsx.

import type { Page } from "@playwright/test";
import { expectAccessible } from "../support/accessible.ts";
import { field, toast } from "../support/actions.ts";
import { addEquipment, ago, type Client, createFlight, finishFlight, kind } from "../support/client.ts";
import { endPause } from "../support/pauses.ts";
import { expect, openAs, test } from "../support/test.ts";

const next = (page: Page) => page.getByRole("button", { name: "Abschließen, nächster Akku" });
const end = (page: Page) => page.getByRole("button", { name: "Abschließen", exact: true });

async function charge(api: Client, battery: string): Promise<void> {
  const times = { chargeStartTime: ago(120), chargeEndTime: ago(60) };
  await api.call("SaveCharging", { battery, ...times, fromVoltage: "22.2", toVoltage: "25.2", charged: "1000" });
}

/** Opens a flight with the first of these packs, all of them charged and of one type. */
async function flying(api: Client, packs: string[]) {
  const copter = await addEquipment(api, kind.copter, "Albatros", { weight: 690 });
  const goggles = await addEquipment(api, kind.goggles, "Goggles 3");
  const batteries: string[] = [];
  for (const name of packs) {
    const battery = await addEquipment(api, kind.battery, name, { model: "6S 4000", weight: 412 });
    await charge(api, battery);
    batteries.push(battery);
  }
  const [first = ""] = batteries;
  const flight = await createFlight(api, {
    copter,
    equipments: [first, goggles],
    payloads: [{ name: "Finder", weight: 9 }],
  });
  const known = { location: "Lüneburger Heide", startLatitude: 53.1, startLongitude: 9.9 };
  const more = { flightMode: 2, weatherConditions: "Bedeckt", purpose: "Luftbilder" };
  await api.call("SaveFlight", { flight: JSON.stringify({ dpfId: flight, ...known, ...more }) });
  return { copter, batteries, flight, known };
}

const flights = async (api: Client) => JSON.parse(await api.call("GetFlights", {}));
const flightOf = async (api: Client, dpfId: string) => JSON.parse(await api.call("GetFlight", { dpfId }));
const openFlight = async (api: Client): Promise<string | null> =>
  (await flights(api)).find(({ open }: { open: boolean }) => open)?.dpfId ?? null;

async function land(page: Page, volts: string, amount: string): Promise<void> {
  await expect(field(page, "Endspannung (V)")).toBeFocused();
  await field(page, "Endspannung (V)").fill(volts);
  await field(page, "Verbraucht (mA)").fill(amount);
}

test("Three packs are three times two numbers and one tap, without another screen", { tag: "@phone" }, async ({
  page,
  app,
  api,
}) => {
  const { batteries, flight, known } = await flying(api, ["Langstrecke 1", "Langstrecke 2", "Langstrecke 3"]);
  await openAs(page, api, app, `flights/${flight}/finish`);
  await expect(page.getByText("Albatros · Langstrecke 1")).toBeVisible();
  await expectAccessible(page);
  const screens: string[] = [];
  page.on("framenavigated", (frame) => screens.push(new URL(frame.url()).pathname));

  await land(page, "22.3", "3100");
  await expect(next(page)).toContainText("Langstrecke 2");
  await next(page).click();
  await expect(page.getByText("Albatros · Langstrecke 2")).toBeVisible();
  await expect(toast(page, "Gespeichert. Jetzt fliegt Langstrecke 2.")).toBeVisible();
  await land(page, "22.1", "3200");
  await next(page).click();
  await expect(page.getByText("Albatros · Langstrecke 3")).toBeVisible();
  await expect(page.getByText("Kein geladener Akku dieser Art")).toBeVisible();
  await land(page, "22.0", "3300");
  await end(page).click();
  await expect(page).toHaveURL(/\/app\/(home|flights\/[^/]+)$/);

  expect(screens.every((path) => path.endsWith("/finish") || path === screens.at(-1))).toBe(true);
  const rows = await flights(api);
  expect(rows.map(({ open }: { open: boolean }) => open)).toEqual([false, false, false]);
  const all = await Promise.all(rows.map(({ dpfId }: { dpfId: string }) => flightOf(api, dpfId)));
  const inOrder = all.toSorted((one, other) => other.batteryEndVoltage - one.batteryEndVoltage);
  for (const [position, one] of inOrder.entries()) {
    expect(one.equipments.map(({ dpfId }: { dpfId: string }) => dpfId)).toContain(batteries[position]);
    expect(one.equipments).toHaveLength(2);
    expect(one).toMatchObject({ ...known, flightMode: "2", weatherConditions: "Bedeckt", purpose: "Luftbilder" });
    expect(one).toMatchObject({ payloads: [{ name: "Finder", weight: 9 }], flightTime: 1, notes: "" });
  }
  expect(inOrder.map((one) => one.batteryStartVoltage)).toEqual([null, 25.2, 25.2]);
});

test("A second tap of the same thumb doesn't end the flight that has just begun", { tag: "@phone" }, async ({
  page,
  app,
  api,
}) => {
  const { flight } = await flying(api, ["Langstrecke 1", "Langstrecke 2", "Langstrecke 3"]);
  await openAs(page, api, app, `flights/${flight}/finish`);
  await land(page, "22.3", "3100");
  await next(page).click();
  await expect(page.getByText("Albatros · Langstrecke 2")).toBeVisible();
  await expect(next(page)).toBeDisabled();
  await expect(end(page)).toBeDisabled();
  await next(page).click({ force: true });
  await expect(next(page)).toBeEnabled();
  expect(await flights(api)).toHaveLength(2);
});

for (const [first, second] of [
  ["SaveFlight", "CreateFlight"],
  ["CreateFlight", "SaveFlight"],
]) {
  const turns = `at once without the answer to ${first}, after a reload without the one to ${second}`;
  test(`A series goes on ${turns}, and no flight is there twice`, { tag: "@phone" }, async ({
    page,
    api,
    lossyProxy,
    faults,
  }) => {
    faults.expectLostRequests();
    const { batteries, flight } = await flying(api, ["Langstrecke 1", "Langstrecke 2", "Langstrecke 3"]);
    await openAs(page, api, lossyProxy, `flights/${flight}/finish`);
    const flown = [flight];
    for (const lost of [first, second]) {
      await land(page, "22.3", "3100");
      lossyProxy.loseAnswers(`/app/api/${lost}`);
      await next(page).click();
      const following = `Albatros · Langstrecke ${flown.length + 1}`;
      await expect(page.getByText(following)).toBeVisible();
      await expect(page.getByText("wartet", { exact: true })).toBeVisible();
      if (lost === second) {
        await page.reload();
        await expect(page.getByText(following)).toBeVisible();
      }
      lossyProxy.restore();
      await endPause(page, "poll");
      await expect.poll(async () => (await flightOf(api, flown.at(-1) ?? "")).open).toBe(false);
      await expect.poll(() => openFlight(api)).not.toBeNull();
      flown.push((await openFlight(api)) ?? "");
      expect(await flights(api)).toHaveLength(flown.length);
      const started = await flightOf(api, flown.at(-1) ?? "");
      expect(started.equipments.map(({ dpfId }: { dpfId: string }) => dpfId)).toContain(batteries[flown.length - 1]);
      expect(started).toMatchObject({ location: "Lüneburger Heide", batteryStartVoltage: 25.2 });
      await expect(page.getByText("wartet", { exact: true })).toHaveCount(0);
    }
    await page.goto(`${lossyProxy.url}home`);
    await expect(page.getByRole("link", { name: "Fluglog beenden" })).toBeVisible();
  });
}

test("A series that a call broke off goes on an hour later with one tap, as it was", { tag: "@phone" }, async ({
  page,
  app,
  api,
}) => {
  const { flight, batteries, known } = await flying(api, ["Langstrecke 1", "Langstrecke 2", "Langstrecke 3"]);
  // Today, also just after midnight.
  const [hour = 0, minute = 0] = ago(0).slice(11).split(":").map(Number);
  const startTime = ago(Math.min(70, hour * 60 + minute));
  await finishFlight(api, flight, { startTime, flightTime: 8, batteryEndVoltage: 22.3 });
  await openAs(page, api, app, "home");
  await page.getByRole("button", { name: "Jetzt starten" }).tap();
  await expect(page.getByRole("timer")).toBeVisible();
  const started = await flightOf(api, (await openFlight(api)) ?? "");
  expect(started.equipments[0].dpfId).toBe(batteries[1]);
  expect(started).toMatchObject({ ...known, flightMode: "2", weatherConditions: "Bedeckt", batteryStartVoltage: 25.2 });
});

test("At a desk a series needs the keyboard alone", { tag: "@desktop" }, async ({ page, app, api }) => {
  const { flight } = await flying(api, ["Langstrecke 1", "Langstrecke 2"]);
  await openAs(page, api, app, `flights/${flight}/finish`);
  await expect(field(page, "Endspannung (V)")).toBeFocused();
  await page.keyboard.type("22.3");
  await page.keyboard.press("Tab");
  await page.keyboard.type("3100");
  await expect(next(page)).toBeEnabled();
  for (let steps = 0; steps < 40; steps++) {
    if (await next(page).evaluate((button) => button === document.activeElement)) break;
    await page.keyboard.press("Tab");
  }
  await page.keyboard.press("Enter");
  await expect(page.getByText("Albatros · Langstrecke 2")).toBeVisible();
  await expect(field(page, "Endspannung (V)")).toBeFocused();
  await page.keyboard.type("22.1");
  await expect(end(page)).toBeEnabled();
  await page.keyboard.press("Control+Enter");
  await expect.poll(() => openFlight(api)).toBeNull();
});

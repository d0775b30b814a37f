// A series: ending one flight starts the next one with the next charged pack, without another screen; and interruptions
// in between.

import type { Page } from "@playwright/test";
import { expectAccessible } from "../support/accessible.ts";
import { field, toast, unfold } from "../support/actions.ts";
import { addEquipment, ago, type Client, createFlight, finishFlight, kind } from "../support/client.ts";
import { expect, openAs, test } from "../support/test.ts";

const next = (page: Page) => page.getByRole("button", { name: "Abschließen, nächster Akku" });
const end = (page: Page) => page.getByRole("button", { name: "Abschließen", exact: true });
const minuteMs = 60_000;

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

for (const lost of ["SaveFlight", "CreateFlight"]) {
  for (const isReloaded of [false, true]) {
    const reloaded = isReloaded ? ", after a reload too" : "";
    test(`With the answer to ${lost} lost the series goes on at once${reloaded}, and no flight is there twice`, {
      tag: "@phone",
    }, async ({ page, api, lossyProxy, faults }) => {
      faults.expectLostRequests();
      const { batteries, flight } = await flying(api, ["Langstrecke 1", "Langstrecke 2", "Langstrecke 3"]);
      await openAs(page, api, lossyProxy, `flights/${flight}/finish`);
      await land(page, "22.3", "3100");
      lossyProxy.loseAnswers(`/app/api/${lost}`);
      await next(page).click();
      await expect(page.getByText("Albatros · Langstrecke 2")).toBeVisible();
      await expect(page.getByText("wartet", { exact: true })).toBeVisible();
      if (isReloaded) {
        await page.reload();
        await expect(page.getByText("Albatros · Langstrecke 2")).toBeVisible();
      }
      lossyProxy.restore();
      await expect.poll(async () => (await flightOf(api, flight)).open).toBe(false);
      await expect.poll(() => openFlight(api)).not.toBeNull();
      const second = (await openFlight(api)) ?? "";
      expect(await flights(api)).toHaveLength(2);
      const started = await flightOf(api, second);
      expect(started.equipments.map(({ dpfId }: { dpfId: string }) => dpfId)).toContain(batteries[1]);
      expect(started).toMatchObject({ location: "Lüneburger Heide", batteryStartVoltage: 25.2 });
      await page.goto(`${lossyProxy.url}home`);
      await expect(page.getByRole("link", { name: "Fluglog beenden" })).toBeVisible();
    });
  }
}

test("A pack that was retired after it was proposed doesn't fly, and home proposes the next one", {
  tag: "@phone",
}, async ({ page, app, api, faults }) => {
  const { batteries, flight } = await flying(api, ["Langstrecke 1", "Langstrecke 2", "Langstrecke 3"]);
  await openAs(page, api, app, `flights/${flight}/finish`);
  await land(page, "22.3", "3100");
  await expect(next(page)).toContainText("Langstrecke 2");
  await api.call("DeactivateEquipment", { dpfId: batteries[1] ?? "", info: "gebläht" });
  faults.expectAnswer("CreateFlight", 400);
  await next(page).click();
  await expect(page).toHaveURL(/\/home$/);
  await expect(page.getByRole("alert")).toContainText("Der Flug ist abgeschlossen, der nächste wurde nicht gestartet.");
  expect((await flightOf(api, flight)).open).toBe(false);
  await expect(page.getByText("Langstrecke 3")).toBeVisible();
  await page.getByRole("button", { name: "Jetzt starten" }).click();
  await expect(page.getByRole("link", { name: "Fluglog beenden" })).toBeVisible();
  const started = await flightOf(api, (await openFlight(api)) ?? "");
  expect(started.equipments.map(({ dpfId }: { dpfId: string }) => dpfId)).toContain(batteries[2]);
});

test("Of two devices that end one flight the second starts no other one", { tag: "@phone" }, async ({
  page,
  app,
  api,
  context,
  faults,
}) => {
  const { flight } = await flying(api, ["Langstrecke 1", "Langstrecke 2", "Langstrecke 3"]);
  await openAs(page, api, app, `flights/${flight}/finish`);
  await land(page, "22.3", "3100");
  const other = await context.newPage();
  await other.goto(`flights/${flight}/finish`);
  await land(other, "22.4", "3000");
  await next(page).click();
  await expect(page.getByText("Albatros · Langstrecke 2")).toBeVisible();
  faults.expectAnswer("SaveFlight", 409);
  await next(other).click();
  await expect(other.getByRole("alert")).toBeVisible();
  await expect(next(other)).toHaveCount(0);
  await expect(field(other, "Endspannung (V)")).toHaveValue("22.4");
  expect(await flights(api)).toHaveLength(2);
});

test("The proposed flight time follows the clock until another one is typed", { tag: "@phone" }, async ({
  page,
  app,
  api,
}) => {
  const { flight } = await flying(api, ["Langstrecke 1", "Langstrecke 2"]);
  await api.call("SaveFlight", { flight: JSON.stringify({ dpfId: flight, startTime: ago(3) }) });
  await page.clock.install();
  await openAs(page, api, app, `flights/${flight}/finish`);
  const time = field(page, "Flugzeit (min)");
  await unfold(page, "Flug");
  await expect(time).toHaveValue("3");
  await page.clock.fastForward(7 * minuteMs);
  await expect(time).toHaveValue("10");
  await time.fill("8,5");
  await page.clock.fastForward(5 * minuteMs);
  await field(page, "Endspannung (V)").fill("22,3");
  await end(page).click();
  await expect.poll(async () => (await flightOf(api, flight)).open).toBe(false);
  expect(await flightOf(api, flight)).toMatchObject({ flightTime: 8.5, batteryEndVoltage: 22.3 });
});

for (const { days, since } of [
  { days: 3, since: "3 Tagen" },
  { days: 1, since: "1 Tag" },
]) {
  test(`A flight that is open since ${days} days says so, and asks for its real minutes`, { tag: "@phone" }, async ({
    page,
    app,
    api,
  }) => {
    const { flight } = await flying(api, ["Langstrecke 1", "Langstrecke 2"]);
    await api.call("SaveFlight", { flight: JSON.stringify({ dpfId: flight, startTime: ago(days * 1440 + 30) }) });
    await openAs(page, api, app, "home");
    await expect(page.getByText(`Flug läuft seit ${since}`, { exact: true })).toBeVisible();
    await page.getByRole("link", { name: "Fluglog beenden" }).tap();
    await expect(page.getByText(`Flug läuft seit ${since}.`)).toBeVisible();
    await expect(field(page, "Flugzeit (min)")).toBeFocused();
    await expect(field(page, "Flugzeit (min)")).toHaveValue("");
    await expect(next(page)).toHaveCount(0);
    await expect(page.getByRole("button", { name: "Flug verwerfen" })).toBeVisible();
    await page.keyboard.type("12");
    await end(page).click();
    await expect.poll(async () => (await flightOf(api, flight)).open).toBe(false);
    expect(await flightOf(api, flight)).toMatchObject({ flightTime: 12 });
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

test("A clock that is an hour behind counts from the start and proposes the minutes since", { tag: "@phone" }, async ({
  page,
  app,
  api,
}) => {
  const { flight } = await flying(api, ["Langstrecke 1"]);
  await page.clock.setSystemTime(new Date(Date.now() - 60 * minuteMs));
  await openAs(page, api, app, "home");
  await expect(page.getByRole("timer")).toHaveText(/^0:\d\d$/);
  await page.getByRole("link", { name: "Fluglog beenden" }).tap();
  await unfold(page, "Flug");
  await expect(field(page, "Flugzeit (min)")).toHaveValue("1");
  await field(page, "Flugzeit (min)").fill("7");
  await end(page).click();
  await expect.poll(async () => (await flightOf(api, flight)).open).toBe(false);
  expect(await flightOf(api, flight)).toMatchObject({ flightTime: 7 });
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

// The layout of home: its tiles and figures at each width, under a mouse or a finger, and on paper.

import { holdCall } from "../support/actions.ts";
import { desktop, phone } from "../support/chromium.ts";
import {
  addEquipment,
  addFlights,
  ago,
  type Client,
  createFlight,
  finishFlight,
  kind,
  logIn,
} from "../support/client.ts";
import { expect, openAs, test } from "../support/test.ts";

test("When the latest flights come, nothing below them moves, on a phone and on a desktop", { tag: "@phone" }, async ({
  page,
  app,
  api,
}) => {
  const copter = await addEquipment(api, kind.copter, "Nazgul F5");
  const battery = await addEquipment(api, kind.battery, "Akku 1", { batteryType: "LiPo 4S" });
  await addFlights(api, 5, { copter, equipments: [battery] });
  const voltages = { fromVoltage: "14.2", toVoltage: "16.8", charged: "1000" };
  await api.call("SaveCharging", { battery, chargeStartTime: ago(10), chargeEndTime: ago(5), ...voltages });
  for (const viewport of [phone.viewport, desktop.viewport]) {
    await page.setViewportSize(viewport);
    const held = await holdCall(page, "GetFlights");
    await openAs(page, api, app, "home");
    await expect(page.getByRole("heading", { name: "Statistik" })).toBeVisible();
    const tilesTop = async () =>
      (await page.getByRole("navigation", { name: "Bereiche" }).boundingBox())?.y ?? Number.NaN;
    const before = await tilesTop();
    held.release();
    await expect(page.getByRole("heading", { name: "Letzte Flüge" })).toBeVisible();
    expect(Math.abs((await tilesTop()) - before)).toBeLessThan(4);
  }
});

test("The tiles are in as many columns as the width has room for, each name whole on one line", {
  tag: "@desktop",
}, async ({ page, app, api }) => {
  for (const { width, columns } of [
    { width: 320, columns: 2 },
    { width: 360, columns: 3 },
    { width: 390, columns: 3 },
    { width: 900, columns: 7 },
    { width: 1024, columns: 7 },
    { width: 1280, columns: 7 },
  ]) {
    await page.setViewportSize({ width, height: 800 });
    await openAs(page, api, app, "home");
    const links = page.getByRole("navigation", { name: "Bereiche" }).getByRole("link");
    await expect(links).toHaveCount(7);
    const seen = await links.evaluateAll((all) =>
      all.map((tile) => {
        const name = tile.querySelector("span");
        const icon = tile.querySelector("svg");
        return {
          top: icon?.getBoundingClientRect().top,
          nameHeight: name?.getBoundingClientRect().height,
          spare: tile.getBoundingClientRect().width - (name?.getBoundingClientRect().width ?? Number.NaN),
        };
      }),
    );
    expect(seen.filter(({ top }) => top === seen[0]?.top)).toHaveLength(columns);
    expect(new Set(seen.map(({ nameHeight }) => nameHeight)).size).toBe(1);
    for (const { spare } of seen) expect(spare).toBeGreaterThan(8);
  }
});

test("On the narrowest phone every word has its place, even an endless nickname", { tag: "@phone" }, async ({
  page,
  app,
}) => {
  await page.setViewportSize({ width: 320, height: 568 });
  const pilot = { email: "lang@example.org", nickname: "W".repeat(50), password: "rotorblatt-17" };
  await app.addUser(pilot);
  const api = await logIn(app.origin, pilot.email, pilot.password);
  await twoFlights(api);
  await openAs(page, api, app, "home");
  const chart = page.getByRole("figure", { name: "Flüge nach Monaten" });
  await expect(chart).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);

  const figures = page.getByRole("region", { name: "Statistik" }).getByRole("listitem");
  for (const figure of await figures.all()) {
    const tooWide = await figure.evaluate((place) => {
      const edge = place.parentElement?.getBoundingClientRect().right ?? 0;
      const contents = [place, ...place.querySelectorAll("*")];
      return (
        contents.some((one) => one.scrollWidth > one.clientWidth && one.clientWidth > 0) ||
        place.getBoundingClientRect().right > edge
      );
    });
    expect(tooWide).toBe(false);
  }
  const months = chart.getByText(/^(Jan|Feb|Mär|Apr|Mai|Jun|Jul|Aug|Sep|Okt|Nov|Dez)$/);
  await expect(months).toHaveCount(12);
  const heights = await months.evaluateAll((names) => names.map((name) => name.getBoundingClientRect().height));
  expect(new Set(heights).size).toBe(1);
});

test("Below a mouse the ways from home light up; on a touch screen the place of the last tap doesn't", async ({
  page,
  app,
  api,
  isMobile,
}) => {
  await openAs(page, api, app, "home");
  // Cards that load later move the content below them away from the pointer.
  await page.waitForLoadState("networkidle");
  for (const target of [
    page.getByRole("link", { name: "Copter", exact: true }),
    page.getByRole("link", { name: /Fluglog starten/ }),
  ]) {
    const background = () => target.evaluate((element) => getComputedStyle(element).backgroundColor);
    const unlit = await background();
    // After a tap a browser leaves the pointer in place.
    await target.hover();
    if (isMobile) expect(await background()).toBe(unlit);
    else await expect.poll(background).not.toBe(unlit);
  }
});

/** Adds a long flight and a fast one, and an open one that isn't counted. */
async function twoFlights(api: Client): Promise<void> {
  const copter = await addEquipment(api, kind.copter, "Nazgul F5", { weight: 680 });
  const long = await createFlight(api, { copter });
  await finishFlight(api, long, {
    startTime: "02.03.2026 09:00",
    flightTime: 65,
    distance: "12,5",
    maximumDistance: 1250,
    speed: 40,
    maximumAltitude: 80,
    consumedCapacity: 1300,
  });
  const shortAndFast = await createFlight(api, { copter });
  await finishFlight(api, shortAndFast, {
    startTime: "05.03.2026 17:30",
    flightTime: 12,
    distance: "1,25",
    maximumDistance: 300,
    speed: "90,5",
    maximumAltitude: 120,
    consumedCapacity: 900,
  });
  await createFlight(api, { copter });
}

test("On paper home is its figures and the chart, without the ways to other screens", { tag: "@desktop" }, async ({
  page,
  app,
  api,
}) => {
  await twoFlights(api);
  await openAs(page, api, app, "home");
  const chart = page.getByRole("figure", { name: "Flüge nach Monaten" });
  await expect(chart).toBeVisible();
  await page.emulateMedia({ media: "print" });
  await expect(page.getByRole("strong").filter({ hasText: /^1 h 17 min$/ })).toBeVisible();
  await expect(chart).toBeVisible();
  await expect(page.getByRole("navigation", { name: "Bereiche" })).toBeHidden();
  await expect(page.getByRole("link", { name: "Fluglog beenden" })).toBeHidden();
  await expect(page.getByRole("button")).toHaveCount(0);
});

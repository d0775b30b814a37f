// The dashboard: the bar, the tiles and the figures.

import { expectAccessible } from "../support/accessible.ts";
import { holdCall, tryAgain } from "../support/actions.ts";
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

const tiles = [
  { name: "Flüge", path: "/app/flights" },
  { name: "Copter", path: "/app/equipments/0" },
  { name: "Batterien", path: "/app/equipments/1" },
  { name: "Brillen", path: "/app/equipments/2" },
  { name: "Sender", path: "/app/equipments/3" },
  { name: "Videokameras", path: "/app/equipments/4" },
  { name: "Meine Dokumente", path: "/app/myDocuments" },
];

test("When the latest flights come, nothing below them moves", async ({ page, app, api }) => {
  const copter = await addEquipment(api, kind.copter, "Nazgul F5");
  const battery = await addEquipment(api, kind.battery, "Akku 1", { batteryType: "LiPo 4S" });
  await addFlights(api, 5, { copter, equipments: [battery] });
  const voltages = { fromVoltage: "14.2", toVoltage: "16.8", charged: "1000" };
  await api.call("SaveCharging", { battery, chargeStartTime: ago(10), chargeEndTime: ago(5), ...voltages });
  const held = await holdCall(page, "GetFlights");
  await openAs(page, api, app, "home");
  await expect(page.getByRole("heading", { name: "Statistik" })).toBeVisible();
  const tilesTop = async () =>
    (await page.getByRole("navigation", { name: "Bereiche" }).boundingBox())?.y ?? Number.NaN;
  const before = await tilesTop();
  held.release();
  await expect(page.getByRole("heading", { name: "Letzte Flüge" })).toBeVisible();
  expect(Math.abs((await tilesTop()) - before)).toBeLessThan(4);
});

test("Every tile leads where it says, and Back leads home again", { tag: "@phone" }, async ({ page, app, api }) => {
  await openAs(page, api, app, "home");
  await expect(page.getByRole("heading", { level: 1, name: "Hallo, Pilotin" })).toBeVisible();
  const navigation = page.getByRole("navigation", { name: "Bereiche" });
  await expect(navigation.getByRole("link")).toHaveText(tiles.map(({ name }) => name));
  for (const { name, path } of tiles) {
    await navigation.getByRole("link", { name, exact: true }).click();
    await expect(page).toHaveURL((url) => url.pathname === path);
    await expect(page.getByRole("heading", { level: 1 })).toContainText(name);
    await page.goBack();
    await expect(page.getByRole("heading", { level: 1, name: "Hallo, Pilotin" })).toBeVisible();
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
    await expect(links).toHaveCount(tiles.length);
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

test("Without an open flight the bar starts one", { tag: "@desktop" }, async ({ page, app, api }) => {
  await openAs(page, api, app, "home");
  await page.getByRole("main").getByRole("link", { name: "Fluglog starten" }).click();
  await expect(page).toHaveURL(/\/app\/flights\/config$/);
});

test("With an open flight the bar ends it", { tag: "@desktop" }, async ({ page, app, api }) => {
  const copter = await addEquipment(api, kind.copter, "Nazgul F5");
  const flight = await createFlight(api, { copter });
  await openAs(page, api, app, "home");
  await expect(page.getByRole("link", { name: "Fluglog starten" })).toHaveCount(0);
  await page.getByRole("main").getByRole("link", { name: "Fluglog beenden" }).click();
  await expect(page).toHaveURL(new RegExp(`/app/flights/${flight}/finish$`));
});

test("Of a flight that says nothing every figure but their number is a dash and none can be clicked", {
  tag: "@phone",
}, async ({ page, app, api }) => {
  const copter = await addEquipment(api, kind.copter, "Nazgul F5");
  await finishFlight(api, await createFlight(api, { copter }), {});
  await openAs(page, api, app, "home");
  const figures = page.getByRole("region", { name: "Statistik" }).getByRole("listitem");
  await expect(figures).toHaveText([
    "Gesamtflugzeit-",
    "Anzahl der Flüge1",
    "Durchschnittliche Flugzeit-",
    "Längste Flugzeit-",
    "Gesamtstrecke-",
    "Maximale Entfernung-",
    "Maximale Geschwindigkeit-",
    "Durchschnittliche Geschwindigkeit-",
    "Maximale Höhe-",
    "Durchschnittliche Höhe-",
    "Durchschnittlicher Verbrauch-",
  ]);
  await expect(figures.getByRole("link")).toHaveCount(0);
});

test("The figures are those of the finished flights, and a record leads to its flight", { tag: "@phone" }, async ({
  page,
  app,
  api,
}) => {
  const { shortAndFast } = await twoFlights(api);
  await openAs(page, api, app, "home");
  await expect(page.getByRole("region", { name: "Statistik" }).getByRole("listitem")).toHaveText([
    "Gesamtflugzeit1 h 17 min",
    "Anzahl der Flüge2",
    "Durchschnittliche Flugzeit39 min",
    "Längste Flugzeit1 h 05 min02.03.2026",
    "Gesamtstrecke13,75 km",
    "Maximale Entfernung1.250 m02.03.2026",
    "Maximale Geschwindigkeit90,5 km/h05.03.2026",
    "Durchschnittliche Geschwindigkeit65,3 km/h",
    "Maximale Höhe120 m05.03.2026",
    "Durchschnittliche Höhe100 m",
    "Durchschnittlicher Verbrauch1.100 mAh",
  ]);
  await page.getByRole("link", { name: /Maximale Geschwindigkeit/ }).click();
  await expect(page).toHaveURL(new RegExp(`/app/flights/${shortAndFast}$`));
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Nazgul F5");
});

test("With the server gone the statistics say so, and can be asked for again once it is back", {
  tag: "@desktop",
}, async ({ page, app, api, faults }) => {
  faults.expectLostRequests();
  await twoFlights(api);
  await openAs(page, api, app, "equipments/0");
  await expect(page.getByRole("heading", { name: "Nazgul F5" })).toBeVisible();
  await app.stop();
  await page.getByRole("link", { name: "Fluglog, zur Startseite" }).click();
  const statistics = page.getByRole("region", { name: "Statistik" });
  await expect(statistics.getByRole("alert")).toContainText(
    "Statistik konnten nicht geladen werden. Bitte versuchen Sie es erneut.",
  );
  await expect(page.getByText("Kein Netz. Alles wird gemerkt.")).toBeVisible();
  await expect(page.getByRole("link", { name: "Batterien" })).toBeVisible();

  await tryAgain(page, app, "GetStatistics", statistics);
  await expect(statistics.getByText("1 h 17 min", { exact: true })).toBeVisible();
  await expect(page.getByText("Kein Netz. Alles wird gemerkt.")).toHaveCount(0);
});

test("With the server gone from the beginning home says so, and comes by itself once it is back", {
  tag: "@phone",
}, async ({ page, app, api, faults }) => {
  faults.expectLostRequests();
  await openAs(page, api, app, "impressum");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Impressum");
  await app.stop();
  await page.getByRole("link", { name: "Fluglog, zur Startseite" }).click();
  await expect(page.getByText("Nicht verbunden")).toBeVisible();
  await app.startAgain();
  await expect(page.getByRole("heading", { level: 1, name: "Hallo, Pilotin" })).toBeVisible();
});

/** Adds a long flight and a fast one, and an open one that isn't counted. */
async function twoFlights(api: Client): Promise<{ shortAndFast: string }> {
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
  return { shortAndFast };
}

test("The flights month by month are a chart, a sentence and a table; a year can be chosen", async ({
  page,
  app,
  api,
}) => {
  const copter = await addEquipment(api, kind.copter, "Nazgul F5");
  for (const [startTime, flightTime] of [
    ["15.11.2024 10:00", 30],
    ["15.11.2025 10:00", 12],
    ["01.03.2026 09:05", 65],
    ["31.03.2026 09:05", 5],
  ] as const) {
    await finishFlight(api, await createFlight(api, { copter }), { startTime, flightTime });
  }
  await openAs(page, api, app, "home");
  const chart = page.getByRole("figure", { name: "Flüge nach Monaten" });
  await expect(chart).toContainText("3 Flüge, 1 h 22 min");
  await expect(chart.getByRole("img", { name: "Flugzeit" })).toHaveAccessibleDescription(
    "April 2025 bis März 2026: 1 h 22 min, höchstens 1 h 10 min in einem Monat.",
  );
  const row = (name: string) => chart.getByRole("row", { name });
  await expect(row("März 2026")).toHaveText(/März 2026270\smin/);
  await expect(row("Februar 2026")).toHaveText(/Februar 202600\smin/);
  await expect(chart.getByRole("row")).toHaveCount(13);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(page.viewportSize()?.width);
  await expectAccessible(page);

  await chart.getByLabel("Zeitraum").selectOption("2024");
  await expect(chart).toContainText("1 Flug, 30 min");
  await expect(chart).toContainText("Januar 2024 bis Dezember 2024");
});

test("Without a flight home has no chart", { tag: "@phone" }, async ({ page, app, api }) => {
  await openAs(page, api, app, "home");
  await expect(page.getByText("Drei Schritte bis zum ersten Flug")).toBeVisible();
  await page.waitForLoadState("networkidle");
  await expect(page.getByRole("figure")).toHaveCount(0);
});

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
  await expect(page.getByText("1 h 17 min", { exact: true })).toBeVisible();
  await expect(chart).toBeVisible();
  await expect(page.getByRole("navigation", { name: "Bereiche" })).toBeHidden();
  await expect(page.getByRole("link", { name: "Fluglog beenden" })).toBeHidden();
  await expect(page.getByRole("button")).toHaveCount(0);
});

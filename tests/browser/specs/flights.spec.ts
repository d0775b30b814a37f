// The list of flights and the page of one flight.

import type { Locator, Page } from "@playwright/test";
import { expectAccessible } from "../support/accessible.ts";
import { countWhilePrinting, mark } from "../support/actions.ts";
import { phone } from "../support/chromium.ts";
import {
  addEquipment,
  addFlights,
  addImages,
  type Client,
  createFlight,
  finishFlight,
  kind,
  sessionCookies,
} from "../support/client.ts";
import { picture, red } from "../support/pictures.ts";
import { expect, openAs, test } from "../support/test.ts";

/** Entries of the list, without the headings of days. Each has the link to its flight. */
const entries = (page: Page) =>
  page
    .getByRole("table", { name: "Liste der Flüge" })
    .locator("tbody tr:has(td)")
    .or(page.getByRole("list", { name: "Liste der Flüge" }).locator("> li"));

async function twoFlights(api: Client) {
  const copter = await addEquipment(api, kind.copter, "Nazgul F5", { weight: 680 });
  const battery = await addEquipment(api, kind.battery, "Akku 1", { weight: "190,5", model: "Tattu R-Line" });
  const goggles = await addEquipment(api, kind.goggles, "DJI Goggles 3");
  const older = await createFlight(api, {
    copter,
    equipments: [battery, goggles],
    payloads: [{ name: "Kescher", weight: 100 }],
  });
  await finishFlight(api, older, {
    startTime: "01.03.2026 09:05",
    location: "Elbdeich",
    startLatitude: 53.5,
    startLongitude: 9.9,
    flightTime: 65,
    distance: 12.5,
    maximumDistance: 1250,
    speed: 72.5,
    maximumAltitude: 85,
    batteryStartVoltage: 16.8,
    batteryEndVoltage: 14.2,
    consumedCapacity: 1100,
    flightMode: 2,
    weatherConditions: "Sonnig",
    purpose: "Training",
    notes: "Erste Zeile\nzweite Zeile <b>",
  });
  const newer = await createFlight(api, { copter });
  await finishFlight(api, newer, { startTime: "02.03.2026 09:05", location: "Lüneburger Heide" });
  return { copter, older, newer };
}

test("Six flights are in sight on a phone, with their first pictures, under a month that stays", {
  tag: "@phone",
}, async ({ page, app, api }) => {
  const copter = await addEquipment(api, kind.copter, "Nazgul F5");
  await addFlights(api, 90, { copter });
  const [newest] = JSON.parse(await api.call("GetFlights", { limit: "1" }));
  await addImages(api, newest.dpfId, [picture(red)]);
  await openAs(page, api, app, "flights");
  await expect(entries(page).nth(5)).toBeInViewport({ ratio: 1 });
  const thumbnail = entries(page).first().locator("img");
  await expect.poll(() => thumbnail.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  // Two flights every four hours: anywhere in the list, the newest month or the one before is below the header.
  await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight / 2));
  const headings = page.getByRole("heading", { level: 2 });
  const tops = () => headings.evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().top)));
  await expect.poll(tops).toContain(56);
});

test("A mouse reads on the copter what its button does", { tag: "@desktop" }, async ({ page, app, api }) => {
  await twoFlights(api);
  await openAs(page, api, app, "flights");
  const button = page.getByRole("button", { name: "Nazgul F5, Equipment anzeigen" }).first();
  const hint = () =>
    button.evaluate((element) => {
      const { content, display, opacity } = getComputedStyle(element, "::after");
      return { content, display, opacity };
    });
  expect(await hint()).toMatchObject({ display: "none" });
  await button.hover();
  await expect.poll(hint).toEqual({ content: '"Equipment anzeigen"', display: "block", opacity: "1" });
});

/** Adds five flights of two copters on five days, oldest first. Returns their ids. */
async function fiveFlights(api: Client): Promise<string[]> {
  const copters = [await addEquipment(api, kind.copter, "Hummel"), await addEquipment(api, kind.copter, "Brummer")];
  const flights: string[] = [];
  for (let day = 1; day <= 5; day++) {
    const flight = await createFlight(api, { copter: copters[day % 2] ?? "" });
    await finishFlight(api, flight, {
      startTime: `0${day}.03.2026 09:05`,
      location: `Ort ${day}`,
      flightTime: 10 - day,
    });
    flights.push(flight);
  }
  return flights;
}

const title = (page: Page) => page.getByRole("heading", { level: 1 });

test("Arrows lead to the earlier and the later flight, and Back to the list", { tag: "@desktop" }, async ({
  page,
  app,
  api,
}) => {
  await fiveFlights(api);
  await openAs(page, api, app, "flights");
  await entries(page).nth(1).getByRole("link").click();
  await expect(title(page)).toHaveText(/^Hummel · .* · Ort 4$/);
  const earlier = page.getByRole("link", { name: "Früher: der Flug davor" });
  await earlier.click();
  await expect(title(page)).toHaveText(/^Brummer · .* · Ort 3$/);
  // The arrow keeps the focus, so that the next press turns again.
  await expect(earlier).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(title(page)).toHaveText(/^Hummel · .* · Ort 2$/);
  await page.keyboard.press("Enter");
  await expect(title(page)).toHaveText(/^Brummer · .* · Ort 1$/);
  await expect(earlier).toHaveCount(0);
  await page.getByRole("link", { name: "Später: der Flug danach" }).click();
  await expect(title(page)).toHaveText(/^Hummel · .* · Ort 2$/);
  await page.getByRole("button", { name: "Zurück" }).click();
  await expect(page).toHaveURL(/\/app\/flights$/);
  await expect(entries(page).nth(3).getByRole("link")).toBeFocused();
});

test("A swipe turns to the flight beside, a short one and one down the page don't", { tag: "@phone" }, async ({
  page,
  app,
  api,
}) => {
  await fiveFlights(api);
  await openAs(page, api, app, "flights");
  await entries(page).nth(1).getByRole("link").click();
  await expect(title(page)).toHaveText(/^Hummel · .* · Ort 4$/);
  const finger = await page.context().newCDPSession(page);
  async function swipe(right: number, down: number) {
    const [x, y] = [195, 500];
    const touch = (type: "touchStart" | "touchMove" | "touchEnd", part: number) =>
      finger.send("Input.dispatchTouchEvent", {
        type,
        touchPoints: type === "touchEnd" ? [] : [{ x: x + right * part, y: y + down * part }],
      });
    await touch("touchStart", 0);
    for (const part of [0.25, 0.5, 0.75, 1]) await touch("touchMove", part);
    await touch("touchEnd", 1);
  }
  await swipe(-40, 0);
  await swipe(-20, -200);
  await expect(title(page)).toHaveText(/^Hummel · .* · Ort 4$/);
  await swipe(120, 0);
  await expect(title(page)).toHaveText(/^Brummer · .* · Ort 3$/);
  await swipe(-120, 0);
  await expect(title(page)).toHaveText(/^Hummel · .* · Ort 4$/);
  await swipe(-120, 0);
  await expect(title(page)).toHaveText(/^Brummer · .* · Ort 5$/);
  await page.getByRole("button", { name: "Zurück" }).click();
  await expect(page).toHaveURL(/\/app\/flights$/);
});

test("Start and end are drawn north up with a scale, and the track of a flight from a file", { tag: "@phone" }, async ({
  page,
  app,
  api,
}) => {
  const copter = await addEquipment(api, kind.copter, "Nazgul F5");
  const flight = await createFlight(api, { copter });
  const start = { startLatitude: 53.5, startLongitude: 10 };
  await finishFlight(api, flight, {
    startTime: "01.03.2026 09:05",
    ...start,
    endLatitude: 53.501,
    endLongitude: 10.0016,
  });
  await openAs(page, api, app, `flights/${flight}`);
  const drawing = page.getByRole("img", { name: "Start und Ende, Norden oben. Ende 154 m nordöstlich vom Start" });
  await expect(drawing).toBeVisible();
  const [from, to] = await Promise.all([
    drawing.locator("circle").boundingBox(),
    drawing.locator("rect").boundingBox(),
  ]);
  expect(to?.x).toBeGreaterThan((from?.x ?? 0) + 20);
  expect(to?.y).toBeLessThan((from?.y ?? 0) - 20);
  await expect(page.getByText("50 m", { exact: true })).toBeVisible();
  await expect(page.getByRole("link", { name: "Auf der Karte zeigen" })).toHaveCount(2);

  const [round] = await importRound(api, copter);
  await noProfile(page);
  await page.goto(`flights/${round}`);
  const track = page.getByRole("img", { name: /^Flugweg, Norden oben\./ });
  await expect(track).toBeVisible();
  // Without a profile the path has one colour, and there are no values over time.
  const line = await track.locator("path").boundingBox();
  // To scale: 0.004° of longitude are 265 m here, 0.002° of latitude 222 m.
  expect((line?.width ?? 0) / (line?.height ?? 1)).toBeCloseTo(1.19, 1);
  // The square is where the path ends.
  const [square, last] = await track.evaluate((drawing) => {
    const [path, end] = [drawing.querySelector("path"), drawing.querySelector("rect")?.getBBox()];
    const { x, y } = path?.getPointAtLength(path.getTotalLength()) ?? new DOMPoint();
    return [end && [end.x + end.width / 2, end.y + end.height / 2], [x, y]];
  });
  for (const axis of [0, 1]) expect(square?.[axis]).toBeCloseTo(last?.[axis] ?? Number.NaN, 0);
  await expect(page.getByRole("radio")).toHaveCount(0);
  await expect(page.getByRole("slider")).toHaveCount(0);
});

/** Imports a flight of two minutes around a field. Returns the ids of the created flights. */
async function importRound(api: Client, copter: string): Promise<string[]> {
  const points = Array.from({ length: 120 }, (_, second) => {
    const turn = (second / 120) * 2 * Math.PI;
    const place = `lat="${53.5 + 0.001 * Math.sin(turn)}" lon="${10 + 0.002 * Math.cos(turn)}"`;
    const time = new Date(Date.UTC(2026, 2, 2, 8, 0, second)).toISOString();
    return `<trkpt ${place}><ele>30</ele><time>${time}</time></trkpt>`;
  });
  const form = new FormData();
  form.set("files", new File([`<gpx version="1.1"><trk><trkseg>${points.join("")}</trkseg></trk></gpx>`], "rund.gpx"));
  const found = JSON.parse(await api.call("UploadImport", form));
  const choices = [{ key: found.proposals[0].key, action: "create", copter }];
  return JSON.parse(await api.call("AcceptImport", { dpfId: found.dpfId, choices: JSON.stringify(choices) })).created;
}

/** Answers like for a file that has only a track. */
const noProfile = (page: Page) => answerProfile(page, []);

/** Answers a profile of these seconds: as high as the second, at constant speed around the field. */
async function answerProfile(page: Page, seconds: number[]): Promise<void> {
  const turns = seconds.map((second) => (second / 120) * 2 * Math.PI);
  const profile = {
    seconds,
    height: seconds,
    speed: seconds.map(() => 20),
    voltage: seconds.map((second) => 16.8 - second / 100),
    current: seconds.map(() => null),
    points: turns.map((turn) => [53.5 + 0.001 * Math.sin(turn), 10 + 0.002 * Math.cos(turn)]),
  };
  await page.route("**/app/api/GetFlightProfile", (route) => route.fulfill({ json: profile, headers: mark }));
}

test("One finger, or the arrow keys, move through the path and the profile of a flight and tell its values", {
  tag: "@phone",
}, async ({ page, app, api }) => {
  const [round] = await importRound(api, await addEquipment(api, kind.copter, "Nazgul F5"));
  await answerProfile(
    page,
    Array.from({ length: 120 }, (_, second) => second),
  );
  await openAs(page, api, app, `flights/${round}`);
  const slider = page.getByRole("slider", { name: "Zeitpunkt im Flug" });
  const point = page.locator("[data-moment]");
  await expect(page.getByRole("img", { name: /^Flugweg, schräg von oben/ })).toBeVisible();
  await expect(point).toHaveCount(0);

  // Below the path, which stays visible on a phone.
  await slider.evaluate((element) => element.scrollIntoView({ block: "end" }));
  const box = await slider.boundingBox();
  const low = (box?.y ?? 0) + (box?.height ?? 0) - 40;
  await page.mouse.move((box?.x ?? 0) + (box?.width ?? 0) * 0.25, low);
  await page.mouse.down();
  await expect(slider).toHaveAttribute("aria-valuetext", /^0:30, Höhe 30\sm, Tempo 20\skm\/h, Spannung 16,5\sV$/);
  const before = await point.boundingBox();
  await page.mouse.move((box?.x ?? 0) + (box?.width ?? 0) * 0.75, low, { steps: 4 });
  await page.mouse.up();
  await expect(slider).toHaveAttribute("aria-valuetext", /^1:29, Höhe 89\sm, Tempo 20\skm\/h, Spannung 15,9\sV$/);
  expect(await point.boundingBox()).not.toEqual(before);
  for (const value of ["1:29", "89 m", "15,9 V"]) await expect(page.getByText(value).first()).toBeVisible();

  await slider.press("ArrowRight");
  await expect(slider).toHaveAttribute("aria-valuetext", /^1:30, /);
  await slider.press("Home");
  await expect(slider).toHaveAttribute("aria-valuenow", "0");

  // A finger on the path itself.
  await page.getByText("Von oben").click();
  const track = page.getByRole("img", { name: /^Flugweg, Norden oben/ });
  const start = await track.locator("circle").boundingBox();
  const field = await track.boundingBox();
  // As far west as the start is east.
  const west = 2 * ((field?.x ?? 0) + (field?.width ?? 0) / 2) - (start?.x ?? 0);
  await page.mouse.click(west, (start?.y ?? 0) + 5);
  await expect(slider).toHaveAttribute("aria-valuetext", /^(0:5\d|1:0\d), /);
  await expectAccessible(page);

  // Over the whole window it can be turned.
  const maximize = page.getByRole("button", { name: "Vollbild" });
  await maximize.click();
  const whole = page.getByRole("dialog", { name: "Flugweg" });
  const home = whole.getByRole("img", { name: /^Flugweg/ }).locator("circle");
  await expect(home).toBeInViewport({ ratio: 1 });
  const unturned = await home.boundingBox();
  await whole.getByRole("slider", { name: "Drehen" }).fill("90");
  await expect.poll(() => home.boundingBox()).not.toEqual(unturned);
  await expect(home).toBeInViewport({ ratio: 1 });
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(whole).toHaveCount(0);
  await expect(maximize).toBeFocused();
});

test("A flight begins with its pictures, else with a drawing of its figures, else with the figures", {
  tag: "@phone",
}, async ({ page, app, api }) => {
  const { older, newer } = await twoFlights(api);
  await openAs(page, api, app, `flights/${older}`);
  await expect(page.getByRole("region", { name: "1.250 m weit, 85 m hoch" })).toBeVisible();
  await expectAccessible(page);
  await addImages(api, older, [picture(red)]);
  await page.reload();
  await expect(page.getByRole("button", { name: "Bild 1 von 1" })).toBeInViewport({ ratio: 1 });
  await expect(page.getByRole("region", { name: /weit/ })).toHaveCount(0);
  await page.goto(`flights/${newer}`);
  await expect(page.getByText("Noch keine Bilder.")).toBeVisible();
  await expect(page.getByRole("region", { name: /weit/ })).toHaveCount(0);
});

test("On the narrowest phone no part of a flight is outside of the window, and its drawing is right below its title", {
  tag: "@phone",
}, async ({ page, app, api }) => {
  const { older } = await twoFlights(api);
  for (const width of [320, 360, 375]) {
    await page.setViewportSize({ width, height: 568 });
    for (const [path, text] of [
      ["flights", "Elbdeich"],
      [`flights/${older}`, "Gesammtgewicht: 970,5g"],
      [`flights/${older}/edit`, "Wann und wo"],
      ["flights/config", "Wie beim letzten Flug"],
    ]) {
      await openAs(page, api, app, path ?? "");
      await expect(page.getByText(text ?? "").first()).toBeVisible();
      expect(await page.evaluate(() => document.documentElement.scrollWidth), `${path} at ${width}`).toBe(width);
    }
  }

  // The menu is beside the title, the other buttons are below the figures.
  await openAs(page, api, app, `flights/${older}`);
  const main = page.getByRole("main");
  const middleOf = async (element: Locator) => {
    const box = await element.boundingBox();
    return box === null ? Number.NaN : box.y + box.height / 2;
  };
  for (const width of [320, 390]) {
    await page.setViewportSize({ width, height: 844 });
    // Repeated until nothing moves: content that loads above moves the heading between two measurements.
    await expect(async () => {
      const title = await middleOf(main.getByRole("heading", { level: 1 }));
      expect(await middleOf(main.getByRole("button", { name: "Mehr" }))).toBeCloseTo(title, 0);
      expect((await main.getByRole("region", { name: /weit/ }).boundingBox())?.y).toBeLessThan(160);
      const log = await middleOf(main.getByRole("button", { name: "Log erstellen" }));
      expect(await middleOf(main.getByRole("link", { name: "Editieren" }))).toBeCloseTo(log, 0);
      expect(log).toBeGreaterThan(await middleOf(main.getByText("Max. Geschwindigkeit")));
    }).toPass();
  }
});

test("On paper nothing sticks to the page's edge, and nothing reaches beyond it", { tag: "@desktop" }, async ({
  page,
  app,
  api,
}) => {
  const { older } = await twoFlights(api);
  for (const [path, text] of [
    ["flights", "Elbdeich"],
    [`flights/${older}`, "Gesammtgewicht: 970,5g"],
  ]) {
    await openAs(page, api, app, path ?? "");
    await expect(page.getByText(text ?? "").first()).toBeVisible();
    await page.emulateMedia({ media: "print" });
    await page.setViewportSize({ width: 688, height: 1020 });
    await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
    await expect(page.getByText(text ?? "").first()).toBeVisible();
    const sticking = await page.evaluate(() =>
      [...document.querySelectorAll("body *")]
        .filter((element) => element.checkVisibility() && /fixed|sticky/.test(getComputedStyle(element).position))
        .map((element) => element.className),
    );
    expect(sticking, path).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBe(688);
    await page.evaluate(() => window.dispatchEvent(new Event("afterprint")));
    await page.emulateMedia({ media: null });
  }
});

test("Of 2,000 flights those in sight are rendered, and scrolling, Back, search and print work as in a short list", {
  tag: "@desktop",
}, async ({ page, browser, app, api }) => {
  const most = 120;
  const copter = await addEquipment(api, kind.copter, "Nazgul F5");
  await addFlights(api, 2_000, { copter });
  await page.addInitScript(countWhilePrinting);
  await openAs(page, api, app, "flights");
  await expect(entries(page).first()).toBeVisible();

  await page.evaluate(scrollToTheEnd);
  await expect(page.getByRole("button", { name: /Weitere Flüge/ })).toHaveCount(0);
  const [oldest] = JSON.parse(await api.call("GetFlights")).slice(-1);
  await expect(entries(page).last()).toContainText(oldest.startTime);
  await expect(entries(page).last()).toBeInViewport();
  expect(await entries(page).count()).toBeLessThan(most);
  const table = page.getByRole("table", { name: "Liste der Flüge" });
  const rowCount = Number(await table.getAttribute("aria-rowcount"));
  expect(rowCount).toBeGreaterThan(2_150);
  await expect(entries(page).last()).toHaveAttribute("aria-rowindex", String(rowCount));
  await expectAccessible(page);

  // Back leads to the same scroll position, and focuses the flight.
  await page.evaluate(() => window.scrollBy(0, -2_000));
  const back = await flightInSight(page);
  // Hovering scrolls an element that still moves into the window: this is done before the position is measured.
  await back.hover();
  const place = await topOf(page, back);
  await back.click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(/^Nazgul F5 · /);
  await page.getByRole("button", { name: "Zurück" }).click();
  await expect(back).toBeFocused();
  expect(Math.abs((await topOf(page, back)) - place)).toBeLessThan(2);
  // The focus stays wherever the list is scrolled to, and the neighbouring flights are rendered for the Tab key.
  await page.evaluate(() => window.scrollTo(0, 0));
  await expect(entries(page).first()).toBeInViewport();
  await expect(back).toBeFocused();
  expect(await entries(page).count()).toBeLessThan(most);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await expect(page.locator(":focus")).toBeInViewport();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(/^Nazgul F5 · /);
  // The neighbours are those in the list.
  const address = page.url();
  await page.getByRole("link", { name: "Früher: der Flug davor" }).click();
  await expect(page).not.toHaveURL(address);
  await page.getByRole("link", { name: "Später: der Flug danach" }).click();
  await expect(page).toHaveURL(address);
  await page.getByRole("button", { name: "Zurück" }).click();

  await page.evaluate(() => window.scrollTo(0, 0));
  await page.getByRole("button", { name: "Flugzeit (min)" }).click();
  await expect(page.getByText(/^2\.000 Flüge, /)).toBeVisible();
  await page.getByLabel("Suche").fill("heide");
  await expect(page.getByText(/^400 von 2\.000 Flügen, /)).toBeVisible();
  await expect(table).toHaveAttribute("aria-rowcount", "401");
  expect(await entries(page).count()).toBeLessThan(most);
  await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
  await expect(entries(page).last()).toHaveAttribute("aria-rowindex", "401");
  await expect(entries(page).last()).toBeInViewport();
  await page.getByRole("button", { name: "Drucken" }).click();
  await expect(page.locator("html")).toHaveAttribute("data-printed", "400");
  expect(await entries(page).count()).toBeLessThan(most);

  // More flights fit into this window than are rendered at first.
  const context = await browser.newContext({ ...phone, viewport: { width: 390, height: 2_600 } });
  await context.addCookies(sessionCookies(app.url, api));
  const small = await context.newPage();
  await small.goto(`${app.url}flights?sortierung=startzeit`);
  await expect(entries(small).first()).toContainText(oldest.startTime);
  expect(await entries(small).count()).toBeLessThan(most);
  await small.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight / 2));
  await expect(entries(small).first()).not.toContainText(oldest.startTime);
  expect(await entries(small).count()).toBeLessThan(most);
  // The month of the visible flights is below the header.
  const month = small.getByRole("heading", { level: 2 }).first();
  await expect.poll(async () => (await month.boundingBox())?.y).toBeLessThan(64);
  await expect(entries(small).first()).toHaveAttribute("aria-setsize", "2000");
  await expectAccessible(small);
  const there = await flightInSight(small);
  await there.hover();
  const before = await topOf(small, there);
  await there.click();
  await expect(small.getByRole("heading", { level: 1 })).toHaveText(/^Nazgul F5 · /);
  await small.goBack();
  await expect(there).toBeFocused();
  expect(Math.abs((await topOf(small, there)) - before)).toBeLessThan(2);
  await context.close();
});

/** Returns the link of a flight in the middle of the window. */
async function flightInSight(page: Page): Promise<Locator> {
  const address = await page.evaluate(() => {
    const links = [...document.querySelectorAll("tbody tr:has(td) a, section > ul > li a")];
    return links.find((link) => link.getBoundingClientRect().top > window.innerHeight / 2)?.getAttribute("href");
  });
  return page.locator(`main a[href="${address}"]`);
}

/** Returns the px between the window's edge and the element, once the window doesn't scroll any more. */
async function topOf(page: Page, element: Locator): Promise<number> {
  await page.evaluate(async () => {
    const frame = () => new Promise(requestAnimationFrame);
    for (let [y, still] = [-1, 0]; still < 3; still = y === window.scrollY ? still + 1 : 0) {
      y = window.scrollY;
      await frame();
    }
  });
  return (await element.boundingBox())?.y ?? Number.NaN;
}

/** Runs in the page: scrolls until there are no more flights to load. */
async function scrollToTheEnd(): Promise<void> {
  const more = () =>
    [...document.querySelectorAll("button")].some(({ textContent }) => /^Weitere Flüge/.test(textContent));
  do {
    window.scrollTo(0, document.documentElement.scrollHeight);
    await new Promise(requestAnimationFrame);
  } while (more());
  window.scrollTo(0, document.documentElement.scrollHeight);
}

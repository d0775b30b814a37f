// The looks: system, light, dark, and "Sonne" for a screen in the sun.

import type { Page } from "@playwright/test";
import { expectAccessible } from "../support/accessible.ts";
import { addDocument, addEquipment, type Client, createFlight, finishFlight, kind } from "../support/client.ts";
import { expect, openAs, test } from "../support/test.ts";

const light = "rgb(246, 248, 250)";
const dark = "rgb(14, 20, 27)";
const sun = "rgb(255, 255, 255)";

function ground(page: Page): Promise<string> {
  return page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
}

async function choose(page: Page, look: string): Promise<void> {
  await page.getByRole("button", { name: "Konto" }).click();
  await page.getByRole("menuitemradio", { name: look }).click();
}

test("A look is chosen in the account's menu, at once and for this device", { tag: "@desktop" }, async ({
  page,
  app,
  api,
  context,
}) => {
  await openAs(page, api, app, "home");
  expect(await ground(page)).toBe(light);
  await choose(page, "Dunkel");
  await expect.poll(() => ground(page)).toBe(dark);
  await page.reload();
  expect(await ground(page)).toBe(dark);
  await page.getByRole("button", { name: "Konto" }).click();
  await expect(page.getByRole("menuitemradio", { name: "Dunkel" })).toBeChecked();
  await page.getByRole("menuitemradio", { name: "Sonne" }).click();
  await expect.poll(() => ground(page)).toBe(sun);

  const other = await context.newPage();
  await openAs(other, api, app, "home");
  expect(await ground(other)).toBe(sun);
  await choose(other, "System");
  await expect.poll(() => ground(page)).toBe(light);
  await page.emulateMedia({ colorScheme: "dark" });
  await expect.poll(() => ground(page)).toBe(dark);
  await choose(page, "Hell");
  await expect.poll(() => ground(page)).toBe(light);
});

test("A system that asks for more contrast gets Sonne, unless a look was chosen in the menu or the sheet of Mehr", {
  tag: "@phone",
}, async ({ page, app, api }) => {
  await page.emulateMedia({ contrast: "more" });
  await openAs(page, api, app, "home");
  expect(await ground(page)).toBe(sun);
  await choose(page, "Dunkel");
  await expect.poll(() => ground(page)).toBe(dark);
  await page.reload();
  expect(await ground(page)).toBe(dark);
  await page.getByRole("button", { name: "Mehr Bereiche" }).click();
  await page.getByRole("radio", { name: "Sonne" }).press("Space");
  await expect.poll(() => ground(page)).toBe(sun);
  await expectAccessible(page);
  await page.getByRole("radio", { name: "Hell" }).press("Space");
  await expect.poll(() => ground(page)).toBe(light);
  await page.keyboard.press("Escape");
  await choose(page, "System");
  await expect.poll(() => ground(page)).toBe(sun);
  await page.emulateMedia({ contrast: "no-preference" });
  await expect.poll(() => ground(page)).toBe(light);
});

test("The chosen look is there before the application is: no other one flashes up", { tag: "@desktop" }, async ({
  page,
  app,
  faults,
}) => {
  await page.addInitScript(() => localStorage.setItem("fluglog.look", "dunkel"));
  faults.expectLostRequests();
  // The application itself is never loaded.
  await page.route(/assets\/index-.*\.js/, (route) => route.abort());
  await page.goto(`${app.url}impressum`);
  await expect(page.getByText("Fluglog wird geladen …")).toBeVisible();
  expect(await ground(page)).toBe(dark);
});

async function fill(api: Client): Promise<{ flight: string; open: string; battery: string }> {
  const copter = await addEquipment(api, kind.copter, "Nazgul F5", { weight: 680, model: "Nazgul Evoque" });
  const battery = await addEquipment(api, kind.battery, "Akku 1", { weight: 190, capacity: 1550 });
  const flight = await createFlight(api, { copter, equipments: [battery] });
  await finishFlight(api, flight, {
    startTime: "01.03.2026 09:05",
    location: "Elbdeich",
    flightTime: 12,
    speed: 72.5,
    maximumAltitude: 80,
  });
  await addDocument(api, { name: "Versicherung.pdf", content: "%PDF" }, "Haftpflicht");
  const open = await createFlight(api, { copter, equipments: [battery] });
  return { flight, open, battery };
}

/**
 * Returns violations of the look's rules: text below 14 px in any look; in the sun grey or small text, and small
 * targets.
 */
async function broken(page: Page): Promise<string[]> {
  await page.evaluate(() => Object.assign(document.documentElement.dataset, { look: "hell" }));
  const small = await smallTexts(page, 14);
  await page.evaluate(() => Object.assign(document.documentElement.dataset, { look: "sonne" }));
  return [...small, ...(await smallTexts(page, 18)), ...(await brokenInTheSun(page))];
}

function smallTexts(page: Page, least: number): Promise<string[]> {
  return page.evaluate((leastPixels) => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const small = new Set<string>();
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node.parentElement;
      if (!element?.checkVisibility({ visibilityProperty: true }) || node.textContent?.trim() === "") continue;
      if (element.closest(".visually-hidden, svg, noscript, [data-live-announcer]")) continue;
      const pixels = Number.parseFloat(getComputedStyle(element).fontSize);
      if (pixels < leastPixels - 0.01) small.add(`${pixels} px: ${node.textContent}`);
    }
    return [...small];
  }, least);
}

function brokenInTheSun(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const broken = new Set<string>();
    function channels(color: string): number[] {
      const parts = color.match(/[\d.]+/g)?.map(Number) ?? [];
      return parts.length === 3 ? [...parts, 1] : parts;
    }
    function luminance([red = 0, green = 0, blue = 0]: number[]): number {
      const linear = [red, green, blue].map((value) => {
        const share = value / 255;
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * (linear[0] ?? 0) + 0.7152 * (linear[1] ?? 0) + 0.0722 * (linear[2] ?? 0);
    }
    function groundOf(element: Element | null): number[] {
      for (let place = element; place; place = place.parentElement) {
        const color = channels(getComputedStyle(place).backgroundColor);
        if (color[3] !== 0) return color;
      }
      return [255, 255, 255, 1];
    }
    const isHidden = (element: Element) =>
      element.closest(".visually-hidden, svg, noscript, [data-live-announcer]") !== null ||
      !element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node.parentElement;
      const text = node.textContent?.trim() ?? "";
      if (element === null || text === "" || isHidden(element)) continue;
      const { width, height } = element.getBoundingClientRect();
      if (width <= 1 || height <= 1) continue;
      const style = getComputedStyle(element);
      const [one, other] = [luminance(channels(style.color)), luminance(groundOf(element))];
      const contrast = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
      if (contrast < 10) broken.add(`contrast ${contrast.toFixed(1)}: ${text}`);
    }
    const targets =
      'main :is(a.button, button, input:not([type=checkbox], [type=radio], [tabindex="-1"])), nav :is(a, button)';
    for (const target of document.querySelectorAll(targets)) {
      // The parts of a date are inside the target.
      if (isHidden(target) || target.matches("[role=group] :not(button)")) continue;
      const { height } = target.getBoundingClientRect();
      if (height > 1 && height < 55.9) broken.add(`target of ${height}: ${target.outerHTML.slice(0, 120)}`);
    }
    return [...broken];
  });
}

test("No text is small; in the sun every one is black and large, and every target is for gloves", {
  tag: "@phone",
}, async ({ page, app, api }) => {
  const { flight, open, battery } = await fill(api);
  await page.addInitScript(() => localStorage.setItem("fluglog.look", "sonne"));
  await openAs(page, api, app, "home");
  for (const path of [
    "home",
    "flights",
    `flights/${flight}`,
    `flights/${open}/finish`,
    "flights/config",
    "equipments/1",
    `equipments/1/${battery}`,
    `equipments/1/editor/${battery}`,
    "myDocuments",
    "myProfile",
  ]) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expect(page.locator("[data-loading]")).toHaveCount(0);
    expect.soft(await broken(page), path).toEqual([]);
    expect.soft(await page.evaluate(() => document.documentElement.scrollWidth), path).toBe(390);
  }
  await page.goto("home");
  const bar = page.getByRole("main").getByRole("link", { name: /Fluglog beenden/ });
  const colors = await bar.evaluate((element) => {
    const { backgroundColor, borderColor, color } = getComputedStyle(element);
    return { backgroundColor, borderColor, color };
  });
  const black = "rgb(0, 0, 0)";
  expect(colors).toEqual({ backgroundColor: "rgb(255, 197, 61)", borderColor: black, color: black });
  await expectAccessible(page);
});

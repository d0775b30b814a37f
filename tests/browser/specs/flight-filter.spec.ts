// Filtering the list of flights: words, year, copter, order, and print. The address holds all of it.

import type { Locator, Page } from "@playwright/test";
import { expectAccessible } from "../support/accessible.ts";
import { countWhilePrinting, holdCall } from "../support/actions.ts";
import { addEquipment, addFlights, type Client, createFlight, finishFlight, kind } from "../support/client.ts";
import { expect, openAs, test } from "../support/test.ts";

const rows = (page: Page) =>
  page
    .getByRole("table", { name: "Liste der Flüge" })
    .locator("tbody tr:has(td)")
    .or(page.getByRole("list", { name: "Liste der Flüge" }).locator("> li"));

const openFilter = (page: Page) => page.getByRole("button", { name: /^Filtern/ }).click();

/** Adds seven flights of two copters in two years, newest first: Heide, Elbe, Heide, Elbe, … */
async function sevenFlights(api: Client): Promise<void> {
  const copters = [await addEquipment(api, kind.copter, "Nazgul F5"), await addEquipment(api, kind.copter, "Mavic 3")];
  const battery = await addEquipment(api, kind.battery, "Akku 7");
  for (let month = 1; month <= 7; month++) {
    const copter = copters[month % 2] ?? "";
    const flight = await createFlight(api, { copter, equipments: month === 2 ? [battery] : [] });
    const year = month <= 3 ? 2025 : 2026;
    await finishFlight(api, flight, {
      startTime: `01.0${month}.${year} 09:05`,
      location: month % 2 === 0 ? "Elbdeich" : "Lüneburger Heide",
      flightTime: month === 5 ? null : 10 * month,
    });
  }
}

test("Words, a year and a copter narrow the list; reloading and coming back keep it; a press shows all", {
  tag: "@phone",
}, async ({ page, app, api }) => {
  await sevenFlights(api);
  await openAs(page, api, app, "flights");
  await expect(rows(page)).toHaveCount(7);
  await openFilter(page);
  await expect(page.getByText("7 Flüge, 3 h 50 min")).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await expectAccessible(page);

  await page.getByLabel("Suche").fill("heide");
  await expect(rows(page)).toHaveText([/01\.07\.2026/, /01\.05\.2026/, /01\.03\.2025/, /01\.01\.2025/]);
  await page.getByLabel("Jahr").selectOption("2025");
  await expect(rows(page)).toHaveText([/01\.03\.2025/, /01\.01\.2025/]);
  await expect(page.getByText("2 von 7 Flügen, 40 min")).toBeVisible();
  await expect(page).toHaveURL(/\/app\/flights\?suche=heide&jahr=2025$/);

  await page.reload();
  await expect(rows(page)).toHaveCount(2);
  await expect(page.getByLabel("Suche")).toHaveValue("heide");
  await rows(page).nth(1).getByRole("link").click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(
    /^Mavic 3 · Mi, 01\.01\.2025 .* · Lüneburger Heide$/,
  );
  await page.getByRole("button", { name: "Zurück" }).click();
  await expect(rows(page)).toHaveCount(2);
  await expect(rows(page).nth(1).getByRole("link")).toBeFocused();

  await page.getByRole("button", { name: "Filter zurücksetzen" }).click();
  await expect(rows(page)).toHaveCount(7);
  await expect(page.getByLabel("Suche")).toHaveValue("");
  await expect(page).toHaveURL(/\/app\/flights$/);
  // Filtering adds no history entries: Back leaves the list.
  await page.getByLabel("Copter").selectOption("Nazgul F5");
  await expect(rows(page)).toHaveCount(3);
  await page.getByLabel("Suche").fill("akku 7");
  await expect(rows(page)).toHaveText([/01\.02\.2025/]);
  await page.getByLabel("Suche").fill("gibt es nicht");
  await expect(page.getByText("Kein Flug passt zu diesem Filter.")).toBeVisible();
  await expectAccessible(page);
});

test("Words that were just typed are kept when the order is changed", { tag: "@desktop" }, async ({
  page,
  app,
  api,
}) => {
  await sevenFlights(api);
  await openAs(page, api, app, "flights");
  await page.evaluate(() => {
    // When the words are in the address, but the list hasn't been rendered yet.
    const replaceState = history.replaceState.bind(history);
    history.replaceState = (data, unused, url) => {
      replaceState(data, unused, url);
      history.replaceState = replaceState;
      const heading = [...document.querySelectorAll<HTMLElement>("th button")].find((one) =>
        one.textContent?.startsWith("Flugzeit"),
      );
      queueMicrotask(() => heading?.click());
    };
  });
  await page.getByLabel("Suche").fill("heide");
  await expect(page).toHaveURL(/suche=heide&sortierung=-flugzeit$/);
  await expect(page.getByLabel("Suche")).toHaveValue("heide");
  await expect(rows(page)).toHaveText([/01\.07\.2026/, /01\.03\.2025/, /01\.01\.2025/, /01\.05\.2026/]);
  await expectAccessible(page);
});

test("While the filter is opened, filled and cleared nothing else moves", { tag: "@phone" }, async ({
  page,
  app,
  api,
}) => {
  const copter = await addEquipment(api, kind.copter, "Nazgul F5");
  await addFlights(api, 61, { copter });
  await openAs(page, api, app, "flights");
  await expect(rows(page).first()).toBeVisible();
  const held = await holdCall(page, "GetFlights");
  await openFilter(page);
  await expect(page.getByText("Alle Flüge werden geladen …")).toBeVisible();
  const before = await placeOf(page.getByLabel("Jahr"));
  held.release();
  await expect(page.getByText(/^61 Flüge/)).toBeVisible();
  expect(await placeOf(page.getByLabel("Jahr"))).toEqual(before);
  await page.getByLabel("Suche").fill("elbe");
  const reset = page.getByRole("button", { name: "Filter zurücksetzen" });
  await expect(reset).toBeVisible();
  expect(await placeOf(page.getByLabel("Jahr"))).toEqual(before);
  await reset.click();
  await expect(reset).toHaveCount(0);
  expect(await placeOf(page.getByLabel("Jahr"))).toEqual(before);
  await expect(page.getByRole("button", { name: /^Filtern/ })).toBeFocused();
});

test("On a desktop the filter is open; while it is filled and cleared nothing moves", { tag: "@desktop" }, async ({
  page,
  app,
  api,
}) => {
  const copter = await addEquipment(api, kind.copter, "Nazgul F5");
  await addFlights(api, 61, { copter });
  await openAs(page, api, app, "flights");
  await expect(rows(page).first()).toBeVisible();
  const before = await placeOf(page.getByLabel("Jahr"));
  const held = await holdCall(page, "GetFlights");
  await page.getByLabel("Suche").focus();
  await page.keyboard.type("nazgul");
  await expect(page.getByText("Alle Flüge werden geladen …")).toBeVisible();
  held.release();
  await expect(page.getByText(/^61 Flüge/)).toBeVisible();
  expect(await placeOf(page.getByLabel("Jahr"))).toEqual(before);
  await page.getByRole("button", { name: "Filter zurücksetzen" }).click();
  await expect(page).toHaveURL(/\/app\/flights$/);
  expect(await placeOf(page.getByLabel("Jahr"))).toEqual(before);
  await expect(page.getByLabel("Suche")).toBeFocused();
  const heights = await rows(page).evaluateAll((all) => all.map((row) => row.getBoundingClientRect().height));
  expect(Math.max(...heights)).toBeLessThanOrEqual(48);
});

const placeOf = (target: Locator) => target.boundingBox();

test("A search finds flights that aren't loaded yet, and all found ones are printed", { tag: "@desktop" }, async ({
  page,
  app,
  api,
}) => {
  const copter = await addEquipment(api, kind.copter, "Nazgul F5");
  const first = await createFlight(api, { copter });
  await finishFlight(api, first, { startTime: "01.02.2025 09:05", location: "Sylt", flightTime: 5 });
  await addFlights(api, 129, { copter });
  await page.addInitScript(countWhilePrinting);
  await openAs(page, api, app, "flights");
  await expect(rows(page).first()).toBeVisible();
  await page.getByRole("button", { name: "Drucken" }).click();
  await expect(page.locator("html")).toHaveAttribute("data-printed", "130");
  await expect(rows(page)).not.toHaveCount(130);

  await page.getByLabel("Suche").fill("sylt");
  await expect(rows(page)).toHaveText([/01\.02\.2025/]);
  await page.getByRole("button", { name: "Drucken" }).click();
  await expect(page.locator("html")).toHaveAttribute("data-printed", "1");
});

// The main path without mouse and touch: the keyboard reaches everything, and the focus is never lost.

import type { Locator, Page } from "@playwright/test";
import { expectAccessible } from "../support/accessible.ts";
import { field, pickFromMenu } from "../support/actions.ts";
import { addEquipment, createFlight, finishFlight, kind } from "../support/client.ts";
import { expect, openAs, test } from "../support/test.ts";

/** Presses Tab until this element has the focus; fails after a full round. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible();
  for (let presses = 0; presses < 60; presses++) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`Tab never reached ${target}`);
}

/** Counts the outlines around an element, its own included. */
function ringsAround(element: Locator): Promise<number> {
  return element.evaluate((part) => {
    const around: Element[] = [];
    for (let one: Element | null = part; one; one = one.parentElement) around.push(one);
    return around.filter((one) => getComputedStyle(one).outlineStyle !== "none").length;
  });
}

test("A pilot logs in, adds a copter, flies and deletes the flight with nothing but the keyboard", {
  tag: "@desktop",
}, async ({ page, pilot }) => {
  const heading = page.getByRole("heading", { level: 1 });
  const press = async (target: Locator, key = "Enter") => {
    await tabTo(page, target);
    await page.keyboard.press(key);
  };
  const type = async (label: string, text: string) => {
    await tabTo(page, field(page, label));
    await page.keyboard.type(text);
  };

  await page.goto("login");
  await type("E-Mail", pilot.email);
  await type("Passwort", pilot.password);
  await page.keyboard.press("Enter");
  await expect(heading).toBeFocused();

  await press(page.getByRole("link", { name: "Copter", exact: true }));
  await expect(heading).toHaveText("In Betrieb Copter");
  await expect(heading).toBeFocused();
  await press(page.getByRole("link", { name: "Hinzufügen" }));
  await expect(heading).toHaveText("Copter neu erfassen");
  await type("Modell", "Nazgul F5");
  await tabTo(page, field(page, "Name"));
  await page.keyboard.press("End");
  await page.keyboard.type(" blau");
  await type("Gewicht (g)", "680");
  const day = page.getByRole("spinbutton", { name: "Tag, Kaufdatum" });
  await tabTo(page, day);
  expect(await ringsAround(day), "rings around a date that is being typed").toBe(1);
  await page.keyboard.type("01032026");
  await page.keyboard.press("Control+Enter");
  await expect(heading).toHaveText("In Betrieb Copter");
  await expect(page.getByRole("heading", { name: "Nazgul F5 blau" })).toBeVisible();

  await press(page.getByRole("link", { name: "Fluglog, zur Startseite" }));
  await press(page.getByRole("link", { name: /Fluglog starten/ }));
  await expect(heading).toBeFocused();
  await press(page.getByRole("radio", { name: /Nazgul F5 blau/ }), "Space");
  await press(page.getByRole("button", { name: /^Nutzlast/ }));
  await type("Name", "Kescher");
  await type("Gewicht (g)", "100");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Startgewicht: 780g")).toBeVisible();
  await expect(field(page, "Name")).toBeFocused();
  await press(page.getByRole("button", { name: "Weiter" }));
  await expect(page).toHaveURL(/\/new$/);
  await type("Startspannung (V)", "16,8");
  await page.keyboard.press("Enter");

  await expect(heading).toHaveText("Hallo, Pilotin");
  await press(page.getByRole("link", { name: /Fluglog beenden/ }));
  await expect(field(page, "Endspannung (V)")).toBeFocused();
  await page.keyboard.type("14,2");
  await press(page.locator("h2").getByRole("button", { name: /^Flug\b/ }));
  await tabTo(page, page.getByRole("radio", { name: "Winkel" }));
  await page.keyboard.press("ArrowRight");
  await expect(page.getByRole("radio", { name: "Horizontal" })).toBeChecked();
  await press(page.getByRole("button", { name: "Abschließen" }));

  await expect(heading).toHaveText("Hallo, Pilotin");
  await press(page.getByRole("main").getByRole("link", { name: "Flüge", exact: true }));
  await expect(heading).toHaveText("Flüge");
  await press(page.getByRole("button", { name: "Nazgul F5 blau, Equipment anzeigen" }));
  await expect(page.getByText("Gesammtgewicht: 780g")).toBeVisible();
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Enter");
  await expect(heading).toHaveText(/^Nazgul F5 blau/);

  const menu = page.getByRole("button", { name: "Mehr", exact: true });
  await press(menu);
  await expect(page.getByRole("menuitem", { name: "Löschen" })).toBeFocused();
  await page.keyboard.press("Enter");
  const question = page.getByRole("alertdialog");
  await expect(question.getByRole("button", { name: "Nein" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(question).toHaveCount(0);
  await expect(menu).toBeFocused();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await press(question.getByRole("button", { name: "Ja" }));
  await expect(page.getByText("Keine Flüge vorhanden")).toBeVisible();
  await expect(heading).toBeFocused();
});

test("At a desk single keys search, start and go everywhere, never while something is typed", {
  tag: "@desktop",
}, async ({ page, app, api }) => {
  for (let number = 1; number <= 8; number++) await addEquipment(api, kind.copter, `Copter ${number}`);
  const heading = page.getByRole("heading", { level: 1 });
  await openAs(page, api, app, "home");
  await expect(heading).toHaveText("Hallo, Pilotin");
  const keys = page.getByRole("dialog", { name: "Tastenkürzel" });
  // The shortcuts work soon after all that home waits for is loaded.
  await page.waitForFunction(() => performance.getEntriesByName("fluglog-complete").length > 0);
  await expect(async () => {
    await page.keyboard.press("?");
    await expect(keys.getByText("Videokameras")).toBeVisible({ timeout: 5_000 });
  }).toPass();
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(keys).toHaveCount(0);

  await page.keyboard.press("g");
  await page.keyboard.press("c");
  await expect(heading).toHaveText("In Betrieb Copter");
  await expect(page.getByRole("heading", { level: 2 })).toHaveCount(8);
  await page.keyboard.press("/");
  await expect(page.getByLabel("Suche")).toBeFocused();
  await page.keyboard.type("gn 7");
  await expect(page.getByLabel("Suche")).toHaveValue("gn 7");
  await expect(heading).toHaveText("In Betrieb Copter");
  await heading.focus();
  await page.keyboard.press("n");
  await expect(heading).toHaveText("Fluglog starten");

  await pickFromMenu(page, "Tastenkürzel", "Mehr Bereiche");
  await keys.getByText("Tastenkürzel verwenden").click();
  await page.keyboard.press("Escape");
  await expect(keys).toHaveCount(0);
  await page.reload();
  await expect(heading).toHaveText("Fluglog starten");
  await page.keyboard.press("g");
  await page.keyboard.press("f");
  await page.keyboard.press("?");
  await expect(keys).toHaveCount(0);
  await expect(heading).toHaveText("Fluglog starten");
});

test("A flight like the last one is three Tabs away at most", { tag: "@desktop" }, async ({ page, app, api }) => {
  const copter = await addEquipment(api, kind.copter, "Nazgul F5");
  await finishFlight(api, await createFlight(api, { copter }), { startTime: "01.03.2026 09:05", flightTime: 5 });
  await openAs(page, api, app, "home");
  const start = page.getByRole("button", { name: "Jetzt starten" });
  await expect(start).toBeVisible();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Zum Inhalt springen" })).toBeFocused();
  await page.keyboard.press("Enter");
  for (let tabs = 1; tabs < 3; tabs++) {
    await page.keyboard.press("Tab");
    if (await start.evaluate((element) => element === document.activeElement)) return;
  }
  await expect(start).toBeFocused();
});

// The navigation at the bottom of a phone and in the header of a desktop, and Back. Where each entry leads is tested in
// ui/src/screens/layout/navigation.test.tsx.

import type { Page } from "@playwright/test";
import { expectAccessible } from "../support/accessible.ts";
import { addDocument, addEquipment, createFlight, kind } from "../support/client.ts";
import { expect, openAs, test } from "../support/test.ts";

function navigation(page: Page) {
  return page.getByRole("navigation", { name: "Hauptnavigation" });
}

const moreWays = [
  { name: "Copter", title: "In Betrieb Copter" },
  { name: "Brillen", title: "In Betrieb Brillen" },
  { name: "Sender", title: "In Betrieb Sender" },
  { name: "Videokameras", title: "In Betrieb Videokameras" },
  { name: "Zu erledigen", title: "Zu erledigen" },
  { name: "Gemeinsam nutzen", title: "Gemeinsam nutzen" },
];

test("Two taps lead to every screen without an entry of its own", async ({ page, app, api, isMobile }) => {
  await openAs(page, api, app, "flights");
  const heading = page.getByRole("heading", { level: 1 });
  const role = isMobile ? "link" : "menuitem";
  for (const { name, title } of moreWays) {
    await page.getByRole("button", { name: "Mehr Bereiche" }).click();
    await page
      .getByRole(isMobile ? "dialog" : "menu")
      .getByRole(role, { name })
      .click();
    await expect(heading).toHaveText(title);
    await expect(page.getByRole("dialog")).toHaveCount(0);
  }
  await page.getByRole("button", { name: "Mehr Bereiche" }).click();
  await page
    .getByRole(isMobile ? "dialog" : "menu")
    .getByRole(role, { name: "Mein Profil" })
    .click();
  await expect(heading).toHaveText("Mein Profil");
  await page.goBack();
  await page.getByRole("button", { name: "Mehr Bereiche" }).click();
  await expectAccessible(page);
  await page
    .getByRole(isMobile ? "button" : "menuitem", { name: "Feedback" })
    .last()
    .click();
  await expect(page.getByRole("dialog", { name: "Feedback" })).toBeVisible();
});

test("Back leads where one came from, at the same place", { tag: "@desktop" }, async ({ page, app, api }) => {
  for (let number = 1; number <= 30; number++) {
    await addDocument(api, { name: `Anleitung ${number}.pdf`, content: "%PDF" }, "Bedienung");
  }
  await openAs(page, api, app, "flights");
  await navigation(page).getByRole("link", { name: "Dokumente" }).click();
  await page.getByText("Anleitung 3.pdf").scrollIntoViewIfNeeded();
  const place = await page.evaluate(() => window.scrollY);
  expect(place).toBeGreaterThan(500);
  // By its position: Playwright's own click may scroll the page.
  const way = await navigation(page).getByRole("link", { name: "Akkus" }).boundingBox();
  await page.mouse.click((way?.x ?? 0) + 10, (way?.y ?? 0) + 20);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("In Betrieb Batterien");
  expect(await page.evaluate(() => window.scrollY)).toBe(0);
  await page.getByRole("button", { name: "Zurück" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Meine Dokumente");
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBeCloseTo(place, -1);
  await page.getByRole("button", { name: "Zurück" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Flüge");
});

test("A form's own bar and a keyboard have the navigation's place", { tag: "@phone" }, async ({ page, app, api }) => {
  await addEquipment(api, kind.battery, "Akku 1");
  await openAs(page, api, app, "equipments/1/editor");
  await expect(page.getByRole("button", { name: "Speichern" })).toBeVisible();
  await expect(navigation(page)).toBeHidden();
  await page.goto("equipments/1");
  await expect(navigation(page)).toBeVisible();
  const add = await page.getByRole("link", { name: "Hinzufügen" }).boundingBox();
  const bar = await navigation(page).boundingBox();
  expect((add?.y ?? 0) + (add?.height ?? 0)).toBeLessThanOrEqual(bar?.y ?? 0);
  await page.getByRole("button", { name: "Mehr Bereiche" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Feedback" }).click();
  await page.getByRole("textbox", { name: "Nachricht" }).focus();
  await expect(navigation(page)).toBeHidden();
});

test("The keyboard alone goes through the navigation and the menus, which Escape closes", { tag: "@desktop" }, async ({
  page,
  app,
  api,
}) => {
  await openAs(page, api, app, "home");
  const more = page.getByRole("button", { name: "Mehr Bereiche" });
  await navigation(page).getByRole("link", { name: "Dokumente" }).focus();
  await page.keyboard.press("Tab");
  await expect(more).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("menuitem", { name: "Copter" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("menuitem")).toHaveCount(0);
  await expect(more).toBeFocused();
  const account = page.getByRole("button", { name: "Konto" });
  await account.focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("menuitem", { name: "Mein Profil" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("menuitem")).toHaveCount(0);
  await expect(account).toBeFocused();
  await more.focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("B");
  await page.keyboard.press("Enter");
  const heading = page.getByRole("heading", { level: 1 });
  await expect(heading).toHaveText("In Betrieb Brillen");
  await expect(heading).toBeFocused();
});

test("On its side, and above a keyboard, most of the height is the content's", { tag: "@phone" }, async ({
  page,
  app,
  api,
}) => {
  const copter = await addEquipment(api, kind.copter, "Nazgul F5");
  const flight = await createFlight(api, { copter });
  for (const { size, share } of [
    { size: { width: 844, height: 390 }, share: 0.55 },
    { size: { width: 844, height: 200 }, share: 0.55 },
    { size: { width: 390, height: 300 }, share: 0.55 },
  ]) {
    await page.setViewportSize(size);
    await openAs(page, api, app, "home");
    for (const path of ["flights", "equipments/0", "flights/config", `flights/${flight}/finish`, "myDocuments"]) {
      await page.goto(path);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      await expect(page.locator("[data-loading]")).toHaveCount(0);
      // Scrolled, so that only elements that stick to the window's edges are counted.
      await page.evaluate(() => window.scrollTo(0, 80));
      const free = await page.evaluate(() => {
        const covers = [...document.querySelectorAll("body *")].filter((element) => {
          const { position } = getComputedStyle(element);
          const { width, height } = element.getBoundingClientRect();
          return ["fixed", "sticky"].includes(position) && width > innerWidth / 2 && height > 0;
        });
        let free = 0;
        for (let y = 0; y < innerHeight; y++) {
          const isCovered = covers.some((element) => {
            const { top, bottom } = element.getBoundingClientRect();
            return top <= y && y < bottom;
          });
          if (!isCovered) free++;
        }
        return free / innerHeight;
      });
      expect.soft(free, path).toBeGreaterThanOrEqual(share);
    }
  }
});

// What a new pilot sees: three steps to the first flight, and the hint about the password.

import { expectAccessible } from "../support/accessible.ts";
import { field } from "../support/actions.ts";
import { expect, openAs, test } from "../support/test.ts";

test("Three steps lead to the first flight, only the next one stands out, and then they are gone", {
  tag: "@phone",
}, async ({ page, app, api }) => {
  await openAs(page, api, app, "home");
  const steps = page.getByRole("region", { name: "Drei Schritte bis zum ersten Flug" });
  const next = steps.locator("[aria-current=step]");
  const colors = () =>
    steps.getByRole("link").evaluateAll((all) => all.map((one) => getComputedStyle(one).backgroundColor));
  await expect(next).toContainText("Copter hinzufügen");
  const [filled, plain, last] = await colors();
  expect(filled).not.toBe(plain);
  expect(plain).toBe(last);
  await expect(page.getByRole("region", { name: "Statistik" })).toHaveCount(0);
  await expectAccessible(page);

  await next.click();
  await field(page, "Name").fill("Nazgul F5");
  await page.getByRole("button", { name: "Speichern" }).click();
  await expect(next).toContainText("Batterie hinzufügen");
  expect((await colors())[1]).toBe(filled);
  await next.click();
  await field(page, "Name").fill("Akku 1");
  await page.getByRole("button", { name: "Speichern" }).click();
  await expect(next).toContainText("Fluglog starten");
  await expect(steps).toContainText("Erledigt");
  await next.click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Fluglog starten");
  await expect(page.getByRole("radio", { name: /Nazgul F5/ })).toBeChecked();
  await expect(page.getByRole("checkbox", { name: /Akku 1/ })).toBeChecked();
  await page.getByRole("button", { name: "Weiter" }).click();
  await expect(page).toHaveURL(/\/new$/);
  await page.goto("home");
  await expect(page.getByRole("link", { name: /Fluglog beenden/ })).toBeVisible();
  await expect(steps).toHaveCount(0);
});

test("A copter that is made from the empty choice comes back chosen", { tag: "@phone" }, async ({ page, app, api }) => {
  await openAs(page, api, app, "flights/config");
  await page.getByRole("main").getByRole("link", { name: "Copter neu erfassen" }).click();
  // The choice has a field "Name", too: that of a payload, folded.
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Copter neu erfassen");
  await field(page, "Name").fill("Nazgul F5");
  await page.getByRole("button", { name: "Speichern" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Fluglog starten");
  await expect(page.getByRole("radio", { name: /Nazgul F5/ })).toBeChecked();
  await expect(page.getByRole("button", { name: "Weiter" })).toBeEnabled();
});

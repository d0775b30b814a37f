// Logging out, and a login after a session that ended.

import { field, holdAnswer, submitLogin } from "../support/actions.ts";
import { addEquipment, kind } from "../support/client.ts";
import { accountCookies, expect, openAs, test } from "../support/test.ts";

test("The account's menu shows who is logged in, and Logout leaves nothing behind", { tag: "@phone" }, async ({
  page,
  app,
  api,
  pilot,
  context,
}) => {
  await addEquipment(api, kind.copter, "Nazgul F5");
  await openAs(page, api, app, "home");
  await expect(page.getByText("Drei Schritte bis zum ersten Flug")).toBeVisible();
  await page.getByRole("link", { name: "Copter", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Nazgul F5" })).toBeVisible();

  await page.getByRole("button", { name: "Konto" }).click();
  await expect(page.getByText(pilot.nickname, { exact: true })).toBeVisible();
  await expect(page.getByText(pilot.email)).toBeVisible();
  await page.getByRole("menuitem", { name: "Logout" }).click();
  await expect(page).toHaveURL(/\/app\/login$/);
  await expect(page.getByRole("button", { name: "Konto" })).toHaveCount(0);
  expect(await accountCookies(context)).toEqual([]);
  await expect(api.call("CheckSession")).rejects.toThrow("401");

  await page.goBack();
  await expect(page).toHaveURL(/\/app\/login$/);
  await expect(page.getByRole("heading", { name: "Nazgul F5" })).toHaveCount(0);
});

test("An answer that an earlier session still waited for doesn't end the next one", { tag: "@desktop" }, async ({
  page,
  app,
  api,
  pilot,
  faults,
}) => {
  await openAs(page, api, app, "equipments/0/editor");
  await field(page, "Name").fill("Nazgul F5");
  await api.call("Logout");
  const { release } = await holdAnswer(page, "SaveNewEquipment");
  await page.getByRole("button", { name: "Speichern" }).click();
  await expect.poll(() => app.log()).toContain("SaveNewEquipment 401");
  // Another call of the session is answered at once.
  faults.expectAnswer("GetDetailedUser", 401);
  await page.getByRole("button", { name: "Konto" }).click();
  await expect(page).toHaveURL(/\/app\/login$/);
  await submitLogin(page, pilot);
  await expect(page).toHaveURL(/\/app\/equipments\/0\/editor$/);
  release();
  // A new request is answered after the one that was held back.
  await page.getByRole("button", { name: "Speichern" }).click();
  await expect(page.getByRole("heading", { level: 2, name: "Nazgul F5" })).toBeVisible();
});

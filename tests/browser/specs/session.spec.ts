// Permissions: the session check, the login and the way back, and logging out.

import { field, holdAnswer, pickFromMenu, recordCalls, submitLogin } from "../support/actions.ts";
import { addEquipment, kind, sessionCookies } from "../support/client.ts";
import { damageDatabase } from "../support/damage.ts";
import { accountCookies, expect, openAs, test } from "../support/test.ts";

test("A visitor of any screen is led to the login", { tag: "@desktop" }, async ({ page }) => {
  for (const path of [
    "home",
    "flights",
    "flights/config",
    "flights/irgendein-flug",
    "flights/irgendein-flug/new",
    "equipments/4",
    "equipments/1/editor",
    "myProfile",
  ]) {
    await page.goto(path);
    await expect(page).toHaveURL(/\/app\/login$/);
    await expect(page.getByLabel("E-Mail")).toBeVisible();
  }
});

test("Anyone may open what comes before a login, without any question about the session", {
  tag: "@desktop",
}, async ({ page }) => {
  const calls = recordCalls(page);
  for (const path of ["register", "register/verify", "loginConfirmation", "impressum", "dataPrivacy"]) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await page.waitForLoadState("networkidle");
    await expect(page).toHaveURL(new RegExp(`/app/${path}$`));
  }
  expect(calls).not.toContain("CheckSession");
});

test("After the login a visitor gets to the page that was wanted, with everything in its address", {
  tag: "@desktop",
}, async ({ page, pilot }) => {
  await page.goto("equipments/1?ausgemustert=true");
  await expect(page.getByText("Nach der Anmeldung geht es dort weiter, wo Sie waren.")).toBeVisible();
  await submitLogin(page, pilot);
  await expect(page).toHaveURL(/\/app\/equipments\/1\?ausgemustert=true$/);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(/Ausgemusterte Batterien/);
});

test("The login leads a logged-in user home", { tag: "@phone" }, async ({ page, app, api }) => {
  await openAs(page, api, app, "login");
  await expect(page).toHaveURL(/\/app\/home$/);
});

test("The bare address of the server leads a visitor to the login and a pilot home", { tag: "@desktop" }, async ({
  page,
  app,
  api,
}) => {
  await page.goto(app.origin);
  await expect(page).toHaveURL(/\/app\/login$/);
  await expect(page.getByLabel("E-Mail")).toBeVisible();
  await expect(page.getByText("Nach der Anmeldung geht es dort weiter, wo Sie waren.")).toHaveCount(0);
  await page.context().addCookies(sessionCookies(app.url, api));
  await page.goto(app.origin);
  await expect(page).toHaveURL(/\/app\/home$/);
});

test("An unknown address leads a pilot home", { tag: "@desktop" }, async ({ page, app, api }) => {
  for (const path of ["gibt-es-nicht", "flights/a/b/c", "equipments"]) {
    await openAs(page, api, app, path);
    await expect(page).toHaveURL(/\/app\/home$/);
  }
});

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

test("Logout also ends what a browser remembers", { tag: "@desktop" }, async ({ page, context, pilot }) => {
  await page.goto("login");
  await page.getByText("Angemeldet bleiben").click();
  await submitLogin(page, pilot);
  await expect(page.getByText("Drei Schritte bis zum ersten Flug")).toBeVisible();
  await pickFromMenu(page, "Logout", "Konto");
  await expect(page).toHaveURL(/\/app\/login$/);
  expect(await accountCookies(context)).toEqual([]);
  await page.goto("home");
  await expect(page).toHaveURL(/\/app\/login$/);
});

test("A logout that doesn't reach the server says so, and the pilot stays logged in", { tag: "@desktop" }, async ({
  page,
  app,
  api,
  faults,
}) => {
  faults.expectLostRequests();
  await openAs(page, api, app, "home");
  await page.getByRole("button", { name: "Konto" }).click();
  await app.stop();
  await page.getByRole("menuitem", { name: "Logout" }).click();
  const dialog = page.getByRole("alertdialog");
  await expect(dialog).toContainText("Abmelden fehlgeschlagen. Bitte versuchen Sie es erneut.");
  await dialog.getByRole("button", { name: "Schließen" }).click();
  await expect(page).toHaveURL(/\/app\/home$/);

  await app.startAgain();
  await pickFromMenu(page, "Logout", "Konto");
  await expect(page).toHaveURL(/\/app\/login$/);
});

test("A session that ended elsewhere leads to the login at the next call, and after it back to the same page", {
  tag: "@desktop",
}, async ({ page, app, api, pilot, faults }) => {
  await addEquipment(api, kind.battery, "Akku 1");
  await openAs(page, api, app, "home");
  await expect(page.getByText("Drei Schritte bis zum ersten Flug")).toBeVisible();
  // A call that the page still has to make would find the end of the session before the click does.
  await page.waitForLoadState("networkidle");
  await api.call("Logout");
  faults.expectAnswer("GetEquipments", 401);
  await page.getByRole("link", { name: "Batterien" }).click();
  await expect(page).toHaveURL(/\/app\/login$/);
  await submitLogin(page, pilot);
  await expect(page).toHaveURL(/\/app\/equipments\/1$/);
  await expect(page.getByRole("heading", { name: "Akku 1" })).toBeVisible();
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

test("A session check that is answered by anything else leads to the login too", { tag: "@desktop" }, async ({
  page,
  app,
  api,
  pilot,
  faults,
}) => {
  faults.expectAnswer("CheckSession", 500);
  await damageDatabase(app, pilot.nickname);
  await openAs(page, api, app, "flights");
  await expect(page).toHaveURL(/\/app\/login$/);
});

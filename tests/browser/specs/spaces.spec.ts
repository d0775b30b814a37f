// Two phones side by side: a household and a club that share gear. What single screens offer to whom is tested in
// ui/src/screens/spaces/spaces.test.tsx.

import type { Browser, Page } from "@playwright/test";
import { expectAccessible } from "../support/accessible.ts";
import { field, pickFromMenu, toast } from "../support/actions.ts";
import { germanBrowser, phone } from "../support/chromium.ts";
import { addChargedPack, addEquipment, createFlight, finishFlight, kind, logIn } from "../support/client.ts";
import type { Server } from "../support/server.ts";
import { consentCookie, expect, openAs, test } from "../support/test.ts";

const tom = { email: "tom@example.org", nickname: "Tom", password: "propeller-23" };

/** Opens the second phone; nobody is logged in there. */
async function secondPhone(browser: Browser, app: Server): Promise<Page> {
  const context = await browser.newContext({ ...phone, ...germanBrowser, baseURL: app.url, serviceWorkers: "block" });
  await context.addCookies([consentCookie(app.origin)]);
  return context.newPage();
}

/** Presses "Einladen" on the page of a space and returns the link. */
async function inviteFrom(page: Page, role?: RegExp): Promise<string> {
  await page.getByRole("button", { name: "Einladen" }).click();
  const dialog = page.getByRole("dialog");
  if (role) await dialog.getByText(role).click();
  await dialog.getByRole("button", { name: "Link erstellen" }).click();
  await expect(page.getByRole("img", { name: "QR-Code der Einladung" })).toBeVisible();
  const link = await page.getByLabel("Link", { exact: true }).inputValue();
  await page.getByRole("dialog").getByRole("button", { name: "Schließen" }).click();
  return link;
}

test("A couple shares a bag of packs in two minutes, and each keeps their flights", { tag: "@phone" }, async ({
  page,
  browser,
  app,
  api,
}) => {
  await app.addUser(tom);
  const other = await logIn(app.origin, tom.email, tom.password);
  await addChargedPack(api, "Akku 1", { model: "R-Line 6S 1300" });
  await addEquipment(api, kind.copter, "Nazgul");

  await openAs(page, api, app, "myProfile");
  await page.getByRole("link", { name: "Gemeinsam nutzen" }).click();
  await field(page, "Name").fill("Familie");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Familie");
  await page.getByRole("main").getByText("Equipment", { exact: true }).click();
  await page.getByRole("button", { name: "Eigenes Equipment hineinlegen" }).click();
  await page.getByText("Akku 1 · R-Line 6S 1300").click();
  await page.getByText("Nazgul", { exact: true }).click();
  await page.getByRole("button", { name: "2 hineinlegen" }).click();
  await expect(toast(page, "2 Geräte gehören jetzt dem Bereich.")).toBeVisible();
  await expectAccessible(page);
  await page.getByText("Mitglieder", { exact: true }).click();
  const link = await inviteFrom(page);

  const phone2 = await secondPhone(browser, app);
  await openAs(phone2, other, app, "home");
  await phone2.goto(link);
  await expect(phone2.getByRole("heading", { level: 1 })).toHaveText("Familie");
  await expect(phone2.getByText("Ihre Flüge, Orte und Flugwege")).toBeVisible();
  await expectAccessible(phone2);
  await phone2.getByRole("button", { name: "Beitreten", exact: true }).click();
  await expect(phone2.getByRole("link", { name: "Akku 1" })).toBeVisible();

  // The other one flies; the first phone sees by whom, and nothing of the flight.
  const shared = JSON.parse(await other.call("GetEquipments", { type: String(kind.copter), deactivated: "false" }));
  const packs = JSON.parse(await other.call("GetEquipments", { type: String(kind.battery), deactivated: "false" }));
  const flight = await createFlight(other, { copter: shared[0].dpfId, equipments: [packs[0].dpfId] });
  await page.goto(`equipments/${kind.battery}`);
  await expect(page.getByRole("listitem").filter({ hasText: "Akku 1" })).toContainText("Tom");
  await expectAccessible(page);
  await finishFlight(other, flight, { flightTime: 5, location: "Geheimer Ort" });
  await page.getByRole("link", { name: "Akku 1" }).click();
  await expect(page.getByRole("list", { name: "Benutzungen" })).toContainText("Tom");
  await expect(page.getByText("Geheimer Ort")).toHaveCount(0);
  await expect(api.call("GetFlight", { dpfId: flight })).rejects.toThrow("403");
  await phone2.context().close();
});

test("A club's member joins without an account before, flies its gear, and loses it with the membership", {
  tag: "@phone",
}, async ({ page, browser, app, api, faults }) => {
  const space = JSON.parse(await api.call("SaveSpace", { name: "FPV-Verein Elbe", kind: "2" }));
  const copter = await addEquipment(api, kind.copter, "Schulcopter");
  await api.call("MoveEquipment", { dpfId: copter, space: space.dpfId });
  await openAs(page, api, app, `spaces/${space.dpfId}`);
  const link = await inviteFrom(page, /^Mitglied$/);

  const phone2 = await secondPhone(browser, app);
  await phone2.goto(link);
  await phone2.getByText("Mein Name darf beim Vereinsgerät stehen").click();
  await phone2.getByRole("button", { name: "Ich habe noch kein Konto" }).click();
  await field(phone2, "E-Mail").fill(tom.email);
  await field(phone2, "Nickname").fill(tom.nickname);
  await field(phone2, "Passwort").fill(tom.password);
  await expectAccessible(phone2);
  await phone2.keyboard.press("Enter");
  await expect(phone2.getByRole("heading", { level: 1 })).toHaveText("Hallo, Tom");
  await phone2.goto(`equipments/${kind.copter}/${copter}`);
  await expect(phone2.getByRole("button", { name: "Log erstellen" })).toBeVisible();
  await expect(phone2.getByRole("link", { name: "Bearbeiten" })).toHaveCount(0);

  // Somebody flies it, without a name; the manager frees it.
  const other = await logIn(app.origin, tom.email, tom.password);
  await createFlight(other, { copter });
  await page.goto(`equipments/${kind.copter}/${copter}`);
  await expect(page.getByText(/in einem offenen Flug \(ein Mitglied/)).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Freigeben Schulcopter" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Freigeben" }).click();
  await expect(page.getByText(/in einem offenen Flug/)).toHaveCount(0);

  // By keyboard: from the list of the other phone to its own gear and back.
  await phone2.goto(`equipments/${kind.copter}`);
  await phone2.getByRole("radio", { name: "Alle" }).focus();
  await phone2.keyboard.press("ArrowLeft");
  await expect(phone2.getByText("Keine eigenen Copter.")).toBeVisible();
  await phone2.getByRole("radio", { name: "Meine" }).focus();
  await phone2.keyboard.press("ArrowRight");
  await expect(phone2.getByRole("link", { name: "Schulcopter" })).toBeVisible();

  // A member corrects the own log.
  await phone2.goto(`equipments/${kind.copter}/${copter}`);
  for (const [button, text] of [
    ["Log erstellen", "Motor getuscht"],
    [/^Log vom .* editieren/, "Motor getauscht"],
  ] as const) {
    await phone2.getByRole("button", { name: button }).click();
    await phone2.getByRole("dialog").getByRole("textbox").last().fill(text);
    await phone2.getByRole("dialog").getByRole("button", { name: "Speichern" }).click();
    await expect(phone2.getByRole("dialog")).toHaveCount(0);
    await expect(phone2.getByText(text)).toBeVisible();
  }

  await phone2.getByRole("button", { name: "Log erstellen" }).click();
  await phone2.getByRole("dialog").getByRole("textbox").last().fill("Propeller getauscht");
  await page.goto(`spaces/${space.dpfId}`);
  await page.getByRole("button", { name: "Tom verwalten" }).click();
  await page.getByRole("button", { name: "Entfernen" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Entfernen" }).click();
  await expect(toast(page, "Tom ist kein Mitglied mehr.")).toBeVisible();
  await phone2.getByRole("button", { name: "Speichern" }).click();
  await expect(phone2.getByText("Sie sind nicht mehr Mitglied dieses Bereichs.").first()).toBeVisible();
  await expect(phone2.getByRole("dialog").getByRole("textbox").last()).toHaveValue("Propeller getauscht");

  await pickFromMenu(page, "Auflösen");
  const question = page.getByRole("alertdialog", { name: "FPV-Verein Elbe auflösen?" });
  await expect(question).toContainText("Zuerst muss das Equipment heraus");
  faults.expectAnswer("DissolveSpace", 409);
  await question.getByRole("button", { name: "Auflösen" }).click();
  await expect(page.getByText("Auflösen geht erst, wenn der Bereich keine Ausrüstung mehr hat.")).toBeVisible();
  await phone2.context().close();
});

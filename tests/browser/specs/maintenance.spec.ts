// Maintenance with one thumb: a job is added after a template, comes due by flights, and is done from home.

import type { Page } from "@playwright/test";
import { expectAccessible } from "../support/accessible.ts";
import { pickFromMenu, toast } from "../support/actions.ts";
import { addEquipment, addFlights, ago, type Client, kind } from "../support/client.ts";
import { expect, openAs, test } from "../support/test.ts";
import { thumbOn } from "../support/thumb.ts";

const title = "Propeller wechseln";

/** Adds a copter with a job that three flights have made due. Returns the copter. */
async function addDueJob(api: Client): Promise<string> {
  const copter = await addEquipment(api, kind.copter, "Falke");
  const job = JSON.stringify({ title, flights: "3", since: ago(60 * 24 * 400).slice(0, 10) });
  await api.call("SaveJob", { dpfId: copter, job });
  await addFlights(api, 3, { copter });
  return copter;
}

const line = (page: Page) => page.getByRole("list", { name: "Zu erledigen" }).getByRole("listitem");

test("Two taps on home say that a job is done, and a third takes it back", { tag: "@phone" }, async ({
  page,
  app,
  api,
}) => {
  const copter = await addDueJob(api);
  await openAs(page, api, app, "home");
  await expect(line(page)).toContainText(/Propeller wechseln\s*Falke: .*fällig/);
  await expectAccessible(page);
  const thumb = thumbOn(page);
  await thumb.tap(line(page).getByRole("button", { name: "Erledigt Propeller wechseln" }));
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("textbox", { name: "Was wurde gemacht?" })).toBeVisible();
  await expectAccessible(page);
  await thumb.tap(dialog.getByRole("button", { name: "Erledigt", exact: true }));
  await expect(line(page)).toHaveCount(0);
  expect(thumb.effort()).toMatchObject({ taps: 2, characters: 0 });
  const { logs } = JSON.parse(await api.call("GetEquipmentLogs", { dpfId: copter }));
  expect(logs.map(({ info }: { info: string }) => info)).toEqual([expect.stringContaining(`Erledigt: ${title}`)]);
  await thumb.tap(page.getByRole("button", { name: "Rückgängig" }));
  await expect(toast(page, "Rückgängig gemacht.")).toBeVisible();
  await expect(line(page)).toHaveCount(1);
  expect(JSON.parse(await api.call("GetEquipmentLogs", { dpfId: copter })).logs).toEqual([]);
});

test("A job is added on an item's page after a template, and the list of all has it", { tag: "@phone" }, async ({
  page,
  app,
  api,
}) => {
  const copter = await addEquipment(api, kind.copter, "Falke");
  await openAs(page, api, app, `equipments/${kind.copter}/${copter}`);
  await expect(page.getByRole("heading", { name: "Wartung" })).toHaveCount(0);
  await pickFromMenu(page, "Wartung hinzufügen");
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByText(/^Vorschlag, Quelle: /).first()).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole("button", { name: /^Propeller prüfen/ }).click();
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Speichern" }).click();
  const jobs = page.getByRole("list", { name: "Wartung" }).getByRole("listitem");
  await expect(jobs).toContainText(/Propeller prüfen.*noch/);
  await expectAccessible(page);
  await page.getByRole("link", { name: "Zu erledigen" }).click();
  await expect(page.getByRole("list", { name: "Demnächst" })).toContainText("Falke");
  await expectAccessible(page);
});

test("What is done without network waits, and arrives once", { tag: "@phone" }, async ({ page, app, api, faults }) => {
  faults.expectLostRequests();
  const copter = await addDueJob(api);
  await openAs(page, api, app, "home");
  await expect(line(page)).toHaveCount(1);
  await app.stop();
  await page.getByRole("button", { name: `Erledigt ${title}` }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Erledigt", exact: true }).click();
  await expect(toast(page, "Gemerkt.")).toBeVisible();
  await expect(line(page)).toHaveCount(0);
  await app.startAgain();
  await page.evaluate(() => window.dispatchEvent(new Event("online")));
  const logs = async () => JSON.parse(await api.call("GetEquipmentLogs", { dpfId: copter })).logs;
  await expect.poll(async () => (await logs()).length).toBe(1);
  await expect(page.getByText("wartet", { exact: true })).toHaveCount(0);
});

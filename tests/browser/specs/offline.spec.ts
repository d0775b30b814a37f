// Without network: what a pilot does on the meadow is kept, shown, and sent once when the server answers again.

import type { Page } from "@playwright/test";
import { addEquipment, type Client, createFlight, germanTime, kind } from "../support/client.ts";
import { expect, openAs, test } from "../support/test.ts";
import { field, submitLogin, toast } from "../support/ways.ts";

test.use({ loadsAhead: true });

const offline = (page: Page) => page.getByText("Kein Netz. Alles wird gemerkt.");
const waits = (page: Page) => page.getByText("wartet", { exact: true });
const flightsOf = async (api: Client) => JSON.parse((await api.call("GetFlights", {})) || "[]");

/** A copter and two packs of one sort that are charged, flown once. */
async function gear(api: Client) {
  const copter = await addEquipment(api, kind.copter, "Brummer");
  const packs: string[] = [];
  for (const name of ["Akku 4", "Akku 5"]) {
    const battery = await addEquipment(api, kind.battery, name, { model: "6S 1300" });
    const times = { chargeStartTime: germanTime(new Date(Date.now() - 7_200_000)), chargeEndTime: germanTime(new Date()) };
    await api.call("SaveCharging", { battery, ...times, fromVoltage: "22.2", toVoltage: "25.2", charged: "1000" });
    packs.push(battery);
  }
  const past = { startTime: germanTime(new Date(Date.now() - 10_800_000)), flightTime: 5, location: "Elbwiesen" };
  const config = JSON.stringify({ copter, equipments: [packs[0]], payloads: [] });
  await api.call("AddFlight", { config, flight: JSON.stringify(past) });
  return { copter, packs };
}

/** Every screen is here: this one is the last that is loaded ahead. */
async function loadedAhead(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    performance.getEntriesByType("resource").some(({ name }) => name.includes("/WaitingPage")),
  );
  await page.waitForLoadState("networkidle");
}

test("A flight is started and finished without network, is shown at once, and arrives once", { tag: "@phone" }, async ({
  page,
  app,
  api,
  faults,
}) => {
  faults.expectLostRequests();
  await gear(api);
  await openAs(page, api, app, "home");
  await expect(page.getByRole("button", { name: "Jetzt starten" })).toBeVisible();
  await loadedAhead(page);
  await app.stop();
  await page.getByRole("button", { name: "Jetzt starten" }).click();
  await expect(page.getByRole("link", { name: "Fluglog beenden" })).toBeVisible();
  await expect(offline(page)).toBeVisible();
  await expect(waits(page)).toBeVisible();

  await page.getByRole("link", { name: "Fluglog beenden" }).click();
  await field(page, "Endspannung (V)").fill("21,4");
  await page.getByRole("button", { name: "Abschließen", exact: true }).click();
  await expect(toast(page, "Gemerkt.")).toBeVisible();
  await page.goto(`${app.url}home`).catch(() => {});

  await app.startAgain();
  await page.goto(`${app.url}home`);
  await expect.poll(async () => (await flightsOf(api)).length).toBe(2);
  const [newest] = await flightsOf(api);
  expect(newest).toMatchObject({ open: false, location: "Elbwiesen", copter: { name: "Brummer" } });
  const whole = JSON.parse(await api.call("GetFlight", { dpfId: newest.dpfId }));
  expect(whole).toMatchObject({ batteryEndVoltage: 21.4, open: false });
  await expect(waits(page)).toHaveCount(0);
});

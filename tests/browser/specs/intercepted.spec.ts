// Something between browser and server answers in its place: what a pilot presses meanwhile is shown, nothing wrong is
// said, and once the line is good the server has each thing once.

import type { Page } from "@playwright/test";
import { field, prefetched, toast } from "../support/actions.ts";
import { addChargedPack, addEquipment, addFlight, ago, type Client, kind } from "../support/client.ts";
import { foreignText, type Interception, startInterceptingProxy } from "../support/intercepting-proxy.ts";
import { endPause } from "../support/pauses.ts";
import { expect, openAs, test } from "../support/test.ts";

test.use({ prefetches: true });

const interceptions: { how: Interception; isForeign: boolean }[] = [
  { how: "a portal's page", isForeign: true },
  { how: "a redirect to a login", isForeign: true },
  { how: "a bad gateway", isForeign: true },
  { how: "cut answers", isForeign: false },
  { how: "silence", isForeign: false },
];

const waits = (page: Page) => page.getByText("wartet", { exact: true });
const intercepted = (page: Page) =>
  page.getByText("Ein anderes Gerät im Netz antwortet, vielleicht seine Anmeldeseite.");

/** Adds a copter and a charged pack that flew once; returns the pack. */
async function addFlownCopter(api: Client): Promise<string> {
  const copter = await addEquipment(api, kind.copter, "Brummer");
  const pack = await addChargedPack(api, "Akku 4", { model: "6S 1300" }, { chargeEndTime: ago(0) });
  await addFlight(api, { copter, equipments: [pack] }, { startTime: ago(180), flightTime: 5, location: "Elbwiesen" });
  return pack;
}

async function flightsOf(api: Client) {
  const rows: { dpfId: string }[] = JSON.parse(await api.call("GetFlights", {}));
  return Promise.all(rows.map(async ({ dpfId }) => JSON.parse(await api.call("GetFlight", { dpfId }))));
}

for (const { how, isForeign } of interceptions) {
  test(`A start, a finish and a charging wait behind ${how}, and arrive once`, { tag: "@phone" }, async ({
    page,
    app,
    api,
    faults,
  }) => {
    faults.expectLostRequests();
    if (how === "a bad gateway") faults.expectAnswer(/./, 502);
    const pack = await addFlownCopter(api);
    const proxy = await startInterceptingProxy(app.port);
    faults.allowOrigin(proxy.origin);
    await openAs(page, api, proxy, "home");
    await prefetched(page);

    proxy.intercept(how);
    await page.getByRole("button", { name: "Jetzt starten" }).click();
    await expect(waits(page)).toBeVisible();
    if (isForeign) await expect(intercepted(page)).toBeVisible();
    await page.getByRole("link", { name: "Fluglog beenden" }).click();
    await field(page, "Endspannung (V)").fill("21,4");
    await page.getByRole("button", { name: "Abschließen", exact: true }).click();
    await expect(toast(page, "Gemerkt.")).toBeVisible();
    await page.getByRole("navigation").getByRole("link", { name: "Akkus" }).last().click();
    await page.getByRole("button", { name: "Ladevorgang starten Akku 4" }).click();
    await page.getByRole("dialog").getByRole("textbox", { name: "Startspannung (V)" }).fill("22,0");
    await page.getByRole("dialog").getByRole("button", { name: "Starten", exact: true }).click();
    await expect(page.getByRole("button", { name: "Ladevorgang beenden Akku 4" })).toBeVisible();
    await expect(page.getByRole("alert").filter({ hasNotText: /^Gemerkt\.$/ })).toHaveCount(0);
    await expect(page.getByText(foreignText)).toHaveCount(0);

    proxy.restore();
    // As a phone does that finds its network again.
    await page.evaluate(() => window.dispatchEvent(new Event("online")));
    await expect(waits(page)).toHaveCount(0);
    await endPause(page, "poll");
    await expect(intercepted(page)).toHaveCount(0);
    const flights = await flightsOf(api);
    expect(flights.map(({ open, batteryEndVoltage }) => [open, batteryEndVoltage])).toEqual([
      [false, 21.4],
      [false, null],
    ]);
    const { chargings } = JSON.parse(await api.call("GetChargings", { battery: pack }));
    const running = chargings.filter(({ chargeEndTime }: { chargeEndTime: string }) => chargeEndTime === "");
    expect(running.map(({ fromVoltage }: { fromVoltage: number }) => fromVoltage)).toEqual([22]);
    proxy.close();
  });
}

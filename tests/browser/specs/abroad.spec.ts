// A pilot in another zone than the server's, or with a phone whose clock is wrong: the start is what the pilot's watch
// says, and a flight of a few seconds takes one minute, with network, without, and first one and then the other.

import type { Page } from "@playwright/test";
import { field, toast } from "../support/actions.ts";
import { addChargedPack, addEquipment, addFlight, ago, type Client, kind } from "../support/client.ts";
import { endPause } from "../support/pauses.ts";
import { expect, openAs, test } from "../support/test.ts";

test.use({ prefetches: true });

const minuteMs = 60_000;
const twoDays = 2 * 24 * 60;

type Phone = { name: string; timezoneId: string; aheadMinutes?: number };

const phones: Phone[] = [
  { name: "in Tokyo", timezoneId: "Asia/Tokyo" },
  { name: "in New York", timezoneId: "America/New_York" },
  { name: "that is 3 days ahead", timezoneId: "Asia/Tokyo", aheadMinutes: 3 * 24 * 60 },
];

/** The minutes within which something is pressed, as the watch in a zone shows them. */
function watch(timezoneId: string, from: number): string[] {
  const minutes = Math.floor((Date.now() - from) / minuteMs) + 1;
  const at = (ms: number) =>
    new Date(ms).toLocaleString("de-DE", {
      timeZone: timezoneId,
      ...({ day: "2-digit", month: "2-digit", year: "numeric", hour: "2-digit", minute: "2-digit" } as const),
    });
  return Array.from({ length: minutes + 1 }, (_, index) => at(from + index * minuteMs).replace(",", ""));
}

async function addFlownCopter(api: Client): Promise<void> {
  const copter = await addEquipment(api, kind.copter, "Brummer");
  const pack = await addChargedPack(api, "Akku 4", { model: "6S 1300" }, { chargeEndTime: ago(0) });
  const flight = { startTime: ago(twoDays), flightTime: 5, location: "Elbwiesen" };
  await addFlight(api, { copter, equipments: [pack] }, flight);
}

async function newest(api: Client) {
  const [{ dpfId }] = JSON.parse(await api.call("GetFlights", {}));
  return JSON.parse(await api.call("GetFlight", { dpfId }));
}

/** A watch that is right in the phone's zone, beside a phone that may be ahead. */
async function setClock(page: Page, { aheadMinutes = 0 }: Phone): Promise<void> {
  if (aheadMinutes > 0) await page.clock.install({ time: Date.now() + aheadMinutes * minuteMs });
}

/** Opens a page and waits until every screen is loaded: this one is the last to be prefetched. */
async function openPrefetched(page: Page, api: Client, app: { url: string }, path: string): Promise<void> {
  const last = page.waitForResponse(/\/WaitingPage-/);
  await openAs(page, api, app, path);
  await endPause(page, "prefetch");
  await last;
  await page.waitForLoadState("networkidle");
}

for (const phone of phones) {
  test.describe(`A phone ${phone.name}`, { tag: "@phone" }, () => {
    test.use({ timezoneId: phone.timezoneId });

    for (const { line, isStartedOffline, isEndedOffline } of [
      { line: "with network", isStartedOffline: false, isEndedOffline: false },
      { line: "without network", isStartedOffline: true, isEndedOffline: true },
      { line: "first with network, then without", isStartedOffline: false, isEndedOffline: true },
    ]) {
      test(`stores the start of its pilot's watch and the minutes of the flight, ${line}`, async ({
        page,
        app,
        api,
        faults,
      }) => {
        if (isEndedOffline) faults.expectLostRequests();
        await addFlownCopter(api);
        await setClock(page, phone);
        await openPrefetched(page, api, app, "home");
        await expect(page.getByRole("button", { name: "Jetzt starten" })).toBeVisible();
        await page.context().setOffline(isStartedOffline);
        const from = Date.now();
        await page.getByRole("button", { name: "Jetzt starten" }).click();
        await expect(page.getByRole("timer")).toHaveText(/^0:\d\d$/);
        const starts = watch(phone.timezoneId, from);
        await page.getByRole("link", { name: "Fluglog beenden" }).click();
        await page.context().setOffline(isEndedOffline);
        await field(page, "Endspannung (V)").fill("21,4");
        await page.getByRole("button", { name: "Abschließen", exact: true }).click();
        await expect(toast(page, isEndedOffline ? "Gemerkt." : "Gespeichert.")).toBeVisible();
        await page.context().setOffline(false);
        await expect.poll(async () => (await newest(api)).batteryEndVoltage).toBe(21.4);
        const flight = await newest(api);
        expect(flight).toMatchObject({ open: false, flightTime: 1 });
        expect(starts).toContain(flight.startTime);
        const seconds = (Date.parse(flight.endInstant) - Date.parse(flight.startInstant)) / 1_000;
        expect(seconds).toBeGreaterThanOrEqual(0);
        expect(seconds).toBeLessThan((Date.now() - from) / 1_000 + 5);
      });
    }

    test('keeps "Geladen" without network and sends it', async ({ page, app, api, faults }) => {
      faults.expectLostRequests();
      const battery = await addEquipment(api, kind.battery, "Akku 5", { model: "6S 1300" });
      const copter = await addEquipment(api, kind.copter, "Brummer");
      const landed = { startTime: ago(twoDays), flightTime: 5, batteryEndVoltage: 21 };
      await addFlight(api, { copter, equipments: [battery] }, landed);
      await setClock(page, phone);
      await openPrefetched(page, api, app, `equipments/${kind.battery}`);
      await expect(page.getByRole("button", { name: "Mehr zu Akku 5" })).toBeVisible();
      await page.context().setOffline(true);
      const from = Date.now();
      await page.getByRole("button", { name: "Geladen Akku 5" }).click();
      await expect(toast(page, "Gemerkt.")).toBeVisible();
      const times = watch(phone.timezoneId, from);
      await page.context().setOffline(false);
      const since = async () => JSON.parse(await api.call("GetEquipment", { dpfId: battery })).stateSince;
      await expect.poll(async () => times.includes(await since())).toBe(true);
    });
  });
}

test("A start that a clock put into the future, before it was set back, asks when it was", { tag: "@phone" }, async ({
  page,
  app,
  api,
  faults,
}) => {
  faults.expectLostRequests();
  await addFlownCopter(api);
  await page.clock.install();
  await openPrefetched(page, api, app, "home");
  await expect(page.getByRole("button", { name: "Jetzt starten" })).toBeVisible();
  await page.context().setOffline(true);
  await page.clock.setSystemTime(Date.now() + 600 * minuteMs);
  await page.getByRole("button", { name: "Jetzt starten" }).click();
  await expect(page.getByRole("link", { name: "Fluglog beenden" })).toBeVisible();
  await page.clock.setSystemTime(Date.now());
  faults.expectAnswer("CreateFlight", 400);
  await page.context().setOffline(false);
  await page.getByRole("link", { name: /wartet auf Ihre Entscheidung/ }).click();
  await expect(page.getByText("Die Startzeit liegt in der Zukunft.")).toBeVisible();
  await expect(page.getByRole("group", { name: "Wann war das?" })).toBeVisible();
  await page.getByRole("button", { name: "Mit dieser Zeit senden" }).click();
  await expect.poll(async () => (await newest(api)).open).toBe(true);
  expect(watch("Europe/Berlin", Date.now() - 2 * minuteMs)).toContain((await newest(api)).startTime);
});

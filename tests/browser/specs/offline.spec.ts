// Without network: a pilot's actions on the meadow are queued, shown, and sent once when the server answers again.

import type { Page } from "@playwright/test";
import { expectAccessible } from "../support/accessible.ts";
import { field, pickFromMenu, prefetched, submitLogin, toast } from "../support/actions.ts";
import {
  addChargedPack,
  addEquipment,
  addFlight,
  addLog,
  ago,
  type Client,
  createFlight,
  editLog,
  germanTime,
  kind,
} from "../support/client.ts";
import { endPause } from "../support/pauses.ts";
import { expect, openAs, test } from "../support/test.ts";

test.use({ prefetches: true });

const offline = (page: Page) => page.getByText("Kein Netz. Alles wird gemerkt.");
const waits = (page: Page) => page.getByText("wartet", { exact: true });
const flightsOf = async (api: Client) => JSON.parse((await api.call("GetFlights", {})) || "[]");

/** Adds a copter and two charged packs of one type, flown once. */
async function addFlownCopter(api: Client) {
  const copter = await addEquipment(api, kind.copter, "Brummer");
  const packs: string[] = [];
  for (const name of ["Akku 4", "Akku 5"]) {
    packs.push(await addChargedPack(api, name, { model: "6S 1300" }, { chargeEndTime: ago(0) }));
  }
  // Today, also just after midnight: its place is proposed for the next flight.
  const [hour = 0, minute = 0] = germanTime(new Date()).slice(11).split(":").map(Number);
  const startTime = ago(Math.min(180, hour * 60 + minute));
  const past = { startTime, flightTime: 5, location: "Elbwiesen" };
  await addFlight(api, { copter, equipments: packs.slice(0, 1) }, past);
  return { copter, packs };
}

test("A flight is started and finished without network, is shown at once, and arrives once", { tag: "@phone" }, async ({
  page,
  app,
  api,
  faults,
}) => {
  faults.expectLostRequests();
  await addFlownCopter(api);
  await openAs(page, api, app, "home");
  await expect(page.getByRole("button", { name: "Jetzt starten" })).toBeVisible();
  await prefetched(page);
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
  // The browser may still be opening its own page about the failure.
  await expect(() => page.goto(`${app.url}home`)).toPass();
  await expect.poll(async () => (await flightsOf(api)).length).toBe(2);
  const [newest] = await flightsOf(api);
  expect(newest).toMatchObject({ open: false, location: "Elbwiesen", copter: { name: "Brummer" } });
  const whole = JSON.parse(await api.call("GetFlight", { dpfId: newest.dpfId }));
  expect(whole).toMatchObject({ batteryEndVoltage: 21.4, open: false });
  await expect(waits(page)).toHaveCount(0);
});

test("A day on the meadow: a series, an edit, a charging and a log wait, survive a reload, and arrive once", {
  tag: "@phone",
}, async ({ page, api, lossyProxy, faults }) => {
  faults.expectLostRequests();
  const { packs } = await addFlownCopter(api);
  await openAs(page, api, lossyProxy, "home");
  await expect(page.getByRole("button", { name: "Jetzt starten" })).toBeVisible();
  await prefetched(page);
  lossyProxy.loseAnswers("/app/api/");
  await page.getByRole("button", { name: "Jetzt starten" }).click();
  await page.getByRole("link", { name: "Fluglog beenden" }).click();
  await field(page, "Endspannung (V)").fill("21,4");
  await page.getByRole("button", { name: "Abschließen, nächster Akku" }).click();
  await expect(page.getByText("Brummer · Akku 4")).toBeVisible();
  await expect(page.getByRole("button", { name: "Abschließen", exact: true })).toBeEnabled();
  await page.getByRole("button", { name: "Abschließen", exact: true }).click();
  await expect(toast(page, "Gemerkt.")).toBeVisible();

  await page.getByRole("navigation").getByRole("link", { name: "Flüge" }).last().click();
  await expect(waits(page)).toHaveCount(2);
  await page
    .getByRole("link", { name: /Brummer/ })
    .nth(1)
    .click();
  await page.getByRole("link", { name: "Editieren" }).click();
  await field(page, "Notizen").fill("Böig");
  await page.getByRole("button", { name: "Speichern" }).click();
  await expect(toast(page, "Gemerkt.")).toBeVisible();
  await page.getByRole("button", { name: "Zurück" }).click();

  await page.getByRole("button", { name: "Log erstellen" }).click();
  await page.getByRole("dialog").getByRole("textbox", { name: "Text" }).fill("Prop getauscht");
  await page.getByRole("dialog").getByRole("button", { name: "Speichern" }).click();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(page.getByRole("listitem").filter({ hasText: "Prop getauscht" })).toBeVisible();

  await page.getByRole("navigation").getByRole("link", { name: "Akkus" }).last().click();
  await page.getByRole("button", { name: "Ladevorgang starten Akku 4" }).click();
  await page.getByRole("dialog").getByRole("textbox", { name: "Startspannung (V)" }).fill("22,0");
  await page.getByRole("dialog").getByRole("button", { name: "Starten", exact: true }).click();
  await expect(page.getByRole("button", { name: "Ladevorgang beenden Akku 4" })).toBeVisible();

  await page.getByRole("link", { name: /Alles wird gemerkt/ }).click();
  await expect(page.getByRole("heading", { name: "Noch nicht übertragen" })).toBeVisible();
  // The edit is part of the first flight, or a queued write of its own if that flight was sent before.
  const waiting = page.getByRole("listitem").filter({ hasText: "wartet" });
  for (const what of ["Flug: Brummer · Akku 4", "Flug: Brummer · Akku 5", "Log zum Flug", "Ladevorgang gestartet"]) {
    await expect(waiting.filter({ hasText: what }).first()).toBeVisible();
  }
  await expectAccessible(page);

  lossyProxy.restore();
  await page.reload();
  await expect(page.getByText("Alles ist übertragen.")).toBeVisible();
  const flown = await flightsOf(api);
  expect(flown).toHaveLength(3);
  expect(flown.every(({ open }: { open: boolean }) => !open)).toBe(true);
  const all = await Promise.all(flown.map(({ dpfId }: { dpfId: string }) => api.call("GetFlight", { dpfId })));
  expect(all.filter((flight) => JSON.parse(flight).notes === "Böig")).toHaveLength(1);
  const logs = all.map((flight) => api.call("GetFlightLogs", { dpfId: JSON.parse(flight).dpfId }));
  expect((await Promise.all(logs)).join().match(/Prop getauscht/g)).toHaveLength(1);
  const history = JSON.parse(await api.call("GetChargings", { battery: packs[0] ?? "" }));
  expect(history.chargings.filter(({ chargeEndTime }: { chargeEndTime: string }) => chargeEndTime === "")).toHaveLength(
    1,
  );
});

test("What the server refuses is for the pilot: edited it is sent, and another entry can be discarded", {
  tag: "@phone",
}, async ({ page, app, api, faults }) => {
  faults.expectLostRequests();
  faults.expectAnswer("CreateFlight", 409);
  const { copter } = await addFlownCopter(api);
  await openAs(page, api, app, "home");
  await expect(page.getByRole("button", { name: "Jetzt starten" })).toBeVisible();
  await prefetched(page);
  await app.stop();
  await page.getByRole("button", { name: "Jetzt starten" }).click();
  await expect(waits(page)).toBeVisible();
  await page.route("**/app/api/C*", (route) => route.abort());
  await app.startAgain();
  // A flight is started on another device.
  const other = await createFlight(api, { copter });
  await page.unroute("**/app/api/C*");
  await endPause(page, "poll");
  await page.getByRole("link", { name: "1 Eintrag wartet auf Ihre Entscheidung." }).click();
  await expect(page.getByText(/^Auf dem Server läuft schon ein Flug \(Brummer, /)).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Jenen beenden" }).click();
  await expect(page.getByText("Alles ist übertragen.")).toBeVisible();
  const rows = await flightsOf(api);
  expect(rows).toHaveLength(3);
  expect(rows.find(({ dpfId }: { dpfId: string }) => dpfId === other)).toMatchObject({ open: false });
  expect(rows.filter(({ open }: { open: boolean }) => open)).toHaveLength(1);
});

test("A field that was changed here and elsewhere is asked for once, and the chosen value holds", {
  tag: "@phone",
}, async ({ page, app, api, faults }) => {
  faults.expectLostRequests();
  await addFlownCopter(api);
  const [{ dpfId }] = await flightsOf(api);
  await openAs(page, api, app, `flights/${dpfId}/edit`);
  await field(page, "Ort").fill("Wiese");
  await field(page, "Notizen").fill("von hier");
  await app.stop();
  await page.getByRole("button", { name: "Speichern" }).click();
  await expect(toast(page, "Gemerkt.")).toBeVisible();
  await page.route("**/app/api/C*", (route) => route.abort());
  await app.startAgain();
  const flight = { dpfId, location: "Platz", notes: "von dort" };
  await api.call("SaveFlight", { flight: JSON.stringify(flight), endFlight: "false" });
  await page.unroute("**/app/api/C*");
  await endPause(page, "poll");
  await page.getByRole("link", { name: "1 Eintrag wartet auf Ihre Entscheidung." }).click();
  await expect(page.getByText("Ort: hier „Wiese“, auf dem Server „Platz“")).toBeVisible();
  await page.getByRole("button", { name: "Von hier" }).click();
  await expect(page.getByText("Alles ist übertragen.")).toBeVisible();
  expect(JSON.parse(await api.call("GetFlight", { dpfId }))).toMatchObject({
    location: "Wiese",
    notes: "von dort\nvon hier",
  });
});

const edits = [
  {
    what: "charging",
    path: (pack: string) => `equipments/1/${pack}?verlauf=${pack}`,
    edit: async (page: Page) => {
      await page.getByRole("button", { name: /^Bearbeiten/ }).click();
      await field(page, "Endspannung (V)").fill("25,1");
    },
    elsewhere: { toVoltage: "25", charged: "1050" },
    question: "Endspannung (V): hier „25,1“, auf dem Server „25“",
    outcome: { toVoltage: 25.1, charged: 1050 },
  },
  {
    what: "log",
    path: (pack: string) => `equipments/1/logs/${pack}`,
    edit: async (page: Page) => {
      await page.getByRole("button", { name: "Log vom 01.05.2026 10:00 editieren" }).click();
      await field(page, "Text").fill("Stecker getauscht");
    },
    elsewhere: { info: "Stecker gelötet", time: "02.05.2026 10:00" },
    question: "Text: hier „Stecker getauscht“, auf dem Server „Stecker gelötet“",
    outcome: { info: "Stecker getauscht", time: "02.05.2026 10:00" },
  },
];

for (const { what, path, edit, elsewhere, question, outcome } of edits) {
  test(`A ${what} that was edited here and elsewhere is asked about, and keeps the rest of both`, {
    tag: "@phone",
  }, async ({ page, app, api, faults }) => {
    faults.expectLostRequests();
    const { packs } = await addFlownCopter(api);
    const battery = packs[0] ?? "";
    const log = await addLog(api, "equipment", battery, { info: "Stecker", time: "01.05.2026 10:00" });
    const stored = async () => {
      const { chargings } = JSON.parse(await api.call("GetChargings", { battery }));
      const { logs } = JSON.parse(await api.call("GetEquipmentLogs", { dpfId: battery }));
      return what === "log" ? logs[0] : chargings.find(({ flight }: { flight: string | null }) => flight === null);
    };
    const { dpfId } = await stored();
    await openAs(page, api, app, path(battery));
    await edit(page);
    await app.stop();
    await page.getByRole("button", { name: "Speichern" }).click();
    await expect(toast(page, "Gemerkt.")).toBeVisible();
    await page.route("**/app/api/C*", (route) => route.abort());
    await app.startAgain();
    if (what === "log") await editLog(api, log, elsewhere as { info: string; time: string });
    else await api.call("SaveCharging", { battery, dpfId, ...elsewhere });
    await page.unroute("**/app/api/C*");
    await page.goto(`${app.url}waiting`);
    await expect(page.getByRole("region", { name: /Akku 4|6S 1300/ })).toContainText(question);
    await page.getByRole("button", { name: "Von hier" }).click();
    await expect(page.getByText("Alles ist übertragen.")).toBeVisible();
    expect(await stored()).toMatchObject(outcome);
  });
}

test("Logout asks when something waits, and leaves nothing of the pilot in the browser", { tag: "@desktop" }, async ({
  page,
  lossyProxy,
  api,
  faults,
}) => {
  faults.expectLostRequests();
  await addFlownCopter(api);
  await openAs(page, api, lossyProxy, "home");
  lossyProxy.loseAnswers("/app/api/CreateFlight");
  await page.getByRole("button", { name: "Jetzt starten" }).click();
  await expect(waits(page)).toBeVisible();
  await pickFromMenu(page, "Logout", "Konto");
  const question = page.getByRole("alertdialog");
  await expect(question).toContainText("1 Eintrag ist noch nicht übertragen. Trotzdem abmelden und verwerfen?");
  await question.getByRole("button", { name: "Ja" }).click();
  await expect(page).toHaveURL(/\/app\/login$/);
  const left = async () => [
    ...(await page.evaluate(() => Object.keys(localStorage))),
    ...(await page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name))),
  ];
  await expect.poll(left).toEqual([]);
});

test("Another account on this phone sees nothing of what waits, and is asked what becomes of it", {
  tag: "@phone",
}, async ({ page, app, api, lossyProxy, pilot, faults }) => {
  faults.expectLostRequests();
  await addFlownCopter(api);
  const other = { email: "andere@example.org", nickname: "Andere", password: "rotorblatt-18" };
  await app.addUser(other);
  await openAs(page, api, lossyProxy, "home");
  await expect(page.getByRole("button", { name: "Jetzt starten" })).toBeVisible();
  await prefetched(page);
  lossyProxy.loseAnswers("/app/api/");
  await page.getByRole("button", { name: "Jetzt starten" }).click();
  await expect(waits(page)).toBeVisible();
  // The session ends, and the queued writes stay for their pilot.
  await api.call("Logout");
  // A page left open would send what waits before the new page is there.
  await page.goto("about:blank");
  lossyProxy.restore();
  await page.goto(`${lossyProxy.url}home`);
  await expect(page).toHaveURL(/\/app\/login$/);
  await submitLogin(page, other);
  const question = page.getByRole("alertdialog");
  await expect(question).toContainText(`Wartende Einträge von ${pilot.nickname} verwerfen?`);
  await question.getByRole("button", { name: "Nein" }).click();
  await expect(page.getByText("Drei Schritte bis zum ersten Flug")).toBeVisible();
  await expect(page.getByText(/wartet/)).toHaveCount(0);
  await pickFromMenu(page, "Logout", "Konto");
  await expect(page).toHaveURL(/\/app\/login$/);
  await submitLogin(page, pilot);
  await expect(page.getByRole("link", { name: "Fluglog beenden" })).toBeVisible();
  await expect(waits(page)).toHaveCount(0);
});

test("Two tabs send what waits in either of them, each thing once", { tag: "@desktop" }, async ({
  page,
  app,
  api,
  faults,
}) => {
  faults.expectLostRequests();
  const { packs } = await addFlownCopter(api);
  for (const dpfId of packs) await api.call("SaveSticker", { dpfId });
  const other = await page.context().newPage();
  for (const tab of [page, other]) {
    await openAs(tab, api, app, "home");
    await expect(tab.getByRole("link", { name: "Nr." })).toBeVisible();
    await prefetched(tab);
  }
  await app.stop();
  for (const [tab, number] of [
    [page, "1"],
    [other, "2"],
  ] as const) {
    await tab.getByRole("link", { name: "Nr." }).click();
    await tab.getByRole("button", { name: number, exact: true }).click();
    await tab.getByRole("button", { name: "Öffnen" }).click();
    await tab.getByRole("button", { name: /^Eingelagert/ }).click();
    await expect(waits(tab)).toBeVisible();
  }
  for (const tab of [page, other]) await expect(tab.getByText("Alles wird gemerkt.")).toBeVisible();
  const sent: string[] = [];
  page.context().on("request", (request) => {
    if (request.url().endsWith("/QuickStore")) sent.push(request.postData() ?? "");
  });
  await app.startAgain();
  await Promise.all([page, other].map((tab) => endPause(tab, "poll")));
  for (const tab of [page, other]) await expect(waits(tab)).toHaveCount(0);
  const packsSent = sent.map((body) => new URLSearchParams(body).get("battery"));
  expect(packsSent.toSorted()).toEqual(packs.toSorted());
  for (const dpfId of packs) {
    expect(JSON.parse(await api.call("GetEquipment", { dpfId }))).toMatchObject({ state: "storage" });
  }
});

test("A page that is closed while a start is on its way loses nothing, and one flight runs", { tag: "@phone" }, async ({
  page,
  context,
  app,
  api,
  faults,
}) => {
  faults.expectLostRequests();
  await addFlownCopter(api);
  await openAs(page, api, app, "home");
  await prefetched(page);
  // No answer comes.
  await page.route("**/api/CreateFlight", () => {});
  const sent = page.waitForRequest("**/api/CreateFlight");
  await page.getByRole("button", { name: "Jetzt starten" }).click();
  await sent;
  await page.close();
  const next = await context.newPage();
  await next.goto("home");
  await expect(next.getByRole("link", { name: "Fluglog beenden" })).toBeVisible();
  await expect(waits(next)).toHaveCount(0);
  await expect.poll(async () => (await flightsOf(api)).length).toBe(2);
});

test("A browser that stores nothing says so, and starts a flight", { tag: "@phone" }, async ({ page, app, api }) => {
  await addFlownCopter(api);
  await page.addInitScript(() => {
    const forbidden = () => {
      throw new DOMException("Access is denied.", "SecurityError");
    };
    for (const name of ["localStorage", "sessionStorage"])
      Object.defineProperty(window, name, { configurable: true, get: forbidden });
    IDBFactory.prototype.open = forbidden;
    IDBFactory.prototype.deleteDatabase = forbidden;
    IDBFactory.prototype.databases = forbidden;
  });
  await openAs(page, api, app, "home");
  await expect(toast(page, "Dieser Browser speichert nichts. Lassen Sie die Seite ohne Netz offen.")).toBeVisible();
  await page.getByRole("button", { name: "Jetzt starten" }).click();
  await expect(page.getByRole("link", { name: "Fluglog beenden" })).toBeVisible();
  expect(await flightsOf(api)).toHaveLength(2);
});

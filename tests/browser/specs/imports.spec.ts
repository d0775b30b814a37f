// Flights from files, as a pilot chooses or drops them and takes their flights over. The review, its refusals and its
// odd moments are tested in ui/src/screens/flights/imports/ImportPage.test.tsx.

import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Locator, Page, Route } from "@playwright/test";
import { expectAccessible } from "../support/accessible.ts";
import { drop, field, pick, typeDate } from "../support/actions.ts";
import {
  addDocument,
  addEquipment,
  addFlight,
  addFlights,
  type Client,
  createFlight,
  kind,
  logIn,
} from "../support/client.ts";
import { writeTestFile } from "../support/files.ts";
import { endPause } from "../support/pauses.ts";
import { fluglog, makeDataDir, removeDataDir, startServer, type User } from "../support/server.ts";
import { expect, openAs, test } from "../support/test.ts";
import { thumbOn } from "../support/thumb.ts";

const fixture = (name: string) => join(import.meta.dirname, "../../fixtures/flights", name);
const ofDay = fixture("Testquad-2026-05-09.csv");

/** A log of a radio without GPS: one flight of a minute per start, each `YYYY-MM-DD HH:MM`. */
function radioLog(starts: string[]): Buffer {
  const rows = starts.flatMap((start) =>
    Array.from({ length: 60 }, (_, second) => {
      const [day, clock] = start.split(" ");
      return `${day},${clock}:${String(second).padStart(2, "0")}.000,8.2,12.0,0`;
    }),
  );
  return Buffer.from(`Date,Time,RxBt(V),Curr(A),Thr\n${rows.join("\n")}\n`);
}

const csv = (name: string, content: string | Buffer) => ({ name, mimeType: "text/csv", buffer: Buffer.from(content) });

interface Flight {
  dpfId: string;
  startTime: string;
  open: boolean;
  distance: number | null;
  speed: number | null;
  batteryStartVoltage: number | null;
  copter: { name: string };
  equipments: { name: string }[];
}

async function flights(api: Client): Promise<Flight[]> {
  const rows: Flight[] = JSON.parse((await api.call("GetFlights")) || "[]");
  return Promise.all(rows.map(async ({ dpfId }) => JSON.parse(await api.call("GetFlight", { dpfId }))));
}

async function imports(api: Client): Promise<{ dpfId: string; flights: number }[]> {
  return JSON.parse(await api.call("GetImports"));
}

/** Uploads files like another device. Returns the dpfId of the import. */
async function send(api: Client, files: { name: string; content: Buffer }[]): Promise<string> {
  const form = new FormData();
  for (const { name, content } of files) form.append("files", new File([new Uint8Array(content)], name));
  return JSON.parse(await api.call("UploadImport", form)).dpfId;
}

const sendFixtures = async (api: Client, ...names: string[]) =>
  send(api, await Promise.all(names.map(async (name) => ({ name, content: await readFile(fixture(name)) }))));

const choose = (page: Page, files: Parameters<typeof pick>[2]) => pick(page, "Dateien auswählen", files);
const takeOver = (page: Page) => page.getByRole("button", { name: /(Flug|Flüge) übernehmen$/ });
const tick = (page: Page, start: string) => page.getByRole("checkbox", { name: `Flug übernehmen, ${start}` });
const copterOf = (page: Page, start: string) => page.getByRole("combobox", { name: `Copter, ${start}` });
const row = (page: Page, text: string) => page.getByRole("listitem").filter({ has: tick(page, text) });
const summary = (page: Page) => page.getByRole("status").filter({ hasText: "erkannt" });
/** Toggles a checkbox by its label: the box itself takes no clicks. */
const toggle = (box: Locator) => box.locator("xpath=ancestor::label").click();

test.describe("With one thumb", { tag: "@phone" }, () => {
  test("a file of a known copter becomes a flight in four taps from home", async ({ page, app, api }) => {
    await addEquipment(api, kind.copter, "Adler");
    await createFlight(api, { copter: await addEquipment(api, kind.copter, "Anderer") });
    await openAs(page, api, app, "home");
    const thumb = thumbOn(page);
    await thumb.tap(page.getByRole("link", { name: "Aus Datei übernehmen" }));
    await thumb.pick(page.getByRole("button", { name: "Dateien auswählen" }), fixture("Litchi.csv"));
    await thumb.tap(page.getByRole("button", { name: "1 Flug übernehmen" }));
    await expect(page.getByText("1 Flug übernommen.")).toBeVisible();
    expect(thumb.effort().taps).toBeLessThanOrEqual(4);
    expect(thumb.effort()).toMatchObject({ swipes: 0, characters: 0 });
    expect(await flights(api)).toContainEqual(
      expect.objectContaining({
        startTime: "17.07.2026 18:10",
        distance: 1.62,
        copter: expect.objectContaining({ name: "Adler" }),
      }),
    );
  });

  test("a file becomes a flight from the list of flights, which leads to the import page when no file is chosen", async ({
    page,
    app,
    api,
  }) => {
    await addEquipment(api, kind.copter, "Adler");
    await createFlight(api, { copter: await addEquipment(api, kind.copter, "Anderer") });
    await openAs(page, api, app, "flights");
    const thumb = thumbOn(page);
    await thumb.tap(page.getByRole("button", { name: "Mehr", exact: true }));
    await thumb.pick(page.getByRole("menuitem", { name: "Aus Datei übernehmen" }), fixture("Litchi.csv"));
    await thumb.tap(page.getByRole("button", { name: "1 Flug übernehmen" }));
    await expect(page.getByText("1 Flug übernommen.")).toBeVisible();
    expect(thumb.effort()).toEqual({ taps: 4, swipes: 0, characters: 0 });

    await page.goto("flights");
    await page.getByRole("button", { name: "Mehr", exact: true }).tap();
    const asked = page.waitForEvent("filechooser");
    await page.getByRole("menuitem", { name: "Aus Datei übernehmen" }).tap();
    const input = (await asked).element();
    // The browser's event when the picker is cancelled.
    await input.evaluate((element) => element.dispatchEvent(new Event("cancel")));
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Flüge aus Dateien");
    await expectAccessible(page);
  });
});

test("Ten files of a day, dropped on the list of flights, become its flights at once", { tag: "@desktop" }, async ({
  page,
  app,
  api,
}) => {
  const copter = await addEquipment(api, kind.copter, "Whoop");
  const packs = [await addEquipment(api, kind.battery, "Akku 1"), await addEquipment(api, kind.battery, "Akku 2")];
  const paths = await Promise.all(
    Array.from({ length: 10 }, (_, hour) =>
      writeTestFile(test.info().outputPath(`Whoop-${hour}.csv`), radioLog([`2026-05-09 1${hour}:00`])),
    ),
  );
  await openAs(page, api, app, "flights");
  await expect(page.getByText("Keine Flüge vorhanden")).toBeVisible();
  await drop(page, page.getByText("Keine Flüge vorhanden"), paths);
  await expect(summary(page)).toHaveText("10 Flüge erkannt");
  await expect(page.getByRole("heading", { level: 2, name: "Sa, 09.05.2026" })).toBeVisible();
  // Every file has a different name: nothing says that they are of one copter.
  await expect(copterOf(page, "10:00")).toHaveValue("");
  await page.getByRole("button", { name: "Neuen Copter anlegen" }).first().click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("dialog").getByRole("button", { name: "Abbrechen" }).click();
  for (let hour = 0; hour < 10; hour++) await copterOf(page, `1${hour}:00`).selectOption("Whoop");
  await page.getByRole("combobox", { name: "Akku, 11:00" }).selectOption("Akku 2");
  await takeOver(page).click();
  await expect(page.getByText("10 Flüge übernommen.")).toBeVisible();
  const stored = await flights(api);
  expect(stored.map(({ startTime }) => startTime).sort()).toEqual(
    Array.from({ length: 10 }, (_, hour) => `09.05.2026 1${hour}:00`),
  );
  expect(stored.every((flight) => flight.copter.name === "Whoop")).toBe(true);
  expect(stored.find(({ startTime }) => startTime.endsWith("11:00"))?.equipments.map(({ name }) => name)).toEqual([
    "Akku 2",
  ]);
  expect([copter, ...packs]).toHaveLength(3);

  // More files can be dropped here, too: repeated ones add nothing.
  await drop(page, page.getByRole("main"), paths.slice(0, 1));
  await expect(summary(page)).toHaveText("1 Flug erkannt · 1 schon vorhanden");
  await page.goBack();
  await page.goBack();

  // Equipment, statistics and the list are up to date without a reload.
  await page.getByRole("link", { name: "Zu den Flügen" }).click();
  await expect(page.getByRole("row").filter({ hasText: "Whoop" })).toHaveCount(10);
  await page.getByRole("link", { name: "Fluglog, zur Startseite" }).click();
  await expect(page.getByRole("region", { name: "Statistik" })).toContainText("10");
});

test("Every value can be changed before it is stored, and only then the flight's page has it", {
  tag: "@desktop",
}, async ({ page, app, api }) => {
  await addEquipment(api, kind.copter, "Testquad");
  await openAs(page, api, app, `flights/import/${await sendFixtures(api, "Testquad-2026-05-09.csv")}`);
  await page.getByRole("button", { name: "Mehr 10:02" }).click();
  await expect(page.getByRole("dialog").getByRole("img", { name: /^Flugweg/ })).toBeVisible();
  await field(page, "Ort").fill("Müllwiese");
  await field(page, "Max. Geschwindigkeit (km/h)").fill("33");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Fertig" }).click();
  await expect(row(page, "10:02")).toContainText("Müllwiese");
  await expect(row(page, "10:02")).toContainText("33 km/h");
  await page.getByRole("button", { name: "Dateien 1" }).click();
  await page.getByText("Originaldatei beim Flug aufbewahren").click();
  await takeOver(page).click();
  await expect(page.getByText("2 Flüge übernommen. 1 übersprungen.")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("link", { name: /Testquad.*Müllwiese/ }).click();
  await expect(page.getByText("33 km/h")).toBeVisible();
  await expect(page.getByText("Originaldatei")).toBeVisible();
  await expect(page.getByText("Aus Datei Testquad-2026-05-09.csv (EdgeTX/OpenTX).")).toBeVisible();
});

test("A duplicate is skipped unless its pilot completes the existing flight or wants another one", {
  tag: "@phone",
}, async ({ page, app, api }) => {
  const copter = await addEquipment(api, kind.copter, "Adler");
  await addFlight(api, { copter }, { startTime: "17.07.2026 18:10", flightTime: 3, speed: 99, notes: "Böig" });
  await openAs(page, api, app, "flights/import");
  // A file that is chosen twice at once, too.
  const litchi = await readFile(fixture("Litchi.csv"), "utf8");
  await choose(page, [csv("Litchi.csv", litchi), csv("Kopie.csv", litchi)]);
  await expect(summary(page)).toHaveText("2 Flüge erkannt · 2 schon vorhanden");
  await expect(page.getByText("18:10 (Datei: 16:10 UTC)").first()).toBeVisible();
  const choices = page.getByRole("radiogroup");
  await expect(choices.first().getByRole("radio", { name: "Überspringen" })).toBeChecked();
  await expect(takeOver(page)).toBeDisabled();
  await expectAccessible(page);
  await choices.first().getByText("Ergänzen").click();
  await takeOver(page).click();
  await expect(page.getByText("1 Flug ergänzt. 1 übersprungen.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Rückgängig" })).toHaveCount(0);
  expect(await flights(api)).toEqual([expect.objectContaining({ speed: 99, distance: 1.62 })]);
  // The typed notes don't name the file: the flight's page, which opens by itself, does.
  await expect(page.getByText("Werte aus Datei")).toBeVisible();
  await expect(page.getByText("Litchi.csv")).toBeVisible();

  await page.goto("flights/import");
  await choose(page, fixture("Litchi.csv"));
  await expect(page.getByText("1 Flug ist schon hier und kommt nicht noch einmal.")).toBeVisible();
  await page.getByRole("button", { name: "Zeigen" }).click();
  await expect(page.getByText(/^Schon übernommen am/)).toBeVisible();
  await page.getByRole("radio", { name: "Trotzdem anlegen" }).locator("xpath=ancestor::label").click();
  await takeOver(page).click();
  await expect(page.getByText("1 Flug übernommen.")).toBeVisible();
  expect(await flights(api)).toHaveLength(2);
});

test("A wrong clock is put right once for all flights of a file, and remembered", { tag: "@phone" }, async ({
  page,
  app,
  api,
}) => {
  await addEquipment(api, kind.copter, "Whoop");
  await openAs(page, api, app, "flights/import");
  await choose(page, csv("Whoop.csv", radioLog(["2003-01-01 10:00", "2003-01-01 10:20"])));
  await expect(page.getByText("Die Uhr der Fernsteuerung ging falsch.")).toHaveCount(2);
  await expect(page.getByText("(Datei: 01.01.2003 10:00)")).toBeVisible();
  await expect(takeOver(page)).toBeDisabled();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Zeit verschieben" }).first().click();
  const dialog = page.getByRole("dialog");
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  await page.getByRole("button", { name: "Zeit verschieben" }).first().click();
  await field(page, "Um ±h:mm").fill("gestern");
  await page.keyboard.press("Escape");
  await dialog.getByRole("button", { name: "Verschieben" }).click();
  await expect(field(page, "Um ±h:mm")).toHaveAttribute("aria-invalid", "true");
  await typeDate(page, "Startzeit des ersten Flugs", "030520261115");
  await expect(field(page, "Um ±h:mm")).toHaveValue("+204553:15");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Verschieben" }).click();
  await expect(page.getByRole("heading", { name: "So, 03.05.2026" })).toBeVisible();
  await expect(tick(page, "11:35")).toBeChecked();
  await takeOver(page).click();
  await expect(page.getByText("2 Flüge übernommen.")).toBeVisible();
  expect((await flights(api)).map(({ startTime }) => startTime).sort()).toEqual([
    "03.05.2026 11:15",
    "03.05.2026 11:35",
  ]);

  await page.getByRole("link", { name: "Weitere Dateien" }).click();
  await choose(page, csv("Whoop.csv", radioLog(["2003-01-02 10:00"])));
  await expect(page.getByText("11:15 (Datei: 02.01.2003 10:00)")).toBeVisible();
});

test("An import works by keyboard alone", { tag: "@desktop" }, async ({ page, app, api }) => {
  await addEquipment(api, kind.copter, "Adler");
  await openAs(page, api, app, "flights");
  const press = async (target: Locator, key: string) => {
    await target.focus();
    await page.keyboard.press(key);
  };
  await press(page.getByRole("link", { name: "Aus Datei übernehmen" }), "Enter");
  const asked = page.waitForEvent("filechooser");
  await press(page.getByRole("button", { name: "Dateien auswählen" }), "Enter");
  await (await asked).setFiles(fixture("Flugbuch.csv"));
  await expect(summary(page)).toBeVisible();
  await press(page.getByRole("button", { name: "Dateien 1" }), "Enter");
  await press(page.getByRole("button", { name: "Spalten zuordnen" }), "Enter");
  await expect(page.getByRole("combobox").first()).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await press(tick(page, "12:00"), "Space");
  await expect(tick(page, "12:00")).not.toBeChecked();
  await press(page.getByRole("button", { name: "Mehr 10:00" }), "Enter");
  await expect(page.getByRole("dialog")).toBeVisible();
  await press(page.getByRole("dialog").getByRole("button", { name: "Abbrechen" }), "Enter");
  await expect(page.getByRole("button", { name: "Mehr 10:00" })).toBeFocused();
  await press(copterOf(page, "10:00"), "A");
  await expect(copterOf(page, "10:00").locator("option:checked")).toHaveText("Adler");
  await expect(copterOf(page, "11:00").locator("option:checked")).toHaveText("Adler");
  await press(takeOver(page), "Enter");
  await expect(page.getByText("2 Flüge übernommen.")).toBeVisible();
  await press(page.getByRole("button", { name: "Rückgängig" }), "Enter");
  await press(page.getByRole("alertdialog").getByRole("button", { name: "Ja" }), "Enter");
  await expect(page.getByText("Rückgängig: 2 Flüge gelöscht.")).toBeVisible();
});

test.describe("In the middle of an import", { tag: "@desktop" }, () => {
  test("a cut file shows its complete part and where it ends", async ({ page, app, api }) => {
    await openAs(page, api, app, "flights/import");
    const whole = await readFile(fixture("zwei.gpx"), "utf8");
    await choose(page, csv("halb.gpx", whole.slice(0, Math.floor(whole.length * 0.9))));
    await expect(page.getByText(/^halb.gpx: Die Datei ist beschädigt/)).toBeVisible();
    await expect(summary(page)).toContainText("erkannt");
  });

  test("cancelling an upload stops the server's work, and the next file is imported", async ({ page, app, api }) => {
    await openAs(page, api, app, "flights/import");
    await page.route("**/app/api/UploadImport", () => {});
    await choose(page, ofDay);
    await page.getByRole("button", { name: "Abbrechen" }).click();
    await expect(page.getByRole("button", { name: "Dateien auswählen" })).toBeVisible();
    await page.unrouteAll();
    expect(await imports(api)).toEqual([]);
    await choose(page, ofDay);
    await expect(summary(page)).toHaveText("3 Flüge erkannt");
  });

  test("after a lost answer the same files are one import, and the same choices are taken over once", async ({
    page,
    lossyProxy,
    api,
    faults,
  }) => {
    faults.expectLostRequests();
    await addEquipment(api, kind.copter, "Testquad");
    await openAs(page, api, lossyProxy, "flights/import");
    lossyProxy.loseAnswers("/app/api/UploadImport");
    await choose(page, ofDay);
    await expect(page.getByRole("alert").filter({ hasText: "Keine Antwort vom Server." })).toBeVisible();
    lossyProxy.restore();
    await choose(page, ofDay);
    await expect(summary(page)).toBeVisible();
    expect(await imports(api)).toHaveLength(1);
    lossyProxy.loseAnswers("/app/api/AcceptImport");
    await takeOver(page).click();
    await expect(page.getByRole("alert").filter({ hasText: "Keine Antwort vom Server." })).toBeVisible();
    lossyProxy.restore();
    await takeOver(page).click();
    await expect(page.getByText("2 Flüge übernommen.")).toBeVisible();
    expect(await flights(api)).toHaveLength(2);
  });
});

/** Returns the path of an export of a pilot's data in another Fluglog, filled by `fill`. */
async function exportOf(pilot: User, fill: (there: Client) => Promise<void>): Promise<string> {
  const dataDir = await makeDataDir();
  const archive = test.info().outputPath("fluglog-export.zip");
  try {
    const server = await startServer({ dataDir });
    await server.addUser(pilot);
    await fill(await logIn(server.origin, pilot.email, pilot.password));
    await server.stop();
    await fluglog(["export", "--user", pilot.email, "--output", archive, "--data-dir", dataDir]);
    return archive;
  } finally {
    await removeDataDir(dataDir);
  }
}

test("All flights of another Fluglog come without choosing its export again, and once", { tag: "@desktop" }, async ({
  page,
  app,
  api,
  pilot,
}) => {
  const archive = await exportOf(pilot, async (there) => {
    await addFlights(there, 101, { copter: await addEquipment(there, kind.copter, "Roter Baron") });
    const packs: string[] = [];
    for (let number = 1; number < 9; number++) {
      packs.push(await addEquipment(there, kind.battery, `R-Line ${number}`));
    }
    await addFlights(there, 100, { copter: await addEquipment(there, kind.copter, "Hummel"), equipments: packs });
    const charging = { chargeStartTime: "01.03.2025 18:00", fromVoltage: "14,4", chargeEndTime: "01.03.2025 19:00" };
    await there.call("SaveCharging", { ...charging, battery: packs[0] ?? "", toVoltage: "16,8", charged: "900" });
    await addEquipment(there, kind.goggles, "Brille");
  });
  await openAs(page, api, app, "flights/import");
  await choose(page, archive);
  await expect(summary(page)).toHaveText("200 Flüge erkannt");
  const made = page.getByText(/^Wird mit den Flügen angelegt: /);
  await expect(made).toContainText(/ und 4 weitere$/);
  await page.getByRole("button", { name: "Alle 10 zeigen" }).click();
  for (const name of ["Roter Baron", "Hummel", "R-Line 1", "R-Line 8"]) await expect(made).toContainText(name);
  await expect(page.getByText(/1 weiterer kommt nach dem Übernehmen/)).toBeVisible();
  // Each flight has its own copter there.
  await expect(page.getByRole("button", { name: /^Für alle/ })).toHaveCount(0);
  await expect(page.getByRole("checkbox", { name: "Kommt mit: 1 weiteres Gerät und 1 Ladevorgang" })).toBeChecked();
  await takeOver(page).click();
  await expect(page.getByText("200 Flüge übernommen. Mitgekommen: 1 weiteres Gerät und 1 Ladevorgang.")).toBeVisible();
  await page.getByRole("button", { name: "Alles Übrige ohne Durchsicht" }).click();
  await expect(page.getByText(/^201 Flüge · .* · 1 Teil$/)).toBeVisible();
  await page.goBack();
  await page.getByRole("button", { name: "Nächster Teil" }).click();
  await expect(page.getByText("199 Flüge sind schon hier und kommen nicht noch einmal.")).toBeVisible();
  await expect(page.getByRole("checkbox", { name: /^Flug übernehmen/ })).toHaveCount(1);
  await expectAccessible(page);
  await takeOver(page).click();
  await expect(page.getByText("1 Flug übernommen.")).toBeVisible();
  expect(JSON.parse(await api.call("GetFlights"))).toHaveLength(201);
});

test("A whole logbook comes in parts: it waits for the network, stops, and goes on where it was", {
  tag: "@phone",
}, async ({ page, app, api, pilot, faults }) => {
  // A busy machine needs long to pack 75 MB.
  const archive = await exportOf(pilot, async (there) => {
    await addFlights(there, 2, { copter: await addEquipment(there, kind.copter, "Roter Baron") });
    // Two of them are too large for one part.
    for (const name of ["Police.bin", "Handbuch.bin", "Karte.bin"]) {
      await addDocument(there, { name, content: randomBytes(25 * 1024 * 1024) });
    }
  });
  faults.expectLostRequests();
  await openAs(page, api, app, "flights/import/logbook");
  await pick(page, "Datei auswählen", archive);
  await expect(page.getByText(/^2 Flüge · 75.MB · 3 Teile$/)).toBeVisible();
  await expectAccessible(page);

  // After a network failure it continues by itself.
  const holding = holdUploads(page);
  await page.getByRole("button", { name: "Logbuch übernehmen" }).click();
  await (await holding.next()).abort();
  await expect(page.getByText("Keine Verbindung zum Server.")).toBeVisible();
  await expectAccessible(page);
  await endPause(page, "part");
  await (await holding.next()).continue();
  await expect(page.getByText("Bisher übernommen: 2 Flüge, 1 Dokument.")).toBeVisible();

  // The second part is being sent.
  await holding.next();
  await expect(page.getByText("Teil 2 von 3")).toBeVisible();
  await page.getByRole("button", { name: "Anhalten" }).click();
  await expect(page.getByRole("button", { name: "Weiter mit Teil 2" })).toBeVisible();
  await holding.stop();
  await page.reload();
  await pick(page, "Datei auswählen", archive);
  await page.getByRole("button", { name: "Weiter mit Teil 2" }).click();
  await expect(page.getByText("Übernommen: 2 Flüge, 3 Dokumente.")).toBeVisible();
  await expectAccessible(page);
  expect(JSON.parse(await api.call("GetFlights"))).toHaveLength(2);
  expect(JSON.parse(await api.call("GetUserDocuments"))).toHaveLength(3);
  expect(await imports(api)).toEqual([]);
});

/** Holds each upload until the test decides its outcome. */
function holdUploads(page: Page) {
  const waiting: Route[] = [];
  const pattern = "**/app/api/UploadImport";
  page.route(pattern, (route) => void waiting.push(route));
  return {
    async next(): Promise<Route> {
      await expect.poll(() => waiting.length).toBeGreaterThan(0);
      return waiting.shift() as Route;
    },
    stop: () => page.unroute(pattern),
  };
}

test("Two hundred flights stay usable", { tag: "@phone" }, async ({ page, app, api }) => {
  await addEquipment(api, kind.copter, "Falke");
  const rows = Array.from({ length: 200 }, (_, place) => {
    const day = new Date(Date.UTC(2025, 0, 1 + place)).toISOString().slice(0, 10);
    return `${day};10:00;7;Falke`;
  });
  const content = Buffer.from(`Datum;Uhrzeit;Dauer;Copter\n${rows.join("\n")}\n`);
  await openAs(page, api, app, `flights/import/${await send(api, [{ name: "Heft.csv", content }])}`);
  await expect(summary(page)).toHaveText("200 Flüge erkannt");
  expect(await page.getByRole("checkbox").count()).toBeLessThan(120);
  await toggle(tick(page, "10:00").first());
  await expect(takeOver(page)).toHaveText("199 Flüge übernehmen");
  await takeOver(page).click();
  await expect(page.getByText("199 Flüge übernommen.")).toBeVisible();
  await expect(page.getByText("und 187 weitere in der Liste der Flüge")).toBeVisible();
});

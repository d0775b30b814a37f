// The effort of a pilot's day on a phone, in taps, swipes and typed characters.

import type { Page } from "@playwright/test";
import {
  addChargedPack,
  addDocument,
  addEquipment,
  addFlight,
  addFlights,
  ago,
  type Client,
  kind,
} from "../support/client.ts";
import { writeTestFile } from "../support/files.ts";
import { picture, red } from "../support/pictures.ts";
import { expect, openAs, test } from "../support/test.ts";
import { secondsFor, thumbOn } from "../support/thumb.ts";

const field = (page: Page, name: string) => page.getByRole("textbox", { name });
const running = (page: Page) => expect(page.getByRole("timer")).toBeVisible();

/** A day at the field: four copters, eleven packs of one type, the first of which has flown today. */
async function aDay(api: Client): Promise<void> {
  const copters: string[] = [];
  for (const name of ["Albatros", "Brummer", "Hummel", "Roter Baron"]) {
    copters.push(await addEquipment(api, kind.copter, name, { model: "Chimera7", weight: 690 }));
  }
  const packs: string[] = [];
  for (let number = 1; number <= 11; number++) {
    const times = { chargeStartTime: ago(2_000), chargeEndTime: ago(1_940) };
    packs.push(
      await addChargedPack(api, `Akku ${number}`, { model: "6S 1300", weight: 201 }, { ...times, charged: "900" }),
    );
  }
  for (const kindOf of [kind.goggles, kind.transmitter]) await addEquipment(api, kindOf, "Eins");
  const flight = { startTime: ago(0), flightTime: 5, location: "Elbdeich", batteryEndVoltage: 21.6 };
  await addFlight(api, { copter: copters[0] ?? "", equipments: packs.slice(0, 1) }, flight);
}

interface Flight {
  dpfId: string;
  open: boolean;
  location: string;
  batteryStartVoltage: number | null;
  equipments: { name: string }[];
}

interface Row {
  dpfId: string;
  copter: { dpfId: string };
}

const rows = async (api: Client): Promise<Row[]> => JSON.parse(await api.call("GetFlights", {}));

async function flights(api: Client): Promise<Flight[]> {
  return Promise.all((await rows(api)).map(async ({ dpfId }) => JSON.parse(await api.call("GetFlight", { dpfId }))));
}
const open = async (api: Client) => (await flights(api)).find((flight) => flight.open);

/** Counts the rows in this window that nothing covers. */
async function rowsInSight(page: Page): Promise<number> {
  const all = page.getByRole("main").getByRole("list").getByRole("listitem");
  await expect(all.first()).toBeVisible();
  return all.evaluateAll((items) => {
    const bar = document.querySelector("nav[aria-label='Hauptnavigation']")?.getBoundingClientRect();
    // On its side a phone has the bar at the left, as high as the window.
    const end = (bar && (bar.top > 0 ? bar.top : bar.bottom)) ?? 0;
    return items.filter((item) => item.getBoundingClientRect().bottom <= end).length;
  });
}

test("Eight packs, six documents and, with the phone on its side, three flights are in sight", {
  tag: "@phone",
}, async ({ page, app, api }) => {
  await aDay(api);
  const [flight] = await rows(api);
  await addFlights(api, 4, { copter: flight?.copter.dpfId ?? "" });
  for (let number = 1; number <= 8; number++) await addDocument(api, { name: `Rechnung ${number}.pdf`, content: "1" });
  await openAs(page, api, app, "equipments/1");
  expect(await rowsInSight(page)).toBeGreaterThanOrEqual(8);
  await page.goto(`${app.url}myDocuments`);
  expect(await rowsInSight(page)).toBeGreaterThanOrEqual(6);
  await page.setViewportSize({ width: 844, height: 390 });
  for (const path of ["flights", "equipments/1", "equipments/0"]) {
    await page.goto(`${app.url}${path}`);
    expect(await rowsInSight(page), path).toBeGreaterThanOrEqual(3);
  }
});

test.describe("With one thumb", { tag: "@phone" }, () => {
  test.beforeEach(async ({ page, app, api }) => {
    await aDay(api);
    await openAs(page, api, app, "home");
    await expect(page.getByRole("button", { name: "Jetzt starten" })).toBeVisible();
  });

  test("a flight like the last one starts in one tap; it ends and the next one starts in one tap and two numbers", async ({
    page,
    api,
  }) => {
    const start = thumbOn(page);
    await start.tap(page.getByRole("button", { name: "Jetzt starten" }));
    await running(page);
    expect(start.effort()).toEqual({ taps: 1, swipes: 0, characters: 0 });
    expect(await open(api)).toMatchObject({ location: "Elbdeich", batteryStartVoltage: 25.2 });

    const thumb = thumbOn(page);
    await thumb.tap(page.getByRole("link", { name: "Fluglog beenden" }));
    await expect(field(page, "Endspannung (V)")).toBeFocused();
    const begun = thumb.effort();
    await thumb.type("22.3");
    await thumb.tap(field(page, "Verbraucht (mA)"));
    await thumb.type("980");
    await thumb.tap(page.getByRole("button", { name: "Abschließen, nächster Akku" }));
    await expect(page.getByText("Albatros · Akku 3")).toBeVisible();
    expect(begun).toEqual({ taps: 1, swipes: 0, characters: 0 });
    // The end voltage has the focus already.
    expect(thumb.effort()).toEqual({ taps: 3, swipes: 0, characters: 7 });
    expect((await flights(api)).filter((flight) => flight.open)).toHaveLength(1);
  });

  test("another copter flies with its own pack in three taps", async ({ page, app, api }) => {
    const copter = await addEquipment(api, kind.copter, "Winzling");
    const times = { chargeStartTime: ago(2_000), chargeEndTime: ago(1_940) };
    const pack = await addChargedPack(
      api,
      "Einser",
      { model: "LiPo 1S" },
      {
        ...{ ...times, fromVoltage: "3,5", toVoltage: "4,2", charged: "250" },
      },
    );
    await addFlight(api, { copter, equipments: [pack] }, { startTime: ago(3_000), flightTime: 3 });
    await page.goto(`${app.url}home`);
    const thumb = thumbOn(page);
    await thumb.tap(page.getByRole("link", { name: "Fluglog starten" }));
    // Home names the copter, too.
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Fluglog starten");
    await thumb.tap(page.getByText("Winzling", { exact: true }));
    await expect(page.getByRole("checkbox", { name: /^Einser/ })).toBeChecked();
    await thumb.tap(page.getByRole("button", { name: "Weiter" }));
    await expect(page).toHaveURL(/\/new$/);
    expect(thumb.effort()).toEqual({ taps: 3, swipes: 0, characters: 0 });
    expect((await open(api))?.equipments.map(({ name }) => name)).toEqual(["Einser"]);
  });

  test("a flight starts in two taps by the choice of equipment, with nothing left to type", async ({ page, api }) => {
    const thumb = thumbOn(page);
    await thumb.tap(page.getByRole("link", { name: "Fluglog starten" }));
    await thumb.tap(page.getByRole("button", { name: "Weiter" }));
    await expect(page).toHaveURL(/\/new$/);
    expect(thumb.effort()).toEqual({ taps: 2, swipes: 0, characters: 0 });
    expect(await open(api)).toMatchObject({ location: "Elbdeich", batteryStartVoltage: 25.2 });
  });

  test("a flight starts with another pack in three taps, and ends with voltage and capacity in five seconds", async ({
    page,
    app,
    api,
  }) => {
    const start = thumbOn(page);
    await start.tap(page.getByRole("link", { name: "Fluglog starten" }));
    const proposed = page.getByRole("checkbox", { checked: true });
    await expect(proposed).toHaveCount(1);
    const other = page.getByRole("group", { name: "Batterien" }).locator("label").nth(1);
    const name = (await other.locator("strong").first().textContent()) ?? "";
    await start.tap(other);
    await start.tap(page.getByRole("button", { name: "Weiter" }));
    await expect(page).toHaveURL(/\/new$/);
    expect(start.effort()).toEqual({ taps: 3, swipes: 0, characters: 0 });
    expect((await open(api))?.equipments.map((item) => item.name)).toEqual([name]);

    await page.goto(new URL("home", app.url).href);
    await running(page);
    const thumb = thumbOn(page);
    await thumb.tap(page.getByRole("link", { name: "Fluglog beenden" }));
    await expect(field(page, "Endspannung (V)")).toBeFocused();
    await thumb.type("22.3");
    await thumb.tap(field(page, "Verbraucht (mA)"));
    await thumb.type("980");
    await thumb.tap(page.getByRole("button", { name: "Abschließen", exact: true }));
    await expect(page).toHaveURL(/\/home$/);
    expect(thumb.effort()).toEqual({ taps: 3, swipes: 0, characters: 7 });
    expect(secondsFor(thumb.effort())).toBeLessThanOrEqual(5);
    expect((await flights(api)).every((flight) => !flight.open)).toBe(true);
  });

  test("a picture is added to yesterday's flight in four taps, and a document is a QR code in two", async ({
    page,
    api,
    app,
  }, testInfo) => {
    const shot = await writeTestFile(testInfo.outputPath("foto.png"), picture(red));
    const [last] = await rows(api);
    const flight = { startTime: ago(24 * 60), flightTime: 5, location: "Kiesgrube" };
    const dpfId = await addFlight(api, { copter: last?.copter.dpfId ?? "" }, flight);
    await addDocument(api, { name: "Haftpflicht.pdf", content: "%PDF" }, "Versicherung");
    await page.goto(new URL("home", app.url).href);
    const ofPicture = thumbOn(page);
    await ofPicture.tap(page.getByRole("link", { name: /Kiesgrube/ }));
    // The gallery opens by itself.
    await ofPicture.pick(page.getByRole("button", { name: "Bilder hochladen" }), shot);
    await ofPicture.tap(page.getByRole("button", { name: "Hochladen", exact: true }));
    await expect(page.getByRole("button", { name: "Bild 1 von 1" })).toBeVisible();
    expect(ofPicture.effort()).toEqual({ taps: 4, swipes: 0, characters: 0 });
    expect(JSON.parse(await api.call("GetFlight", { dpfId })).images).toHaveLength(1);

    await page.goto(new URL("home", app.url).href);
    const ofCode = thumbOn(page);
    await ofCode.tap(page.getByRole("link", { name: "Dokumente", exact: true }));
    await ofCode.tap(page.getByRole("button", { name: /^Per QR-Code teilen/ }));
    await expect(page.getByRole("img", { name: "QR-Code für Haftpflicht.pdf" })).toBeVisible();
    expect(ofCode.effort()).toEqual({ taps: 2, swipes: 0, characters: 0 });
  });

  test("a flight of last year is found by its copter in four taps", async ({ page, api, app }) => {
    const [last] = await rows(api);
    const copter = last?.copter.dpfId ?? "";
    const flight = { startTime: ago(365 * 24 * 60), flightTime: 5, location: "Kiesgrube" };
    await addFlight(api, { copter }, flight);
    await addFlights(api, 5, { copter });
    await page.goto(new URL("home", app.url).href);
    const thumb = thumbOn(page);
    await thumb.tap(page.getByRole("main").getByRole("link", { name: "Copter", exact: true }));
    await thumb.tap(page.getByRole("link", { name: "Albatros", exact: true }));
    await thumb.tap(page.getByRole("button", { name: "Alle 7 Flüge anzeigen" }));
    await thumb.tap(page.getByRole("link", { name: /Kiesgrube/ }));
    await expect(page.getByRole("heading", { level: 1 })).toContainText("Kiesgrube");
    expect(thumb.effort().taps).toBe(4);
  });
});

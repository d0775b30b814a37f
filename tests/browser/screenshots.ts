// Takes the pictures of the READMEs from demo data: `make screenshots`. The files are small, because the repository
// contains them.

import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { type BrowserContextOptions, chromium, type Page } from "@playwright/test";
import { desktop, germanBrowser, launchOptions, phone } from "./support/chromium.ts";
import { type Client, createFlight, germanTime, kind, logIn, sessionCookies } from "./support/client.ts";
import { fluglog, makeDataDir, removeDataDir, type Server, startServer } from "./support/server.ts";

const folder = join(import.meta.dirname, "../../packaging/screenshots");

interface Picture {
  file: string;
  path: string;
  /** Phone pictures have twice the resolution, because they are shown half as wide. */
  device: "phone" | "desktop";
  colorScheme?: "dark";
  /** Runs before the picture is taken. */
  prepare?: (page: Page) => Promise<void>;
}

interface FlightRow {
  dpfId: string;
  location: string;
  copter: { dpfId: string };
  equipments: { dpfId: string; type: number }[];
  firstImage: string | null;
}

interface Pack {
  dpfId: string;
  model: string;
  currentCharge: number | null;
}

interface Flight {
  dpfId: string;
  images: string[];
}

const fixtures = join(import.meta.dirname, "../fixtures/flights");

/** A list of flights as pilots keep it, with the names of the demo's copters. */
const oldList = `Flugbuch 2023;;;;
Datum;Startzeit;Flugzeit;Copter;Ort
12.08.2023;17:40;6:45;Roter Baron;Feldweg
12.08.2023;18:05;0:50;Roter Baron;Feldweg
13.08.2023;10:20;12:10;Albatros;Heide
20.08.2023;16:00;7:30;Brummer;Baggersee
Summe;;27:15;;
`;

const pictures: Picture[] = [
  { file: "home-desktop.png", path: "home", device: "desktop" },
  { file: "flights-desktop.png", path: "flights", device: "desktop" },
  { file: "flights-phone.png", path: "flights", device: "phone" },
  { file: "images-phone.png", path: "flights/{pictured}", device: "phone", prepare: openImage },
  { file: "batteries-desktop.png", path: `equipments/${kind.battery}`, device: "desktop" },
  { file: "batteries-phone-dark.png", path: `equipments/${kind.battery}`, device: "phone", colorScheme: "dark" },
  { file: "passport-phone.png", path: `equipments/${kind.battery}/{pack}`, device: "phone" },
  { file: "sticker-phone.png", path: "s/{sticker}", device: "phone", prepare: waitForSheet },
  { file: "waiting-phone.png", path: "s/{sticker}", device: "phone", prepare: keepWithoutNetwork },
  { file: "review-phone.png", path: "review", device: "phone" },
  // Before there are open imports.
  { file: "old-list-pick-phone.png", path: "flights/import", device: "phone" },
  { file: "import-desktop.png", path: "flights/import", device: "desktop", prepare: uploadFlights },
  { file: "old-list-question-phone.png", path: "flights/import", device: "phone", prepare: uploadOldList },
  { file: "old-list-flights-phone.png", path: "flights/import", device: "phone", prepare: answerAboutOldList },
  { file: "admin-desktop.png", path: "admin", device: "desktop", prepare: showPassword },
  { file: "editor-phone.png", path: "flights/{open}/finish", device: "phone" },
];

const dataDir = await makeDataDir();
try {
  await fluglog(["demo", "--data-dir", dataDir]);
  const server = await startServer({ dataDir });
  try {
    await takePictures(server);
  } finally {
    await server.stop();
  }
} finally {
  await removeDataDir(dataDir);
}

async function takePictures(server: Server): Promise<void> {
  const client = await logIn(server.origin, "demo@example.org", "fluglog-demo");
  const rows: FlightRow[] = JSON.parse(await client.call("GetFlights"));
  const pictured = await withMostImages(client, rows);
  const pack = await mostFlown(client, rows);
  const { code: sticker } = JSON.parse(await client.call("SaveSticker", { dpfId: pack }));
  await mkdir(folder, { recursive: true });
  const browser = await chromium.launch(launchOptions);
  let open = "";
  for (const picture of pictures) {
    // Only these pictures show a pilot in flight.
    if (picture.path.includes("{open}")) open = await takeOff(client, rows);
    const context = await browser.newContext(contextOf(picture));
    await context.addCookies(sessionCookies(server.url, client));
    const page = await context.newPage();
    const places: Record<string, string> = { open, pictured, pack, sticker };
    const path = picture.path.replace(/\{(\w+)\}/, (_, place: string) => places[place] ?? "");
    await page.goto(server.url + path, { waitUntil: "networkidle" });
    await picture.prepare?.(page);
    await take(page, picture.file);
    await context.close();
  }
  await browser.close();
}

async function openImage(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Bild 1 von" }).click();
  await page.locator(".spinner").waitFor({ state: "detached" });
}

async function waitForSheet(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Geladen" }).waitFor();
}

/** Records a quick charge on a pack's sheet while offline, and opens the page of queued writes. */
async function keepWithoutNetwork(page: Page): Promise<void> {
  // Loads the code of this page while there is a network.
  await page.goto(new URL("waiting", page.url().replace(/s\/.*/, "")).href, { waitUntil: "networkidle" });
  await page.goBack({ waitUntil: "networkidle" });
  await waitForSheet(page);
  await page.context().setOffline(true);
  await page.getByRole("button", { name: "Geladen" }).click();
  await page.getByRole("link", { name: /wart/ }).click();
  await page.getByRole("heading", { name: "Noch nicht übertragen" }).waitFor();
}

async function uploadFlights(page: Page): Promise<void> {
  await page.locator("input[type=file]").first().setInputFiles(join(fixtures, "Testquad-2026-05-09.csv"));
  await page.getByRole("button", { name: /übernehmen$/ }).waitFor();
}

async function uploadOldList(page: Page): Promise<void> {
  const file = { name: "Flugbuch 2023.csv", mimeType: "text/csv", buffer: Buffer.from(oldList) };
  await page.locator("input[type=file]").first().setInputFiles(file);
  await page.getByRole("button", { name: "Auswerten" }).waitFor();
}

async function answerAboutOldList(page: Page): Promise<void> {
  await uploadOldList(page);
  await page.getByRole("radio", { name: /Minuten und Sekunden/ }).click({ force: true });
  await page.getByRole("button", { name: "Auswerten" }).click();
  await page.getByText("4 Flüge erkannt", { exact: true }).waitFor();
}

async function showPassword(page: Page): Promise<void> {
  await page.locator("input[type=password]").fill("fluglog-demo");
  await page.getByRole("button", { name: "Weiter" }).click();
  await page.getByRole("heading", { name: "Übersicht" }).waitFor();
  await page.waitForLoadState("networkidle");
}

/** Returns the pack with the most flights. */
async function mostFlown(client: Client, rows: FlightRow[]): Promise<string> {
  const flights = new Map<string, number>();
  for (const { equipments } of rows) {
    for (const { dpfId, type } of equipments) {
      if (type === kind.battery) flights.set(dpfId, (flights.get(dpfId) ?? 0) + 1);
    }
  }
  const active: Pack[] = JSON.parse(
    await client.call("GetEquipments", { type: String(kind.battery), deactivated: "false" }),
  );
  const [most] = active.toSorted((one, other) => (flights.get(other.dpfId) ?? 0) - (flights.get(one.dpfId) ?? 0));
  return most?.dpfId ?? "";
}

/** Starts the flight that the editor's picture finishes: a few minutes ago, with one of several charged packs. */
async function takeOff(client: Client, rows: FlightRow[]): Promise<string> {
  const askPacks = async (): Promise<Pack[]> =>
    JSON.parse(await client.call("GetEquipments", { type: String(kind.battery), deactivated: "false" }));
  const packs = await askPacks();
  const alikeOf = ({ equipments }: FlightRow) => {
    const flown = packs.find(({ dpfId }) => equipments.some((item) => item.dpfId === dpfId));
    return packs.filter(({ model }) => model === flown?.model).map(({ dpfId }) => dpfId);
  };
  const like = rows.find((row) => alikeOf(row).length > 1);
  if (!like) throw new Error("the demo has no flight with a sort of which there are two packs");
  const alike = alikeOf(like);
  await client.call("QuickCharge", { battery: alike.join(";") });
  const full = (await askPacks()).find(({ dpfId }) => dpfId === alike[0]);
  const others = like.equipments.filter(({ type }) => type !== kind.battery);
  const equipments = [...(full ? [full] : []), ...others].map(({ dpfId }) => dpfId);
  const flight = await createFlight(client, { copter: like.copter.dpfId, equipments });
  const minuteMs = 60_000;
  const startTime = germanTime(new Date(Date.now() - 7 * minuteMs));
  const known = { startTime, location: like.location, batteryStartVoltage: full?.currentCharge };
  await client.call("SaveFlight", { flight: JSON.stringify({ dpfId: flight, ...known }) });
  return flight;
}

async function withMostImages(client: Client, rows: FlightRow[]): Promise<string> {
  const pictured = rows.filter(({ firstImage }) => firstImage !== null);
  const flights: Flight[] = await Promise.all(
    pictured.map(async ({ dpfId }) => JSON.parse(await client.call("GetFlight", { dpfId }))),
  );
  const [most] = flights.toSorted((one, other) => other.images.length - one.images.length);
  return most?.dpfId ?? "";
}

function contextOf({ device, colorScheme }: Picture): BrowserContextOptions {
  const { contextOptions, ...german } = germanBrowser;
  const screen = device === "phone" ? { ...phone, deviceScaleFactor: 2 } : desktop;
  return { ...german, ...contextOptions, ...screen, ...(colorScheme && { colorScheme }) };
}

async function take(page: Page, file: string): Promise<void> {
  await page.screenshot({ path: join(folder, file), animations: "disabled", caret: "hide" });
  console.log(`packaging/screenshots/${file}`);
}

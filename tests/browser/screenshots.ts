// Takes the pictures of the READMEs from demo data: `make screenshots`. The files are small, because they are part of
// the repository.

import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { type BrowserContextOptions, chromium, type Page } from "@playwright/test";
import { desktop, germanBrowser, launchOptions, phone } from "./support/chromium.ts";
import { type Client, createFlight, kind, logIn, sessionCookies } from "./support/client.ts";
import { fluglog, makeDataDir, removeDataDir, type Server, startServer } from "./support/server.ts";

const folder = join(import.meta.dirname, "../../packaging/screenshots");

interface Picture {
  file: string;
  path: string;
  /** A phone's picture is twice as sharp, because it is shown half as wide. */
  device: "phone" | "desktop";
  colorScheme?: "dark";
  /** The button to press before the picture is taken: the beginning of its name. */
  presses?: string;
}

interface FlightRow {
  dpfId: string;
  copter: { dpfId: string };
  equipments: { dpfId: string; type: number }[];
}

interface Flight {
  dpfId: string;
  images: string[];
}

const pictures: Picture[] = [
  { file: "home-desktop.png", path: "home", device: "desktop" },
  { file: "flights-desktop.png", path: "flights", device: "desktop" },
  { file: "flights-phone.png", path: "flights", device: "phone" },
  { file: "images-phone.png", path: "flights/{pictured}", device: "phone", presses: "Bild 1 von" },
  { file: "editor-phone.png", path: "flights/{open}/finish", device: "phone" },
  { file: "batteries-desktop.png", path: `equipments/${kind.battery}`, device: "desktop" },
  { file: "batteries-phone-dark.png", path: `equipments/${kind.battery}`, device: "phone", colorScheme: "dark" },
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
  const open = await takeOff(client, rows);
  const pictured = await withMostImages(client, rows);
  await mkdir(folder, { recursive: true });
  const browser = await chromium.launch(launchOptions);
  for (const picture of pictures) {
    const context = await browser.newContext(contextOf(picture));
    await context.addCookies(sessionCookies(server.url, client));
    const page = await context.newPage();
    await page.goto(server.url + picture.path.replace("{open}", open).replace("{pictured}", pictured), {
      waitUntil: "networkidle",
    });
    if (picture.presses) {
      await page.getByRole("button", { name: picture.presses }).click();
      await page.locator(".spinner").waitFor({ state: "detached" });
    }
    await take(page, picture.file);
    await context.close();
  }
  await browser.close();
}

/** The flight that the editor's picture finishes: like the last one with a camera. */
function takeOff(client: Client, rows: FlightRow[]): Promise<string> {
  const like = rows.find(({ equipments }) => equipments.some(({ type }) => type === kind.videoCamera)) ?? rows[0];
  if (!like) throw new Error("the demo has no flights");
  return createFlight(client, { copter: like.copter.dpfId, equipments: like.equipments.map(({ dpfId }) => dpfId) });
}

async function withMostImages(client: Client, rows: FlightRow[]): Promise<string> {
  const flights: Flight[] = await Promise.all(
    rows.map(async ({ dpfId }) => JSON.parse(await client.call("GetFlight", { dpfId }))),
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

// temporary, never committed: node zz-shots.ts prepare <dir> | shoot <dir> <out> [filter]
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { chromium, type Page } from "@playwright/test";
import { desktop, germanBrowser, launchOptions, phone } from "./support/chromium.ts";
import { addDocument, addEquipment, addLog, createFlight, kind, logIn, sessionCookies } from "./support/client.ts";
import { fluglog, makeDataDir, removeDataDir, startServer } from "./support/server.ts";

const [, , what, store = "", out = "", filter = ""] = process.argv;
if (what === "prepare") {
  for (const variant of ["closed", "open"]) {
    const dataDir = join(store, variant);
    await fluglog(["demo", "--data-dir", dataDir]);
    const server = await startServer({ dataDir });
    const client = await logIn(server.origin, "demo@example.org", "fluglog-demo");
    const rows = JSON.parse(await client.call("GetFlights"));
    const retired = await addEquipment(client, kind.goggles, "Alte Brille", { model: "Fat Shark", firmwareNumber: "1.2" });
    await client.call("DeactivateEquipment", { dpfId: retired, info: "Display gebrochen" });
    const bats = JSON.parse(await client.call("GetEquipments", { type: "1", deactivated: "false" }));
    const batteries = bats.map((b: any) => b.dpfId);
    const rich = [];
    for (const row of rows) {
      const flight = JSON.parse(await client.call("GetFlight", { dpfId: row.dpfId }));
      rich.push([flight.images.length, row.dpfId]);
    }
    rich.sort((a: any, b: any) => b[0] - a[0]);
    const pictured = rich[0][1];
    await addLog(client, "flight", pictured, { info: "Landung hart, Propeller hinten links getauscht.\nDanach alles gut.", time: "01.06.2026 12:00", file: { name: "Rechnung Propeller.pdf", content: "%PDF-1.4" } });
    await addLog(client, "equipment", batteries[0], { info: "Zelle 3 driftet", time: "02.06.2026 12:00", file: { name: "messung.xlsx", content: "x" } });
    await addLog(client, "equipment", batteries[0], { info: "Stecker neu", time: "03.06.2026 12:00" });
    await addDocument(client, { name: "Flugbuch.doc", content: "x" }, "Altes Flugbuch von früher, eingescannt im Winter");
    await addDocument(client, { name: "lied.mp3", content: "x" });
    const ids: any = { pictured, battery: batteries[0], copter: rows[0].copter.dpfId, retired };
    if (variant === "open") {
      const like = rows.find((r: any) => r.equipments.some((e: any) => e.type === 4)) ?? rows[0];
      ids.open = await createFlight(client, { copter: like.copter.dpfId, equipments: like.equipments.map((e: any) => e.dpfId), payloads: [{ name: "Action Cam", weight: 120 }] });
      const free = bats.find((b: any) => b.lastCharging === null && !like.equipments.some((e: any) => e.dpfId === b.dpfId));
      await client.call("SaveCharging", { battery: free.dpfId, chargeStartTime: "21.11.2026 10:00", fromVoltage: "15.1", fromCellVoltage: "3.7" });
      await client.call("ShareUserDocument", {}).catch(() => {});
    }
    await writeFile(join(store, `${variant}.json`), JSON.stringify(ids));
    await server.stop();
  }
  process.exit(0);
}

type Step = (page: Page) => Promise<unknown>;
interface Shot { name: string; variant?: "open"; guest?: boolean; path: string; steps?: Step; full?: boolean; print?: boolean; }
const press = (name: string | RegExp) => async (page: Page) => page.getByRole("button", { name }).first().click();
const seq = (...steps: Step[]): Step => async (page) => { for (const s of steps) { await s(page); await page.waitForTimeout(150); } };
const menu = press("Weitere Aktionen");
const shots: Shot[] = [
  { name: "login", guest: true, path: "login" },
  { name: "login-consented", guest: true, path: "login", steps: seq(async (p) => p.getByRole("dialog").getByRole("button").last().click()) },
  { name: "login-error", guest: true, path: "login", steps: seq(async (p) => p.getByRole("dialog").getByRole("button").last().click(), async (p) => p.getByRole("button", { name: "Anmelden" }).first().click()) },
  { name: "confirmation", guest: true, path: "loginConfirmation?id=xx&token=yy" },
  { name: "register", guest: true, path: "register" },
  { name: "register-error", guest: true, path: "register", steps: seq(async (p) => p.locator('[type="submit"]').click()) },
  { name: "verify", guest: true, path: "register/verify" },
  { name: "impressum", guest: true, path: "impressum" },
  { name: "home", path: "home" },
  { name: "home-open", path: "home", variant: "open" },
  { name: "home-print", path: "home", print: true },
  { name: "home-menu", path: "home", full: false, steps: seq(async (p) => p.getByRole("banner").getByRole("button").last().click()) },
  { name: "home-feedback", path: "home", full: false, steps: seq(async (p) => p.getByRole("banner").getByRole("button").last().click(), async (p) => p.getByRole("menuitem", { name: /Feedback/ }).click(), async (p) => p.locator('[type="submit"]').click()) },
  { name: "notfound", path: "flights/999999" },
  { name: "profile", path: "myProfile" },
  { name: "profile-password", path: "myProfile", full: false, steps: seq(press(/Passwort ändern/)) },
  { name: "profile-error", path: "myProfile", steps: seq(async (p) => p.getByRole("textbox").first().fill(""), async (p) => p.locator('[type="submit"]').click()) },
  { name: "flights", path: "flights", full: false },
  { name: "flights-open", path: "flights", full: false, variant: "open" },
  { name: "flights-panel", path: "flights", full: false, steps: seq(async (p) => p.locator("[aria-expanded=false][data-hint]").first().click()) },
  { name: "flights-filter", path: "flights", full: false, steps: seq(press(/Filter|Suchen|Filtern/)) },
  { name: "flights-found", path: "flights?suche=Steinbruch", full: false },
  { name: "flights-nothing", path: "flights?suche=xyxyxy", full: false },
  { name: "flights-print", path: "flights", print: true },
  { name: "flights-found-print", path: "flights?jahr=2026", print: true },
  { name: "config", path: "flights/config" },
  { name: "config-all", path: "flights/config", steps: seq(async (p) => { for (const b of await p.locator("main [aria-expanded=false]").all()) await b.click(); }, async (p) => { await p.getByRole("textbox", { name: /Name|Bezeichnung/ }).last().fill("Kamera"); await p.getByRole("textbox", { name: /Gewicht/ }).last().fill("120"); await p.getByRole("button", { name: "Hinzufügen" }).click(); }) },
  { name: "config-flying", path: "flights/config", variant: "open" },
  { name: "detail", path: "flights/{pictured}" },
  { name: "detail-open", path: "flights/{open}", variant: "open" },
  { name: "detail-print", path: "flights/{pictured}", print: true },
  { name: "detail-viewer", path: "flights/{pictured}", full: false, steps: seq(press("Bild 1 von"), async (p) => p.waitForTimeout(600)) },
  { name: "detail-viewer-delete", path: "flights/{pictured}", full: false, steps: seq(press("Bild 1 von"), async (p) => p.waitForTimeout(600), press(/Bild löschen|Löschen/)) },
  { name: "detail-upload", path: "flights/{pictured}", full: false, steps: seq(press(/hochladen/)) },
  { name: "detail-menu", path: "flights/{pictured}", full: false, steps: seq(press(/Mehr|Weitere|Aktionen|Menü/)) },
  { name: "detail-newlog", path: "flights/{pictured}", full: false, steps: seq(press(/Log/), async (p) => p.locator('[type="submit"]').last().click()) },
  { name: "editor-new", path: "flights/{open}/new", variant: "open" },
  { name: "editor-finish", path: "flights/{open}/finish", variant: "open" },
  { name: "editor-edit", path: "flights/{pictured}/edit" },
  { name: "editor-date", path: "flights/{pictured}/edit", full: false, steps: seq(async (p) => p.getByRole("button", { name: /Kalender|kalender/ }).first().click()) },
  { name: "editor-error", path: "flights/{pictured}/edit", steps: seq(async (p) => p.getByRole("textbox", { name: /GPS|Koordinaten/ }).first().fill("quatsch"), async (p) => p.getByRole("textbox", { name: /Flugzeit/ }).first().fill("abc"), async (p) => p.locator('[type="submit"]').click()) },
  { name: "editor-leave", path: "flights/{pictured}", full: false, steps: seq(async (p) => p.getByRole("link", { name: /ditier|earbeit/ }).first().click(), async (p) => p.getByRole("textbox", { name: /Flugzeit/ }).first().fill("7"), press("Zurück")) },
  ...[0, 1, 2, 3, 4].map((type) => ({ name: `equipment-${type}`, path: `equipments/${type}` })),
  { name: "equipment-open", path: "equipments/1", variant: "open" as const },
  { name: "equipment-search", path: "equipments/1?suche=2" },
  { name: "equipment-retired", path: "equipments/2?ausgemustert=true" },
  { name: "equipment-none", path: "equipments/4?ausgemustert=true" },
  { name: "equipment-print", path: "equipments/1", print: true },
  { name: "equipment-charge", path: "equipments/1", full: false, steps: seq(press(/Ladevorgang starten/)) },
  { name: "equipment-charge-error", path: "equipments/1", full: false, steps: seq(press(/Ladevorgang starten/), async (p) => p.locator('[type="submit"]').last().click()) },
  { name: "equipment-finish", path: "equipments/1", variant: "open", full: false, steps: seq(press(/Ladevorgang beenden/)) },
  { name: "equipment-history", path: "equipments/1?verlauf={battery}", full: false },
  { name: "equipment-history-print", path: "equipments/1?verlauf={battery}", print: true },
  { name: "equipment-history-edit", path: "equipments/1?verlauf={battery}", full: false, steps: seq(async (p) => p.getByRole("dialog").getByRole("button", { name: /ditier|earbeit/ }).first().click()) },
  { name: "equipment-newlog", path: "equipments/1", full: false, steps: seq(press(/Log/)) },
  { name: "equipment-new", path: "equipments/1/editor" },
  { name: "equipment-new-error", path: "equipments/1/editor", steps: seq(async (p) => p.locator('[type="submit"]').click()) },
  { name: "equipment-edit", path: "equipments/1/editor/{battery}" },
  { name: "equipment-edit-menu", path: "equipments/1/editor/{battery}", full: false, steps: seq(press(/Mehr|Weitere|Aktionen|Menü/)) },
  { name: "equipment-deactivate", path: "equipments/1/editor/{battery}", full: false, steps: seq(press(/Mehr|Weitere|Aktionen|Menü/), async (p) => p.getByRole("menuitem").first().click()) },
  { name: "equipment-edit-retired", path: "equipments/2/editor/{retired}" },
  { name: "logs", path: "equipments/1/logs/{battery}" },
  { name: "logs-none", path: "equipments/0/logs/{copter}" },
  { name: "logs-edit", path: "equipments/1/logs/{battery}", full: false, steps: seq(press(/ditier|earbeit/)) },
  { name: "logs-delete", path: "equipments/1/logs/{battery}", full: false, steps: seq(press(/öschen/)) },
  { name: "logs-print", path: "equipments/1/logs/{battery}", print: true },
  { name: "documents", path: "myDocuments" },
  { name: "documents-search", path: "myDocuments?suche=flug" },
  { name: "documents-print", path: "myDocuments", print: true },
  { name: "documents-upload", path: "myDocuments", full: false, steps: seq(press(/ochladen/)) },
  { name: "documents-upload-file", path: "myDocuments", full: false, steps: seq(press(/ochladen/), async (p) => p.locator('input[type="file"]').first().setInputFiles({ name: "a.pdf", mimeType: "application/pdf", buffer: Buffer.from("x") })) },
  { name: "documents-edit", path: "myDocuments", full: false, steps: seq(press(/ditier|earbeit|Beschreibung/)) },
  { name: "documents-share", path: "myDocuments", full: false, steps: seq(press(/QR|eilen/), async (p) => p.waitForTimeout(500), async (p) => p.evaluate(() => { for (const i of document.querySelectorAll<HTMLElement>("[role=dialog] img")) i.style.visibility = "hidden"; })) },
];

const now = new Date("2026-11-22T09:30:00+01:00");
const failed: string[] = [];
await mkdir(out, { recursive: true });
const browser = await chromium.launch(launchOptions);
for (const variant of ["closed", "open"]) {
  const dataDir = await makeDataDir();
  await cp(join(store, variant), dataDir, { recursive: true });
  const ids = JSON.parse(await readFile(join(store, `${variant}.json`), "utf8"));
  const server = await startServer({ dataDir, settings: { FLUGLOG_REGISTRATION: "open" } as any });
  const client = await logIn(server.origin, "demo@example.org", "fluglog-demo");
  const devices: [string, any, [number, number][]][] = [
    ["phone", phone, [[390, 844], [320, 640]]],
    ["desktop", desktop, [[1280, 800], [760, 900]]],
  ];
  for (const [device, screen, sizes] of devices) {
    const { contextOptions, ...german } = germanBrowser;
    for (const shot of shots) {
      if ((shot.variant ?? "closed") !== variant || !shot.name.match(filter)) continue;
      if (shot.print && device === "phone" && !["flights-print", "detail-print"].includes(shot.name)) continue;
      const context = await browser.newContext({ ...german, ...contextOptions, ...screen });
      if (!shot.guest) await context.addCookies(sessionCookies(server.url, client));
      const page = await context.newPage();
      await page.clock.setFixedTime(now);
      page.setDefaultTimeout(4000);
      try {
        let path = shot.path;
        for (const [k, v] of Object.entries(ids)) path = path.replace(`{${k}}`, String(v));
        await page.goto(server.url + path, { waitUntil: "networkidle" });
        await shot.steps?.(page);
        await page.waitForTimeout(120);
        if (shot.print) {
          await page.setViewportSize({ width: 700, height: 990 });
          await page.emulateMedia({ media: "print" });
          await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
          await page.waitForTimeout(200);
          await page.screenshot({ path: join(out, `${shot.name}.${device}.print.png`), animations: "disabled", caret: "hide", fullPage: true });
        } else {
          for (const [i, [width, height]] of sizes.entries()) {
            await page.setViewportSize({ width, height });
            for (const colorScheme of i === 0 ? (["light", "dark"] as const) : (["light"] as const)) {
              await page.emulateMedia({ colorScheme });
              await page.waitForTimeout(60);
              await page.screenshot({ path: join(out, `${shot.name}.${device}.${width}.${colorScheme}.png`), animations: "disabled", caret: "hide", fullPage: shot.full ?? true });
            }
          }
        }
      } catch (error) {
        failed.push(`${shot.name} ${device}: ${String(error).slice(0, 160)}`);
        await page.screenshot({ path: join(out, `FAILED-${shot.name}.${device}.png`) }).catch(() => {});
      }
      await context.close();
    }
  }
  await server.stop();
  await removeDataDir(dataDir);
}
await browser.close();
console.log(failed.join("\n") || "all shot");

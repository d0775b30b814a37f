// The frame of every screen: header, what moves while it loads, error pages, updates, and the security headers of the
// pages.

import { createHash } from "node:crypto";
import type { BrowserContext, Page } from "@playwright/test";
import { expectAccessible } from "../support/accessible.ts";
import { field, mark, prefetched, submitLogin, tryAgain } from "../support/actions.ts";
import { desktop, phone } from "../support/chromium.ts";
import {
  addChargedPack,
  addDocument,
  addEquipment,
  addFlight,
  addFlights,
  ago,
  type Client,
  createFlight,
  kind,
} from "../support/client.ts";
import { endPause } from "../support/pauses.ts";
import { fluglog } from "../support/server.ts";
import { expect, openAs, test } from "../support/test.ts";

test("A keyboard gets past the header, the logo leads home, and the footer names the version of the program", {
  tag: "@desktop",
}, async ({ page, app, api }) => {
  await openAs(page, api, app, "home");
  const firstStep = page.getByRole("link", { name: /Copter hinzufügen/ });
  await expect(firstStep).toBeVisible();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Zum Inhalt springen" })).toBeFocused();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await expect(firstStep).toBeFocused();

  const version = (await fluglog(["--version"])).trim().replace("fluglog", "Version");
  await page.goto("equipments/3");
  await expect(page.getByRole("contentinfo")).toContainText(version);
  await page.getByRole("banner").getByRole("link", { name: "Fluglog, zur Startseite" }).click();
  await expect(page).toHaveURL(/\/app\/home$/);
});

/** Lists in `moved` what moves without a tap, where it was, and how much of the screen that is. */
async function recordShifts(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    interface Shift extends PerformanceEntry {
      value: number;
      sources: { node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[];
    }
    const moved: { value: number; what: string }[] = [];
    const said = (node: Node | null) => {
      const element = node instanceof Element ? node : node?.parentElement;
      return `${element?.tagName} ${element?.getAttribute("class")} "${node?.textContent?.slice(0, 40)}"`;
    };
    new PerformanceObserver((list) => {
      for (const { value, sources } of list.getEntries() as Shift[]) {
        const what = sources.map(
          ({ node, previousRect: from, currentRect: to }) => `${said(node)} from ${from.top} to ${to.top}`,
        );
        moved.push({ value, what: what.join("; ") });
      }
    }).observe({ type: "layout-shift", buffered: true });
    Object.assign(window, { moved });
  });
}

/** Returns how much of the screen moved since it was opened, and a line for each move. */
async function shiftsOf(page: Page): Promise<{ sum: number; moves: string }> {
  const moved = await page.evaluate(() => (window as unknown as { moved: { value: number; what: string }[] }).moved);
  const sum = moved.reduce((total, { value }) => total + value, 0);
  return { sum, moves: moved.map(({ value, what }) => `${value}: ${what}`).join("\n") };
}

/** The addresses of the screens: those opened every day, and all others. */
type Screens = { daily: string[]; others: string[] };

/** Adds something to each list, and returns the addresses of the screens: those opened every day, and all others. */
async function fillAllScreens(api: Client): Promise<Screens> {
  const pack = await addChargedPack(api, "Akku 1", { model: "R-Line 6S", cells: 6 });
  const copter = await addEquipment(api, kind.copter, "Nazgul F5");
  const config = { copter, equipments: [pack] };
  await addFlights(api, 5, config);
  const flight = await addFlight(api, config, { startTime: ago(30), location: "Wiese", maximumAltitude: "40" });
  const proof = await addDocument(api, { name: "Haftpflicht.pdf", content: "%PDF" }, "Versicherung");
  await api.call("SaveProof", { proof: JSON.stringify({ dpfId: proof, kind: 4, until: "31.12.2030" }) });
  const sticker = JSON.parse(await api.call("SaveSticker", { dpfId: pack })).code;
  const log = new FormData();
  log.append("files", new File(["Datum;Uhrzeit;Dauer;Copter\n01.03.2025;09:05;12;Adlerauge"], "Flugbuch.csv"));
  const upload = JSON.parse(await api.call("UploadImport", log)).dpfId;
  const space = JSON.parse(await api.call("SaveSpace", { kind: "1", name: "Familie" })).dpfId;
  const lists = ["home", "flights", "flights/config", "equipments/0", "equipments/1", "myDocuments"];
  const equipment = ["equipments/1/editor", `equipments/1/editor/${pack}`, `equipments/1/logs/${pack}`];
  return {
    daily: [...lists, `equipments/1/${pack}`, `flights/${flight}`, "review", "myProfile"],
    others: [
      ...["flights/add", `flights/${flight}/edit`, "flights/import", "flights/import/logbook"],
      ...[...equipment, `equipments/0/${copter}`, `equipments/1/passport/${pack}/new`, "equipments/labels"],
      ...["number", `s/${sticker}`, "proofs", `proofs/${proof}`, "todo", "spaces", "waiting", "admin"],
      ...["equipments/2", "flights/voltages", `flights/import/${upload}`, `spaces/${space}`],
    ],
  };
}

type Size = { width: number; height: number };

/** A few tabs at once: most of a screen's time is a wait for the last answer. */
async function tabsOf(page: Page): Promise<Page[]> {
  return [page, ...(await Promise.all([1, 2, 3].map(() => page.context().newPage())))];
}

/** Opens each of these screens in one of the tabs. */
async function expectUnmoved(
  tabs: Page[],
  open: (tab: Page, path: string) => Promise<void>,
  sizes: [Size, string[]][],
) {
  const left = sizes.flatMap(([size, paths]) => paths.map((path) => ({ size, path })));
  const work = tabs.map(async (tab) => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const { size, path } = next;
      await tab.setViewportSize(size);
      await open(tab, path);
      await tab.waitForLoadState("networkidle");
      const { sum, moves } = await shiftsOf(tab);
      expect.soft(sum, `${path}, ${size.width} px wide\n${moves}`).toBeLessThanOrEqual(0.02);
    }
  });
  await Promise.all(work);
}

test("Every screen stays in place while its answers come", async ({ page, app, api, isMobile }) => {
  const { daily, others } = await fillAllScreens(api);
  await recordShifts(page.context());
  const open = (tab: Page, path: string) => openAs(tab, api, app, path);
  const smallest = isMobile ? { width: 360, height: 640 } : desktop.viewport;
  const sizes: [Size, string[]][] = [[smallest, [...daily, ...others]]];
  if (isMobile) sizes.push([phone.viewport, daily]);
  await expectUnmoved(await tabsOf(page), open, sizes);
});

test("The screens of a flight that runs stay in place while their answers come", async ({
  page,
  app,
  api,
  viewport,
}) => {
  const pack = await addChargedPack(api, "Akku 1", { model: "R-Line 6S", cells: 6 });
  const copter = await addEquipment(api, kind.copter, "Nazgul F5");
  await addFlights(api, 5, { copter, equipments: [pack] });
  const open = await createFlight(api, { copter, equipments: [pack] });
  await recordShifts(page.context());
  const paths = ["home", "flights", "flights/config", `flights/${open}/new`, `flights/${open}/finish`];
  const opened = (tab: Page, path: string) => openAs(tab, api, app, path);
  await expectUnmoved(await tabsOf(page), opened, [[viewport ?? desktop.viewport, paths]]);
});

test("A screen whose file an update has replaced comes after one reload by itself", { tag: "@desktop" }, async ({
  page,
  app,
  api,
  faults,
}) => {
  faults.expectAnswer(/DocumentsPage/, 404);
  // Only a new build has different files, so the test simulates it.
  let refusals = 0;
  await page.route("**/app/assets/DocumentsPage-*.js", async (route) => {
    if (refusals > 0) return route.continue();
    refusals += 1;
    return route.fulfill({ status: 404, body: "Diese Datei gibt es nicht." });
  });
  await addDocument(api, { name: "Haftpflicht.pdf", content: "%PDF" }, "Versicherung");
  await openAs(page, api, app, "home");
  await page.getByRole("navigation").getByRole("link", { name: "Dokumente" }).first().click();
  await expect(page.getByText("Haftpflicht.pdf")).toBeVisible();
  expect(refusals).toBe(1);
});

test("A tab that was open during an update gets the new app with the next screen, and not before", {
  tag: "@desktop",
}, async ({ page, app, api }) => {
  await openAs(page, api, app, "home");
  // Updates are checked for once the first screen is rendered.
  await page.waitForFunction(() => performance.getEntriesByName("fluglog-complete").length > 0);
  await page.evaluate(() => Object.assign(window, { isFirstApp: true }));
  const isFirstApp = () => page.evaluate(() => "isFirstApp" in window);
  const comeBackToTheTab = async () => {
    const asked = page.waitForResponse("**/app/");
    await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
    await asked;
  };
  await comeBackToTheTab();
  await page.getByRole("link", { name: "Copter", exact: true }).click();
  // Until the list is rendered, another link has this name.
  await expect(page.getByText("Kein Copter in Betrieb.")).toBeVisible();
  await page.getByRole("link", { name: "Hinzufügen", exact: true }).click();
  await field(page, "Modell").fill("Nazgul F5");
  expect(await isFirstApp()).toBe(true);

  // Only a new build has different files, so the test simulates it.
  await page.route("**/app/", async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: (await response.text()).replace(/index-[^.]+\.js/, "index-NewApp00.js") });
  });
  await comeBackToTheTab();
  await field(page, "Name").fill("Roter Baron");
  expect(await isFirstApp()).toBe(true);
  await page.getByRole("button", { name: "Speichern" }).click();
  await expect(page.getByRole("heading", { name: "Roter Baron" })).toBeVisible();
  await page.waitForFunction(() => !("isFirstApp" in window));
  await expect(page.getByRole("heading", { name: "Roter Baron" })).toBeVisible();
});

test("A screen that can't be loaded because the server is gone comes by itself once it is back", {
  tag: "@phone",
}, async ({ page, app, api, faults }) => {
  faults.expectLostRequests();
  await addDocument(api, { name: "Haftpflicht.pdf", content: "%PDF" }, "Versicherung");
  await openAs(page, api, app, "home");
  await expect(page.getByText("Drei Schritte bis zum ersten Flug")).toBeVisible();
  await app.stop();
  await page.getByRole("navigation", { name: "Hauptnavigation" }).getByRole("link", { name: "Dokumente" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Ein Fehler ist aufgetreten!");
  await expect(page.getByText("Kein Netz. Alles wird gemerkt.")).toBeVisible();
  await app.startAgain();
  await endPause(page, "poll");
  await expect(page.getByText("Haftpflicht.pdf")).toBeVisible();
});

test.describe("In a browser that prefetches all screens", () => {
  test.use({ prefetches: true });

  test("A screen that was never opened opens without the server, and says what is missing", { tag: "@phone" }, async ({
    page,
    app,
    api,
    faults,
  }) => {
    faults.expectLostRequests();
    await openAs(page, api, app, "home");
    await prefetched(page);
    await app.stop();
    await page.getByRole("navigation", { name: "Hauptnavigation" }).getByRole("link", { name: "Dokumente" }).click();
    await expect(
      page.getByText("Dokumente konnten nicht geladen werden. Bitte versuchen Sie es erneut."),
    ).toBeVisible();
    await tryAgain(page, app, "GetUserDocuments");
    await expect(page.getByText("Keine Dokumente vorhanden")).toBeVisible();
  });
});

test("When everything fails, an error page leads to a fresh start", { tag: "@desktop" }, async ({
  page,
  app,
  api,
  faults,
}) => {
  faults.expectComplaint(/not iterable/);
  // The server never answers like this: without the nickname the header can't be rendered.
  await page.route("**/app/api/CheckSession", (route) =>
    route.fulfill({ json: { photo: "", openFlight: null }, headers: mark }),
  );
  await openAs(page, api, app, "home");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Unexpected Application Error!");
  await expect(page.getByText("Ihre gespeicherten Daten sind davon nicht betroffen.")).toBeVisible();
  await expectAccessible(page);
  await page.unroute("**/app/api/CheckSession");
  await page.getByRole("link", { name: "Zur Startseite", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Hallo, Pilotin" })).toBeVisible();
});

// The two style elements of react-aria-components, which the policy allows by their hash.
const pressableStyle = "sha256-38RhXrc7EdReTKsOm23ZPOCUgniTUUcjky8QOOrQx6o=";
const overscrollStyle = "sha256-gYiS/BvZvRcK27JIXTuwhZ3hs2+VJ1X+2gUlE+farlg=";

test("The page's policy allows nothing from elsewhere, of inline styles those two of the library, and is enforced", {
  tag: "@desktop",
}, async ({ page, app, api, faults }) => {
  await page.context().clearCookies();
  const answer = await page.goto("login");
  const policy = answer?.headers()["content-security-policy"] ?? "";
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("script-src 'self';");
  expect(policy).toContain(`style-src 'self' '${pressableStyle}' '${overscrollStyle}';`);
  expect(policy).not.toContain("unsafe");

  await openAs(page, api, app, "home");
  await page.getByRole("button", { name: "Konto" }).click();
  await expect(page.getByRole("menuitem", { name: "Logout" })).toBeVisible();
  expect(await styleHashes(page)).toEqual([pressableStyle]);

  await page.route("**/app/assets/forbidden.js", (route) =>
    route.fulfill({
      contentType: "text/javascript",
      body: "fetch(URL.createObjectURL(new Blob(['x']))).catch(() => { document.body.dataset.refused = 'true'; });",
    }),
  );
  faults.expectComplaint(/^Connecting to 'blob:/);
  faults.expectComplaint(/^Fetch API cannot load blob:/);
  await page.evaluate(() => {
    const script = document.createElement("script");
    script.src = "/app/assets/forbidden.js";
    document.head.append(script);
  });
  await expect(page.locator("body")).toHaveAttribute("data-refused", "true");
});

test("On an iPhone the library's second style is one that the policy allows", { tag: "@phone" }, async ({
  page,
  app,
  pilot,
  faults,
}) => {
  faults.expectLostRequests();
  await page.addInitScript(() => {
    Object.defineProperty(navigator, "platform", { get: () => "iPhone" });
    // Only Chromium has it, and the library prefers it.
    Object.defineProperty(navigator, "userAgentData", { get: () => undefined });
  });
  await page.goto("login");
  await submitLogin(page, pilot);
  await expect(page).toHaveURL(/\/app\/home$/);
  await page.getByRole("button", { name: "Konto" }).click();
  await app.stop();
  await page.getByRole("menuitem", { name: "Logout" }).click();
  await expect(page.getByRole("alertdialog")).toBeVisible();
  expect((await styleHashes(page)).sort()).toEqual([pressableStyle, overscrollStyle].sort());
});

async function styleHashes(page: Page): Promise<string[]> {
  const styles = await page.locator("style").allTextContents();
  return styles.map((style) => `sha256-${createHash("sha256").update(style).digest("base64")}`);
}

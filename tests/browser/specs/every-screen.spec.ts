// Every address of the router, filled, on a phone in light and dark: no axe violation, and nothing wider than the
// window. Only an address with a parameter needs a row here, and fails without. States of screens are in the specs of
// their topics.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { expectAccessible } from "../support/accessible.ts";
import {
  addChargedPack,
  addDocument,
  addEquipment,
  addFlights,
  addImages,
  addLog,
  type Client,
  createFlight,
  kind,
} from "../support/client.ts";
import { picture, red } from "../support/pictures.ts";
import { expect, openAs, test } from "../support/test.ts";

const router = readFileSync(join(import.meta.dirname, "../../../ui/src/router.tsx"), "utf8");

/** The paths in a part of the router's table, with their parameters: "flights/:dpfId". */
function paths(part: string): string[] {
  const modes = [...(router.match(/\(\[([^\]]+)\] as const\)/)?.[1]?.matchAll(/"(\w+)"/g) ?? [])];
  return [...part.matchAll(/["`]([a-zA-Z][\w/:?${}]*)["`](?=[,\]])/g)]
    .map(([, path = ""]) => path)
    .filter((path) => !/^[A-Z]/.test(path) && !modes.some(([, mode]) => mode === path))
    .flatMap((path) => (/\$/.test(path) ? modes.map(([, mode = ""]) => path.replace(/\$.*/, mode)) : path));
}

/** Without an account; the pages of a mail's link say that it isn't valid. */
const visitors = paths(router.match(/const publicScreens.*?\n\];/s)?.[0] ?? "");

/** With a parameter, or only while a flight is open. */
const special = paths(router).filter((path) => /:/.test(path) || path in inFlight(""));

/** Of everything that a pilot has. */
const lists = paths(router).filter((path) => !visitors.includes(path) && !special.includes(path));

type Addresses = Record<string, string>;

async function fill(api: Client) {
  const pack = await addChargedPack(api, "Akku 1", { model: "R-Line 6S 1300", cells: 6, capacity: 1300 });
  const copter = await addEquipment(api, kind.copter, "Nazgul F5", { weight: 680, model: "Nazgul Evoque" });
  await addFlights(api, 5, { copter, equipments: [pack] });
  const [{ dpfId: flight }] = JSON.parse(await api.call("GetFlights", { limit: "1" }));
  await addImages(api, flight, [picture(red)]);
  await addLog(api, "equipment", pack, { info: "Stecker neu gelötet", time: "01.03.2026 09:20" });
  const proof = await addDocument(api, { name: "A2.pdf", content: "%PDF" }, "Fernpilotenzeugnis");
  await api.call("SaveProof", { proof: JSON.stringify({ dpfId: proof, kind: 1, until: "31.12.2030" }) });
  const space = JSON.parse(await api.call("SaveSpace", { kind: "1", name: "Familie" })).dpfId;
  const sticker = JSON.parse(await api.call("SaveSticker", { dpfId: pack })).code;
  const log = new FormData();
  log.append("files", new File(["Datum;Uhrzeit;Dauer;Copter\n01.03.2025;09:05;12;Adlerauge"], "Flugbuch.csv"));
  const upload = JSON.parse(await api.call("UploadImport", log)).dpfId;
  return { pack, copter, flight, proof, space, sticker, upload };
}

type Filled = Awaited<ReturnType<typeof fill>>;

/** Addresses of screens that show one item, flight, import, proof or space. */
function single({ pack, copter, flight, proof, space, sticker, upload }: Filled): Addresses {
  return {
    "s/:code": `s/${sticker}`,
    "number/:number?": "number",
    "equipments/:type": "equipments/1",
    "equipments/:type/:dpfId": `equipments/0/${copter}`,
    "equipments/:type/editor/:dpfId?": `equipments/1/editor/${pack}`,
    "equipments/:type/passport/:dpfId/:reading?": `equipments/1/passport/${pack}/new`,
    "equipments/:type/logs/:dpfId": `equipments/1/logs/${pack}`,
    "flights/import/:dpfId?": `flights/import/${upload}`,
    "flights/:dpfId": `flights/${flight}`,
    "flights/:dpfId/edit": `flights/${flight}/edit`,
    "proofs/:dpfId?": `proofs/${proof}`,
    "spaces/:space": `spaces/${space}`,
  };
}

/** Only while a flight is open. */
function inFlight(open: string): Addresses {
  return {
    "flights/finish": "flights/finish",
    "flights/:dpfId/new": `flights/${open}/new`,
    "flights/:dpfId/finish": `flights/${open}/finish`,
  };
}

async function expectAllFine(page: Page, addresses: string[]): Promise<void> {
  for (const path of addresses) {
    await page.goto(path);
    await expect(page.locator("h1").first()).toBeAttached();
    await expect(page.locator("[data-loading]")).toHaveCount(0);
    // Not innerWidth, which grows with the content on a phone.
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect.soft(width, `width of ${path}`).toBeLessThanOrEqual(page.viewportSize()?.width ?? 0);
    await expectAccessible(page);
  }
}

test("Every address with a parameter, or only in flight, is opened here", { tag: "@phone" }, () => {
  const nobody = { pack: "", copter: "", flight: "", proof: "", space: "", sticker: "", upload: "" };
  const known = { ...single(nobody), ...inFlight("") };
  expect(special.toSorted()).toEqual(Object.keys(known).toSorted());
  expect(visitors).toContain("login");
  expect(lists).toContain("home");
});

test("A visitor's screens are accessible", { tag: "@phone" }, async ({ page, faults }) => {
  // This server has no certificate of its own.
  faults.expectAnswer(/fluglog-ca\.crt/, 404);
  await expectAllFine(page, visitors);
});

test("A pilot's lists and forms are accessible", { tag: "@phone" }, async ({ page, app, api }) => {
  await fill(api);
  await openAs(page, api, app, "home");
  await expectAllFine(page, lists);
});

test("The screens of one item, flight, import, proof and space are accessible", { tag: "@phone" }, async ({
  page,
  app,
  api,
}) => {
  const filled = await fill(api);
  await openAs(page, api, app, "home");
  await expectAllFine(page, Object.values(single(filled)));
  const open = await createFlight(api, { copter: filled.copter, equipments: [filled.pack] });
  await expectAllFine(page, Object.values(inFlight(open)));
});

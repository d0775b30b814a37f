// Text at twice its size on a phone: no screen scrolls sideways (WCAG 1.4.4).

import type { Page } from "@playwright/test";
import { addDocument, addEquipment, addLog, createFlight, finishFlight, kind } from "../support/client.ts";
import { expect, openAs, test } from "../support/test.ts";

/** Returns the words of up to nine letters that are broken over two lines. */
function cutWords(): string[] {
  const words = /(?<![\p{L}\p{N}.-])\p{L}{2,9}(?![\p{L}\p{N}.-])/gu;
  const cut: string[] = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
    if (text.parentElement?.closest(".visually-hidden, select, noscript")) continue;
    for (const word of (text.textContent ?? "").matchAll(words)) {
      const range = document.createRange();
      range.setStart(text, word.index);
      range.setEnd(text, word.index + word[0].length);
      const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
      if (lines.size > 1) cut.push(`${word[0]} in ${text.parentElement?.textContent}`);
    }
  }
  return cut;
}

/** Returns the elements outside the window while the page scrolls sideways. */
function besideWindow(): string[] {
  const width = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth <= width) return [];
  const isBeside = (element: Element | null) => element && element.getBoundingClientRect().right > width + 1;
  return [...document.querySelectorAll("body *")]
    .filter((element) => isBeside(element) && !isBeside(element.parentElement))
    .map((element) => `${element.tagName}.${element.className}: ${element.textContent?.slice(0, 40)}`);
}

const expectSoftly = expect.configure({ soft: true });

/** Expects that no element is outside the window. */
async function expectNothingBeside(page: Page): Promise<void> {
  await page.evaluate(() => {
    document.documentElement.style.fontSize = "200%";
  });
  // Parts that measure themselves, such as a chart, are laid out anew in the next frames.
  const beside = () => page.evaluate(besideWindow);
  await expectSoftly.poll(beside, { message: `beside the window at ${page.url()}` }).toEqual([]);
  expect.soft(await page.evaluate(cutWords), `cut words at ${page.url()}`).toEqual([]);
  // Controls that are fixed to the window or aligned to its end can overflow without making the page wider.
  const entries = page.getByRole("navigation", { name: "Hauptnavigation" }).locator("a:visible, button:visible");
  const actions = page.locator("[data-action-bar]").locator("a:visible, button:visible");
  for (const entry of [...(await entries.all()), ...(await actions.all())]) {
    await expect.soft(entry).toBeInViewport({ ratio: 0.99 });
  }
}

test("No screen moves sideways when text has twice its size", { tag: "@phone" }, async ({ page, app, api }) => {
  for (const path of ["login", "register", "impressum"]) {
    await page.goto(path);
    await expect(page.locator("h1")).toBeVisible();
    await expectNothingBeside(page);
  }
  const copter = await addEquipment(api, kind.copter, "Nazgul F5", { weight: 680, model: "Nazgul Evoque" });
  const battery = await addEquipment(api, kind.battery, "Akku 1", { weight: 190, capacity: 1550 });
  const charge = { chargeStartTime: "01.03.2026 08:00", fromVoltage: "14.2" };
  const end = { chargeEndTime: "01.03.2026 09:00", toVoltage: "16.8", charged: "900" };
  for (let times = 0; times < 3; times++) await api.call("SaveCharging", { battery, ...charge, ...end });
  await addLog(api, "equipment", battery, { info: "Balancerkabel getauscht", time: "01.03.2026 09:20" });
  await addDocument(api, { name: "Versicherungsbestätigung.pdf", content: "%PDF" }, "Haftpflichtversicherung");
  const flight = await createFlight(api, {
    copter,
    equipments: [battery],
    payloads: [{ name: "Kescher", weight: 100 }],
  });
  await finishFlight(api, flight, {
    startTime: "01.03.2026 09:05",
    location: "Modellflugplatz Harsefeld",
    startLatitude: 53.551086,
    startLongitude: 9.993682,
    flightTime: 12,
    distance: 1.25,
    maximumDistance: 1850,
    maximumAltitude: 119.5,
    speed: 72.5,
    batteryStartVoltage: 16.8,
    batteryEndVoltage: 14.2,
    consumedCapacity: 900,
  });
  await openAs(page, api, app, "home");
  for (const path of [
    "home",
    "equipments/0",
    "equipments/1",
    "equipments/1/editor",
    `equipments/1/editor/${battery}`,
    `equipments/1/${battery}`,
    `equipments/1/logs/${battery}`,
    `equipments/1?verlauf=${battery}`,
    "flights",
    "flights/config",
    `flights/${flight}`,
    `flights/${flight}/edit`,
    "myDocuments",
    "myProfile",
  ]) {
    await page.goto(path);
    await expect(page.locator("main h1")).toBeAttached();
    await expect(page.locator("[data-loading]")).toHaveCount(0);
    await expectNothingBeside(page);
  }
  const log = ["Datum;Uhrzeit;Dauer;Copter", "01.03.2026;09:05;12;Nazgul F5", "02.03.2026;09:05;12;Adlerauge"].join(
    "\n",
  );
  const form = new FormData();
  form.append("files", new File([log], "Flugbuch meines Vereins.csv"));
  const { dpfId } = JSON.parse(await api.call("UploadImport", form));
  for (const path of ["flights/import", `flights/import/${dpfId}`]) {
    await page.goto(path);
    await expect(page.locator("[data-loading]")).toHaveCount(0);
    await expectNothingBeside(page);
  }
  await page.goto("myProfile");
  await page.evaluate(() => {
    document.documentElement.style.fontSize = "200%";
  });
  await page.getByRole("button", { name: "Alle Geräte abmelden" }).click();
  await expect(page.getByRole("button", { name: "Ja", exact: true })).toBeInViewport({ ratio: 0.99 });
  await expect(page.getByRole("button", { name: "Nein", exact: true })).toBeInViewport({ ratio: 0.99 });

  const open = await createFlight(api, { copter });
  for (const path of ["home", "flights", "flights/config", `flights/${open}/new`, `flights/${open}/finish`]) {
    await page.goto(path);
    await expect(page.locator("main h1")).toBeAttached();
    await expect(page.locator("[data-loading]")).toHaveCount(0);
    await expectNothingBeside(page);
  }
});

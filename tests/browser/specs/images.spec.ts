// The pictures of a flight: upload with its limits, gallery, viewer, deletion.

import type { Locator, Page } from "@playwright/test";
import { expectAccessible } from "../support/accessible.ts";
import { drop, pick, toast } from "../support/actions.ts";
import { addEquipment, addImages, type Client, createFlight, finishFlight, kind } from "../support/client.ts";
import { writeTestFile } from "../support/files.ts";
import { blue, green, picture, pictureFile, red } from "../support/pictures.ts";
import { expect, openAs, test } from "../support/test.ts";

async function finishedFlight(api: Client): Promise<string> {
  const copter = await addEquipment(api, kind.copter, "Nazgul F5");
  const flight = await createFlight(api, { copter });
  await finishFlight(api, flight, { flightTime: 10 });
  return flight;
}

function gallery(page: Page): Locator {
  return page.getByRole("list", { name: "Bilder", exact: true }).getByRole("button");
}

async function imagesOf(api: Client, flight: string): Promise<string[]> {
  return JSON.parse(await api.call("GetFlight", { dpfId: flight })).images;
}

/** Returns the vertical position of the element's centre, in px. */
async function middleOf(target: Locator): Promise<number> {
  const box = await target.boundingBox();
  if (box === null) throw new Error("It isn't shown.");
  return box.y + box.height / 2;
}

/** Returns the colour at the centre of a picture on the page. */
function colourOf(image: Locator): Promise<number[]> {
  return image.evaluate((element: HTMLImageElement) => {
    const canvas = document.createElement("canvas");
    const context = canvas.getContext("2d");
    context?.drawImage(element, 0, 0, 1, 1);
    return [...(context?.getImageData(0, 0, 1, 1).data.slice(0, 3) ?? [])];
  });
}

async function expectColour(image: Locator, colour: number[]): Promise<void> {
  // A preview is a JPEG, whose colours are close to the original's.
  await expect
    .poll(async () => Math.max(...(await colourOf(image)).map((part, index) => Math.abs(part - (colour[index] ?? 0)))))
    .toBeLessThan(12);
}

test("Pictures are chosen, looked through, and uploaded", { tag: "@phone" }, async ({ page, app, api }) => {
  const flight = await finishedFlight(api);
  await openAs(page, api, app, `flights/${flight}`);
  await page.getByRole("button", { name: "Bilder hochladen" }).click();
  const dialog = page.getByRole("dialog", { name: "Bilder hochladen" });
  const send = dialog.getByRole("button", { name: "Hochladen" });
  await expect(send).toBeDisabled();
  await expect(dialog.getByRole("button", { name: "Foto aufnehmen" })).toBeVisible();
  await expectAccessible(page);

  await pick(page, "Aus Galerie wählen", [pictureFile("rot.png", red), pictureFile("grün.png", green)]);
  await pick(page, "Aus Galerie wählen", pictureFile("blau.png", blue));
  const chosen = dialog.getByRole("listitem");
  await expect(chosen).toHaveCount(3);
  await expect(chosen.first()).toContainText("rot.png");
  await expect(chosen.first()).toContainText("0,1 MB");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "rot.png entfernen" }).click();
  await expect(chosen).toHaveCount(2);
  await send.click();
  await expect(dialog).toBeHidden();

  await expect(gallery(page)).toHaveCount(2);
  await expectColour(gallery(page).nth(0).getByRole("img"), green);
  await expectColour(gallery(page).nth(1).getByRole("img"), blue);
  expect(await imagesOf(api, flight)).toHaveLength(2);
  await expectAccessible(page);
});

test("Pictures are dropped; what is none is refused", { tag: "@desktop" }, async ({ page, app, api }, testInfo) => {
  const flight = await finishedFlight(api);
  await openAs(page, api, app, `flights/${flight}`);
  await page.getByRole("button", { name: "Bilder hochladen" }).click();
  const dialog = page.getByRole("dialog");
  const zone = dialog.getByText("Bilder hierher ziehen oder auswählen");
  await drop(page, zone, [await writeTestFile(testInfo.outputPath("flug.mp4"), "x")]);
  await expect(dialog.getByText("Bitte wählen Sie Bilder im Format JPEG, PNG, WebP oder GIF.")).toBeVisible();
  await expectAccessible(page);
  await drop(page, zone, [await writeTestFile(testInfo.outputPath("rot.png"), picture(red))]);
  await expect(dialog.getByRole("listitem")).toHaveText(/rot\.png/);
});

test("Pictures without network wait on the device, are shown, outlive a reload, and arrive once", {
  tag: "@phone",
}, async ({ page, api, lossyProxy, faults }) => {
  faults.expectLostRequests();
  const flight = await finishedFlight(api);
  await openAs(page, api, lossyProxy, `flights/${flight}`);
  await page.getByRole("button", { name: "Bilder hochladen" }).click();
  const dialog = page.getByRole("dialog");
  await pick(page, "Aus Galerie wählen", [pictureFile("rot.png", red), pictureFile("grün.png", green)]);
  lossyProxy.loseAnswers("/app/api/");
  await dialog.getByRole("button", { name: "Hochladen" }).click();
  await expect(toast(page, "Gemerkt.")).toBeVisible();
  const waiting = page.getByRole("list", { name: "Bilder: wartet" });
  await expect(waiting.getByRole("img")).toHaveCount(2);
  await expectColour(waiting.getByRole("img").nth(1), green);
  await expectAccessible(page);
  await page.getByRole("link", { name: /Alles wird gemerkt/ }).click();
  await expect(page.getByRole("listitem").filter({ hasText: "Bilder: Nazgul F5" })).toContainText("2 Bilder");
  await expect(page.getByText("Zusammen warten höchstens 50 MB.")).toBeVisible();

  lossyProxy.restore();
  await page.reload();
  await expect(page.getByText("Alles ist übertragen.")).toBeVisible();
  await page.goto(`${lossyProxy.url}flights/${flight}`);
  await expect(gallery(page)).toHaveCount(2);
  await expect(waiting).toHaveCount(0);
  expect(await imagesOf(api, flight)).toHaveLength(2);
  const left = page.evaluate(async () => {
    const names = (await indexedDB.databases()).map(({ name }) => name ?? "");
    return new Promise((resolve) => {
      const opening = indexedDB.open(names.find((name) => name.startsWith("fluglog-")) ?? "");
      opening.onsuccess = () => {
        const counted = opening.result.transaction("pictures").objectStore("pictures").count();
        counted.onsuccess = () => resolve(counted.result);
        opening.result.close();
      };
    });
  });
  expect(await left).toBe(0);
});

test("The viewer goes through the pictures by buttons and keys, in a circle", { tag: "@desktop" }, async ({
  page,
  app,
  api,
}) => {
  const flight = await finishedFlight(api);
  await addImages(api, flight, [picture(red), picture(green), picture(blue)]);
  await openAs(page, api, app, `flights/${flight}`);
  await gallery(page).nth(1).click();
  const viewer = page.getByRole("dialog");
  await expect(viewer.getByText("2/3")).toBeVisible();
  await expectColour(viewer.getByRole("img"), green);
  await expectAccessible(page);
  const [arrow, image] = [viewer.getByRole("button", { name: "Nächstes Bild" }), viewer.getByRole("img")];
  expect(Math.abs((await middleOf(arrow)) - (await middleOf(image)))).toBeLessThan(1);
  // A key of the page below would leave the viewer.
  await page.waitForFunction(() => performance.getEntriesByName("fluglog-complete").length > 0);
  await page.keyboard.press("n");
  // Keys work at once, and after a click on the picture.
  await page.keyboard.press("ArrowLeft");
  await expect(viewer.getByText("1/3")).toBeVisible();
  await viewer.getByRole("img").click();
  await page.keyboard.press("ArrowRight");
  await expect(viewer.getByText("2/3")).toBeVisible();
  await viewer.getByRole("button", { name: "Nächstes Bild" }).click();
  await expect(viewer.getByText("3/3")).toBeVisible();
  await viewer.getByRole("button", { name: "Nächstes Bild" }).click();
  await expect(viewer.getByText("1/3")).toBeVisible();
  await expectColour(viewer.getByRole("img"), red);
  await viewer.getByRole("button", { name: "Voriges Bild" }).click();
  await expect(viewer.getByText("3/3")).toBeVisible();
  await page.keyboard.press("ArrowRight");
  await expect(viewer.getByText("1/3")).toBeVisible();
  await page.keyboard.press("ArrowLeft");
  await expect(viewer.getByText("3/3")).toBeVisible();
  await expectColour(viewer.getByRole("img"), blue);
  await viewer.getByRole("button", { name: "Schließen" }).click();
  await expect(viewer).toBeHidden();
  await expect(gallery(page).nth(1)).toBeFocused();
});

test("A swipe of more than 50 px turns to the next picture, a shorter one doesn't", { tag: "@phone" }, async ({
  page,
  app,
  api,
}) => {
  const flight = await finishedFlight(api);
  await addImages(api, flight, [picture(red), picture(green)]);
  await openAs(page, api, app, `flights/${flight}`);
  await gallery(page).nth(0).click();
  const viewer = page.getByRole("dialog");
  await expect(viewer.getByText("1/2")).toBeVisible();
  await swipe(page, -45);
  await expect(viewer.getByText("1/2")).toBeVisible();
  await swipe(page, -60);
  await expect(viewer.getByText("2/2")).toBeVisible();
  await swipe(page, -60);
  await expect(viewer.getByText("1/2")).toBeVisible();
  await swipe(page, 60);
  await expect(viewer.getByText("2/2")).toBeVisible();
});

/** Swipes horizontally by this distance, in the middle of the window. */
async function swipe(page: Page, distance: number): Promise<void> {
  const browser = await page.context().newCDPSession(page);
  const touch = (type: "touchStart" | "touchMove" | "touchEnd", x: number) =>
    browser.send("Input.dispatchTouchEvent", { type, touchPoints: type === "touchEnd" ? [] : [{ x, y: 400 }] });
  await touch("touchStart", 200);
  for (let step = 1; step <= 5; step++) await touch("touchMove", 200 + (distance * step) / 5);
  await touch("touchEnd", 200 + distance);
  await browser.detach();
}

test("A picture that couldn't be deleted is still there, and the viewer says so", { tag: "@phone" }, async ({
  page,
  app,
  api,
  faults,
}) => {
  faults.expectLostRequests();
  const flight = await finishedFlight(api);
  await addImages(api, flight, [picture(red)]);
  await openAs(page, api, app, `flights/${flight}`);
  await gallery(page).first().click();
  const viewer = page.getByRole("dialog");
  await expectColour(viewer.getByRole("img"), red);
  await app.stop();
  await viewer.getByRole("button", { name: "Bild löschen" }).click();
  await expect(page.getByRole("alertdialog", { name: "Bild löschen?" })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("alertdialog").getByRole("button", { name: "Ja" }).click();
  await expect(viewer.getByText("Bild konnte nicht gelöscht werden. Bitte versuchen Sie es erneut.")).toBeVisible();
  await expectAccessible(page);
  await app.startAgain();
});

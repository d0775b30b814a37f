// The pilot's own documents: upload, download, a tab of their own, sharing by QR code.

import type { Page } from "@playwright/test";
import { expectAccessible } from "../support/accessible.ts";
import {
  downloaded,
  drop,
  expectBlocking,
  expectFieldError,
  field,
  goFromRow,
  holdCall,
  pick,
  recordCalls,
} from "../support/actions.ts";
import { addDocument } from "../support/client.ts";
import { writeTestFile } from "../support/files.ts";
import { readQrCode } from "../support/qr.ts";
import { expect, openAs, test } from "../support/test.ts";

const manual = {
  name: "Handbuch Nazgul.pdf",
  mimeType: "application/pdf",
  buffer: Buffer.from("Kapitel 1: Auspacken"),
};

function row(page: Page, name: string) {
  return page.getByRole("row").or(page.getByRole("listitem")).filter({ hasText: name });
}

test("The tile leads to the documents; an upload from the empty page can be cancelled, and makes the first", {
  tag: "@phone",
}, async ({ page, app, api }) => {
  await openAs(page, api, app, "home");
  await page.getByRole("link", { name: "Meine Dokumente" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Meine Dokumente");
  await expect(page.getByText("Keine Dokumente vorhanden")).toBeVisible();
  await expectAccessible(page);

  await page.getByRole("button", { name: "Hochladen" }).click();
  const dialog = page.getByRole("dialog", { name: "Datei hochladen" });
  await expectBlocking(page, dialog);
  await expectAccessible(page);
  const send = dialog.getByRole("button", { name: "Hochladen" });
  await expect(send).toBeDisabled();
  await pick(page, "Datei auswählen", manual);
  await expect(dialog.getByText("Handbuch Nazgul.pdf")).toBeVisible();
  await expect(dialog.getByText("0,1 MB")).toBeVisible();
  await send.click();
  await expectFieldError(field(page, "Beschreibung"), "Bitte geben Sie eine Beschreibung ein.");
  await field(page, "Beschreibung").fill("Bedienungsanleitung");
  await expectAccessible(page);
  await holdCall(page, "UploadUserDocument");
  await send.click();
  await expect(dialog.getByRole("progressbar")).toBeVisible();
  await expect(send).toBeDisabled();
  await dialog.getByRole("button", { name: "Abbrechen" }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText("Keine Dokumente vorhanden")).toBeVisible();
  expect(JSON.parse(await api.call("GetUserDocuments"))).toEqual([]);

  await page.unroute("**/app/api/UploadUserDocument");
  await page.getByRole("button", { name: "Hochladen" }).click();
  await pick(page, "Datei auswählen", manual);
  await field(page, "Beschreibung").fill("Bedienungsanleitung");
  await send.click();
  await expect(dialog).toBeHidden();

  const uploaded = row(page, "Handbuch Nazgul.pdf");
  await expect(uploaded).toContainText("Bedienungsanleitung");
  await expect(uploaded).toContainText("20 B");
  await expect(uploaded).toContainText(/\d\d\.\d\d\.\d{4} \d\d:\d\d/);
  await expect(uploaded).toContainText("PDF");
  await expectAccessible(page);
  const download = async () => {
    const button = uploaded.getByRole("button", { name: "Herunterladen" });
    if (await button.isVisible()) return button.click();
    return goFromRow(page, "Herunterladen", "Handbuch Nazgul.pdf");
  };
  expect(await downloaded(page, download)).toEqual({
    name: "Handbuch Nazgul.pdf",
    content: "Kapitel 1: Auspacken",
  });
});

test("What a browser can show opens in a tab of its own, and nothing of it runs", { tag: "@desktop" }, async ({
  page,
  app,
  api,
}) => {
  const script = "<script>document.title = 'gelaufen'</script> Propeller 5x4,3";
  await addDocument(api, { name: "notiz.txt", content: script }, "Teileliste");
  await addDocument(api, { name: "seite.html", content: script }, "Gespeicherte Seite");
  await openAs(page, api, app, "myDocuments");
  await expect(page.getByRole("link", { name: "seite.html" })).toHaveCount(0);
  const opened = page.waitForEvent("popup");
  await page.getByRole("link", { name: "notiz.txt (öffnet in neuem Tab)" }).click();
  const shown = await opened;
  await expect(shown.locator("body")).toHaveText(script);
  expect(await shown.title()).not.toBe("gelaufen");
  expect(await shown.evaluate(() => window.origin)).toBe("null");
});

test(
  "On the desktop nothing is uploaded by keys until one file is dropped, which becomes a level line of the table",
  {
    tag: "@desktop",
  },
  async ({ page, app, api }, testInfo) => {
    const paths = [
      await writeTestFile(testInfo.outputPath("eins.txt"), "1"),
      await writeTestFile(testInfo.outputPath("zwei.txt"), "2"),
    ];
    await openAs(page, api, app, "myDocuments");
    await page.getByRole("button", { name: "Hochladen" }).click();
    const dialog = page.getByRole("dialog", { name: "Datei hochladen" });
    await field(page, "Beschreibung").fill("Bedienungsanleitung");
    const calls = recordCalls(page);
    await page.keyboard.press("Enter");
    await page.keyboard.press("Control+Enter");
    const zone = dialog.getByText("Datei hierher ziehen oder auswählen");
    await drop(page, zone, paths);
    await expect(dialog.getByText("Bitte wählen Sie nur eine Datei.")).toBeVisible();
    await drop(page, zone, paths.slice(1));
    await expect(dialog.getByText("zwei.txt")).toBeVisible();
    await expect(field(page, "Beschreibung")).toHaveValue("Bedienungsanleitung");
    expect(calls).not.toContain("UploadUserDocument");
    await field(page, "Beschreibung").press("Control+Enter");
    await expect(dialog).toBeHidden();

    const cells = row(page, "zwei.txt").getByRole("cell");
    await expect(cells.nth(3)).toHaveText("Bedienungsanleitung");
    const middle = (box: { y: number; height: number } | null) => (box ? box.y + box.height / 2 : Number.NaN);
    const iconMiddle = middle(await cells.first().locator("svg").boundingBox());
    expect(Math.abs(iconMiddle - middle(await cells.last().boundingBox()))).toBeLessThan(1.5);
  },
);

test("The QR code shares the document until its dialog is closed", { tag: "@phone" }, async ({ page, app, api }) => {
  await addDocument(api, { name: "anleitung.pdf", content: "Kapitel 1" });
  await openAs(page, api, app, "myDocuments");
  const held = await holdCall(page, "ShareDocument");
  const answered = page.waitForResponse("**/api/ShareDocument");
  await page.getByRole("button", { name: "Per QR-Code teilen" }).click();
  const dialog = page.getByRole("dialog", { name: "QR-Code Scannen um das Dokument zu downloaden" });
  await expect(dialog.getByText("QR-Code wird erstellt …")).toBeAttached();
  held.release();
  await answered;
  const code = dialog.getByRole("img", { name: "QR-Code für anleitung.pdf" });
  await expect(code).toBeVisible();
  const shared = await readQrCode(code);
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: "dark" });
  await expect(code).toHaveCSS("background-color", "rgb(255, 255, 255)");

  // Like a phone that has scanned the code: without a session.
  expect(shared).toMatch(new RegExp(`^${app.url}api/SharedDocument\\?token=`));
  const other = await fetch(shared);
  expect(other.status).toBe(200);
  expect(other.headers.get("Content-Disposition")).toContain("anleitung.pdf");
  expect(await other.text()).toBe("Kapitel 1");

  await dialog.getByRole("button", { name: "Freigabe beenden" }).click();
  await expect(dialog).toBeHidden();
  await expect.poll(async () => (await fetch(shared)).status).toBe(410);
});

test("A stranger's phone shows what is shared, opens and downloads it, and says when the share has ended", {
  tag: "@phone",
}, async ({ page, app, api, faults }) => {
  const dpfId = await addDocument(api, { name: "anleitung.txt", content: "Kapitel 1" });
  const { token } = JSON.parse(await api.call("ShareDocument", { dpfId }));
  await page.goto(`${app.url}api/SharedDocument?token=${token}`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("anleitung.txt");
  await expect(page.getByText("9 B")).toBeVisible();
  await expect(page.getByRole("link", { name: "Öffnen" })).toHaveCSS("background-color", "rgb(26, 98, 198)");
  await expectAccessible(page);

  await page.getByRole("link", { name: "Öffnen" }).click();
  await expect(page.getByText("Kapitel 1")).toBeVisible();
  await page.goBack();
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "Herunterladen" }).click();
  expect((await download).suggestedFilename()).toBe("anleitung.txt");

  await api.call("StopShareDocument", { token });
  faults.expectAnswer("DownloadSharedDocument", 410);
  await page.getByRole("link", { name: "Herunterladen" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(/^Diese Freigabe ist beendet\./);
  await expectAccessible(page);
});

test("A share ends when its page is left for another, and when it is closed", { tag: "@phone" }, async ({
  page,
  app,
  api,
}) => {
  await addDocument(api, { name: "anleitung.pdf", content: "Kapitel 1" });
  await openAs(page, api, app, "home");
  for (const leave of [() => page.goto("about:blank"), () => page.close()]) {
    await page.goto(`${app.url}myDocuments`);
    await page.getByRole("button", { name: "Per QR-Code teilen" }).click();
    const code = page.getByRole("img", { name: "QR-Code für anleitung.pdf" });
    await expect(code).toBeVisible();
    const shared = await readQrCode(code);
    expect((await fetch(shared)).status).toBe(200);
    await leave();
    await expect.poll(async () => (await fetch(shared)).status).toBe(410);
  }
});

// The pilot's own documents: upload, description, download, deletion, sharing by QR code.

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
  pickFromMenu,
  recordCalls,
  toast,
  tryAgain,
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

test("The tile leads to the documents; the first is uploaded from the empty page", { tag: "@phone" }, async ({
  page,
  app,
  api,
}) => {
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

test("The keyboard uploads nothing until a file is chosen", { tag: "@desktop" }, async ({ page, app, api }) => {
  await openAs(page, api, app, "myDocuments");
  await page.getByRole("button", { name: "Hochladen" }).click();
  const dialog = page.getByRole("dialog", { name: "Datei hochladen" });
  await field(page, "Beschreibung").fill("Bedienungsanleitung");
  const calls = recordCalls(page);
  await page.keyboard.press("Enter");
  await page.keyboard.press("Control+Enter");
  await pick(page, "Datei auswählen", manual);
  await expect(field(page, "Beschreibung")).toHaveValue("Bedienungsanleitung");
  expect(calls).not.toContain("UploadUserDocument");
  await field(page, "Beschreibung").press("Control+Enter");
  await expect(dialog).toBeHidden();
  await expect(row(page, "Handbuch Nazgul.pdf")).toContainText("Bedienungsanleitung");
});

test("On the desktop the documents are a table, the newest first, with an icon by kind", { tag: "@desktop" }, async ({
  page,
  app,
  api,
}) => {
  const kinds = [
    ["anleitung.pdf", "PDF"],
    ["brief.docx", "Textdokument"],
    ["akkus.xls", "Tabelle"],
    ["notiz.json", "Text"],
    ["feld.png", "Bild"],
    ["piep.mp3", "Audio"],
    ["flug.mp4", "Video"],
    ["firmware.hex", "Datei"],
  ] as const;
  for (const [name] of kinds) await addDocument(api, { name, content: "x" }, `Beschreibung von ${name}`);
  await openAs(page, api, app, "myDocuments");
  await expect(page.getByRole("columnheader")).toHaveText([
    "Art",
    "Hochgeladen",
    "Name",
    "Beschreibung",
    "Größe",
    "Aktionen",
  ]);
  const rows = page.getByRole("row").filter({ has: page.getByRole("cell") });
  await expect(rows).toHaveCount(kinds.length);
  for (const [name, kind] of kinds) await expect(row(page, name).getByRole("cell").first()).toHaveText(kind);
  const cells = row(page, "anleitung.pdf").getByRole("cell");
  const middle = (box: { y: number; height: number } | null) => (box ? box.y + box.height / 2 : Number.NaN);
  const iconMiddle = middle(await cells.first().locator("svg").boundingBox());
  expect(Math.abs(iconMiddle - middle(await cells.last().boundingBox()))).toBeLessThan(1.5);
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

test("The description is changed in a dialog that is titled with the file's name", { tag: "@desktop" }, async ({
  page,
  app,
  api,
}) => {
  await addDocument(api, { name: "anleitung.pdf", content: "x" }, "Alt");
  await openAs(page, api, app, "myDocuments");
  await pickFromMenu(page, "Beschreibung anpassen", "Mehr zu anleitung.pdf");
  const dialog = page.getByRole("dialog", { name: "anleitung.pdf" });
  await expect(field(page, "Beschreibung")).toHaveValue("Alt");
  await expectAccessible(page);
  await field(page, "Beschreibung").fill("");
  await dialog.getByRole("button", { name: "Speichern" }).click();
  await expectFieldError(field(page, "Beschreibung"), "Bitte geben Sie eine Beschreibung ein.");
  await field(page, "Beschreibung").fill("Neu");
  await dialog.getByRole("button", { name: "Speichern" }).click();
  await expect(toast(page, "Erfolgreich gespeichert.")).toBeVisible();
  await expect(row(page, "anleitung.pdf")).toContainText("Neu");
});

test("A document is deleted after a question", { tag: "@phone" }, async ({ page, app, api }) => {
  await addDocument(api, { name: "anleitung.pdf", content: "x" });
  await openAs(page, api, app, "myDocuments");
  const ask = async () => {
    await pickFromMenu(page, "Löschen", "Mehr zu anleitung.pdf");
  };
  await ask();
  const question = page.getByRole("alertdialog", { name: "Wollen Sie die Datei wirklich löschen?" });
  await expectAccessible(page);
  await question.getByRole("button", { name: "Nein" }).click();
  await expect(row(page, "anleitung.pdf")).toBeVisible();
  await ask();
  await question.getByRole("button", { name: "Ja" }).click();
  await expect(page.getByText("Keine Dokumente vorhanden")).toBeVisible();
  await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
});

test(
  "A file of more than 50 MB isn't taken, one of exactly 50 MB is",
  { tag: "@desktop" },
  async ({ page, app, api }, testInfo) => {
    const largest = await writeTestFile(testInfo.outputPath("50.bin"), "", 52_428_800);
    const tooLarge = await writeTestFile(testInfo.outputPath("51.bin"), "", 52_428_801);
    await openAs(page, api, app, "myDocuments");
    await page.getByRole("button", { name: "Hochladen" }).click();
    await pick(page, "Datei auswählen", tooLarge);
    await expect(page.getByText("Die Datei überschreitet die 50-MB-Grenze und wurde nicht hinzugefügt")).toBeVisible();
    const dialog = page.getByRole("dialog");
    await expect(dialog.getByRole("button", { name: "Hochladen" })).toBeDisabled();
    await pick(page, "Datei auswählen", largest);
    await field(page, "Beschreibung").fill("Groß");
    await dialog.getByRole("button", { name: "Hochladen" }).click();
    await expect(dialog).toBeHidden();
    await expect(row(page, "50.bin")).toContainText("50 MB");
  },
);

test("A file is dropped; two at once aren't taken", { tag: "@desktop" }, async ({ page, app, api }, testInfo) => {
  const paths = [
    await writeTestFile(testInfo.outputPath("eins.txt"), "1"),
    await writeTestFile(testInfo.outputPath("zwei.txt"), "2"),
  ];
  await openAs(page, api, app, "myDocuments");
  await page.getByRole("button", { name: "Hochladen" }).click();
  const dialog = page.getByRole("dialog");
  const zone = dialog.getByText("Datei hierher ziehen oder auswählen");
  await drop(page, zone, paths);
  await expect(dialog.getByText("Bitte wählen Sie nur eine Datei.")).toBeVisible();
  await drop(page, zone, paths.slice(1));
  await expect(dialog.getByText("zwei.txt")).toBeVisible();
});

test("While a file is under way the dialog shows progress, and Abbrechen cancels it", { tag: "@phone" }, async ({
  page,
  app,
  api,
}) => {
  await openAs(page, api, app, "myDocuments");
  await page.getByRole("button", { name: "Hochladen" }).click();
  const dialog = page.getByRole("dialog");
  await pick(page, "Datei auswählen", manual);
  await field(page, "Beschreibung").fill("Anleitung");
  await holdCall(page, "UploadUserDocument");
  await dialog.getByRole("button", { name: "Hochladen" }).click();
  await expect(dialog.getByRole("progressbar")).toBeVisible();
  await expect(dialog.getByRole("button", { name: "Hochladen" })).toBeDisabled();
  await dialog.getByRole("button", { name: "Abbrechen" }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText("Keine Dokumente vorhanden")).toBeVisible();
  expect(JSON.parse(await api.call("GetUserDocuments"))).toEqual([]);
});

test("When the server doesn't answer, nothing is lost and another try makes one document", { tag: "@phone" }, async ({
  page,
  app,
  api,
  faults,
}) => {
  faults.expectLostRequests();
  await openAs(page, api, app, "myDocuments");
  await page.getByRole("button", { name: "Hochladen" }).click();
  const dialog = page.getByRole("dialog");
  await pick(page, "Datei auswählen", manual);
  await field(page, "Beschreibung").fill("Anleitung");
  await app.stop();
  await dialog.getByRole("button", { name: "Hochladen" }).click();
  await expect(dialog.getByText("Hochladen fehlgeschlagen.")).toBeVisible();
  await expectAccessible(page);
  await app.startAgain();
  await dialog.getByRole("button", { name: "Hochladen" }).click();
  await expect(dialog).toBeHidden();
  await expect(row(page, "Handbuch Nazgul.pdf")).toHaveCount(1);
});

test("A list that can't be loaded shows an error, and another try helps", { tag: "@phone" }, async ({
  page,
  app,
  api,
  faults,
}) => {
  faults.expectLostRequests();
  await openAs(page, api, app, "home");
  const tile = page.getByRole("link", { name: "Meine Dokumente" });
  // The screen's own files are loaded before the server stops.
  const held = await holdCall(page, "GetUserDocuments");
  await tile.click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Meine Dokumente");
  await app.stop();
  held.release();
  await expect(page.getByText("Dokumente konnten nicht geladen werden. Bitte versuchen Sie es erneut.")).toBeVisible();
  await expectAccessible(page);
  await tryAgain(page, app, "GetUserDocuments");
  await expect(page.getByText("Keine Dokumente vorhanden")).toBeVisible();
});

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

for (const [way, leave] of [
  ["is left for another", (page: Page) => page.goto("about:blank")],
  ["is closed", (page: Page) => page.close()],
] as const) {
  test(`A share ends when its page ${way}`, { tag: "@phone" }, async ({ page, app, api }) => {
    await addDocument(api, { name: "anleitung.pdf", content: "Kapitel 1" });
    await openAs(page, api, app, "myDocuments");
    await page.getByRole("button", { name: "Per QR-Code teilen" }).click();
    const code = page.getByRole("img", { name: "QR-Code für anleitung.pdf" });
    await expect(code).toBeVisible();
    const shared = await readQrCode(code);
    expect((await fetch(shared)).status).toBe(200);
    await leave(page);
    await expect.poll(async () => (await fetch(shared)).status).toBe(410);
  });
}

test("Opening the QR code after the end of the session leads to the login", { tag: "@desktop" }, async ({
  page,
  app,
  api,
  faults,
}) => {
  faults.expectAnswer("ShareDocument", 401);
  await addDocument(api, { name: "anleitung.pdf", content: "Kapitel 1" });
  await openAs(page, api, app, "myDocuments");
  await expect(page.getByText("anleitung.pdf")).toBeVisible();
  await page.context().clearCookies({ name: "session" });
  await page.getByRole("button", { name: /Per QR-Code teilen/ }).click();
  await expect(page).toHaveURL(/\/app\/login$/);
});

test("A share that is closed before its code has come ends as well", { tag: "@desktop" }, async ({
  page,
  app,
  api,
}) => {
  await addDocument(api, { name: "anleitung.pdf", content: "Kapitel 1" });
  await openAs(page, api, app, "myDocuments");
  const held = await holdCall(page, "ShareDocument");
  const answered = page.waitForResponse("**/api/ShareDocument");
  const calls = recordCalls(page);
  await page.getByRole("button", { name: "Per QR-Code teilen" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Schließen" }).click();
  held.release();
  const { token } = await (await answered).json();
  await expect.poll(() => calls).toContain("StopShareDocument");
  await expect.poll(async () => (await fetch(`${app.url}api/SharedDocument?token=${token}`)).status).toBe(410);
});

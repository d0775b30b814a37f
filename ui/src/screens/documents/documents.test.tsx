// The pilot's documents: their list, what is uploaded, described and deleted, and a share that ends.
import { screen, waitFor, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { answers, callsOf } from "../../api/fakeServer";
import type { Document } from "../../api/generated/Document";
import { toast } from "../../test/openScreen";
import {
  choose,
  expectAlert,
  expectFieldError,
  expectNoDialog,
  field,
  fieldsOf,
  fileOf,
  held,
  notLoggedIn,
  ok,
  open,
  pick,
  press,
  standing,
  type,
  withScreens,
} from "../../test/pages";

withScreens();

const manual = new File(["Kapitel 1"], "Handbuch Nazgul.pdf", { type: "application/pdf" });
const fiftyMegabytes = 52_428_800;

function document(fields: Partial<Document> = {}): Document {
  const name = "anleitung.pdf";
  const times = { uploadTime: "01.05.2026 10:00", size: "20 B" };
  return { dpfId: name, name, description: "Bedienungsanleitung", ...times, ...fields };
}

async function openDocuments(...list: Document[]) {
  standing("GetUserDocuments", ok(list));
  return open("myDocuments");
}

async function openUpload(...list: Document[]) {
  const page = await openDocuments(...list);
  await press("Hochladen");
  await field("Beschreibung");
  return page;
}

const dialog = () => within(screen.getByRole("dialog"));
const send = () => dialog().getByRole<HTMLButtonElement>("button", { name: "Hochladen" });
const shown = () => screen.getByRole("main").textContent;

test("On the desktop the documents are a table in the server's order, with an icon by kind", async () => {
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
  await openDocuments(...kinds.map(([name]) => document({ dpfId: name, name })));
  const headings = (await screen.findAllByRole("columnheader")).map(({ textContent }) => textContent);
  expect(headings).toEqual(["Art", "Hochgeladen", "Name", "Beschreibung", "Größe", "Aktionen"]);
  const rows = screen.getAllByRole("row").slice(1);
  const texts = rows.map((row) => within(row).getAllByRole("cell").slice(0, 5));
  const ofName = (name: string) => (/pdf|json|png/.test(name) ? `${name} (öffnet in neuem Tab)` : name);
  expect(texts.map((cells) => cells.map(({ textContent }) => textContent))).toEqual(
    kinds.map(([name, kind]) => [kind, "01.05.2026 10:00", ofName(name), "Bedienungsanleitung", "20 B"]),
  );
});

test("The description is changed in a dialog that is titled with the file's name", async () => {
  const old = document({ description: "Alt" });
  await openDocuments(old);
  await press("Mehr zu anleitung.pdf");
  await choose("Beschreibung anpassen");
  expect((await field("Beschreibung")).value).toBe("Alt");
  screen.getByRole("dialog", { name: "anleitung.pdf" });
  await type("Beschreibung", "");
  await press("Speichern");
  await expectFieldError("Beschreibung", "Bitte geben Sie eine Beschreibung ein.");
  answers.EditUserDocument = [ok({ ...old, description: "Neu" })];
  standing("GetUserDocuments", ok([{ ...old, description: "Neu" }]));
  await type("Beschreibung", "Neu");
  await press("Speichern");
  await toast("Erfolgreich gespeichert.");
  expect(fieldsOf("EditUserDocument")).toEqual([{ dpfId: "anleitung.pdf", description: "Neu" }]);
  await waitFor(() => expect(shown()).toContain("Neu"));
});

test("A document is deleted after a question, and the focus goes to the heading", async () => {
  await openDocuments(document());
  const ask = async () => {
    await press("Mehr zu anleitung.pdf");
    await choose("Löschen");
    await screen.findByRole("alertdialog", { name: "Wollen Sie die Datei wirklich löschen?" });
  };
  await ask();
  await press("Nein");
  await expectNoDialog();
  expect(shown()).toContain("anleitung.pdf");
  expect(callsOf("DeleteUserDocument")).toEqual([]);
  answers.DeleteUserDocument = [ok()];
  standing("GetUserDocuments", ok([]));
  await ask();
  await press("Ja");
  await screen.findByText("Keine Dokumente vorhanden");
  expect(fieldsOf("DeleteUserDocument")).toEqual([{ dpfId: "anleitung.pdf" }]);
  await waitFor(() => expect(screen.getByRole("heading", { level: 1 })).toBe(window.document.activeElement));
});

test("A file of more than 50 MB isn't taken, one of exactly 50 MB is; of two at once neither", async () => {
  await openUpload();
  await pick("Datei auswählen", fileOf("51.bin", fiftyMegabytes + 1));
  await expectAlert("Die Datei überschreitet die 50-MB-Grenze und wurde nicht hinzugefügt");
  expect(send().disabled).toBe(true);
  await pick("Datei auswählen", fileOf("50.bin", fiftyMegabytes));
  await dialog().findByText("50.bin");
  expect(dialog().getByText("50 MB")).toBeTruthy();
  expect(screen.queryByRole("alert")).toBeNull();
  expect(send().disabled).toBe(false);
  await pick("Andere Datei auswählen", fileOf("eins.txt", 1), fileOf("zwei.txt", 1));
  await expectAlert("Bitte wählen Sie nur eine Datei.");
  expect(dialog().getByText("50.bin")).toBeTruthy();
});

test("When the server doesn't answer, nothing is lost and another try is the same request", async () => {
  await openUpload();
  await pick("Datei auswählen", manual);
  await type("Beschreibung", "Anleitung");
  answers.UploadUserDocument = ["lost", ok(document())];
  await press("Hochladen");
  await expectAlert("Hochladen fehlgeschlagen.");
  expect((await field("Beschreibung")).value).toBe("Anleitung");
  await dialog().findByText(manual.name);
  await press("Hochladen");
  await expectNoDialog();
  const [first, second] = callsOf("UploadUserDocument").map((fields) => Object.fromEntries(fields));
  expect(second).toEqual(first);
  expect(fieldsOf("UploadUserDocument").at(-1)).toEqual({
    dpfId: expect.any(String),
    file: manual,
    description: "Anleitung",
  });
});

test("A list that can't be loaded shows an error, and another try helps", async () => {
  standing("GetUserDocuments", "lost");
  await open("myDocuments");
  const alert = await screen.findByRole("alert");
  expect(alert.textContent).toContain(
    "Dokumente konnten nicht geladen werden. Bitte versuchen Sie es erneut.",
  );
  standing("GetUserDocuments", ok([]));
  await press("Nochmal");
  await screen.findByText("Keine Dokumente vorhanden");
});

test("Opening the QR code after the end of the session leads to the login", async () => {
  const page = await openDocuments(document());
  answers.ShareDocument = [notLoggedIn];
  standing("CheckSession", notLoggedIn);
  await press("Per QR-Code teilen anleitung.pdf");
  await page.expectPath("login");
});

test("A share that is closed before its code has come ends as well", async () => {
  const ended: [string, string][] = [];
  vi.spyOn(navigator, "sendBeacon").mockImplementation((url, fields) => {
    ended.push([String(url), String(fields)]);
    return true;
  });
  await openDocuments(document());
  const { answer, release } = held(ok({ token: "0123abcd", img: "" }));
  answers.ShareDocument = [answer];
  await press("Per QR-Code teilen anleitung.pdf");
  await screen.findByText("QR-Code wird erstellt …");
  await press("Schließen");
  await expectNoDialog();
  expect(ended).toEqual([]);
  release();
  await waitFor(() => expect(ended).toEqual([["/app/api/StopShareDocument", "token=0123abcd"]]));
});

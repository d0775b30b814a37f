// A document that is a proof: what its form proposes, cuts and sends, and how it is renewed.
import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { keyOf, setCached } from "../../api/answers";
import { cache } from "../../api/cache";
import { answers, callsOf, filesOf } from "../../api/fakeServer";
import type { Document } from "../../api/generated/Document";
import type { Proof } from "../../api/generated/Proof";
import { currentOutbox } from "../../api/perform";
import { proof, proofKinds } from "../../test/objects";
import { button, dateOf, sent, toast, user } from "../../test/openScreen";
import {
  choose,
  expectAlert,
  expectNoDialog,
  field,
  ok,
  open,
  pick,
  pilot,
  press,
  standing,
  type,
  withScreens,
} from "../../test/pages";

const picturesOfPdf = vi.hoisted(() => vi.fn<(file: File) => Promise<File[]>>());
vi.mock("../../components/proofs/pdfPages", () => ({ picturesOfPdf }));

withScreens();

const pdf = new File(["%PDF"], "A2.pdf", { type: "application/pdf" });
const photo = new File(["x"], "A2.jpg", { type: "image/jpeg" });
const page = (number: number) => new File([`Seite ${number}`], `seite-${number}.jpg`, { type: "image/jpeg" });

beforeEach(() => {
  picturesOfPdf.mockReset().mockResolvedValue([page(1), page(2)]);
  standing("GetProofKinds", ok(proofKinds));
  standing("GetUserDocuments", ok([]));
});

async function openUpload() {
  await open("myDocuments");
  await press("Hochladen");
  await type("Beschreibung", "Zeugnis");
}

const dialog = () => within(screen.getByRole("dialog"));
const files = () => callsOf("AddProof").map((fields) => fields.get("files"));

test("A document without a kind is uploaded as before, and nothing is asked for proofs", async () => {
  answers.UploadUserDocument = [ok({ ...document(), name: "A2.pdf" })];
  await openUpload();
  await pick("Datei auswählen", pdf);
  await press("Hochladen");
  await expectNoDialog();
  expect(callsOf("UploadUserDocument")).toHaveLength(1);
  expect([...callsOf("GetProofKinds"), ...callsOf("GetProofs"), ...callsOf("AddProof")]).toEqual([]);
  expect(picturesOfPdf).not.toHaveBeenCalled();
});

test("The kind proposes the end, the pages of a PDF become pictures, and all goes in one request", async () => {
  answers.AddProof = ["lost", ok(proof())];
  await openUpload();
  await pick("Datei auswählen", pdf);
  await user.press(/^Nachweis(?!e)/);
  await user.choose("Art", "EU-Fernpilotenzeugnis A2");
  expect(dateOf("Gültig bis")).toEqual([28, 11, 2031]);
  await type("Fernpiloten-ID", "DE-RP-1");
  await dialog().findByText("seite-2.jpg");
  await press("Hochladen");
  await expectAlert("Hochladen fehlgeschlagen.");
  await press("Hochladen");
  await toast("Erfolgreich hochgeladen.");
  const [first, second] = sent("AddProof");
  expect(second?.requestId).toBe(first?.requestId);
  expect(second).toMatchObject({
    description: "Zeugnis",
    proof: { kind: 1, number: "DE-RP-1", until: "28.11.2031", endless: false, remind: true },
  });
  expect(files()).toHaveLength(2);
});

test("When a PDF can't be shown, the form asks for a photo, and sends that", async () => {
  picturesOfPdf.mockRejectedValue(new Error("damaged"));
  answers.AddProof = [ok(proof())];
  await openUpload();
  await pick("Datei auswählen", pdf);
  await user.press(/^Nachweis(?!e)/);
  await user.choose("Art", "EU-Fernpilotenzeugnis A2");
  await expectAlert("Bitte ein Foto oder Bildschirmfoto dazulegen.");
  await pick("Aus Galerie wählen", page(1), page(2), page(3), page(4), page(5));
  await dialog().findByText("Ein Nachweis hat höchstens 4 Seiten.");
  expect(dialog().getAllByText(/seite-\d/)).toHaveLength(4);
});

test("A photo is its own page, and without an end the form asks whether there is none", async () => {
  answers.AddProof = [ok(proof())];
  await openUpload();
  await pick("Datei auswählen", photo);
  await user.press(/^Nachweis(?!e)/);
  await user.choose("Art", "EU-Fernpilotenzeugnis A2");
  await dialog().findByText("Das Bild wird gezeigt, wie es ist.");
  await user.press("Ohne Ablauf");
  await press("Hochladen");
  await expectNoDialog();
  expect(picturesOfPdf).not.toHaveBeenCalled();
  expect(sent("AddProof")[0]).toMatchObject({ proof: { kind: 1, until: "", endless: true } });
});

test("A proof of several photos has each as a page: chosen at once or added, and any can go again", async () => {
  answers.AddProof = [ok(proof())];
  await openUpload();
  await user.press(/^Nachweis(?!e)/);
  await user.choose("Art", "EU-Fernpilotenzeugnis A2");
  await pick("Datei auswählen", photo, page(1));
  await pick("Seite hinzufügen", page(2), page(3));
  expect((await button("Seite hinzufügen")).disabled).toBe(true);
  await press("seite-2.jpg entfernen");
  await press("A2.jpg entfernen");
  await press("Hochladen");
  await expectNoDialog();
  expect(filesOf("AddProof")).toEqual([["seite-1.jpg", "seite-1.jpg", "seite-3.jpg"]]);
});

test("Of five photos chosen at once four are pages, and no page outlives its document", async () => {
  answers.AddProof = [ok(proof())];
  await openUpload();
  await user.press(/^Nachweis(?!e)/);
  await user.choose("Art", "EU-Fernpilotenzeugnis A2");
  await pick("Datei auswählen", pdf);
  await dialog().findByText("seite-2.jpg");
  await pick("Aus Galerie wählen", page(5));
  await press("A2.pdf entfernen");
  await waitFor(() => expect(dialog().queryByText("seite-5.jpg")).toBeNull());
  await pick("Datei auswählen", photo, page(1), page(2), page(3), page(4));
  await dialog().findByText("Ein Nachweis hat höchstens 4 Seiten.");
  expect((await button("Seite hinzufügen")).disabled).toBe(true);
  await press("Hochladen");
  await expectNoDialog();
  expect(filesOf("AddProof")).toEqual([["A2.jpg", "A2.jpg", "seite-1.jpg", "seite-2.jpg", "seite-3.jpg"]]);
});

test("The last page stays, and while a kept page can't be fetched nothing is saved", async () => {
  answers["GetProofPage?dpfId=d1&page=p2"] = ["lost"];
  await openEdit(proof({ pages: ["p1", "p2"] }));
  await user.press(/^Nachweis(?!e)/);
  await press("Seite 1 entfernen");
  expect(screen.queryByRole("button", { name: "Seite 1 entfernen" })).toBeNull();
  await press("Speichern");
  await dialog().findByRole("alert");
  expect(callsOf("EditUserDocument")).toEqual([]);
});

test("A stored proof gets another page beside those that it has, or loses one", async () => {
  answers["GetProofPage?dpfId=d1&page=p2"] = [ok("x")];
  answers.EditUserDocument = [ok(document())];
  answers.SaveProofPages = [ok(proof())];
  await openEdit(proof({ pages: ["p1", "p2"] }));
  await user.press(/^Nachweis(?!e)/);
  await press("Seite 1 entfernen");
  await pick("Aus Galerie wählen", page(7));
  await press("Speichern");
  await expectNoDialog();
  expect(filesOf("SaveProofPages")).toEqual([["seite", "seite-7.jpg"]]);
});

test("The secret end of an e-ID is cut where it is typed, and gets into no draft and no request", async () => {
  answers.AddProof = [ok(proof())];
  await openUpload();
  await pick("Datei auswählen", photo);
  await user.press(/^Nachweis(?!e)/);
  await user.choose("Art", "e-ID (UAS-Betreibernummer)");
  await type("e-ID", "fin 87astrdge12k8-xyz");
  expect((await field("e-ID")).value).toBe("FIN87astrdge12k8");
  await dialog().findByText("Das geheime Ende der e-ID wird nicht gespeichert.");
  await type("Beschreibung", "e-ID FIN87astrdge12k8-xyz");
  expect((await field("Beschreibung")).value).toBe("e-ID FIN87astrdge12k8");
  expect(JSON.stringify({ ...localStorage })).not.toContain("xyz");
  await press("Hochladen");
  await expectNoDialog();
  const [request] = sent("AddProof");
  expect(request).toMatchObject({ proof: { kind: 3, number: "FIN87astrdge12k8", endless: true } });
  expect(JSON.stringify(request)).not.toContain("xyz");
});

test("The secret end in a file's name gets into no form and no request", async () => {
  answers.AddProof = [ok(proof())];
  await openUpload();
  await pick("Datei auswählen", new File(["x"], "eID_FIN87astrdge12k8-xyz.jpg", { type: "image/jpeg" }));
  await dialog().findByText("eID_FIN87astrdge12k8.jpg");
  await user.press(/^Nachweis(?!e)/);
  await user.choose("Art", "e-ID (UAS-Betreibernummer)");
  await pick("Seite hinzufügen", new File(["y"], "FIN87astrdge12k8-xyz.png", { type: "image/png" }));
  await dialog().findByText("FIN87astrdge12k8.png");
  await press("Hochladen");
  await expectNoDialog();
  // The last one of the request's files.
  expect((files()[0] as File).name).toBe("FIN87astrdge12k8.png");
});

test("A document's name loses the secret end before it is sent or kept for another try", async () => {
  answers.UploadUserDocument = ["lost", ok(document())];
  await openUpload();
  await pick("Datei auswählen", new File(["x"], "FIN87astrdge12k8-xyz.jpg", { type: "image/jpeg" }));
  await press("Hochladen");
  await expectAlert("Hochladen fehlgeschlagen.");
  const kept = (await currentOutbox())?.pressed();
  expect(kept).toHaveLength(1);
  expect(JSON.stringify([kept, { ...localStorage }])).not.toContain("xyz");
  await press("Hochladen");
  await expectNoDialog();
  const sentNames = callsOf("UploadUserDocument").map((fields) => (fields.get("file") as File).name);
  expect(sentNames).toEqual(["FIN87astrdge12k8.jpg", "FIN87astrdge12k8.jpg"]);
});

function document(): Document {
  const times = { uploadTime: "01.05.2026 10:00", size: "20 B" };
  return { dpfId: "d1", name: "A2.pdf", description: "Zeugnis", ...times };
}

async function openEdit(...proofs: Proof[]) {
  standing("GetUserDocuments", ok([document()]));
  standing("GetProofs", ok(proofs));
  const opened = await open("myDocuments", proofs.length > 0 ? { ...pilot, hasProofs: true } : pilot);
  await press("Mehr zu A2.pdf");
  await choose("Beschreibung anpassen");
  await field("Beschreibung");
  return opened;
}

test("A document becomes a proof by its edit, with pictures of the stored PDF", async () => {
  answers.EditUserDocument = [ok(document())];
  answers.SaveProof = [ok(proof())];
  answers.SaveProofPages = [ok(proof())];
  answers.DownloadDocument = [ok("%PDF")];
  await openEdit();
  await user.press(/^Nachweis(?!e)/);
  await user.choose("Art", "EU-Fernpilotenzeugnis A2");
  await dialog().findByText("seite-1.jpg");
  await press("Speichern");
  await expectNoDialog();
  expect(sent("SaveProof")[0]).toMatchObject({ proof: { dpfId: "d1", kind: 1, until: "28.11.2031" } });
  expect(sent("SaveProofPages")[0]).toMatchObject({ dpfId: "d1" });
});

test("The list shows a proof's end; what isn't changed isn't sent, and a proof can be none again", async () => {
  answers.EditUserDocument = [ok(document()), ok(document())];
  answers.DeleteProof = [ok()];
  await openEdit(proof({ pages: ["p1"], light: "amber" }));
  await waitFor(() => expect(window.document.body.textContent).toContain("A2 · gültig bis 14.03.2031"));
  await press("Speichern");
  await expectNoDialog();
  expect([...callsOf("SaveProof"), ...callsOf("SaveProofPages")]).toEqual([]);
  await press("Mehr zu A2.pdf");
  await choose("Beschreibung anpassen");
  await user.press(/^Nachweis(?!e)/);
  await dialog().findByText("Seite 1");
  await user.choose("Art", "Kein Nachweis");
  await press("Speichern");
  await expectNoDialog();
  expect(sent("DeleteProof")[0]).toMatchObject({ dpfId: "d1" });
});

test("A proof without an end isn't saved before the pilot says so", async () => {
  answers.EditUserDocument = [ok(document())];
  await openEdit(proof({ pages: ["p1"], until: "", light: "grey" }));
  await press("Speichern");
  await dialog().findByText(/oder wählen Sie „Ohne Ablauf“/);
  expect(callsOf("EditUserDocument")).toEqual([]);
});

test("A renewal begins with the old values and a new end, and replaces the old proof", async () => {
  standing("GetProofs", ok([proof({ until: "01.12.2026", light: "amber" })]));
  answers.AddProof = [ok(proof({ dpfId: "d2", replaces: "d1" }))];
  const opened = await open("myDocuments?verlaengert=d1", { ...pilot, hasProofs: true });
  await screen.findByRole("dialog", { name: "Nachweis verlängern" });
  await dialog().findByText("Ersetzt A2.pdf. Der alte Nachweis bleibt erhalten.");
  setCached("GetReminders", {}, []);
  await pick("Datei auswählen", photo);
  await press("Hochladen");
  await toast("Erfolgreich hochgeladen.");
  expect(sent("AddProof")[0]).toMatchObject({
    description: "Zeugnis",
    proof: { kind: 1, number: "DE-RP-1", until: "28.11.2031", replaces: "d1" },
  });
  await opened.expectPath("myDocuments");
  expect(cache.getQueryState(keyOf("GetReminders", {}))?.isInvalidated).toBe(true);
});

test("A renewal asks for the end if the proposed one isn't later than the old one's", async () => {
  standing("GetProofs", ok([proof({ until: "28.11.2031" })]));
  await open("myDocuments?verlaengert=d1", { ...pilot, hasProofs: true });
  await screen.findByRole("dialog", { name: "Nachweis verlängern" });
  await pick("Datei auswählen", photo);
  await press("Hochladen");
  await dialog().findByText(/oder wählen Sie „Ohne Ablauf“/);
  expect(callsOf("AddProof")).toEqual([]);
});

// @vitest-environment node
import { BlobReader, BlobWriter, TextReader, TextWriter, ZipReader, ZipWriter } from "@zip.js/zip.js";
import { expect, test } from "vitest";
import { openLogbook } from "./archive";

async function archiveOf(members: Record<string, string>): Promise<File> {
  const zip = new ZipWriter(new BlobWriter());
  for (const [name, content] of Object.entries(members)) await zip.add(name, new TextReader(content));
  return new File([await zip.close()], "fluglog-anna.zip");
}

async function namesIn(file: File) {
  const entries = await new ZipReader(new BlobReader(file)).getEntries();
  return entries.map(({ filename }) => filename);
}

test("each part has the lists, its own files as they were, and the mark of a part", async () => {
  const flights = [{ startTime: "01.03.2026 09:05", trackFile: "tracks/a.gpx" }];
  const file = await archiveOf({
    "alt/json/flights.json": JSON.stringify(flights),
    "alt/json/equipment.json": "[]",
    "alt/tabellen/flights.csv": "x",
    "alt/tracks/a.gpx": "<gpx/>",
    ...Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`alt/bilder/${at}.jpg`, `picture ${at}`])),
  });
  const logbook = await openLogbook(file);
  expect([logbook?.flights, logbook?.parts]).toEqual([1, 2]);
  const lists = ["json/flights.json", "json/equipment.json"];
  const [first, second] = await Promise.all([logbook?.part(0), logbook?.part(1)]);
  if (!first || !second) throw new Error("no parts");
  expect(await namesIn(first)).toEqual([
    ...lists,
    "tracks/a.gpx",
    ...Array.from({ length: 50 }, (_, at) => `bilder/${at}.jpg`),
    "json/part.json",
  ]);
  expect(await namesIn(second)).toEqual([...lists, "bilder/50.jpg", "json/part.json"]);
  const [, , track] = await new ZipReader(new BlobReader(first)).getEntries();
  if (!track || track.directory) throw new Error("no track");
  expect(await track.getData(new TextWriter(), { checkSignature: true })).toBe("<gpx/>");
});

test("other archives, and what is none, are no logbook", async () => {
  expect(await openLogbook(await archiveOf({ "a.csv": "x" }))).toBeNull();
  expect(await openLogbook(new File(["no archive"], "a.zip"))).toBeNull();
});

test("the pages of a proof are in the part of its document", async () => {
  const pages = ["nachweise/A2, Seite 1.jpg", "nachweise/A2, Seite 2.jpg"];
  const file = await archiveOf({
    "json/flights.json": "[]",
    "json/documents.json": JSON.stringify([{ dpfId: "d1", file: "dokumente/A2.pdf" }]),
    "json/proofs.json": JSON.stringify([{ dpfId: "d1", pageFiles: pages }]),
    ...Object.fromEntries(Array.from({ length: 49 }, (_, at) => [`bilder/${at}.jpg`, "picture"])),
    "dokumente/A2.pdf": "proof",
    ...Object.fromEntries(pages.map((page) => [page, "page"])),
  });
  const logbook = await openLogbook(file);
  const second = await logbook?.part(1);
  if (!second) throw new Error("no second part");
  expect(logbook?.parts).toBe(2);
  expect((await namesIn(second)).slice(3)).toEqual(["dokumente/A2.pdf", ...pages, "json/part.json"]);
});

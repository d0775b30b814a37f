import { expect, test } from "vitest";
import { fileKind, formatMegabytes } from "./fileKinds";

test.each([
  ["Handbuch.pdf", "pdf"],
  ["Rechnung.DOCX", "doc"],
  ["brief.doc", "doc"],
  ["akkus.xls", "xls"],
  ["akkus.xlsx", "xls"],
  ["blackbox.xml", "text"],
  ["notiz.txt", "text"],
  ["einstellungen.json", "text"],
  ["bild.jpg", "image"],
  ["bild.png", "image"],
  ["piepser.mp3", "audio"],
  ["flug.2026.mp4", "video"],
  ["firmware.hex", "other"],
  ["ohne", "other"],
  [".pdf", "pdf"],
  ["pdf", "other"],
  ["archiv.pdf.zip", "other"],
])("%s is of kind %s", (name, kind) => {
  expect(fileKind(name)).toBe(kind);
});

test.each([
  [0, "0\u00a0MB"],
  [1, "0,1\u00a0MB"],
  [1_468_006, "1,4\u00a0MB"],
  [52_428_800, "50\u00a0MB"],
])("%i bytes are %s", (bytes, text) => {
  expect(formatMegabytes(bytes)).toBe(text);
});

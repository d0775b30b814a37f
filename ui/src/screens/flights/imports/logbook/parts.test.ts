import { expect, test } from "vitest";
import { partsOf } from "./parts";

const megabyte = 1024 * 1024;

function flightsWithFiles(count: number) {
  const days = Array.from({ length: count }, (_, day) => String(day).padStart(4, "0"));
  return days.map((day) => ({
    startTime: `01.01.${day} 10:00`,
    trackFile: `tracks/${day}.gpx`,
    profileFile: `verlauf/${day}.json`,
  }));
}

test("a flight's track and profile are in one part, the oldest flight in the first", () => {
  const flights = flightsWithFiles(400).toReversed();
  const bytes = new Map(
    flights.flatMap((one) => [one.trackFile, one.profileFile]).map((path) => [path, 1000]),
  );
  const parts = partsOf(bytes, flights);
  expect(parts.map((paths) => paths.length)).toEqual([300, 300, 200]);
  expect(parts[0]?.slice(0, 2)).toEqual(["tracks/0000.gpx", "verlauf/0000.json"]);
  for (const paths of parts) {
    const [tracks, profiles] = [/tracks.(.*).gpx/, /verlauf.(.*).json/].map((form) =>
      paths.flatMap((path) => form.exec(path)?.[1] ?? []),
    );
    expect(tracks).toEqual(profiles);
  }
});

test("every file is in exactly one part, after the flights, and no part is larger than an upload may be", () => {
  const flights = flightsWithFiles(3);
  const bytes = new Map([
    ["dokumente/a.pdf", 40 * megabyte],
    ...Array.from({ length: 120 }, (_, n) => [`bilder/${n}.jpg`, 300_000] as const),
    ["dokumente/b.pdf", 50 * megabyte],
    ["tracks/0000.gpx", 5000],
    ["profilfoto.jpg", 5000],
    ["tabellen/flights.csv", 5000],
  ]);
  const parts = partsOf(bytes, flights);
  expect(parts.map((paths) => [paths[0], paths.length])).toEqual([
    ["tracks/0000.gpx", 51],
    ["bilder/50.jpg", 50],
    ["bilder/100.jpg", 21],
    ["dokumente/b.pdf", 1],
  ]);
  expect(parts.flat()).toHaveLength(new Set(parts.flat()).size);
});

test("an export without files is one part: its lists", () => {
  expect(partsOf(new Map([["json/flights.json", 10]]), flightsWithFiles(2))).toEqual([[]]);
});

test("the pages of a proof come with its document, however small the parts are", () => {
  const proofs = ["a", "b", "c"].map((name) => ({
    file: `dokumente/${name}.pdf`,
    pageFiles: [`nachweise/${name}, Seite 1.jpg`, `nachweise/${name}, Seite 2.jpg`],
  }));
  const bytes = new Map([
    ...proofs.flatMap(({ file, pageFiles }) => [file, ...pageFiles]).map((path) => [path, 10] as const),
    ["dokumente/d.pdf", 10],
  ]);
  for (const limit of [1, 15, 25, 30, 45, 60, 1000]) {
    const parts = partsOf(bytes, [], proofs, { bytes: limit, flights: 1, pictures: 4 });
    expect(parts.flat().toSorted()).toEqual([...bytes.keys()].toSorted());
    for (const { file, pageFiles } of proofs) {
      expect(parts.find((paths) => paths.includes(file))).toEqual(expect.arrayContaining(pageFiles));
    }
  }
  const withoutFiles = partsOf(new Map([["dokumente/d.pdf", 10]]), [], proofs);
  expect(withoutFiles).toEqual([["dokumente/d.pdf"]]);
});

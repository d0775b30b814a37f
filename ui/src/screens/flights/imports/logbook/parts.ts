// Divides the files of a large export into parts, each as large as the server accepts in one import. Pure functions.
import { sortableTime } from "../../../../lib/dates";

/** A flight of the export, with the paths of its files; empty if it has none. */
export type ExportedFlight = { startTime: string; trackFile?: string; profileFile?: string };

/** A proof of the export: the file of its document, and the pictures of its pages. */
export type ExportedProof = { file: string; pageFiles: readonly string[] };

const partLimits = { bytes: 48 * 1024 * 1024, flights: 150, pictures: 50 };

/** Folders of files other than a single flight's track and profile. */
const pictures = "bilder/";
const documents = "dokumente/";

type Unit = { paths: string[]; kind: "flight" | "picture" | "document" };

/**
 * Returns the paths of each part, given the size of each file in the archive. Flights come first, oldest first, because
 * pictures and logs refer to them. The pages of a proof come with its document, also in a part that is larger by them.
 */
export function partsOf(
  bytes: ReadonlyMap<string, number>,
  flights: readonly ExportedFlight[],
  proofs: readonly ExportedProof[] = [],
  limits = partLimits,
): string[][] {
  const pagesOf = new Map(
    proofs.map(({ file, pageFiles }) => [file, pageFiles.filter((path) => bytes.has(path))]),
  );
  const pages = new Set([...pagesOf].flatMap(([file, paths]) => (bytes.has(file) ? paths : [])));
  const ofFlights = flights
    .toSorted((one, other) => sortableTime(one.startTime) - sortableTime(other.startTime))
    .map(({ trackFile = "", profileFile = "" }): Unit => {
      return { paths: [trackFile, profileFile].filter((path) => bytes.has(path)), kind: "flight" };
    })
    .filter(({ paths }) => paths.length > 0);
  const all = [...bytes.keys()];
  const units = [
    ...ofFlights,
    ...all
      .filter((path) => path.startsWith(pictures))
      .map((path): Unit => ({ paths: [path], kind: "picture" })),
    ...all
      .filter((path) => path.startsWith(documents) && !pages.has(path))
      .map((path): Unit => ({ paths: [path, ...(pagesOf.get(path) ?? [])], kind: "document" })),
  ];
  const parts: string[][] = [];
  let room = { bytes: 0, flights: 0, pictures: 0 };
  for (const { paths, kind } of units) {
    const needed = {
      bytes: paths.reduce((sum, path) => sum + (bytes.get(path) ?? 0), 0),
      flights: kind === "flight" ? 1 : 0,
      // Each picture is made anew, also those of pages.
      pictures: kind === "picture" ? 1 : kind === "document" ? paths.length - 1 : 0,
    };
    const last = parts.at(-1);
    const fits =
      needed.bytes <= room.bytes && needed.flights <= room.flights && needed.pictures <= room.pictures;
    if (fits && last) last.push(...paths);
    else {
      parts.push([...paths]);
      room = { ...limits };
    }
    room = {
      bytes: room.bytes - needed.bytes,
      flights: room.flights - needed.flights,
      pictures: room.pictures - needed.pictures,
    };
  }
  // An export without files still has its lists.
  return parts.length > 0 ? parts : [[]];
}

// A large export of a Fluglog on this device, read where it lies: only a part of it is ever in memory.
import {
  BlobReader,
  BlobWriter,
  configure,
  type FileEntry,
  TextReader,
  TextWriter,
  ZipReader,
  ZipWriter,
} from "@zip.js/zip.js";
import { type ExportedFlight, partsOf } from "./parts";

// The page's rules forbid workers from elsewhere than its own files.
configure({ useWebWorkers: false });

const flightList = "json/flights.json";
/** Marks an archive as a part: files that it lacks come with another one. */
const mark = "json/part.json";
/** Of the lists, packed: each part has them. */
const mostListBytes = 40 * 1024 * 1024;

export type Logbook = {
  file: File;
  /** Flights in it. */
  flights: number;
  parts: number;
  /** A part as an archive of its own. */
  part: (place: number) => Promise<File>;
};

/** The export that a file is; null when it is none, or its lists are too long. */
export async function openLogbook(file: File): Promise<Logbook | null> {
  const entries = await entriesOf(file);
  const list = entries.find(({ filename }) => filename.endsWith(flightList));
  if (!list) return null;
  // Somebody may have packed it anew.
  const folder = list.filename.slice(0, -flightList.length);
  const byPath = new Map(
    entries
      .filter(({ filename }) => filename.startsWith(folder))
      .map((entry) => [entry.filename.slice(folder.length), entry]),
  );
  const lists = [...byPath.keys()].filter((path) => path.startsWith("json/") && path !== mark);
  const bytes = new Map([...byPath].map(([path, entry]) => [path, entry.compressedSize]));
  const listBytes = lists.reduce((sum, path) => sum + (bytes.get(path) ?? 0), 0);
  if (listBytes > mostListBytes) return null;
  const flights = JSON.parse(await list.getData(new TextWriter())) as ExportedFlight[];
  const parts = partsOf(bytes, flights);
  return {
    file,
    flights: flights.length,
    parts: parts.length,
    part: async (place) => {
      const zip = new ZipWriter(new BlobWriter("application/zip"));
      for (const path of [...lists, ...(parts[place] ?? [])]) {
        const entry = byPath.get(path);
        if (!entry) continue;
        const packed = await entry.getData(new BlobWriter(), { passThrough: true });
        await zip.add(path, new BlobReader(packed), { entry, passThrough: true });
      }
      await zip.add(mark, new TextReader("{}"));
      return new File([await zip.close()], file.name);
    },
  };
}

/** Its files; none when it is no archive, or is damaged. */
async function entriesOf(file: File): Promise<FileEntry[]> {
  try {
    const entries = await new ZipReader(new BlobReader(file)).getEntries();
    return entries.filter((entry) => !entry.directory);
  } catch {
    return [];
  }
}

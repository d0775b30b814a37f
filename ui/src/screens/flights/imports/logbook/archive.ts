// A large export of a Fluglog on this device, read where it lies. A part is an archive of pieces of that file: a copy
// of 50 MB for each would stay in the browser's memory, which held 2 GB of them.
import { BlobReader, configure, type FileEntry, TextWriter, ZipReader } from "@zip.js/zip.js";
import { type ExportedFlight, partsOf } from "./parts";

// The page's rules forbid workers from elsewhere than its own files.
configure({ useWebWorkers: false });

const flightList = "json/flights.json";
/** Marks an archive as a part: files that it lacks come with another one. It is empty. */
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
      const archive = new Archive();
      for (const path of [...lists, ...(parts[place] ?? [])]) {
        const entry = byPath.get(path);
        if (entry) archive.add(path, entry, await contentOf(file, entry));
      }
      archive.add(
        mark,
        { compressionMethod: 0, crc32: 0, compressedSize: 0, uncompressedSize: 0 },
        new Blob(),
      );
      return archive.finished(file.name);
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

/** The packed content of a member, where it lies. */
async function contentOf(file: File, { offset, compressedSize }: FileEntry): Promise<Blob> {
  const head = new DataView(await file.slice(offset, offset + localBytes).arrayBuffer());
  const start = offset + localBytes + head.getUint16(26, true) + head.getUint16(28, true);
  return file.slice(start, start + compressedSize);
}

type Packed = Pick<FileEntry, "compressionMethod" | "crc32" | "compressedSize" | "uncompressedSize">;

// The records of an archive without extensions (APPNOTE.TXT 4.3.7, 4.3.12 and 4.3.16).
const local = 0x04034b50;
const localBytes = 30;
const central = 0x02014b50;
const end = 0x06054b50;
/** 2.0: folders and deflate. */
const version = 20;
/** Names are UTF-8. */
const flags = 0x0800;

class Archive {
  readonly #members: BlobPart[] = [];
  readonly #contents: Uint8Array<ArrayBuffer>[] = [];
  #bytes = 0;

  add(path: string, packed: Packed, content: Blob): void {
    const head = headOf(local, path, packed);
    this.#contents.push(headOf(central, path, packed, this.#bytes));
    this.#members.push(head, content);
    this.#bytes += head.length + content.size;
  }

  finished(name: string): File {
    const count = this.#contents.length;
    const bytes = this.#contents.reduce((sum, { length }) => sum + length, 0);
    const closing = littleEndian(
      [4, end],
      [4, 0],
      [2, count],
      [2, count],
      [4, bytes],
      [4, this.#bytes],
      [2, 0],
    );
    return new File([...this.#members, ...this.#contents, closing], name);
  }
}

/** The head of a member, or its entry in the table of contents. */
function headOf(
  signature: typeof local | typeof central,
  path: string,
  { compressionMethod, crc32, compressedSize, uncompressedSize }: Packed,
  offset = 0,
): Uint8Array<ArrayBuffer> {
  const name = new TextEncoder().encode(path);
  const isEntry = signature === central;
  const fixed = littleEndian(
    [4, signature],
    ...(isEntry ? ([[2, version]] as const) : []),
    [2, version],
    [2, flags],
    [2, compressionMethod],
    // No time.
    [4, 0],
    [4, crc32 ?? 0],
    [4, compressedSize],
    [4, uncompressedSize],
    [2, name.length],
    // Neither extensions nor, in an entry, a comment, another disk or attributes.
    [2, 0],
    ...(isEntry
      ? ([
          [2, 0],
          [4, 0],
          [4, 0],
          [4, offset],
        ] as const)
      : []),
  );
  return new Uint8Array([...fixed, ...name]);
}

/** Numbers, each in so many bytes. */
function littleEndian(...fields: (readonly [bytes: 2 | 4, value: number])[]): Uint8Array<ArrayBuffer> {
  const all = fields.flatMap(([bytes, value]) =>
    Array.from({ length: bytes }, (_, at) => (value >>> (8 * at)) & 0xff),
  );
  return new Uint8Array(all);
}

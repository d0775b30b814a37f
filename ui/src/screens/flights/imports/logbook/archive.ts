// A large export of a Fluglog, read in place. A part is an archive of slices of the file: a copy of each part would
// stay in the browser's memory, which was measured to hold 2 GB of them.
import { BlobReader, configure, type FileEntry, TextWriter, ZipReader } from "@zip.js/zip.js";
import { type ExportedFlight, type ExportedProof, partsOf } from "./parts";

// The page's Content-Security-Policy forbids the library's workers.
configure({ useWebWorkers: false });

const flightList = "json/flights.json";
const documentList = "json/documents.json";
const proofList = "json/proofs.json";
/** Marks an archive as a part: files that it lacks come with another one. The marker is empty. */
const partMarker = "json/part.json";
/** Limit of the compressed lists, which every part contains. */
const maxListBytes = 40 * 1024 * 1024;

export type Logbook = {
  file: File;
  /** Number of flights. */
  flights: number;
  parts: number;
  /** Returns a part as an archive of its own. */
  part: (place: number) => Promise<File>;
};

/** Opens an export; null if the file is none, or its lists are too long. */
export async function openLogbook(file: File): Promise<Logbook | null> {
  const entries = await entriesOf(file);
  const list = entries.find(({ filename }) => filename.endsWith(flightList));
  if (!list) return null;
  // The archive may have been repacked in another folder.
  const folder = list.filename.slice(0, -flightList.length);
  const byPath = new Map(
    entries
      .filter(({ filename }) => filename.startsWith(folder))
      .map((entry) => [entry.filename.slice(folder.length), entry]),
  );
  const lists = [...byPath.keys()].filter((path) => path.startsWith("json/") && path !== partMarker);
  const bytes = new Map([...byPath].map(([path, entry]) => [path, entry.compressedSize]));
  const listBytes = lists.reduce((sum, path) => sum + (bytes.get(path) ?? 0), 0);
  if (listBytes > maxListBytes) return null;
  const flights = (await listIn(list)) as ExportedFlight[];
  const parts = partsOf(bytes, flights, await proofsIn(byPath));
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
        partMarker,
        { compressionMethod: 0, crc32: 0, compressedSize: 0, uncompressedSize: 0 },
        new Blob(),
      );
      return archive.finished(file.name);
    },
  };
}

/** Returns the elements of a list of the export; none if it has no such list. */
async function listIn(entry: FileEntry | undefined): Promise<unknown[]> {
  return entry ? (JSON.parse(await entry.getData(new TextWriter())) as unknown[]) : [];
}

/** Returns the files of the proofs: their list has the pages, the list of documents the files they are of. */
async function proofsIn(byPath: ReadonlyMap<string, FileEntry>): Promise<ExportedProof[]> {
  const documents = (await listIn(byPath.get(documentList))) as { dpfId: string; file: string }[];
  const files = new Map(documents.map(({ dpfId, file }) => [dpfId, file]));
  const proofs = (await listIn(byPath.get(proofList))) as { dpfId: string; pageFiles: string[] }[];
  return proofs.map(({ dpfId, pageFiles }) => ({ file: files.get(dpfId) ?? "", pageFiles }));
}

/** Returns the archive's entries; none if the file is no archive or is damaged. */
async function entriesOf(file: File): Promise<FileEntry[]> {
  try {
    const entries = await new ZipReader(new BlobReader(file)).getEntries();
    return entries.filter((entry) => !entry.directory);
  } catch {
    return [];
  }
}

/** Returns the compressed content of an entry, as a slice of the file. */
async function contentOf(file: File, { offset, compressedSize }: FileEntry): Promise<Blob> {
  const head = new DataView(await file.slice(offset, offset + localBytes).arrayBuffer());
  const start = offset + localBytes + head.getUint16(26, true) + head.getUint16(28, true);
  return file.slice(start, start + compressedSize);
}

type Packed = Pick<FileEntry, "compressionMethod" | "crc32" | "compressedSize" | "uncompressedSize">;

// Records of a ZIP archive without extensions (APPNOTE.TXT 4.3.7, 4.3.12 and 4.3.16).
const local = 0x04034b50;
const localBytes = 30;
const central = 0x02014b50;
const end = 0x06054b50;
/** Version 2.0: folders and deflate. */
const version = 20;
/** File names are UTF-8. */
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

/** Returns the local header of an entry, or its central directory record. */
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
    // Modification time: none.
    [4, 0],
    [4, crc32 ?? 0],
    [4, compressedSize],
    [4, uncompressedSize],
    [2, name.length],
    // No extra field; in the central directory also no comment, disk number or attributes.
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

/** Encodes numbers with the given number of bytes each. */
function littleEndian(...fields: (readonly [bytes: 2 | 4, value: number])[]): Uint8Array<ArrayBuffer> {
  const all = fields.flatMap(([bytes, value]) =>
    Array.from({ length: bytes }, (_, at) => (value >>> (8 * at)) & 0xff),
  );
  return new Uint8Array(all);
}

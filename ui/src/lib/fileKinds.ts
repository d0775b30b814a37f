// Kinds of files by the extension of their names, and file sizes as text. Independent of icons.

export type FileKind = "pdf" | "doc" | "xls" | "text" | "image" | "audio" | "video" | "other";

const extensions: Record<Exclude<FileKind, "other">, readonly string[]> = {
  pdf: ["pdf"],
  doc: ["doc", "docx", "odt", "rtf"],
  xls: ["xls", "xlsx", "ods"],
  text: ["txt", "csv", "xml", "json", "md", "log", "kml", "gpx"],
  image: ["jpg", "jpeg", "png", "webp", "gif", "bmp", "svg", "heic", "heif", "avif", "tif", "tiff"],
  audio: ["mp3", "wav", "ogg", "oga", "opus", "m4a", "flac", "aac"],
  video: ["mp4", "mov", "mkv", "avi", "webm", "m4v", "mpg", "mpeg", "wmv"],
};

const kindByExtension = new Map(
  Object.entries(extensions).flatMap(([kind, names]) => names.map((name) => [name, kind as FileKind])),
);

function extensionOf(name: string): string {
  return /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? "";
}

export function fileKind(name: string): FileKind {
  return kindByExtension.get(extensionOf(name)) ?? "other";
}

/** Extensions that the server shows in the browser: formats that can't run code. */
const viewable = new Set("pdf jpg jpeg png webp gif txt md log csv json xml kml gpx".split(" "));

export function isViewable(name: string): boolean {
  return viewable.has(extensionOf(name));
}

const megabyte = 1024 * 1024;

/** Limit of one document, and of all pictures of one upload together. */
export const largestUploadBytes = 50 * megabyte;

const display = new Intl.NumberFormat("de-DE", { maximumFractionDigits: 1 });

/** Megabytes as "1,4 MB"; at least "0,1 MB" unless it is 0. */
export function formatMegabytes(bytes: number): string {
  const size = bytes > 0 ? Math.max(bytes / megabyte, 0.1) : 0;
  return `${display.format(size)}\u00a0MB`;
}

// Limits of an import, checked before anything is sent. Pure functions.
import { imports } from "./texts";

const maxFiles = 20;
const maxFileBytes = 104_857_600;
const maxBytes = 209_715_200;

/** Returns why these files can't be sent; null if they can. */
export function problemOf(files: readonly Pick<File, "name" | "size">[]): string | null {
  if (files.length > maxFiles) return imports.tooMany;
  const large = files.find(({ size }) => size > maxFileBytes);
  if (large) return files.length === 1 ? imports.tooLarge : imports.ofFile(large.name, imports.tooLarge);
  const all = files.reduce((sum, { size }) => sum + size, 0);
  return all > maxBytes ? imports.allTooLarge : null;
}

/** Whether the files are too large for one import and may be the export of a Fluglog, which is sent in parts. */
export function mayBeLogbook(files: readonly Pick<File, "name" | "size">[]): boolean {
  const [file, ...others] = files;
  return others.length === 0 && file !== undefined && isArchive(file) && file.size > maxFileBytes;
}

export function isArchive({ name }: Pick<File, "name">): boolean {
  return name.toLowerCase().endsWith(".zip");
}

// Limits of an import, checked before anything is sent. Pure functions.
import { imports } from "../../../texts";

const mostFiles = 20;
const largestFileBytes = 104_857_600;
const mostBytes = 209_715_200;

/** Returns why these files can't be sent; null if they can. */
export function problemOf(files: readonly Pick<File, "name" | "size">[]): string | null {
  if (files.length > mostFiles) return imports.tooMany;
  const large = files.find(({ size }) => size > largestFileBytes);
  if (large) return files.length === 1 ? imports.tooLarge : imports.ofFile(large.name, imports.tooLarge);
  const all = files.reduce((sum, { size }) => sum + size, 0);
  return all > mostBytes ? imports.allTooLarge : null;
}

/** Whether the files are too large for one import and may be the export of a Fluglog, which is sent in parts. */
export function mayBeLogbook(files: readonly Pick<File, "name" | "size">[]): boolean {
  const [file, ...others] = files;
  return others.length === 0 && file !== undefined && isArchive(file) && file.size > largestFileBytes;
}

export function isArchive({ name }: Pick<File, "name">): boolean {
  return name.toLowerCase().endsWith(".zip");
}

// Files for the screen that uploads them: dropped on another screen, shared by another app, or sent before and to be
// sent again.

let droppedFiles: File[] = [];
let sent: { as: string; files: File[] } = { as: "", files: [] };

export function setDroppedFiles(files: File[]): void {
  droppedFiles = files;
}

/** Returns the dropped files, and forgets them. */
export function takeDroppedFiles(): File[] {
  const taken = droppedFiles;
  droppedFiles = [];
  return taken;
}

/** The cache in which the service worker stores files shared by another app. */
const sharedName = "fluglog-shared";

/** Returns the files that another app shared, and deletes them. */
export async function takeSharedFiles(): Promise<File[]> {
  if (!(await globalThis.caches?.has(sharedName))) return [];
  const cache = await caches.open(sharedName);
  const answers = await Promise.all((await cache.keys()).map((key) => cache.match(key)));
  await caches.delete(sharedName);
  return Promise.all(answers.flatMap((answer) => (answer ? [fileOf(answer)] : [])));
}

async function fileOf(answer: Response): Promise<File> {
  const content = await answer.blob();
  return new File([content], decodeURIComponent(answer.headers.get("X-Name") ?? ""), { type: content.type });
}

/** Drops files shared into the app; called on logout. */
export function deleteSharedFiles(): void {
  globalThis.caches?.delete(sharedName).catch(() => {});
}

/** Remembers the last sent files by the id that the server gave them. */
export function rememberSent(as: string, files: File[]): void {
  sent = { as, files };
}

/** The files with this id, if they are the last ones sent and the page wasn't reloaded since. */
export function sentFiles(as: string): File[] {
  return sent.as === as ? sent.files : [];
}

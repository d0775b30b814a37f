// Files on their way to the screen that sends them: dropped on another one, shared by another app, or sent before and
// to be sent again.

let droppedFiles: File[] = [];
let sent: { as: string; files: File[] } = { as: "", files: [] };

export function setDroppedFiles(files: File[]): void {
  droppedFiles = files;
}

/** Those that were handed over last, once. */
export function takeDroppedFiles(): File[] {
  const taken = droppedFiles;
  droppedFiles = [];
  return taken;
}

/** Where the worker puts files that another app shares. */
const sharedName = "fluglog-shared";

/** Those that another app shared last, once. */
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

/** Nobody is there any more for them. */
export function deleteSharedFiles(): void {
  globalThis.caches?.delete(sharedName).catch(() => {});
}

/** `as` is the id that the server gave them. */
export function rememberSent(as: string, files: File[]): void {
  sent = { as, files };
}

/** The files behind an id, if they are those that were sent last, and the page wasn't loaded anew since. */
export function sentFiles(as: string): File[] {
  return sent.as === as ? sent.files : [];
}

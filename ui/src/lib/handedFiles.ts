// Files on their way to the screen that sends them: dropped on another one, or sent before and to be sent again.

let handed: File[] = [];
let sent: { as: string; files: File[] } = { as: "", files: [] };

export function handFiles(files: File[]): void {
  handed = files;
}

/** Those that were handed over last, once. */
export function takeHandedFiles(): File[] {
  const taken = handed;
  handed = [];
  return taken;
}

/** `as` is the id that the server gave them. */
export function rememberSent(as: string, files: File[]): void {
  sent = { as, files };
}

/** The files behind an id, if they are those that were sent last, and the page wasn't loaded anew since. */
export function sentFiles(as: string): File[] {
  return sent.as === as ? sent.files : [];
}

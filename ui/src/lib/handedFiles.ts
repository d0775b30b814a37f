// Files that were dropped on another screen, on their way to the one that reads them.

let handed: File[] = [];

export function handFiles(files: File[]): void {
  handed = files;
}

/** Those that were handed over last, once. */
export function takeHandedFiles(): File[] {
  const taken = handed;
  handed = [];
  return taken;
}

// Finds the code of a sticker in the text that a camera reads. Pure functions.

/** Matches any host: the server may have had another name when the sticker was printed. */
const pattern = /\/app\/s\/([0-9a-z]{8})\/?$/i;

/** Returns the code; null for any other text. */
export function stickerCodeIn(text: string): string | null {
  return pattern.exec(text.trim())?.[1] ?? null;
}

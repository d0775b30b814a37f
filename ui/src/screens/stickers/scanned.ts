// The code of a sticker in the text that a camera reads. Rules only.

/** Of any address of this program: it may have had another name when the sticker was printed. */
const pattern = /\/app\/s\/([0-9a-z]{8})\/?$/i;

/** Null for any other text. */
export function codeIn(text: string): string | null {
  return pattern.exec(text.trim())?.[1] ?? null;
}

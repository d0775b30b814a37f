// How a list is searched by a few typed words. Knows nothing of what is in the list.

/** Whether each word stands somewhere in the texts, whatever its case. */
export function matchesWords(search: string, texts: string[]): boolean {
  const words = folded(search)
    .split(/\s+/)
    .filter((word) => word !== "");
  if (words.length === 0) return true;
  const text = texts.map(folded).join("\n");
  return words.every((word) => text.includes(word));
}

function folded(text: string): string {
  return text.toLowerCase();
}

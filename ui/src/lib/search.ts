// Word search in lists.

/** Whether each word occurs in one of the texts, regardless of case, and of how its accents are written. */
export function matchesWords(search: string, texts: string[]): boolean {
  const words = folded(search)
    .split(/\s+/)
    .filter((word) => word !== "");
  if (words.length === 0) return true;
  const text = texts.map(folded).join("\n");
  return words.every((word) => text.includes(word));
}

function folded(text: string): string {
  return text.normalize().toLowerCase();
}

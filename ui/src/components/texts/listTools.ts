import { formatCount } from "../../texts";

/** Searching and sorting a long list. */
export const listTools = {
  search: "Suche",
  sort: "Sortierung",
  reset: "Filter zurücksetzen",
  none: "Nichts gefunden.",
  found: (found: number, all: number) => `${formatCount(found)} von ${formatCount(all)} gefunden`,
};

// German texts about spaces that lists, forms and items' pages have in common.
import { isClub } from "../../api/spaces";
import { unbroken } from "../../texts";

/** Ends a sentence with a name, which may end with a full stop itself: "FPV-Verein Elbe e. V." */
export function ended(name: string): string {
  return `${name}.`.replace(/\.\.$/, ".");
}

const roleNames: Record<number, string> = { 1: "Leser", 2: "Mitglied", 3: "Gerätewart", 4: "Verwaltung" };

export const spaces = {
  title: "Gemeinsam nutzen",
  kindOf: (kind: number) => (isClub({ kind }) ? "Verein" : "Haushalt"),
  roleOf: (role: number) => roleNames[role] ?? "",
  belongsTo: (name: string) => `Gehört ${name}`,
  filter: "Gerät anzeigen",
  own: "Meine",
  all: "Alle",
  noneIn: (kinds: string, name: string) => `Keine ${kinds} in ${ended(name)}`,
  noneOwn: (kinds: string) => `Keine eigenen ${kinds}.`,
  showAll: "Alle anzeigen",
  owner: "Gehört",
  ownerSelf: "mir",
  move: "Verschieben",
  share: "Gemeinsam nutzen",
  /** An item in the open flight of somebody. */
  inUse: (item: string, by: string, since: string) =>
    `${item} ist gerade in einem offenen Flug (${by}, seit ${unbroken(String(since))}).`,
  inOwnFlight: (item: string, since: string) =>
    `${item} ist gerade in Ihrem offenen Flug (seit ${unbroken(String(since))}).`,
  inUseShort: "im Flug",
  /** Beside the item's name. */
  inUseBeside: (by: string, since: string) => `im Flug (${by}, seit ${unbroken(String(since))})`,
  inUseBy: (by: string, since: string) => `${by}, ${since}`,
  free: "Freigeben",
  freeQuestion: (name: string) => `${name} freigeben?`,
  freeHint: "Das Gerät ist dann wieder frei. Der Flug selbst bleibt bei seinem Piloten offen.",
  freed: (name: string) => `${name} ist wieder frei.`,
};

// German texts about spaces that lists, forms and items' pages have in common.
import type { Role, Space } from "../../api/spaces";

export const spaces = {
  title: "Gemeinsam nutzen",
  kinds: { household: "Haushalt", club: "Verein" } satisfies Record<Space["kind"], string>,
  roles: {
    read: "Leser",
    use: "Mitglied",
    maintain: "Gerätewart",
    manage: "Verwaltung",
  } satisfies Record<Role, string>,
  belongsTo: (name: string) => `Gehört ${name}`,
  filter: "Gerät anzeigen",
  own: "Meine",
  all: "Alle",
  noneIn: (kinds: string, name: string) => `Keine ${kinds} in ${name}.`,
  noneOwn: (kinds: string) => `Keine eigenen ${kinds}.`,
  showAll: "Alle anzeigen",
  owner: "Gehört",
  ownerSelf: "mir",
  move: "Verschieben",
  share: "Gemeinsam nutzen",
  /** An item in the open flight of somebody. */
  inUse: (who: string) =>
    who === "" ? "Gerade in einem offenen Flug." : `Gerade in einem offenen Flug (${who}).`,
  inUseShort: "im Flug",
  free: "Freigeben",
  freeOf: (name: string) => `${name} freigeben`,
  freeHint: "Das Gerät ist dann wieder frei. Der Flug selbst bleibt bei seinem Piloten offen.",
  freed: (name: string) => `${name} ist wieder frei.`,
};

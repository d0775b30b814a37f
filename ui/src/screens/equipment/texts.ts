// German texts of the items' pages. Separate from texts.ts, because no first page needs them.
import type { Answer } from "../../api/client";
import { ended } from "../../components/spaces/texts";
import { formatNumber } from "../../lib/numbers";

const count = (number: number, one: string, many: string) =>
  number === 0 ? "" : `${formatNumber(number)} ${number === 1 ? one : many}`;

export const copterStage = {
  title: "Flugwege",
  far: (length: string) => `bis ${length} weit`,
  high: (length: string) => `bis ${length} hoch`,
};

/** Moving an item into a space or back. */
export const move = {
  title: (name: string) => `${name} verschieben`,
  where: "Wem soll es gehören?",
  ownAbout: "gehört Ihnen",
  about: (kind: string, role: string) => `${kind}, Ihre Rolle: ${role}`,
  along: "Das geht mit",
  wholeSet: (packs: number) => `der ganze Satz: ${formatNumber(packs)} Akkus`,
  counted: ({ chargings, readings, logs, documents }: Omit<Answer<"GetMovePreview">, "uses" | "items">) =>
    [
      count(chargings, "Ladung", "Ladungen"),
      count(readings, "Messung", "Messungen"),
      count(logs, "Log", "Logs"),
      count(documents, "Dokument", "Dokumente"),
    ]
      .filter((text) => text !== "")
      .join(", ") || "alle Angaben",
  history: "Ladungen, Messungen, Logs und deren Dokumente",
  countedUses: (uses: number) =>
    uses === 0 ? "Betriebsstunden" : `${count(uses, "Benutzung", "Benutzungen")}: Zeit, Dauer, Spannung`,
  uses: "Benutzungen: Zeit, Dauer, Spannung",
  flightsStay: "Ihre Flüge bleiben bei Ihnen",
  flightsOfAll: "Jeder behält seine Flüge für sich",
  hint: "Geht auch zurück, solange Sie Gerätewart oder Verwaltung sind.",
  backHint: "Die anderen sehen es dann nicht mehr.",
  moved: (item: string, space: string) => `${item} gehört jetzt ${ended(space)}`,
  movedBack: (item: string) => `${item} gehört jetzt Ihnen.`,
};

/** The uses of a shared item by all members. */
export const uses = {
  title: "Benutzungen",
  none: "Noch niemand hat es geflogen.",
  failed: "Die Benutzungen konnten nicht geladen werden. Bitte versuchen Sie es erneut.",
  you: "Sie",
  open: "läuft",
  own: "Zu Ihrem Flug",
  ownFlights: "Meine Flüge",
  more: "Weitere anzeigen",
};

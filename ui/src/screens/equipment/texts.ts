// German texts of the items' pages. Separate from texts.ts, because no first page needs them.
import { Kind } from "../../api/generated/Kind";

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
  about: (kind: string, role: string) => `${kind}, Sie sind ${role}`,
  along: "Das geht mit",
  history: {
    [Kind.Battery]: "Ladungen, Messungen, Logs und deren Dokumente",
    [Kind.Copter]: "Logs und deren Dokumente",
    [Kind.Goggles]: "Logs und deren Dokumente",
    [Kind.Transmitter]: "Logs und deren Dokumente",
    [Kind.VideoCamera]: "Logs und deren Dokumente",
  } satisfies Record<Kind, string>,
  uses: {
    [Kind.Battery]: "Benutzungen: Zeit, Dauer, Spannung",
    [Kind.Copter]: "Benutzungen: Zeit und Dauer",
    [Kind.Goggles]: "Benutzungen: Zeit und Dauer",
    [Kind.Transmitter]: "Benutzungen: Zeit und Dauer",
    [Kind.VideoCamera]: "Benutzungen: Zeit und Dauer",
  } satisfies Record<Kind, string>,
  flightsStay: "Ihre Flüge bleiben bei Ihnen",
  flightsOfAll: "Jeder behält seine Flüge für sich",
  hint: "Geht auch zurück, solange Sie Gerätewart oder Verwaltung sind.",
  backHint: "Die anderen sehen es dann nicht mehr.",
  moved: (item: string, space: string) => `${item} gehört jetzt ${space}.`,
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
  freeQuestion: (name: string) => `${name} freigeben?`,
};

// Texts about the list of flights, one flight, and its images.
import { formatCount } from "../../texts";
export const images = {
  title: "Bilder",
  upload: "Bilder hochladen",
  chosen: "Ausgewählte Bilder",
  empty: "Noch keine Bilder.",
  tooMany: "Maximal 5 Bilder erlaubt.",
  tooLarge: "Gesamtgröße der Bilder darf 50MB nicht überschreiten.",
  /** The specified prefix of a failed upload; the server's sentence follows it. */
  failed: "error",
  deleteFailed: "Bild konnte nicht gelöscht werden. Bitte versuchen Sie es erneut.",
  deleteQuestion: "Bild löschen?",
  delete: "Bild löschen",
  previous: "Voriges Bild",
  next: "Nächstes Bild",
  nth: (number: number, count: number) => `Bild ${number} von ${count}`,
  position: (number: number, count: number) => `${number}/${count}`,
  unreadable: "Das Bild konnte nicht geladen werden.",
};

/** Clockwise from north. */
const compass = [
  "nördlich",
  "nordöstlich",
  "östlich",
  "südöstlich",
  "südlich",
  "südwestlich",
  "westlich",
  "nordwestlich",
];

/** Searching the list of flights. */
export const filter = {
  open: "Filtern",
  year: "Jahr",
  allYears: "Alle Jahre",
  copter: "Copter",
  allCopters: "Alle Copter",
  none: "Kein Flug passt zu diesem Filter.",
  loading: "Alle Flüge werden geladen …",
  print: "Drucken",
  printedPart: (count: number) => `Nur die neuesten ${count} Flüge. „Drucken“ über der Liste druckt alle.`,
  count: (shown: number, all: number) => {
    if (shown === all) return all === 1 ? "1 Flug" : `${formatCount(all)} Flüge`;
    return `${formatCount(shown)} von ${formatCount(all)} Flügen`;
  },
  /** Options on phones; on wide screens a column heading sorts by that column in either direction. */
  sorts: {
    "-startzeit": "Neueste zuerst",
    startzeit: "Älteste zuerst",
    "-flugzeit": "Längste Flugzeit",
    "-strecke": "Größte Strecke",
    "-entfernung": "Größte Entfernung",
    "-geschwindigkeit": "Höchste Geschwindigkeit",
    "-hoehe": "Größte Höhe",
    ort: "Ort, A bis Z",
    copter: "Copter, A bis Z",
  },
  otherSort: (column: string, isDescending: boolean) =>
    `${column}, ${isDescending ? "absteigend" : "aufsteigend"}`,
};

/** The neighbours of a flight, by start time or in another order of the list. */
export const beside = {
  title: "Benachbarte Flüge",
  byTime: {
    before: { text: "Früher", label: "Früher: der Flug davor" },
    after: { text: "Später", label: "Später: der Flug danach" },
  },
  inList: {
    before: { text: "Voriger", label: "Voriger Flug der Liste" },
    after: { text: "Nächster", label: "Nächster Flug der Liste" },
  },
};

/** The sketch of a flight's place. */
export const sketch = {
  title: "Start und Ende, Norden oben",
  withTrack: "Flugweg, Norden oben",
  north: "N",
  start: "Start",
  end: "Ende",
  apart: (length: string, direction: number) =>
    /^0\s/.test(length) ? "Ende am Start" : `Ende ${length} ${compass[direction]} vom Start`,
};

/** A flight without network. */
export const offline = {
  rest: "Alles andere zu diesem Flug ist ohne Netz nicht zu sehen.",
};

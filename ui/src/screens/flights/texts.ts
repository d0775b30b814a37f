// Texts about the images of a flight.
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

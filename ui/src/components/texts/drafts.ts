export const drafts = {
  restored: (clock: string) => `Entwurf von ${clock} wiederhergestellt`,
  offered: (clock: string) =>
    `Es gibt einen Entwurf von ${clock}. Seitdem wurde an anderer Stelle etwas anderes gespeichert.`,
  restore: "Wiederherstellen",
  discard: "Verwerfen",
  leave: "Änderungen verwerfen und die Seite verlassen?",
};

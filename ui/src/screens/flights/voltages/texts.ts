// German texts about suspect voltages. Separate from texts.ts, because no first page needs them.
const flights = (count: number) => (count === 1 ? "1 Flug" : `${count} Flüge`);

export const voltages = {
  title: "Spannungen",
  failed: "Die Flüge konnten nicht geladen werden. Bitte versuchen Sie es erneut.",
  why: "Bis Version 1.4 kam aus Dateien mancher Sender die Spannung des Empfängers. Was Sie selbst eintrugen, bleibt.",
  mendable: "Die Datei kennt die richtige",
  odd: "Ohne Datei",
  oddHint: "So wenig kann kein Akku haben, und die Datei ist nicht aufbewahrt. Bitte sehen Sie selbst nach.",
  before: "Bisher",
  right: "Richtig",
  startAndEnd: (start: string, end: string) => `${start} → ${end}`,
  unknown: "–",
  none: "keine in der Datei",
  mendAll: (count: number) => `${flights(count)} berichtigen`,
  mended: (count: number) => `${flights(count)} berichtigt.`,
  mendFailed: "Das konnte nicht berichtigt werden. Bitte versuchen Sie es erneut.",
  undo: "Rückgängig",
  undone: "Die früheren Spannungen sind wieder da.",
  undoFailed: "Das konnte nicht rückgängig gemacht werden. Bitte versuchen Sie es erneut.",
  edit: "Bearbeiten",
  keep: "So lassen",
  nothing: "Hier ist nichts mehr zu berichtigen.",
  toFlights: "Zu den Flügen",
};

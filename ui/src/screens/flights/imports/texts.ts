// Texts of the imports' screens that no other screen needs.
import { formatCount, imports } from "../../../texts";

export const shared = {
  question: "Wollen Sie die geteilten Dateien einlesen?",
  hint: "Haben Sie in keiner App Dateien an Fluglog geteilt, wählen Sie Nein.",
};

/** The meanings of a column, by their words in a mapping. */
export const meaningTexts = {
  "": "–",
  date: "Datum",
  startTime: "Startzeit",
  dateTime: "Datum und Zeit",
  flightTime: "Dauer",
  end: "Ende",
  copter: "Copter",
  copterSerial: "Copter: Seriennummer",
  battery: "Akku",
  batterySerial: "Akku: Seriennummer",
  location: "Ort",
  startPosition: "Start: Koordinaten",
  startLatitude: "Start: Breite",
  startLongitude: "Start: Länge",
  endPosition: "Ende: Koordinaten",
  endLatitude: "Ende: Breite",
  endLongitude: "Ende: Länge",
  distance: "Strecke",
  maximumAltitude: "Höhe",
  maximumDistance: "Max. Entfernung",
  speed: "Geschwindigkeit",
  batteryStartVoltage: "Startspannung",
  batteryEndVoltage: "Endspannung",
  consumedCapacity: "Verbraucht",
  flightMode: "Flugmodus",
  weather: "Wetter",
  purpose: "Zweck",
  weight: "Startgewicht",
  notes: "Notizen",
};

export const questions = {
  title: "So ist die Liste gemeint",
  hint: "Fluglog merkt es sich für Dateien mit diesen Überschriften.",
  unanswered: "Bitte jede Frage beantworten.",
  way: (member: string) => (member === "year" ? "Jahr" : "Bedeutung"),
  read: (cell: string, value: string) => `${cell} → ${value}`,
};

/** What ticked flights lack. */
export const missing = {
  copter: (count: number) =>
    imports.copterMissing + (count === 1 ? "" : ` Er fehlt bei ${formatCount(count)} Flügen.`),
  startTime: (count: number) =>
    imports.startMissing + (count === 1 ? "" : ` Sie fehlt bei ${formatCount(count)} Flügen.`),
};

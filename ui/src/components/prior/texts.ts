// German texts of hours from before Fluglog. Separate from texts.ts, because no first page needs them.
import { formatMinutes } from "../../lib/numbers";
import { formatCount } from "../../texts";

export const prior = {
  open: "Stunden von vor Fluglog",
  title: "Vor Fluglog",
  figure: "davon vor Fluglog",
  flights: (count: number) => (count === 1 ? "1 Flug" : `${formatCount(count)} Flüge`),
  cycles: (count: number) => (count === 1 ? "1 Zyklus" : `${formatCount(count)} Zyklen`),
  duration: formatMinutes,
  /** In the profile. */
  hint: "Aus einem älteren Buch: zählt im Flugbuch als erster Übertrag, nie in der Statistik.",
  add: "Eintragen",
  change: "Ändern",
  until: (day: string) => `vor dem ${day}`,
};

export const priorForm = {
  title: "Vor Fluglog geflogen",
  ofPilot: "Ein älteres Buch? Das wird der erste Übertrag im Flugbuch. In der Statistik zählt es nie.",
  ofItem:
    "Schon geflogen, bevor es in Fluglog stand? Das zählt in Nutzungszeit, Gerätebuch und Wartungen, die vorher " +
    "anfingen. In der Statistik zählt es nie.",
  flights: "Anzahl Flüge",
  hours: "Flugzeit (Stunden)",
  hoursHint: "120, 120,5 oder 120:30",
  hoursInvalid: "Bitte geben Sie Stunden ein, zum Beispiel 120,5 oder 120:30.",
  cycles: "Ladezyklen",
  whole: "Bitte geben Sie eine ganze Zahl ein.",
  missing: "Bitte geben Sie mindestens eine Zahl ein.",
  until: "Vor dem",
  untilHint: "Ab diesem Tag stehen die Flüge in Fluglog.",
  note: "Woher",
  noteHint: "Zum Beispiel: Papierbuch 2019 bis 2023",
  clearHint: "Ohne Zahlen bleibt nichts eingetragen.",
};

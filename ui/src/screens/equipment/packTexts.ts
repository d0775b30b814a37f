// The German texts about packs. Here and not in texts.ts, because no first page waits for them.
import { Chemistry } from "../../api/generated/Chemistry";

export const packs = {
  sinceToday: "seit heute",
  sinceYesterday: "seit gestern",
  sinceDays: (days: number) => (days === 1 ? "seit 1 Tag" : `seit ${days} Tagen`),
  sinceDay: (day: string) => `seit ${day}`,
  /** `volts`: "22,9 V", or "" where nobody knows it. */
  fullTooLong: (days: number, volts: string) =>
    `Seit ${days === 1 ? "1 Tag" : `${days} Tagen`} voll. Fliegen oder auf Lagerspannung bringen${
      volts === "" ? "" : ` (etwa ${volts})`
    }.`,
  charged: "Geladen",
  stored: "Eingelagert",
  isCharged: (name: string) => `${name} ist geladen.`,
  isStored: (name: string) => `${name} ist eingelagert.`,
  passport: "Akkupass",
  measure: "Messen",
  attentionFirst: "Braucht Aufmerksamkeit zuerst",
  more: "Nummer und Akku",
  number: "Nummer",
  numberHint: "1 bis 999, groß auf dem Aufkleber",
  numberWrong: "Bitte geben Sie eine Nummer von 1 bis 999 ein.",
  chemistry: "Chemie",
  chemistries: {
    [Chemistry.Polymer]: "LiPo",
    [Chemistry.HighVoltage]: "LiHV",
    [Chemistry.Ion]: "Li-Ion",
    [Chemistry.Smart]: "Smart-Akku",
    [Chemistry.Other]: "Andere",
  } satisfies Record<Chemistry, string>,
  chemistryUnknown: "Nicht angegeben",
  cells: "Zellen in Reihe",
  cellsGuessed: (cells: number) => `Geschätzt: ${cells}`,
  cellsWrong: "Bitte geben Sie 1 bis 14 Zellen ein.",
  numberOf: (number: number) => `Nr. ${number}`,
};

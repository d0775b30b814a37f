// German texts of a flight's header image and profile.

export const course = {
  path: "Flugweg",
  slantedPath: "Flugweg, schräg von oben",
  colour: "Farbe nach",
  view: "Ansicht",
  views: { slanted: "Schräg", above: "Von oben" },
  colours: (name: string, least: string, most: string) => `Farbe: ${name} von ${least} bis ${most}`,
  whole: "Vollbild",
  turn: "Drehen",
  turned: (degrees: number) => `${degrees} Grad`,
  raised: (times: number) => `Höhe ${times}-fach`,
  profile: "Verlauf",
  hint: { touch: "ziehen zum Ablesen", keys: "ziehen oder Pfeiltasten" },
  moment: "Zeitpunkt im Flug",
  values: { height: "Höhe", speed: "Tempo", voltage: "Spannung", current: "Strom" },
  range: (least: string, most: string) => `${least} bis ${most}`,
  high: (height: string) => `${height} hoch`,
  far: (length: string) => `${length} weit`,
  ofCell: (start: string, end: string) => `${start} → ${end} je Zelle`,
  cellScale: (least: string, most: string) => `Skala von ${least} bis ${most}`,
};

// German texts of home that are loaded later. Separate from texts.ts, because no first page needs them.

export const voltageHint = {
  found: (count: number) =>
    count === 1
      ? "1 Flug aus einer Datei hat die Spannung des Empfängers."
      : `${count} Flüge aus Dateien haben die Spannung des Empfängers.`,
  mend: "Berichtigen",
  look: "Ansehen",
};

const counts = new Intl.NumberFormat("de-DE");

export const yearStage = {
  title: "Rückblick",
  year: (year: number) => `Rückblick ${year}`,
  flights: (count: number) => `Stunden · ${count === 1 ? "1 Flug" : `${counts.format(count)} Flüge`}`,
};

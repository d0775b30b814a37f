// The German texts of what comes later on home. Here and not in texts.ts, because no first page waits for them.

export const voltageHint = {
  found: (count: number) =>
    count === 1
      ? "1 Flug aus einer Datei hat die Spannung des Empfängers."
      : `${count} Flüge aus Dateien haben die Spannung des Empfängers.`,
  mend: "Berichtigen",
  look: "Ansehen",
};

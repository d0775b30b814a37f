// German texts of the page that takes the code of a registration.

export const verification = {
  title: "Code eingeben",
  sentTo: "Eine E-Mail mit einem sechsstelligen Code wurde gesendet an",
  sent: "Sie haben eine E-Mail mit einem sechsstelligen Code erhalten.",
  validity: "Der Code gilt 30 Minuten, und nur in diesem Browser.",
  code: "Code",
  missing: "Bitte geben Sie den Code ein.",
  submit: "Code prüfen",
  failed: "Verifizierung ist fehlgeschlagen! Bitte geben Sie den Code erneut ein.",
  noMail:
    "Keine E-Mail bekommen? Sehen Sie auch im Spam-Ordner nach. Hat der Server keinen Mailversand, " +
    "dann kann Ihnen der Betreiber den Code sagen.",
  again: "Noch einmal registrieren",
};

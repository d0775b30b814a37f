// German texts of a login by mail.
export const mailLogin = {
  title: "Anmeldung bestätigen",
  sentTo: "Eine E-Mail wurde gesendet an",
  toConfirm: "Öffnen Sie den Link in dieser E-Mail und geben Sie dort diese Zahl ein:",
  number: (number: string) => `Zahl: ${number}`,
  waiting: "Wartet auf die Bestätigung …",
  continues:
    "Die Anmeldung muss innerhalb von 10 Minuten bestätigt werden. Danach geht es hier von selbst weiter.",
  noMail:
    "Keine E-Mail bekommen? Sehen Sie auch im Spam-Ordner nach, und ob die Adresse stimmt. Nur " +
    "registrierte Adressen erhalten eine E-Mail.",
  cancel: "Zurück zur Anmeldung",
  expired: "Die Anmeldung ist abgelaufen. Bitte melden Sie sich erneut an.",
};

export const consent = {
  title: "Cookies",
  explanation:
    "Fluglog verwendet nur technisch notwendige Cookies: Sie halten Sie angemeldet und merken sich " +
    "diese Zustimmung. Es gibt keine Werbung, keine Auswertung und nichts von anderen Servern.",
  necessary: "Technisch notwendige Cookies",
  accept: "Akzeptieren",
  decline: "Ablehnen",
  missing: "Bitte akzeptieren Sie die technisch notwendigen Cookies.",
  needed: "Für die Anmeldung braucht Fluglog technisch notwendige Cookies.",
  show: "Cookie-Hinweis öffnen",
};

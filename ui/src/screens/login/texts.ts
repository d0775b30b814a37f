// The German texts of a login by mail.

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

export const confirmation = {
  title: "Anmeldung bestätigen",
  question: "Mit diesem Browser möchte sich jemand bei Ihrem Konto anmelden:",
  browser: "Browser",
  from: "Angefragt",
  time: "Angefragt am",
  number: "Zahl aus dem wartenden Browser",
  numberHint: "Zwei Ziffern. Sie stehen groß auf dem Bildschirm, auf dem Sie sich anmelden.",
  numberMissing: "Bitte geben Sie die Zahl ein, die der wartende Browser zeigt.",
  submit: "Anmeldung bestätigen",
  notMe: "Das war ich nicht",
  notMeTitle: "Niemand wurde angemeldet",
  notMeText:
    "Alle Anmeldungen per E-Mail, die auf eine Bestätigung warten, sind beendet. In der nächsten " +
    "Stunde können nur Browser eine anfordern, in denen Sie schon einmal angemeldet waren. Sie können " +
    "diese Seite schließen und die E-Mail löschen.",
  done: "Die Anmeldung ist bestätigt",
  doneText: "Der wartende Browser ist jetzt angemeldet. Diese Seite können Sie schließen.",
  incompleteTitle: "Link unvollständig",
  incomplete: "Dieser Link ist unvollständig. Bitte öffnen Sie ihn noch einmal aus der E-Mail.",
  goneTitle: "Link nicht mehr gültig",
  failed: "Die Anfrage konnte nicht geladen werden. Bitte versuchen Sie es erneut.",
  toLogin: "Zur Anmeldung",
};

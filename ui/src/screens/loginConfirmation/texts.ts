// German texts of the page behind the link in a login mail.

export const confirmation = {
  title: "Anmeldung bestätigen",
  question: "Mit diesem Browser möchte sich jemand bei Ihrem Konto anmelden:",
  browser: "Browser",
  from: "Von wo",
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

/** Replacements for a logged-in browser that asks for administration. */
export const adminConfirmation: Partial<typeof confirmation> = {
  title: "Verwaltung öffnen",
  question: "In diesem Browser ist jemand mit Ihrem Konto angemeldet und möchte den Server verwalten:",
  numberHint: "Zwei Ziffern. Sie stehen groß auf der Seite „Verwaltung“.",
  submit: "Verwaltung öffnen",
  notMe: "Das bin ich nicht",
  notMeTitle: "Die Verwaltung bleibt zu",
  notMeText:
    "Jemand anderes ist mit Ihrem Konto angemeldet. Öffnen Sie „Profil“ und melden Sie sich auf allen Geräten ab.",
  done: "Die Verwaltung ist offen",
  doneText: "Im wartenden Browser geht es von selbst weiter. Diese Seite können Sie schließen.",
};

// The texts of pages behind one-time links, and of the first account.
export const links = {
  incompleteTitle: "Link unvollständig",
  incomplete: "Dieser Link ist unvollständig. Bitte öffnen Sie ihn noch einmal ganz.",
  goneTitle: "Link nicht mehr gültig",
  toLogin: "Zur Anmeldung",
  toHome: "Zur Startseite",
  createAccount: "Konto anlegen",
  accountFailed: "Das Konto konnte nicht angelegt werden. Bitte versuchen Sie es erneut.",
  emailHint: "Mit ihr melden Sie sich an.",
  setupTitle: "Erstes Konto anlegen",
  setupSubtitle:
    "Es wird das Konto des Betreibers. Weitere Piloten registrieren sich selbst oder werden eingeladen.",
  setupOverTitle: "Es gibt schon ein Konto",
  setupOver: "Das erste Konto ist schon angelegt. Bitte melden Sie sich an.",
  invitationTitle: "Einladung zu Fluglog",
  invitationSubtitle: "Legen Sie hier Ihr Konto an. Die Einladung gilt einmal.",
  resetTitle: "Passwort festlegen",
  resetFor: (nickname: string) => `Neues Passwort für ${nickname},`,
  resetSubmit: "Passwort speichern",
  addressTitle: "E-Mail-Adresse bestätigen",
  addressQuestion: "Soll ab jetzt diese E-Mail-Adresse zu Ihrem Konto gehören?",
  addressWarning:
    "Wer Mails an diese Adresse liest, kommt damit in Ihr Konto. Haben Sie sie nicht selbst angegeben, " +
    "dann bestätigen Sie nicht.",
  addressSubmit: "Ja, bestätigen",
  addressLogin:
    "Bitte melden Sie sich in diesem Browser mit Ihrer bisherigen Adresse an, und öffnen Sie den Link " +
    "dann noch einmal.",
  addressDone: "Die neue E-Mail-Adresse gilt",
};

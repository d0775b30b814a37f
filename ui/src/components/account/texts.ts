// German texts of the login and the registration.

export const login = {
  title: "Anmelden",
  subtitle: "Das Flugbuch für Drohnenpiloten",
  email: "E-Mail",
  emailInvalid: "Bitte geben Sie eine gültige E-Mail-Adresse ein.",
  password: "Passwort",
  passwordHint: "Ohne Passwort erhalten Sie eine E-Mail und bestätigen damit die Anmeldung.",
  showPassword: "Passwort anzeigen",
  hidePassword: "Passwort verbergen",
  rememberMe: "Angemeldet bleiben",
  submit: "Login",
  checking: "Ihre Login-Daten werden überprüft.",
  failed: "Login fehlgeschlagen",
  cookieNotKept:
    "Ihr Browser hat das Cookie nicht gespeichert, das Sie angemeldet hält. Erlauben Sie Cookies für " +
    "diese Seite, und melden Sie sich noch einmal an.",
  continueAfter: "Nach der Anmeldung geht es dort weiter, wo Sie waren.",
  noAccount: "Noch kein Konto?",
  register: "Registrieren",
  noAccountYet:
    "Auf diesem Server gibt es noch kein Konto. Das erste legt der Betreiber an, mit der Adresse, die " +
    "der Server beim Start ausgibt: im Terminal oder mit „journalctl -u fluglog“.",
};

export const registration = {
  title: "Registrieren",
  nickname: "Nickname",
  nicknameHint: "So werden Sie in Fluglog angesprochen.",
  nicknameMissing: "Bitte geben Sie einen Nickname ein.",
  emailMissing: "Bitte geben Sie Ihre E-Mail-Adresse ein.",
  emailHint: "An diese Adresse geht gleich ein Code.",
  failed: "Registrierung ist fehlgeschlagen. Bitte laden Sie die Seite neu und versuchen Sie es erneut.",
  hasAccount: "Schon registriert?",
  toLogin: "Zur Anmeldung",
};

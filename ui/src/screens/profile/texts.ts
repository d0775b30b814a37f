// German texts that only the profile uses.

export const profileForm = {
  title: "Mein Profil",
  person: "Name und Foto",
  photo: "Foto",
  noPhoto: "Kein Foto",
  preview: "Vorschau des Fotos",
  drop: "Foto hierher ziehen oder auswählen",
  removePhoto: "Foto entfernen",
  firstname: "Vorname",
  lastname: "Nachname",
  email: "E-Mail",
  nickname: "Nickname",
  loadFailed: "Profile konnte nicht geladen werden. Bitte versuchen Sie es erneut.",
};

export const sharing = { open: "Gemeinsam nutzen" };

export const security = {
  devices: (count: number) => (count === 1 ? "1 Gerät" : `${count} Geräte`),
};

export const accessTokens = {
  title: "Zugänge für Skripte",
  hint: "Damit ein Skript ohne Ihr Passwort liest oder schreibt, etwa in Home Assistant.",
  failed: "Die Zugänge konnten nicht geladen werden. Bitte versuchen Sie es erneut.",
  none: "Noch kein Zugang.",
  add: "Neuer Zugang",
  reads: "Darf nur lesen",
  writes: "Darf lesen und ändern",
  times: (ends: string, lastUsed: string | null) =>
    `Gilt bis ${ends}, ${lastUsed === null ? "noch nicht benutzt" : `zuletzt benutzt ${lastUsed}`}`,
  end: "Beenden",
  ended: "Der Zugang wurde beendet.",
  name: "Name",
  nameHint: "Wofür er ist, etwa „Home Assistant“",
  nameMissing: "Bitte geben Sie einen Namen ein.",
  lasts: "Gilt",
  spans: [
    { value: "30", text: "30 Tage" },
    { value: "90", text: "90 Tage" },
    { value: "365", text: "1 Jahr" },
  ],
  mayWrite: "Darf auch ändern und löschen",
  create: "Erstellen",
  made: "Der neue Zugang",
  madeHint:
    "Kopieren Sie ihn jetzt: Später ist er nicht mehr zu sehen. Das Skript sendet ihn im Kopf " +
    "„Authorization: Bearer …“. Ein neues Passwort und „Alle Geräte abmelden“ beenden ihn.",
  token: "Zugang",
  copy: "Kopieren",
  isCopied: "Der Zugang ist kopiert.",
  copied: "Fertig",
};

export const withoutNetwork = {
  title: "Ohne Netz",
  needsHttps: "Ohne HTTPS öffnet Fluglog ohne Netz nicht. So geht es:",
  https: "HTTPS im eigenen Netz",
  installed: "Fluglog ist auf diesem Gerät installiert und öffnet auch ohne Netz.",
  opens: "Fluglog öffnet in diesem Browser auch ohne Netz.",
  notRemembered:
    "Fluglog öffnet in diesem Browser auch ohne Netz, aber ohne Ihre Daten: Dafür wählen Sie bei der nächsten " +
    "Anmeldung „Angemeldet bleiben“.",
};

export const reminders = {
  title: "Erinnerungen",
  mails: "Erinnerungen per E-Mail",
  on: "ein",
  off: "aus",
  hint:
    "Abends eine E-Mail, wenn ein Akku auffällig, eine Wartung fällig wird oder ein Nachweis abläuft: " +
    "höchstens zwei in der Woche, und nur wenn etwas dazukam oder dringender wurde.",
};

export const storage = {
  used: (size: string) => `Speicherplatz: ${size} belegt`,
  usedOf: (size: string, quota: string) => `Speicherplatz: ${size} von ${quota} belegt`,
};

export const adminLink = {
  open: "Verwaltung öffnen",
};

export const contactLine = {
  title: "Aufkleber",
  hint: "Steht auf Ihren Aufklebern, und wer einen fremden Aufkleber scannt, sieht es: so findet Verlorenes zurück.",
  is: (contact: string) => `Auf Ihren Aufklebern und für Finder: ${contact}`,
  set: "Kontakt für Finder angeben",
  change: "Kontakt für Finder ändern",
  labelsHint: "Mit QR-Code und Nummer für Akkus, Copter und alles andere.",
  labels: "Aufkleber drucken",
  dialog: "Kontakt für Finder",
  field: "Kontakt",
  fieldHint: "Eine Zeile, etwa Name und Telefonnummer. Leer: keiner",
};

// German texts of the admin page.
import type { AdminLogKind } from "../../api/generated/AdminLogKind";
import { gigabyte } from "../../lib/sizes";

const count = (number: number, one: string, many: string) => `${number} ${number === 1 ? one : many}`;

const exact = new Intl.NumberFormat("de-DE", { maximumFractionDigits: 9, useGrouping: false });

/** Formats a limit as a pilot would type it, exact to the byte. */
export function quotaText(bytes: number | null): string {
  if (bytes === null || bytes === 0) return "0";
  const [unit, name] = bytes < gigabyte ? [1024 ** 2, "MB"] : [gigabyte, "GB"];
  return `${exact.format(bytes / unit)} ${name}`;
}

export const page = {
  title: "Verwaltung",
  privacy: "Flüge, Bilder, Dokumente und Orte der Piloten sind hier nicht zu sehen.",
  notOperator: "Diese Seite ist für Betreiber. Ihr Konto gehört nicht dazu.",
  notOffered: "Die Verwaltung im Browser ist auf diesem Server abgeschaltet (admin_ui).",
  loadFailed: "Das konnte nicht geladen werden. Bitte versuchen Sie es erneut.",
  failed: "Das hat nicht geklappt. Bitte versuchen Sie es erneut.",
};

export const confirm = {
  title: "Verwaltung öffnen",
  why: "Vor der Verwaltung fragt Fluglog noch einmal nach Ihrem Passwort. Es gilt dann 15 Minuten.",
  password: "Passwort",
  missing: "Bitte geben Sie Ihr Passwort ein.",
  go: "Weiter",
  mailWhy:
    "Vor der Verwaltung fragt Fluglog nach einer Bestätigung per Mail: Ihr Konto hat kein Passwort, oder es ist neu " +
    "und noch unbestätigt. Die Bestätigung gilt 15 Minuten.",
  mail: "Mail senden",
  mailAgain: "Neue Mail senden",
  toType: (email: string) =>
    `Öffnen Sie den Link in der Mail an ${email}, und geben Sie dort diese Zahl ein:`,
  waiting: "Wartet auf die Bestätigung …",
  outbox:
    "Auf diesem Server ist kein Mailserver eingestellt: Die Mail bleibt als Datei liegen. An der Shell zeigt sie:",
  outboxCommand: "fluglog mail outbox",
  shell:
    "E-Mail-Adresse und Passwort dieses Kontos sind neu und unbestätigt. Setzen Sie das Passwort an der Shell, oder " +
    "bitten Sie einen anderen Betreiber um einen Link:",
  shellCommand: "fluglog user set-password E-MAIL --password-stdin",
};

export const parts = {
  accounts: "Konten",
  spaces: "Bereiche",
  backups: "Sicherung",
  mails: "Mail",
  feedback: "Feedback",
  settings: "Einstellungen",
  log: "Protokoll",
};

export const overview = {
  title: "Übersicht",
  good: "Es ist alles in Ordnung.",
  open: (part: string) => `${part} öffnen`,
  version: "Version",
  versionOf: (version: string, released: string, days: number) =>
    released === "" ? version : `${version} vom ${released}, ${count(days, "Tag", "Tage")} alt`,
  newer: (version: string) => `Version ${version} liegt bereit:`,
  upgradeCommand: "sudo apt upgrade",
  uptime: "Läuft seit",
  address: "Adresse",
  listens: "Lauscht auf",
  https: "HTTPS",
  httpsOn: "ja",
  httpsUntil: (end: string) => `ja, Zertifikat bis ${end}`,
  httpsOff: "nein",
  users: "Konten",
  disk: "Platz",
  diskOf: (used: string, files: string, free: string) => `Datenbank ${used}, Dateien ${files}, frei ${free}`,
  backup: "Letzte Sicherung",
  mail: "Mail",
  mailServer: (server: string) => `über ${server}`,
  outbox: "kein Mailserver, Mails bleiben als Dateien im Postausgang",
  waiting: (mails: number) => count(mails, "wartet", "warten"),
  changed: (names: string) => `Geänderte Einstellungen gelten erst nach einem Neustart: ${names}`,
  unreadable: "Mit den Einstellungen, wie sie jetzt sind, könnte der Server nicht starten:",
  checkCommand: "fluglog config check",
  never: "noch nie",
  failedAt: (time: string) => `${time}, misslungen`,
  uptimeOf(seconds: number): string {
    const hours = Math.floor(seconds / 3600);
    if (hours >= 48) return `${Math.floor(hours / 24)} Tagen`;
    return hours >= 1
      ? count(hours, "Stunde", "Stunden")
      : count(Math.floor(seconds / 60), "Minute", "Minuten");
  },
};

export const accounts = {
  invite: "Einladen",
  inviteHint:
    "Mit dem Link legt sich jemand einmal ein Konto an, auch wenn die Registrierung geschlossen ist.",
  nickname: "Nickname (freiwillig)",
  days: "Gültig für Tage",
  makeLink: "Link erstellen",
  link: "Link",
  linkUntil: (end: string) => `Gilt einmal, bis ${end}. Geben Sie ihn selbst weiter.`,
  search: "Konten suchen",
  byAddress: "Adresse",
  byRoom: "Platz",
  you: "Sie",
  operator: "Betreiber",
  disabled: "gesperrt",
  lastLogin: (time: string) => `zuletzt angemeldet ${time}`,
  neverLoggedIn: "noch nie angemeldet",
  created: (time: string) => `angelegt ${time}`,
  room: (used: string, most: string | null) => (most === null ? used : `${used} von ${most}`),
  manage: (email: string) => `${email} verwalten`,
  resetByLink: "Link für neues Passwort",
  resetByMail: "Link per Mail senden",
  mailed: (email: string) => `Die Mail an ${email} ist unterwegs.`,
  logOut: "Überall abmelden",
  loggedOut: (email: string) => `${email} ist überall abgemeldet.`,
  disable: "Sperren",
  disabledNow: (email: string) => `${email} ist gesperrt und überall abgemeldet.`,
  enable: "Entsperren",
  enabledNow: (email: string) => `${email} ist nicht mehr gesperrt.`,
  promote: "Zum Betreiber machen",
  promoted: (email: string) => `${email} ist jetzt Betreiber.`,
  demote: "Nicht mehr Betreiber",
  demoted: (email: string) => `${email} ist kein Betreiber mehr.`,
  quota: "Speicherplatz festlegen",
  quotaTitle: (email: string) => `Speicherplatz von ${email}`,
  quotaMost: "Höchstens",
  quotaHint: "Zum Beispiel 500 MB oder 2 GB. 0: ohne Grenze. Leer: so viel, wie der Server jedem Konto gibt.",
  quotaLower: (used: string) =>
    `Belegt sind ${used}. Gelöscht wird nichts; über der Grenze kommt nur nichts mehr dazu.`,
  quotaSaved: (email: string) => `Der Speicherplatz von ${email} ist geändert.`,
  remove: "Konto löschen",
  removeTitle: (email: string) => `${email} löschen`,
  removeWarning:
    "Alle Flüge, Geräte, Bilder und Dokumente dieses Kontos werden endgültig gelöscht. " +
    "Ältere Sicherungen enthalten sie noch.",
  removeShared:
    "Gemeinsames Equipment bleibt mit seiner Geschichte bei den anderen Mitgliedern des Bereichs, ohne den Namen " +
    "dieses Kontos. Ein Bereich ohne weiteres Mitglied geht mit seinem Equipment mit.",
  typed: "E-Mail-Adresse zur Bestätigung",
  typedMissing: "Bitte geben Sie die E-Mail-Adresse des Kontos ein.",
  removed: (email: string) => `${email} ist gelöscht.`,
  copyHint: "Zum Kopieren antippen.",
};

export const spaces = {
  none: "Noch kein Bereich.",
  counts: (members: number, items: number) =>
    `${count(members, "Mitglied", "Mitglieder")} · ${count(items, "Gerät", "Geräte")}`,
  since: (time: string) => `angelegt ${time}`,
  managedBy: (names: string) => `Verwaltung: ${names}`,
};

export const backups = {
  make: "Jetzt sichern",
  download: "Herunterladen",
  downloadHint: "Die Datei enthält alles von allen Konten. Bewahren Sie sie so sicher auf wie den Server.",
  downloadBegun: "Der Download hat begonnen.",
  check: "Prüfen",
  busy: "Läuft gerade …",
  folder: "Ordner",
  folderUnknown: "Noch ist kein Ordner für Sicherungen bekannt. Der erste Befehl legt ihn fest:",
  folderCommand: "fluglog backup --output VERZEICHNIS",
  sameDisk:
    "Die Sicherungen liegen auf demselben Datenträger wie die Daten. Laden Sie ab und zu eine herunter.",
  last: "Letzte Sicherung",
  lastCheck: "Letzte Prüfung",
  lastDownload: "Zuletzt heruntergeladen",
  never: "noch nie",
  targets: "Weitere Ziele",
  kept: (keep: number | null) => (keep === null ? "alle bleiben" : `die neuesten ${keep} bleiben`),
  encrypted: "verschlüsselt",
  plain: "unverschlüsselt",
  neverSent: "Dorthin ging noch keine Sicherung.",
  lastGood: (time: string) => (time === "" ? "Dort liegt noch keine." : `Die letzte gute dort: ${time}`),
  archives: "Sicherungen im Ordner",
  none: "Im Ordner liegt keine Sicherung.",
  good: "in Ordnung",
  restoreHint: "Wiederhergestellt wird nur an der Shell:",
  restoreCommand: "fluglog restore DATEI",
};

export const mails = {
  server: (server: string) => `Mails gehen über ${server}.`,
  noServer:
    "Es ist kein Mailserver eingestellt: Mails bleiben als Dateien im Postausgang. " +
    "Ihr Text ist nur an der Shell zu lesen:",
  outboxCommand: "fluglog mail outbox",
  test: "Testmail senden",
  to: "An",
  toMissing: "Bitte geben Sie eine E-Mail-Adresse ein.",
  waiting: "Warten auf den Mailserver",
  noneWaiting: "Keine Mail wartet.",
  resend: "Jetzt noch einmal versuchen",
  resent: "Die Mails werden jetzt noch einmal versucht.",
  since: (time: string) => `seit ${time}`,
  attempts: (number: number) => count(number, "Versuch", "Versuche"),
  kept: "Postausgang",
  noneKept: "Der Postausgang ist leer.",
};

export const feedback = {
  none: "Noch kein Feedback.",
  rate: (rate: number) => `${rate} von 10`,
};

export const settings = {
  hint: "Geändert werden sie in der Datei, nicht hier.",
  nothing: "(leer)",
};

export const log = {
  hint:
    "Die letzten Ablehnungen, Eingriffe von Betreibern und Fehler seit dem Start des Servers; die Suche gilt nur " +
    "ihnen. Alles Weitere steht im Journal:",
  command: "journalctl -u fluglog",
  none: "Seit dem Start gibt es nichts zu berichten.",
  kinds: { refusal: "Abgelehnt", deed: "Betreiber", error: "Fehler" } satisfies Record<AdminLogKind, string>,
  unknown: "unbekannt",
  from: (client: string) => `von ${client}`,
  whats: {
    "wrong password": "falsches Passwort",
    "wrong code": "falscher Code",
    "wrong number": "falsche Zahl",
    "too many tries": "zu viele Versuche",
    "no access": "Zugriff verweigert",
    "another site": "Anfrage einer fremden Seite",
    "unknown link": "unbekannter Link",
    "has shown the password": "hat das Passwort eingegeben",
    "has typed the number of a mail": "hat die Zahl aus einer Mail eingegeben",
    "invited somebody": "hat jemanden eingeladen",
    "mailed a link to a new password": "hat einen Link für ein neues Passwort gesendet",
    "made a link to a new password": "hat einen Link für ein neues Passwort erstellt",
    "locked an account": "hat gesperrt",
    "unlocked an account": "hat entsperrt",
    "made an operator": "hat zum Betreiber gemacht",
    "took the right to run the server": "hat als Betreiber abgesetzt",
    "ended every login of an account": "hat überall abgemeldet",
    "changed the room of an account": "hat den Speicherplatz geändert",
    "deleted an account": "hat ein Konto gelöscht",
    "began a backup": "hat eine Sicherung begonnen",
    "began to check a backup": "hat eine Prüfung begonnen",
    "began to download a backup": "hat einen Download begonnen",
    "has downloaded a backup": "hat eine Sicherung heruntergeladen",
    "sent a test mail": "hat eine Testmail gesendet",
    "had mails tried again": "hat Mails noch einmal versucht",
  } as Record<string, string>,
};

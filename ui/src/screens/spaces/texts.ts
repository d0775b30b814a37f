// German texts of the spaces' screens.
import { Role, type Space } from "../../api/spaces";
import { unbroken } from "../../texts";

const counted = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;

export const list = {
  title: "Gemeinsam nutzen",
  intro:
    "Equipment in einem Bereich gehört allen darin: Alle sehen es, laden es und fliegen damit. " +
    "Flüge, Orte, Bilder und Dokumente bleiben bei jedem selbst.",
  yours: "Ihre Bereiche",
  failed: "Die Bereiche konnten nicht geladen werden. Bitte versuchen Sie es erneut.",
  about: ({ members, items }: Space) =>
    `${counted(members, "Mitglied", "Mitglieder")} · ${counted(items, "Gerät", "Geräte")}`,
  create: "Neuer Bereich",
  kind: "Wer nutzt das Equipment gemeinsam?",
  kinds: [
    {
      kind: 1,
      title: "Haushalt",
      about: "Paar, Familie, zwei Freunde. Alle dürfen alles, und beim Equipment steht, wer es benutzt hat.",
    },
    {
      kind: 2,
      title: "Verein",
      about: "Bis 500 Mitglieder mit Rollen. Wer nicht will, steht nicht mit Namen beim Equipment.",
    },
  ],
  name: "Name",
  nameHint: (isClub: boolean) => `Zum Beispiel „${isClub ? "FPV-Verein Elbe" : "Familie"}“`,
  nameMissing: "Bitte geben Sie einen Namen ein.",
  submit: "Anlegen",
  withItem: (item: string) =>
    `„${item}“ kommt gleich hinein, mit Ladungen, Logs und Betriebsstunden. Ihre Flüge bleiben bei Ihnen.`,
  created: "Der Bereich ist angelegt. Laden Sie jetzt die anderen ein.",
  notMoved: (item: string) => `Der Bereich ist angelegt, „${item}“ aber noch nicht darin:`,
};

export const space = {
  about: (kind: string, members: number, items: number) =>
    `${kind} · ${counted(members, "Mitglied", "Mitglieder")} · ${counted(items, "Gerät", "Geräte")}`,
  failed: "Der Bereich konnte nicht geladen werden. Bitte versuchen Sie es erneut.",
  notYours: "Sie sind kein Mitglied dieses Bereichs.",
  toSpaces: "Zu Ihren Bereichen",
  parts: "Ansicht",
  members: "Mitglieder",
  gear: "Equipment",
  sees: "Wer sieht was",
};

export const members = {
  failed: "Die Mitglieder konnten nicht geladen werden. Bitte versuchen Sie es erneut.",
  groups: {
    [Role.manager]: "Verwaltung",
    [Role.keeper]: "Gerätewarte",
    [Role.member]: "Mitglieder",
    [Role.reader]: "Leser",
  },
  you: "Sie",
  since: (day: string) => `seit ${unbroken(day)}`,
  hidden: "Name verborgen",
  manage: (name: string) => `${name} verwalten`,
  own: "Ihre Mitgliedschaft",
  role: "Rolle",
  roleAbout: {
    [Role.reader]: "sieht das Equipment und seine Geschichte",
    [Role.member]: "fliegt und lädt es, schreibt Logs und Messungen, ändert eigene Einträge",
    [Role.keeper]: "legt Equipment an, ändert und mustert es aus",
    [Role.manager]: "auch Mitglieder, Einladungen und Einstellungen",
  },
  saved: "Gespeichert.",
  nameShown: "Mein Name darf beim Vereinsgerät stehen",
  remove: "Entfernen",
  removeQuestion: (name: string) => `${name} entfernen?`,
  removeHint: "Das Equipment und seine Geschichte bleiben im Bereich, die Flüge bei ihrem Piloten.",
  endsInvitations: (count: number) =>
    count === 1
      ? "Die offene Einladung für mehrere endet damit, denn auch dieses Mitglied kann ihren Link haben."
      : `Die ${count} offenen Einladungen für mehrere enden damit, denn auch dieses Mitglied kann ihre Links haben.`,
  removed: (name: string) => `${name} ist kein Mitglied mehr.`,
};

export const invitations = {
  title: "Offene Einladungen",
  failed: "Die Einladungen konnten nicht geladen werden. Bitte versuchen Sie es erneut.",
  invite: "Einladen",
  inviteTo: (name: string) => `Zu ${name} einladen`,
  role: "Rolle",
  forWhom: "Für wen?",
  one: "Eine Person",
  oneAbout: "Der Link gilt einmal.",
  several: "Mehrere",
  severalAbout: "Ein Link oder QR-Code für alle.",
  uses: "Höchstens so viele Personen (2 bis 50)",
  days: "Gültig für Tage (1 bis 30)",
  outOfRange: (from: number, to: number) => `Bitte eine Zahl von ${from} bis ${to}.`,
  make: "Link erstellen",
  link: "Link",
  once: (end: string) => `Gilt bis ${unbroken(end)}. Er wird nur jetzt gezeigt.`,
  qr: "QR-Code der Einladung",
  scan: "Die anderen scannen den Code mit der Kamera, oder Sie schicken den Link.",
  copy: "Kopieren",
  copied: "Der Link ist kopiert.",
  send: "Teilen",
  copyHint: "Zum Kopieren antippen.",
  left: (left: number, uses: number) =>
    uses === 1 ? "für eine Person" : `${uses - left} von ${uses} benutzt`,
  until: (end: string) => `bis ${unbroken(end)}`,
  by: (name: string) => `Einladung von ${name}`,
  revoke: "Zurücknehmen",
  revokeOf: (about: string) => `Einladung zurücknehmen: ${about}`,
  revokeQuestion: "Diese Einladung zurücknehmen?",
  revokeHint: "Der Link gilt dann nicht mehr. Wer schon beigetreten ist, bleibt Mitglied.",
  revoked: "Die Einladung gilt nicht mehr.",
};

export const gear = {
  none: "Noch kein gemeinsames Equipment.",
  moveIn: "Eigenes Equipment hineinlegen",
  which: "Was soll allen gehören?",
  noneOwn: "Sie haben kein eigenes Equipment in Betrieb.",
  submit: "Hineinlegen",
  submitCount: (count: number) => (count === 0 ? "Hineinlegen" : `${count} hineinlegen`),
  moved: (count: number) => `${counted(count, "Gerät gehört", "Geräte gehören")} jetzt dem Bereich.`,
  room: (used: string, most: string | null) => `Belegt: ${most === null ? used : `${used} von ${most}`}`,
  stays: "Ladungen, Messungen, Logs und Betriebsstunden gehen mit. Ihre Flüge bleiben bei Ihnen.",
};

export const settings = {
  edit: "Bearbeiten",
  editTitle: "Bereich bearbeiten",
  contact: "Kontakt",
  contactHint: "Steht auf Aufklebern des gemeinsamen Geräts, für ehrliche Finder.",
  download: "Alles herunterladen",
  leave: "Verlassen",
  leaveQuestion: (name: string) => `${name} verlassen?`,
  leaveHint:
    "Das gemeinsame Equipment bleibt im Bereich; Sie sehen es dann nicht mehr. " +
    "Ihre Flüge bleiben vollständig bei Ihnen. " +
    "Bei den Benutzungen steht Ihr Name nur, wenn er es bisher durfte.",
  left: (name: string) => `Sie haben ${name} verlassen.`,
  dissolve: "Auflösen",
  dissolveQuestion: (name: string) => `${name} auflösen?`,
  dissolveHint: "Sie sind das letzte Mitglied, und der Bereich hat kein Equipment mehr.",
  gearFirst: (items: number) =>
    `Zuerst muss das Equipment heraus: ${counted(items, "Gerät ist", "Geräte sind")} noch darin. ` +
    "Auf der Seite jedes Geräts steht im Menü „Verschieben“.",
  dissolved: (name: string) => `${name} ist aufgelöst.`,
};

/** Who sees what: rows of a table with a column for each. */
export const sees = {
  title: "Wer sieht was",
  what: "Was",
  columns: ["Sie", "Mitglieder", "Betreiber"],
  yes: "ja",
  no: "nein",
  rows: [
    { what: "Gemeinsames Equipment, seine Logs, Ladungen und Stunden", seen: [true, true, false] },
    { what: "Wann und wie lange es jemand benutzt hat", seen: [true, true, false] },
    { what: "Wer das war, wenn der Name stehen darf", seen: [true, true, false] },
    { what: "Ihre Flüge, Orte, Flugwege, Bilder", seen: [true, false, false] },
    { what: "Ihre Dokumente und Ihr eigenes Equipment", seen: [true, false, false] },
    { what: "Name des Bereichs, Anzahlen, wer verwaltet", seen: [true, true, true] },
  ],
  household:
    "„Betreiber“ ist, wer den Server verwaltet. In einem Haushalt stehen alle Namen beim Equipment; in einem Verein " +
    "entscheidet das jeder selbst, die Verwaltung kennt ihre Mitglieder.",
};

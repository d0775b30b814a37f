// All German texts of the user interface, one object per topic, except those beside screens that aren't part of the
// first load. Sentences from the product's specification are verbatim, typing errors included; a test holds them.
import { Kind } from "./api/generated/Kind";
import type { PackState } from "./api/generated/PackState";

const counts = new Intl.NumberFormat("de-DE");

export function formatCount(count: number): string {
  return counts.format(count);
}

/** Joins the words of a text by non-breaking spaces. */
export function unbroken(text: string): string {
  return text.replaceAll(" ", "\u00a0");
}

/** "3 Tagen", "5 Stunden", after "seit". */
function longTime(minutes: number): string {
  const hours = Math.floor(minutes / 60);
  const days = Math.floor(hours / 24);
  if (days > 0) return days === 1 ? "1 Tag" : `${formatCount(days)} Tagen`;
  return hours === 1 ? "1 Stunde" : `${hours} Stunden`;
}

export const general = {
  product: "Fluglog",
  back: "Zurück",
  forward: "Weiter",
  save: "Speichern",
  cancel: "Abbrechen",
  close: "Schließen",
  add: "Hinzufügen",
  edit: "Editieren",
  delete: "Löschen",
  yes: "Ja",
  no: "Nein",
  more: "Mehr",
  moreOf: (name: string) => `Mehr zu ${name}`,
  retry: "Nochmal",
  loading: "Wird geladen …",
  saving: "Wird gespeichert …",
  empty: "-",
  saved: "Erfolgreich gespeichert.",
  /** Without network. */
  kept: "Gemerkt.",
  saveFailed: "Speichern fehlgeschlagen.",
  invalid: "Ungültige Eingabe",
  required: "Pflichtfeld",
  understood: (value: string) => `Verstanden: ${value}`,
  failed: "Ein Fehler ist aufgetreten",
  pageFailed: "Ein Fehler ist aufgetreten!",
  pageFailedHint:
    "Die Seite konnte nicht angezeigt werden. Ihre gespeicherten Daten sind davon nicht betroffen.",
  applicationFailed: "Unexpected Application Error!",
  toHome: "Zur Startseite",
  offline: "Ohne Netz nicht zu sehen.",
  notConnected: "Nicht verbunden",
  nothingKnown: "Auf diesem Gerät sind keine Daten gespeichert. Bitte einmal mit Netz öffnen.",
  proxyLimit: "Ein Gerät vor dem Server nimmt so große Dateien nicht an.",
  notConnectedHint: "Der Server antwortet nicht. Eingaben bleiben auf diesem Gerät erhalten.",
  skipToContent: "Zum Inhalt springen",
  notifications: "Benachrichtigungen",
  showAll: (count: number) => `Alle ${formatCount(count)} zeigen`,
  showFewer: "Weniger zeigen",
  selected: (count: number) => (count === 1 ? "1 ausgewählt" : `${count} ausgewählt`),
};

/** The network status line under the header, and the marks of queued writes. */
export const waitingLine = {
  offline: "Kein Netz. Alles wird gemerkt.",
  intercepted: "Ein anderes Gerät im Netz antwortet, vielleicht seine Anmeldeseite.",
  openInterceptor: "Seite öffnen",
  knownAt: (time: string) => `Stand ${time}`,
  waiting: (count: number) => (count === 1 ? "1 Eintrag wartet." : `${formatCount(count)} Einträge warten.`),
  stuck: (count: number) =>
    count === 1
      ? "1 Eintrag wartet auf Ihre Entscheidung."
      : `${formatCount(count)} Einträge warten auf Ihre Entscheidung.`,
  sending: "Wird übertragen …",
  sent: "Alles übertragen.",
  mark: "wartet",
  logoutQuestion: (count: number) =>
    count === 1
      ? "1 Eintrag ist noch nicht übertragen. Trotzdem abmelden und verwerfen?"
      : `${formatCount(count)} Einträge sind noch nicht übertragen. Trotzdem abmelden und verwerfen?`,
  othersQuestion: (nickname: string) => `Wartende Einträge von ${nickname} verwerfen?`,
  othersHint:
    "Sie liegen noch auf diesem Gerät. Mit Nein warten sie, bis sich dieses Konto hier wieder anmeldet.",
};

export const layout = {
  toHome: "Fluglog, zur Startseite",
  account: "Konto",
  profile: "Mein Profil",
  feedback: "Feedback",
  logout: "Logout",
  logoutFailed: "Abmelden fehlgeschlagen. Bitte versuchen Sie es erneut.",
  /** Entries of the navigation. */
  sections: {
    title: "Hauptnavigation",
    start: "Start",
    flights: "Flüge",
    batteries: "Akkus",
    documents: "Dokumente",
    more: "Mehr",
    moreAreas: "Bereiche",
  },
  look: "Aussehen",
  looks: { system: "System", hell: "Hell", dunkel: "Dunkel", sonne: "Sonne" },
  admin: "Verwaltung",
  footer: "Fußzeile",
  company: "© Fluglog",
  impressum: "Impressum",
  dataprivacy: "Datenschutz",
  start: "Startseite",
  newTab: "(öffnet in neuem Tab)",
  /** Print header of each screen. */
  printedBy: (pilot: string, day: string) => `Fluglog · ${pilot} · ${day}`,
  version: (version: string) => `Version ${version}`,
};

/** Keyboard shortcuts. */
export const shortcuts = {
  title: "Tastenkürzel",
  use: "Tastenkürzel verwenden",
  search: "Suche",
  start: "Fluglog starten",
  finish: "Fluglog beenden",
};

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

export const profile = {
  title: "Mein Profil",
  account: "Konto",
  email: "E-Mail",
  nickname: "Nickname",
  loadFailed: "Profile konnte nicht geladen werden. Bitte versuchen Sie es erneut.",
  security: "Sicherheit",
  changeNickname: "Nickname ändern",
  changeNicknameHint: "Unter diesem Namen erscheinen Sie in Fluglog.",
  newNickname: "Neuer Nickname",
  changeEmail: "E-Mail-Adresse ändern",
  changeEmailHint: "An die neue Adresse geht ein Link. Erst mit ihm gilt sie.",
  newEmail: "Neue E-Mail-Adresse",
  newEmailHint: "Hat der Server keinen Mailversand, dann kann der Betreiber Ihre Adresse ändern.",
  sendLink: "Link senden",
  emailAsked: (email: string) => `Der Link ist an ${email} unterwegs.`,
  changePassword: "Passwort ändern",
  setPassword: "Passwort festlegen",
  changePasswordHint: "Ein neues Passwort meldet Sie auf Ihren anderen Geräten ab.",
  password: "Neues Passwort",
  passwordHint: "Mindestens 8 Zeichen, keines der häufigsten Passwörter",
  repeatPassword: "Neues Passwort wiederholen",
  passwordsDiffer: "Die Passwörten stimmen nicht überein!",
  passwordSaved: "Passwort erfolgreich gespeichert.",
  logOutEverywhere: "Alle Geräte abmelden",
  logOutEverywhereHint: "Beendet jede Anmeldung Ihres Kontos, auch die auf diesem Gerät.",
  logOutEverywhereQuestion: "Wollen Sie sich auf allen Geräten abmelden?",
  logOutEverywhereWarning: "Auch dieses Gerät wird abgemeldet. Sie müssen sich danach neu anmelden.",
  loggedOutEverywhere: "Alle Geräte wurden erfolgreich ausgeloggt.",
  devices: "Angemeldete Geräte",
  devicesHint: "Kennen Sie ein Gerät nicht, dann melden Sie es ab und ändern Sie Ihr Passwort.",
  devicesFailed: "Die angemeldeten Geräte konnten nicht geladen werden. Bitte versuchen Sie es erneut.",
  thisDevice: "dieses Gerät",
  deviceTimes: (since: string, lastSeen: string) => `Angemeldet seit ${since}, zuletzt gesehen ${lastSeen}`,
  deviceStays: "Bleibt angemeldet",
  endDevice: "Abmelden",
  deviceEnded: "Das Gerät wurde abgemeldet.",
  ownData: "Meine Daten",
  ownDataHint:
    "Flüge, Equipment, Logs, Tracks, Bilder und Dokumente in einer ZIP-Datei, die auch ohne Fluglog lesbar ist.",
  downloadOwnData: "Alles herunterladen",
  moveHint:
    "Für ein anderes Fluglog, ohne Bilder und Dokumente: „Aus Datei übernehmen“ nimmt dort die Flüge " +
    "mit ihrem Equipment auf.",
  downloadFlights: "Flüge herunterladen",
  downloadBegun: "Der Download beginnt.",
  downloadBegunOf: (size: string) => `Der Download beginnt: etwa ${size}.`,
  downloadFailed: "Der Download konnte nicht beginnen. Bitte versuchen Sie es erneut.",
};

export const feedback = {
  title: "Feedback",
  rating: "Bewertung",
  ratingHint: "1 ist schlecht, 10 ist sehr gut.",
  message: "Nachricht",
  messageHint: "Was gefällt Ihnen, was fehlt Ihnen? Höchstens 10.000 Zeichen.",
  messageMissing: "Bitte geben Sie eine Nachricht ein.",
  send: "Senden",
  sent: "Feedback erfolgreich gesendet!",
};

export const home = {
  title: "Startseite",
  greeting: (nickname: string) => (nickname === "" ? "Willkommen" : `Hallo, ${nickname}`),
  navigation: "Bereiche",
  flights: "Flüge",
  startFlight: "Fluglog starten",
  number: "Nr.",
  startFlightHint: "Equipment wählen und los",
  finishFlight: "Fluglog beenden",
  /** The card that starts a flight with one tap. */
  readyFlight: "Bereit zum Start",
  startNow: "Jetzt starten",
  /** Placeholder of that card while it is loading. */
  placeUnknown: "Unbekannt",
  latestFlights: "Letzte Flüge",
  allFlights: "Alle Flüge",
  steps: {
    title: "Drei Schritte bis zum ersten Flug",
    copter: { title: "Copter hinzufügen", hint: "Der Name genügt" },
    battery: { title: "Batterie hinzufügen", hint: "Der Name genügt" },
    flight: { title: "Fluglog starten", hint: "Equipment wählen und los" },
    done: "Erledigt, weitere hinzufügen",
  },
  noPassword: "Sie melden sich bisher nur per E-Mail an.",
};

export const statistics = {
  title: "Statistik",
  review: "Rückblick",
  failed: "Statistik konnten nicht geladen werden. Bitte versuchen Sie es erneut.",
  flightTime: "Flugzeit",
  distance: "Strecke",
  speed: "Geschwindigkeit",
  altitude: "Höhe",
  consumption: "Verbrauch",
  totalFlightTime: "Gesamtflugzeit",
  totalFlightCount: "Anzahl der Flüge",
  averageFlightTime: "Durchschnittliche Flugzeit",
  maximumFlightTime: "Längste Flugzeit",
  totalDistance: "Gesamtstrecke",
  maximumDistance: "Maximale Entfernung",
  maximumSpeed: "Maximale Geschwindigkeit",
  averageSpeed: "Durchschnittliche Geschwindigkeit",
  maximumAltitude: "Maximale Höhe",
  averageAltitude: "Durchschnittliche Höhe",
  averagePowerConsumption: "Durchschnittlicher Verbrauch",
  months: {
    title: "Flüge nach Monaten",
    flights: "Flüge",
    minutes: "Flugzeit",
    month: "Monat",
    period: "Zeitraum",
    lastMonths: "Letzte 12 Monate",
    range: (first: string, last: string) => `${first} bis ${last}`,
    count: (flights: number) => (flights === 1 ? "1 Flug" : `${formatCount(flights)} Flüge`),
    about: (range: string, sum: string, most: string) =>
      `${range}: ${sum}, höchstens ${most} in einem Monat.`,
    short: ["Jan", "Feb", "Mär", "Apr", "Mai", "Jun", "Jul", "Aug", "Sep", "Okt", "Nov", "Dez"] as const,
    long: [
      "Januar",
      "Februar",
      "März",
      "April",
      "Mai",
      "Juni",
      "Juli",
      "August",
      "September",
      "Oktober",
      "November",
      "Dezember",
    ] as const,
  },
};

export const dates = {
  day: "Tag",
  month: "Monat",
  year: "Jahr",
  hour: "Stunde",
  minute: "Minute",
  openCalendar: "Kalender öffnen",
  calendar: "Kalender",
  time: "Uhrzeit",
  clear: "Löschen",
  today: "Heute",
  confirm: "Bestätigen",
  previousMonth: "Voriger Monat",
  nextMonth: "Nächster Monat",
  earlier: "5 Minuten früher",
  later: "5 Minuten später",
  hourEarlier: "1 Stunde früher",
  hourLater: "1 Stunde später",
  badYear: "Das Jahr muss zwischen 1900 und 2099 liegen.",
};

export const drafts = {
  restored: (clock: string) => `Entwurf von ${clock} wiederhergestellt`,
  offered: (clock: string) =>
    `Es gibt einen Entwurf von ${clock}. Seitdem wurde an anderer Stelle etwas anderes gespeichert.`,
  restore: "Wiederherstellen",
  discard: "Verwerfen",
  leave: "Änderungen verwerfen und die Seite verlassen?",
};

/** Searching and sorting a long list. */
export const listTools = {
  search: "Suche",
  sort: "Sortierung",
  reset: "Filter zurücksetzen",
  none: "Nichts gefunden.",
  found: (found: number, all: number) => `${formatCount(found)} von ${formatCount(all)} gefunden`,
};

export const equipment = {
  kind: {
    [Kind.Copter]: "Copter",
    [Kind.Battery]: "Batterie",
    [Kind.Goggles]: "Brille",
    [Kind.Transmitter]: "Sender",
    [Kind.VideoCamera]: "Videokamera",
  } satisfies Record<Kind, string>,
  kinds: {
    [Kind.Copter]: "Copter",
    [Kind.Battery]: "Batterien",
    [Kind.Goggles]: "Brillen",
    [Kind.Transmitter]: "Sender",
    [Kind.VideoCamera]: "Videokameras",
  } satisfies Record<Kind, string>,
  active: "In Betrieb",
  retired: "Ausgemustert",
  retiredHeading: "Ausgemusterte",
  edit: "Bearbeiten",
  editTitle: (kind: string) => `${kind} editieren`,
  newTitle: (kind: string) => `${kind} neu erfassen`,
  deactivate: "Deaktivieren",
  activate: "Aktivieren",
  deactivateTitle: "Equipment deaktvieren",
  reason: "Grund",
  activateQuestion: "Equipment wirklich wieder aktvieren?",
  deactivated: "Erfolgreich deaktiviert.",
  activated: "Erfolgreich aktiviert.",
  listFailed: "Das Laden vom Equipment ist fehlgeschlagen. Bitte versuchen Sie es erneut.",
  loadFailed: "Das Laden vom Equipment ist fehlgeschlagen.",
  /** For an empty list. */
  noneActive: {
    [Kind.Copter]: "Kein Copter in Betrieb. Für einen Flug brauchen Sie mindestens einen.",
    [Kind.Battery]: "Keine Batterie in Betrieb.",
    [Kind.Goggles]: "Keine Brille in Betrieb.",
    [Kind.Transmitter]: "Kein Sender in Betrieb.",
    [Kind.VideoCamera]: "Keine Videokamera in Betrieb.",
  } satisfies Record<Kind, string>,
  noneRetired: (kinds: string) => `Keine ausgemusterten ${kinds}.`,
  showActive: "In Betrieb anzeigen",
  /** State of a battery that is in use. */
  states: {
    full: "voll",
    partial: "teilgeladen",
    storage: "Lagerung",
    empty: "leer",
    low: "zu tief",
    charging: "lädt",
    flying: "im Flug",
  } satisfies Record<PackState, string>,
  stateUnknown: "unbekannt",
  since: (time: string) => `seit ${time}`,
  orders: {
    ready: "Einsatzbereite zuerst",
    name: "Name, A bis Z",
    lastFlight: "Zuletzt geflogen",
    usageTime: "Längste Nutzungszeit",
    chargeCount: "Meiste Ladungen",
  },
  retiredAt: (time: string) => `Ausgemustert am ${unbroken(time)}`,
  nameMissing: "Bitte geben Sie einen Namen ein.",
  reasonMissing: "Bitte geben Sie einen Grund ein.",
  addAnother: {
    [Kind.Copter]: "Danach noch einen Copter erfassen",
    [Kind.Battery]: "Danach noch eine Batterie erfassen",
    [Kind.Goggles]: "Danach noch eine Brille erfassen",
    [Kind.Transmitter]: "Danach noch einen Sender erfassen",
    [Kind.VideoCamera]: "Danach noch eine Videokamera erfassen",
  } satisfies Record<Kind, string>,
  fields: {
    model: "Modell",
    name: "Name",
    manufacturer: "Hersteller",
    seller: "Verkäufer",
    purchaseDate: "Kaufdatum",
    weight: "Gewicht (g)",
    firmwareNumber: "Firmware-Nummer",
    batteryType: "Batterietyp",
    capacity: "Kapazität (mA)",
  },
  figures: {
    usageTime: "Nutzungszeit",
    lastFlight: "Letzter Flug",
    weight: "Gewicht",
    firmwareNumber: "Firmware",
    currentCharge: "Letzte Spannung",
    endVoltage: "Endspannung",
    capacity: "Kapazität",
    chargeCount: "Ladungen",
    lastChargeTime: "Letzte Ladung",
    flights: "Flüge",
  },
  /** The item page. */
  page: {
    allFlights: (count: number) => `Alle ${formatCount(count)} Flüge anzeigen`,
    noFlights: "Noch kein Flug.",
    allLogs: (count: number) => `Alle ${formatCount(count)} Logs anzeigen`,
    details: "Angaben",
  },
};

export const chargings = {
  start: "Ladevorgang starten",
  finish: "Ladevorgang beenden",
  history: "Akkuladungsverlauf",
  dialogTitle: (name: string) => `Ladevorgang für ${name}`,
  historyTitle: (name: string) => `Akkuladungsverlauf:${name}`,
  runningSince: (time: string) => `Ladevorgang läuft seit ${time}`,
  begin: "Starten",
  end: "Abschließen",
  started: "Ladevorgang gestartet.",
  finished: "Ladevorgang abgeschlossen.",
  historyFailed: "Akkuladungsverlauf konnten nicht geladen werden. Bitte versuchen Sie es erneut.",
  empty: "Kein Akkuladungsverlauf vorhanden",
  /** Kinds of entries in the charging history. */
  kinds: {
    flight: "Flug",
    charge: "Aufladung",
    discharge: "Entladung",
    open: "Ladevorgang läuft",
    level: "Ladevorgang",
  },
  list: "Ladevorgänge und Flüge, die neuesten zuerst",
  flightAt: (time: string) => `vom ${time} anzeigen`,
  until: " bis ",
  ofCell: (voltage: string) => `${voltage} je Zelle`,
  showAll: (count: number) => (count === 1 ? "1 Eintrag anzeigen" : `Alle ${count} Einträge anzeigen`),
  groups: { start: "Beginn", end: "Ende" },
  fields: {
    chargeStartTime: "Startzeit",
    chargeEndTime: "Endzeit",
    fromVoltage: "Startspannung (V)",
    toVoltage: "Endspannung (V)",
    fromCellVoltage: "Zellspannung vorher (V)",
    toCellVoltage: "Zellspannung nachher (V)",
    charged: "Geladen (mA)",
  },
  /** Labels of the history, where the unit follows the value. */
  labels: {
    start: "Start",
    end: "Ende",
    voltage: "Spannung",
    cellVoltage: "Zellspannung",
    charged: "Geladen",
    taken: "Entnommen",
  },
  /** The server's sentences, shown before it is asked. */
  missing: {
    chargeStartTime: "Bitte geben Sie die Startzeit des Ladevorgangs ein.",
    fromVoltage: "Bitte geben Sie die Spannung vor dem Ladevorgang ein.",
    toVoltage: "Bitte geben Sie die Spannung nach dem Ladevorgang ein.",
    chargeEndTime: "Bitte geben Sie die Endzeit des Ladevorgangs ein.",
    charged: "Bitte geben Sie die geladene Kapazität ein.",
  },
  endsBeforeStart: "Die Endzeit liegt vor der Startzeit.",
  proposed: {
    last: "Zuletzt gemessen",
    full: "Voll, wie üblich",
    taken: "Verbrauch seit der letzten Ladung",
  },
  chart: {
    title: (count: number) => `${count} Aufladungen im Lauf der Zeit`,
    voltage: "Spannung vor und nach dem Laden",
    charged: "Geladen",
    voltageAbout: (count: number, first: string, last: string, before: string, after: string) =>
      `${count} Aufladungen vom ${first} bis zum ${last}. Vor dem Laden ${before}, danach ${after}.`,
    chargedAbout: (amount: string, last: string) => `Geladen wurden ${amount}, zuletzt ${last}.`,
    range: (least: string, most: string) => (least === most ? least : `${least} bis ${most}`),
  },
};

export const flights = {
  importWay: "Aus Datei übernehmen",
  importWayHint: "Ein Log Ihres Senders oder Ihrer Drohne",
  title: "Flüge",
  detailTitle: "Fluglog",
  editorTitle: "Flug-Editor",
  start: "Fluglog starten",
  finish: "Fluglog beenden",
  empty: "Keine Flüge vorhanden",
  showEquipment: "Equipment anzeigen",
  hideEquipment: "Equipment schließen",
  columns: {
    startTime: "Startzeit",
    location: "Ort",
    distance: "Strecke (km)",
    maximumDistance: "Max. Entfernung (m)",
    speed: "Max. Geschwindigkeit (km/h)",
    flightTime: "Flugzeit (min)",
    maximumAltitude: "Höhe (m)",
    copter: "Copter",
  },
  /** Flight modes by code: 0, 1, 2. */
  modes: ["Winkel", "Horizontal", "Manuell"] as const,
  add: "Flug nachtragen",
  addAnother: "Speichern, nächster Flug",
  copterMissing: "Bitte wählen Sie einen Copter.",
  end: "Abschließen",
  endAndNext: "Abschließen, nächster Akku",
  noChargedPack: "Kein geladener Akku dieser Art",
  nextFlies: (packs: string, isKept: boolean) =>
    `${isKept ? "Gemerkt" : "Gespeichert"}. Jetzt fliegt ${packs}.`,
  nextNotStarted: (reason: string) =>
    `Der Flug ist abgeschlossen, der nächste wurde nicht gestartet. ${reason}`,
  unanswered: "Keine Antwort vom Server. Bitte versuchen Sie es erneut.",
  openTooLong: (minutes: number) =>
    `Flug läuft seit ${longTime(minutes)}. Tragen Sie seine wirkliche Flugzeit ein, oder verwerfen Sie ihn.`,
  myLocation: "Mein Standort",
  locationFailed: "Fehler beim Abrufen des Standorts.",
  locationUnsupported: "Geolocation wird von diesem Browser nicht unterstützt.",
  locationInsecure:
    "Den Standort gibt der Browser nur über eine sichere Verbindung (https) frei. Geben Sie die " +
    "Koordinaten ein, oder kopieren Sie sie aus einer Karte.",
  openMap: "Karte öffnen",
  onMap: "Auf der Karte zeigen",
  gpsHint: "Breite und Länge, zum Beispiel 53,551086 9,993682",
  gpsInvalid: "Ungültige Eingabe: Es fehlen Breite oder Länge, zum Beispiel 53,551086 9,993682.",
  badLatitude: "Die geografische Breite muss zwischen -90 und 90 liegen.",
  badLongitude: "Die geografische Länge muss zwischen -180 und 180 liegen.",
  running: "Flug läuft",
  runningFor: (minutes: number) => `Flug läuft seit ${longTime(minutes)}`,
  since: (clock: string) => `seit ${clock}`,
  atStart: (voltage: string) => `${voltage} beim Start`,
  runningSince: (time: string) => `Flug läuft seit ${time}`,
  more: "Weitere Flüge laden",
  loadingMore: "Weitere Flüge werden geladen …",
  noLocation: "Ort unbekannt",
  list: "Liste der Flüge",
  equipment: "Equipment",
  toList: "Zu den Flügen",
  notYours: "Diesen Flug gibt es nicht, oder er gehört zu einem anderen Konto.",
  startGps: "GPS Start",
  endGps: "GPS Ende",
  batteryStartVoltage: "Startspannung (V)",
  batteryEndVoltage: "Endspannung (V)",
  consumedCapacity: "Verbraucht (mA)",
  flightMode: "Flugmodus",
  weatherConditions: "Wetter",
  purpose: "Zweck",
  notes: "Notizen",
  fromFiles: "Werte aus Datei",
  deleteFailed: "Löschen fehlgeschlagen.",
  /** Browser tab title of a flight. */
  flightOf: (copter: string, location: string) => (location === "" ? copter : `${copter} · ${location}`),
  deleteWhich: (copter: string, time: string, location: string) =>
    location === "" ? `${copter}, ${time}` : `${copter}, ${time}, ${location}`,
  /** Groups of the editor. */
  groups: { place: "Wann und wo", gps: "GPS", flight: "Flug", battery: "Akku", notes: "Notizen" },
  /** Labels of the detail page, where the unit follows the value. */
  labels: {
    flightTime: "Flugzeit",
    maximumAltitude: "Höhe",
    distance: "Strecke",
    maximumDistance: "Max. Entfernung",
    speed: "Max. Geschwindigkeit",
    batteryStartVoltage: "Startspannung",
    batteryEndVoltage: "Endspannung",
    consumedCapacity: "Verbraucht",
  },
  proposedTime: "Vorschlag: von der Startzeit bis jetzt",
  startInFuture: "Die Startzeit liegt in der Zukunft. Geht die Uhr dieses Geräts richtig?",
  fillLocation: (location: string) => `Wie zuletzt: ${location}`,
  configTitle: "Fluglog starten",
  likeLastFlight: "Wie beim letzten Flug",
  chooseLikeLast: "Wie zuletzt",
  likeLastFlightDropped: (count: number) =>
    count === 1
      ? "1 Teil Equipment ist nicht mehr in Betrieb."
      : `${count} Teile Equipment sind nicht mehr in Betrieb.`,
  withBatteries: (batteries: string) => `mit ${batteries}.`,
  noneReady: (count: number) =>
    count === 1
      ? "Keine geladene Batterie dieser Art ist frei."
      : `Für ${count} Batterien ist keine geladene dieser Art frei.`,
  clearChoice: "Leeren",
  alreadyOpen: "Es läuft bereits ein Flug. Bitte beenden Sie zuerst den Fluglog.",
  enterData: "Flugdaten eintragen",
  /** Of a battery. */
  charged: "geladen",
  flownSince: "seitdem geflogen",
  doubtful: {
    charging: (battery: string) => `${battery} ist am Ladegerät.`,
    flying: (battery: string) => `${battery} ist im Flug.`,
    low: (battery: string) => `${battery} ist zu tief entladen.`,
    empty: (battery: string) => `${battery} ist leer.`,
    storage: (battery: string) => `${battery} ist nur auf Lagerspannung.`,
    flown: (battery: string) => `${battery} ist seit dem Laden geflogen.`,
  },
  noWeight: "ohne Gewicht",
  checkChoice: "Die Auswahl wurde aktualisiert, bitte prüfen Sie sie.",
  ownChoice: "Eigene Auswahl",
  payloadName: "Name",
  payloadWeight: "Gewicht (g)",
  deletePayload: (name: string) => `Nutzlast ${name} löschen`,
  payloadIncomplete: "Die eingegebene Nutzlast ist unvollständig. Bitte ergänzen oder leeren Sie sie.",
  createUnanswered: "Keine Antwort vom Server. Die Auswahl bleibt erhalten. Bitte versuchen Sie es erneut.",
  payload: "Nutzlast",
  startWeight: (grams: string) => `Startgewicht: ${grams}g`,
  totalWeight: (grams: string) => `Gesammtgewicht: ${grams}g`,
  deleteQuestion: "Wollen Sie den Fluglog löschen?",
  /** Precedes "Verwerfen" for screen readers. */
  discardWhat: "Flug",
  discard: "Verwerfen",
  undoStart: "Rückgängig",
  startUndone: "Der Start ist rückgängig gemacht.",
  discardQuestion: "Wollen Sie diesen Flug verwerfen?",
  deleteAlong: "Seine Bilder und Logs werden mit gelöscht.",
  listFailed: "Flüge konnten nicht geladen werden. Bitte versuchen Sie es erneut.",
  loadFailed: "Flug konnten nicht geladen werden. Bitte versuchen Sie es erneut.",
  configFailed: "Konfigurationen konnten nicht geladen werden. Bitte versuchen Sie es erneut.",
};

export const files = {
  choose: "Datei auswählen",
  dropFile: "Datei hierher ziehen oder auswählen",
  dropImages: "Bilder hierher ziehen oder auswählen",
  fromGallery: "Aus Galerie wählen",
  takePhoto: "Foto aufnehmen",
  remove: (name: string) => `${name} entfernen`,
  uploading: "Wird hochgeladen …",
  processing: "Wird verarbeitet …",
  upload: "Hochladen",
  unanswered: "Keine Antwort vom Server. Die Auswahl bleibt erhalten. Bitte versuchen Sie es erneut.",
  noPreview: "Keine Vorschau",
  tooLarge: "Die Datei überschreitet die 50-MB-Grenze und wurde nicht hinzugefügt",
  noImage: "Bitte wählen Sie Bilder im Format JPEG, PNG, WebP oder GIF.",
  onlyOne: "Bitte wählen Sie nur eine Datei.",
  open: "Öffnen",
  download: "Herunterladen",
  downloadFailed: "Herunterladen fehlgeschlagen.",
  kinds: {
    pdf: "PDF",
    doc: "Textdokument",
    xls: "Tabelle",
    text: "Text",
    image: "Bild",
    audio: "Audio",
    video: "Video",
    other: "Datei",
  },
};

export const logs = {
  title: "Logs",
  orders: { newest: "Neueste zuerst", oldest: "Älteste zuerst" },
  titleOf: (equipment: string) => `Logs für ${equipment}`,
  create: "Log erstellen",
  newTitle: (model: string) => `Neuer Log für ${model}`,
  editTitle: (model: string) => `Log Editieren für ${model}`,
  empty: "Keine Logs vorhanden",
  toEquipment: "Zum Equipment",
  notYoursHint: "Das Equipment gibt es nicht, oder es gehört zu einem anderen Konto.",
  failed: "Logs konnten nicht geladen werden. Bitte versuchen Sie es erneut.",
  columns: { time: "Datum", info: "Info", document: "Dokument", actions: "Aktionen" },
  text: "Text",
  textMissing: "Bitte geben Sie einen Text ein.",
  time: "Datum",
  timeMissing: "Bitte geben Sie Datum und Uhrzeit ein.",
  file: "Dokument (optional)",
  deleteQuestion: "Wollen Sie den Log löschen?",
  deleteWithDocument: (name: string) => `Das Dokument ${name} wird mit gelöscht.`,
  deleteFailed: "Löschen fehlgeschlagen.",
  editOf: (time: string) => `Log vom ${time} editieren`,
  deleteOf: (time: string) => `Log vom ${time} löschen`,
};

export const documents = {
  title: "Meine Dokumente",
  orders: { newest: "Neueste zuerst", name: "Name, A bis Z" },
  empty: "Keine Dokumente vorhanden",
  failed: "Dokumente konnten nicht geladen werden. Bitte versuchen Sie es erneut.",
  columns: {
    kind: "Art",
    uploadTime: "Hochgeladen",
    name: "Name",
    description: "Beschreibung",
    size: "Größe",
    actions: "Aktionen",
  },
  uploadTitle: "Datei hochladen",
  uploadFailed: "Hochladen fehlgeschlagen.",
  uploaded: "Erfolgreich hochgeladen.",
  descriptionMissing: "Bitte geben Sie eine Beschreibung ein.",
  share: "Per QR-Code teilen",
  editDescription: "Beschreibung anpassen",
  deleteQuestion: "Wollen Sie die Datei wirklich löschen?",
  deleteFailed: "Löschen fehlgeschlagen.",
  deleted: "Erfolgreich gelöscht.",
  shareTitle: "QR-Code Scannen um das Dokument zu downloaden",
  shareFailed: "Teilen fehlgeschlagen. Bitte versuchen Sie es erneut.",
  qrOf: (name: string) => `QR-Code für ${name}`,
  preparing: "QR-Code wird erstellt …",
  shareUntil: (clock: string) =>
    `Die Freigabe endet, sobald Sie dieses Fenster schließen, spätestens um ${unbroken(`${clock} Uhr`)}.`,
  endShare: "Freigabe beenden",
  shareEnded: "Die Freigabe ist beendet.",
};

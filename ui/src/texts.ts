// The German texts of the first load, one object per topic: those of all other screens are in components/texts and
// beside the screens. Sentences from the product's specification are verbatim, typing errors included; a test holds
// them.
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
export function longTime(minutes: number): string {
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
  nothingKnown:
    "Ohne Netz öffnet Fluglog nur, wenn Sie „Angemeldet bleiben“ gewählt haben. Bitte melden Sie sich mit " +
    "Netz einmal so an.",
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
  todo: "Zu erledigen",
  spaces: "Gemeinsam nutzen",
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

export const profile = {
  setPassword: "Passwort festlegen",
};

export const feedback = {
  title: "Feedback",
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
  /** For screen readers, beside the copter of the card. */
  change: "ändern",
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
};

export const flights = {
  importWay: "Aus Datei übernehmen",
  importWayHint: "Eine Liste aus Excel oder ein Log Ihres Senders oder Ihrer Drohne",
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
  noChargedPack: "Kein geladener Akku dieser Art",
  unanswered: "Keine Antwort vom Server. Bitte versuchen Sie es erneut.",
  myLocation: "Mein Standort",
  locationFailed: "Fehler beim Abrufen des Standorts.",
  running: "Flug läuft",
  runningFor: (minutes: number) => `Flug läuft seit ${longTime(minutes)}`,
  since: (clock: string) => `seit ${clock}`,
  atStart: (voltage: string) => `${voltage} beim Start`,
  likeLastFlightDropped: (count: number) =>
    count === 1
      ? "1 Teil Equipment davon steht Ihnen nicht mehr zur Verfügung."
      : `${count} Teile Equipment davon stehen Ihnen nicht mehr zur Verfügung.`,
  enterData: "Flugdaten eintragen",
  /** Of a battery. */
  charged: "geladen",
  flownSince: "seitdem geflogen",
};

export const documents = {
  title: "Meine Dokumente",
};

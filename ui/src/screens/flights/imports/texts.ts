// Texts of the imports' screens that no other screen needs.
import { formatCount, unbroken } from "../../../texts";

/** Importing flights from files. */
export const imports = {
  title: "Flüge aus Dateien",
  drop: "Dateien hierher ziehen oder auswählen",
  choose: "Dateien auswählen",
  chooseHint:
    "Fluglog liest die Flüge darin und zeigt sie Ihnen. Gespeichert wird erst, was Sie übernehmen. " +
    "Nichts verlässt diesen Server.",
  evaluating: "Wird ausgewertet …",
  uploading: (count: number) => (count === 1 ? "1 Datei" : `${count} Dateien`),
  unanswered: "Keine Antwort vom Server. Bitte versuchen Sie es erneut.",
  tooMany: "Höchstens 20 Dateien auf einmal.",
  tooLarge: "Die Datei ist zu groß (höchstens 100 MB).",
  allTooLarge: "Die Dateien sind zusammen zu groß (höchstens 200 MB).",
  ofFile: (name: string, sentence: string) => `${name}: ${sentence}`,
  noFlights: "Keine Flüge gefunden.",
  open: "Noch nicht übernommen",
  andMore: (names: string, count: number) => `${names} und ${formatCount(count)} weitere`,
  openRow: (time: string, flights: number) =>
    `${time} · ${flights === 1 ? "1 Flug" : `${formatCount(flights)} Flüge`}`,
  openHint: "Sie bleiben eine Woche lang hier, auch für Ihre anderen Geräte.",
  listFailed: "Die offenen Importe konnten nicht geladen werden. Bitte versuchen Sie es erneut.",
  loadFailed: "Der Import konnte nicht geladen werden. Bitte versuchen Sie es erneut.",
  gone: "Diesen Import gibt es nicht mehr. Er wurde schon übernommen oder verworfen.",
  toFlights: "Zu den Flügen",
  moreFiles: "Weitere Dateien",
  about: {
    title: "Welche Dateien?",
    rows: [
      ["EdgeTX, OpenTX", "Ordner LOGS auf der Karte des Senders"],
      ["Spektrum, Jeti, HoTT, Yuneec, VBar", "Logs der Karte des Senders"],
      ["DJI Fly, DJI GO", "FlightRecord-Dateien der App (.txt), lesbar ist ihre Zusammenfassung"],
      ["Airdata, Litchi, Open DroneLog", "Export als CSV oder JSON"],
      ["GPS-Tracks", "GPX, KML, KMZ, GeoJSON, IGC"],
      ["Betaflight, INAV", "Blackbox-Logs der Karte oder des Speichers (.bbl, .bfl, .txt)"],
      ["ArduPilot, PX4, MAVLink", "Logs des Flugcontrollers (.bin, .ulg) und der Bodenstation (.tlog)"],
      ["Videos von DJI und Walksnail", "Untertitel (.srt) und OSD der Brille (.osd)"],
      ["Altes Flugbuch", "CSV, Excel oder LibreOffice, mit einem Flug je Zeile"],
      [
        "Ein anderes Fluglog",
        "ZIP von „Meine Daten“ im Profil dort: das ganze Logbuch; oder die CSV mit allen Feldern: die Flüge",
      ],
      ["Mehrere auf einmal", "bis zu 20 Dateien, oder ein ZIP"],
    ] as const,
  },
  found: (count: number) => (count === 1 ? "1 Flug erkannt" : `${formatCount(count)} Flüge erkannt`),
  there: (count: number) => `${formatCount(count)} schon vorhanden`,
  newItems: (names: string) => `Wird mit den Flügen angelegt: ${names}`,
  newPacks: (names: string, count: number) =>
    count === 1
      ? `Ein Akku der Datei ist noch nicht angelegt: ${names}`
      : `${formatCount(count)} Akkus der Datei sind noch nicht angelegt: ${names}`,
  packsCreated: (count: number) =>
    count === 1 ? "1 Akku angelegt." : `${formatCount(count)} Akkus angelegt.`,
  createPacks: (count: number) => (count === 1 ? "Akku anlegen" : "Akkus anlegen"),
  notRead: (columns: string) => `Nicht gelesen: ${columns}`,
  withoutClock: (count: number) =>
    count === 1
      ? "1 Flug ist ohne Uhrzeit und wird so nicht übernommen."
      : `${formatCount(count)} Flüge sind ohne Uhrzeit und werden so nicht übernommen.`,
  noon: "12:00",
  assumeNoon: "12:00 annehmen",
  comesAlong: (what: string) => `Kommt mit: ${what}`,
  comesLater: (count: number) =>
    `${formatCount(count)} weitere davon kommen nach dem Übernehmen mit „Nächster Teil“.`,
  /** Parts of an imported logbook other than flights. */
  belongings: {
    items: (count: number) => (count === 1 ? "1 weiteres Gerät" : `${formatCount(count)} weitere Geräte`),
    chargings: (count: number) => (count === 1 ? "1 Ladevorgang" : `${formatCount(count)} Ladevorgänge`),
    readings: (count: number) => (count === 1 ? "1 Messung" : `${formatCount(count)} Messungen`),
    sets: (count: number) => (count === 1 ? "1 Satz Akkus" : `${formatCount(count)} Sätze Akkus`),
    logs: (count: number) => (count === 1 ? "1 Log" : `${formatCount(count)} Logs`),
    documents: (count: number) => (count === 1 ? "1 Dokument" : `${formatCount(count)} Dokumente`),
    images: (count: number) => (count === 1 ? "1 Bild" : `${formatCount(count)} Bilder`),
    jobs: (count: number) => (count === 1 ? "1 Wartung" : `${formatCount(count)} Wartungen`),
    prior: () => "die Flüge von vor Fluglog",
  },
  showThere: "Zeigen",
  copied: (count: number) =>
    count === 1
      ? "1 Flug ist schon hier und kommt nicht noch einmal."
      : `${formatCount(count)} Flüge sind schon hier und kommen nicht noch einmal.`,
  omitted: (count: number) =>
    count === 1 ? "1 Abschnitt ausgelassen" : `${formatCount(count)} Abschnitte ausgelassen`,
  noStart: "Ohne Startzeit",
  lackingStart: (count: number) => `${formatCount(count)} ohne Startzeit`,
  noMinutes: "ohne Dauer",
  packs: (names: string) => `Akku ${names}`,
  inFile: (time: string) => `(Datei: ${time})`,
  take: (start: string) => `Flug übernehmen, ${start}`,
  copterOf: (start: string) => `Copter, ${start}`,
  packOf: (start: string) => `Akku, ${start}`,
  chooseCopter: "Copter wählen",
  noPack: "Kein Akku",
  copterMissing: "Bitte Copter wählen.",
  startMissing: "Bitte Startzeit ergänzen.",
  clockOf: (day: string) => `Uhrzeit am ${day}`,
  newCopter: "Neuen Copter anlegen",
  newCopterHint: "Weitere Angaben können Sie später ergänzen.",
  forModel: (count: number, model: string) => `Für alle ${formatCount(count)} Flüge mit „${model}“ wählen`,
  forUnknown: (count: number) =>
    count === 1
      ? "Auch für den Flug ohne Copter wählen"
      : `Auch für die ${formatCount(count)} Flüge ohne Copter wählen`,
  withoutPack: (count: number) => `${formatCount(count)} Flüge sind ohne Akku.`,
  dealPacks: "Der Reihe nach",
  dealHint: "„Der Reihe nach“ verteilt passende Akkus, wie sie geladen wurden.",
  forAll: (count: number) => `Für alle ${formatCount(count)} Flüge dieser Datei wählen`,
  actions: {
    skip: "Überspringen",
    fill: "Ergänzen",
    create: "Trotzdem anlegen",
    finish: "Offenen Flug damit abschließen",
  },
  createBesideOpen: "Neuen Flug anlegen",
  openThere: "Zu dieser Zeit läuft ein Flug, der noch offen ist.",
  showTwin: "Flug anzeigen",
  far: (metres: string) => `${metres} weit`,
  high: (metres: string) => `${metres} hoch`,
  estimated: (value: string) => `≈ ${value}`,
  voltages: (from: string, to: string) => `${from} → ${to}`,
  files: "Dateien",
  keepFiles: "Originaldateien beim Flug aufbewahren",
  keepFile: "Originaldatei beim Flug aufbewahren",
  shift: "Zeit verschieben",
  shifted: (by: string) => `um ${by} verschoben`,
  shiftBy: "Um ±h:mm",
  shiftHint: "Zum Beispiel +1:00 oder -0:30. Fluglog merkt es sich für dieses Modell.",
  shiftInvalid: "Bitte als ±h:mm eingeben, zum Beispiel +1:00.",
  firstStart: "Startzeit des ersten Flugs",
  unshifted: (start: string) => `Ohne Verschiebung: ${start}`,
  shiftDone: "Verschieben",
  columns: "Spalten zuordnen",
  columnsHint: "Was steht in welcher Spalte? Fluglog merkt es sich für Dateien mit diesen Überschriften.",
  columnsWrong: "Bitte genau eine Spalte mit dem Datum wählen und keine Bedeutung doppelt.",
  columnName: (place: number) => `Spalte ${place}`,
  meaning: "Bedeutung",
  meaningOf: (name: string) => `Bedeutung von ${name}`,
  unit: "Einheit",
  unitOf: (name: string) => `Einheit von ${name}`,
  decimal: "Dezimalzeichen",
  decimals: { ",": "Komma (7,5)", ".": "Punkt (7.5)" },
  dateOrder: "Datum",
  dateOrders: { dmy: "Tag, Monat, Jahr", mdy: "Monat, Tag, Jahr", ymd: "Jahr, Monat, Tag" },
  read: "Auswerten",
  details: "Flug aus Datei",
  done: "Fertig",
  accept: (count: number) => (count === 1 ? "1 Flug übernehmen" : `${formatCount(count)} Flüge übernehmen`),
  acceptAlong: "Übernehmen",
  discard: "Verwerfen",
  discardOf: (name: string) => `${name} verwerfen`,
  discardQuestion: "Wollen Sie diesen Import verwerfen?",
  discardHint: "Seine Dateien werden vom Server gelöscht. Ihre Flüge bleiben, wie sie sind.",
  discarded: "Import verworfen.",
  more: (count: number) => `Weitere ${formatCount(count)} zeigen`,
  accepted: {
    title: "Übernommen",
    created: (count: number) =>
      count === 1 ? "1 Flug übernommen." : `${formatCount(count)} Flüge übernommen.`,
    completed: (count: number) => (count === 1 ? "1 Flug ergänzt." : `${formatCount(count)} Flüge ergänzt.`),
    skipped: (count: number) => unbroken(`${formatCount(count)} übersprungen.`),
    nothing: "Kein Flug wurde angelegt.",
    cameAlong: (what: string) => `Mitgekommen: ${what}.`,
    unreadable: (count: number) =>
      count === 1
        ? "1 Datei war nicht zu lesen und fehlt."
        : `${formatCount(count)} Dateien waren nicht zu lesen und fehlen.`,
    others: (count: number) => `und ${formatCount(count)} weitere in der Liste der Flüge`,
    undo: "Rückgängig",
    undoQuestion: (count: number) =>
      count === 1
        ? "Den übernommenen Flug wieder löschen?"
        : `Alle ${formatCount(count)} übernommenen Flüge wieder löschen?`,
    undoTakes: "Was inzwischen dazukam, etwa Bilder und Notizen, wird mitgelöscht.",
    undoFailed: "Nicht alle Flüge konnten gelöscht werden. Bitte versuchen Sie es erneut.",
    undone: (count: number) =>
      count === 1 ? "Rückgängig: 1 Flug gelöscht." : `Rückgängig: ${formatCount(count)} Flüge gelöscht.`,
    completedStay: "Was ergänzt wurde, bleibt.",
    movedStays: "Was sonst mitkam, bleibt.",
    goOn: "Nächster Teil",
    allAtOnce: "Alles Übrige ohne Durchsicht",
  },
};

export const shared = {
  question: "Wollen Sie die geteilten Dateien einlesen?",
  hint: "Haben Sie in keiner App Dateien an Fluglog geteilt, wählen Sie Nein.",
};

/** The meanings of a column, by their words in a mapping. */
export const meaningTexts = {
  "": "–",
  date: "Datum",
  startTime: "Startzeit",
  dateTime: "Datum und Zeit",
  flightTime: "Dauer",
  end: "Ende",
  copter: "Copter",
  copterSerial: "Copter: Seriennummer",
  battery: "Akku",
  batterySerial: "Akku: Seriennummer",
  location: "Ort",
  startPosition: "Start: Koordinaten",
  startLatitude: "Start: Breite",
  startLongitude: "Start: Länge",
  endPosition: "Ende: Koordinaten",
  endLatitude: "Ende: Breite",
  endLongitude: "Ende: Länge",
  distance: "Strecke",
  maximumAltitude: "Höhe",
  maximumDistance: "Max. Entfernung",
  speed: "Geschwindigkeit",
  batteryStartVoltage: "Startspannung",
  batteryEndVoltage: "Endspannung",
  consumedCapacity: "Verbraucht",
  flightMode: "Flugmodus",
  weather: "Wetter",
  purpose: "Zweck",
  weight: "Startgewicht",
  notes: "Notizen",
};

export const questions = {
  open: "Noch nicht ausgewertet",
  title: "So ist die Liste gemeint",
  hint: (members: string[]) => {
    const hasYear = members.includes("year");
    if (hasYear && members.length === 1) return "";
    return `Fluglog merkt es sich für Dateien mit diesen Überschriften${hasYear ? ", nur das Jahr nicht" : ""}.`;
  },
  unanswered: "Bitte jede Frage beantworten.",
  way: (member: string) => (member === "year" ? "Jahr" : "Bedeutung"),
  read: (cell: string, value: string) => `${cell} → ${value}`,
};

/** What ticked flights lack. */
export const missing = {
  copter: (count: number) =>
    imports.copterMissing + (count === 1 ? "" : ` Er fehlt bei ${formatCount(count)} Flügen.`),
  startTime: (count: number) =>
    imports.startMissing + (count === 1 ? "" : ` Sie fehlt bei ${formatCount(count)} Flügen.`),
};

export const ended = {
  flights: (count: number) =>
    count === 1 ? "1 Flug" : `${new Intl.NumberFormat("de-DE").format(count)} Flüge`,
};

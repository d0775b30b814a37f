// Texts about queued writes.
import { packs } from "../../components/packs/texts";
import { chargings } from "../../components/texts/chargings";
import { formatMegabytes } from "../../lib/fileKinds";

export const waiting = {
  title: "Noch nicht übertragen",
  safe: "Nichts geht verloren: Alles liegt auf diesem Gerät.",
  nothing: "Alles ist übertragen.",
  byItself: "Gesendet wird von selbst, sobald Netz da ist.",
  wrongClock: (minutes: number) =>
    `Die Uhr dieses Geräts geht ${Math.abs(minutes)} min ${minutes > 0 ? "vor" : "nach"}. ` +
    "Gespeichert wird die Zeit nach der Uhr des Servers.",
  wrongServerClock:
    "Die Uhr des Servers geht um mehr als eine Woche falsch. Gespeichert wird die Zeit dieses Geräts.",
  forgottenByIos: "Bitte zum Home-Bildschirm hinzufügen, sonst löscht iOS wartende Einträge nach 7 Tagen.",
  images: "Bilder werden zuletzt gesendet. Zusammen warten höchstens 50 MB.",
  sendNow: "Jetzt senden",
  edit: "Bearbeiten",
  discard: "Verwerfen",
  discardQuestion: "Diesen Eintrag verwerfen?",
  discardWarning: "Er wurde noch nicht übertragen und ist dann weg.",
  since: (clock: string) => `seit ${clock}`,
  states: { waiting: "wartet", sending: "wird übertragen", stuck: "wartet auf Ihre Entscheidung" },
  calls: {
    CreateFlight: "Flug gestartet",
    AddFlight: "Flug",
    SaveFlight: "Flug bearbeitet",
    DeleteFlight: "Flug gelöscht",
    SaveCharging: "Ladevorgang bearbeitet",
    QuickCharge: "Geladen",
    QuickStore: "Eingelagert",
    Undo: "Rückgängig",
    SaveBatteryReading: "Messung",
    DeleteBatteryReading: "Messung gelöscht",
    SaveEquipmentLog: "Log",
    SaveFlightLog: "Log zum Flug",
    EditLog: "Log bearbeitet",
    DeleteLog: "Log gelöscht",
    UploadImageForFlight: "Bilder",
    CompleteJob: "Erledigt",
    SkipJob: "Übersprungen",
    PutOffJob: "Verschoben",
  },
  flightEnded: "Flug beendet",
  chargingStarted: "Ladevorgang gestartet",
  chargingEnded: "Ladevorgang beendet",
  pictures: (count: number, bytes: number) =>
    `${count === 1 ? "1 Bild" : `${count} Bilder`}, ${formatMegabytes(bytes)}`,
  gone: "Gibt es nicht mehr.",
  addAnew: "Neu anlegen",
  tryAgain: "Erneut senden",
  when: "Wann war das?",
  sendAtTime: "Mit dieser Zeit senden",
  open: {
    title: "Auf dem Server läuft schon ein Flug.",
    which: (copter: string, time: string) => `Auf dem Server läuft schon ein Flug (${copter}, ${time}).`,
    question: "Nur ein Flug kann laufen. Welcher ist zu Ende?",
    endThat: "Jenen beenden",
    saveThis: "Diesen als beendet speichern",
    failed: "Das hat nicht geklappt. Bitte versuchen Sie es erneut.",
  },
  clash: {
    title: "Hier und auf dem Server geändert",
    field: (label: string, here: string, there: string) =>
      `${label}: hier „${here}“, auf dem Server „${there}“`,
    takeHere: "Von hier",
    takeThere: "Vom Server",
  },
};

/** Names of fields as in the forms of chargings and logs. */
export const otherFieldNames: Record<string, string> = {
  ...chargings.fields,
  measuredCapacity: packs.charger.measuredCapacity,
  current: packs.charger.current,
  charger: packs.charger.name,
  endCellVoltages: packs.charger.endCells,
  resistances: packs.charger.resistances,
  info: "Text",
  time: "Zeit",
};

// German texts of a pack's passport. Separate from texts.ts, because no first page needs them.
import type { PassportDeed } from "../../../api/generated/PassportDeed";
import type { Rule } from "../../../api/generated/Rule";

const fullCycles = (cycles: string) => (cycles === "1" ? "1 Vollzyklus" : `${cycles} Vollzyklen`);

export const passport = {
  title: "Akkupass",
  failed: "Der Akkupass konnte nicht geladen werden. Bitte versuchen Sie es erneut.",
  measure: "Messen",
  measured: (time: string, temperature: string) =>
    temperature === "" ? `gemessen ${time}` : `gemessen ${time}, ${temperature}`,
  cells: "Zellen",
  cell: (number: number) => `Zelle ${number}`,
  cellAbout: (number: number, volts: string, ohms: string) =>
    ohms === "" ? `Zelle ${number}: ${volts}` : `Zelle ${number}: ${volts}, ${ohms}`,
  set: {
    of: (name: string) => `Satz „${name}“`,
    make: "Satz bilden",
    edit: "Satz bearbeiten",
    dissolve: "Satz auflösen",
    dissolved: "Der Satz ist aufgelöst.",
    question: (name: string) => `Satz „${name}“ auflösen?`,
    kept: "Die Akkus bleiben.",
    name: "Name",
    nameMissing: "Bitte geben Sie dem Satz einen Namen.",
    members: "Akkus, die zusammen fliegen (2 bis 8)",
  },
  snooze: "In 3 Tagen erinnern",
  snoozed: "In 3 Tagen werden Sie wieder erinnert.",
  snoozedUntil: (time: string) => `Erinnerung erst wieder ab ${time}`,
  remindAgain: "Wieder erinnern",
  hints: "Hinweise",
  why: "Warum?",
  reasons: {
    full:
      "Volle LiPos altern schneller und können aufblähen. Hersteller nennen zwei Tage bis eine " +
      "Woche; nach wie vielen Tagen Sie erinnert werden, stellen Sie in den Angaben zum Akku " +
      "ein.",
    empty:
      "Ein leerer Akku entlädt sich weiter und kann unter 3,0 V je Zelle fallen. Hersteller " +
      "raten, ihn bald auf Lagerspannung zu bringen.",
    low:
      "Unter 3,0 V je Zelle nimmt eine LiPo-Zelle Schaden; manche Betreiber mustern schon unter " +
      "3,3 V in Ruhe aus.",
    unchecked:
      "Ein gelagerter Akku verliert im Monat einige Prozent. Hersteller von Ladegeräten raten, " +
      "alle 3 Monate nachzumessen.",
    idle: "DJI rät, einen Akku nach 10 Tagen ohne Flug auf 40 bis 65 % zu halten.",
    cellsApart:
      "Nach dem Laden sollten alle Zellen gleich sein. Ab 0,03 V lohnt Balancieren, über 0,10 V " +
      "mustern manche Betreiber aus.",
    resistance:
      "Verglichen mit dem Median der ersten drei vollständigen Messungen dieses Akkus, bei " +
      "höchstens 5 °C Unterschied. Ab dem 1,5-Fachen wird erinnert, ab dem Doppelten dringend.",
    oneCell: "Alle Zellen sollten ähnlich sein. Erinnert wird ab dem 1,5-Fachen des Medians und 2 mΩ mehr.",
    capacity:
      "Unter 80 % gilt ein Akku bei den Herstellern als verbraucht. Geschätzt aus den letzten 5 " +
      "vollen Ladungen, ± 5 %.",
    landedLow:
      "Unter Last sinkt die Spannung. Unter 3,3 V je Zelle am Ende war der Flug zu lang, unter " +
      "3,0 V schadet er.",
    swollen:
      "Das haben Sie in einer Messung festgehalten. Der Hinweis geht, wenn Sie die Messung " +
      "ändern oder löschen.",
    damaged:
      "Das haben Sie in einer Messung festgehalten. Der Hinweis geht, wenn Sie die Messung " +
      "ändern oder löschen.",
    sum:
      "Die Zellen ergeben zusammen mehr als 0,3 V anderes als die Spannung des Akkus: Eines " +
      "davon ist falsch abgelesen.",
    chargingOpen:
      "Eine Ladung dauert selten länger als zwei Stunden. Schließen Sie sie ab, wenn der Akku " +
      "vom Ladegerät ist.",
    setApart:
      "Akkus, die zusammen fliegen, sollten gleich geladen sein: Der schwächste begrenzt den " +
      "Flug. Ab 0,05 V je Zelle wird erinnert, ab 0,10 V vor einem Flug dringend.",
    setAging:
      "Akkus, die zusammen fliegen, sollten gleich alt sein. Erinnert wird, wenn ihre " +
      "Vollzyklen mehr als 20 % auseinanderliegen.",
  } satisfies Record<Rule, string>,
  figures: { cycles: "Vollzyklen" },
  /** The capacity that is left. */
  ofNominal: (percent: string, nominal: string) => `${percent} von ${nominal}`,
  percent: (percent: string) => `${percent} %`,
  capacity: {
    title: "Kapazität",
    about: "aus vollen Ladungen geschätzt, ± 5 %",
    axis: (cycles: string) => fullCycles(cycles),
    point: (cycles: string, percent: string) => `${percent} nach ${fullCycles(cycles)}`,
  },
  resistance: {
    title: "Innenwiderstand",
    about: (worst: number) => `je Zelle, am höchsten Zelle ${worst}`,
    at: (worst: number, degrees: string) => `je Zelle, am höchsten Zelle ${worst}, bei ${degrees}`,
    range: (least: string, most: string) => `${least} bis ${most}`,
    worst: (cell: number, ohms: string) => `Am höchsten ist Zelle ${cell} mit ${ohms}.`,
  },
  flights: {
    title: "Spannung der Flüge",
    about: "je Zelle am Anfang und am Ende",
    ofPack: "am Anfang und am Ende",
    row: (time: string, volts: string) => `${time}: ${volts}`,
  },
  timeline: {
    title: "Verlauf",
    none: "Noch keine Ladung oder Messung.",
    actions: {
      flight: "Flug",
      charging: "Lädt",
      charge: "Aufladung",
      discharge: "Entladung",
      storage: "Lagerung",
      reading: "Messung",
    } satisfies Record<PassportDeed, string>,
    more: "Mehr anzeigen",
    swollen: "aufgebläht",
    damaged: "beschädigt",
    ofFile: "aus Datei",
    cells: (low: string, high: string) => `Zellen ${low} bis ${high}`,
    ohms: (low: string, high: string) => `${low} bis ${high}`,
    edit: "Bearbeiten",
    remove: "Löschen",
    removeQuestion: "Diese Messung wirklich löschen?",
    removed: "Messung gelöscht.",
    moreOf: (time: string) => `Mehr zur Messung vom ${time}`,
  },
  print: "Pass drucken",
  label: "Aufkleber drucken",
  form: {
    newTitle: (name: string) => `${name} messen`,
    editTitle: (name: string) => `Messung von ${name} bearbeiten`,
    kind: "Wann gemessen",
    kinds: ["Ruhe", "Nach Laden", "Nach Flug", "Lagerung"],
    cell: "Zelle",
    volts: "Spannung (V)",
    ohms: "Widerstand (mΩ)",
    voltsOf: (cell: number) => `Zelle ${cell}, Spannung (V)`,
    ohmsOf: (cell: number) => `Zelle ${cell}, Widerstand (mΩ)`,
    before: (time: string) => `Grau: die Werte vom ${time}.`,
    paste: "Eine eingefügte Zeile des Ladegeräts füllt alle Felder.",
    voltage: "Akku (V)",
    voltageHint: "Leer: die Summe der Zellen",
    cellsUnknown: "Sagen Sie in den Angaben, wie viele Zellen der Akku hat, dann können Sie jede messen.",
    toProfile: "Zellen angeben",
    more: "Temperatur, Zustand, Zeit",
    temperature: "Temperatur (°C)",
    temperatureWrong: "Bitte geben Sie eine Temperatur von −30 bis 90 °C ein.",
    charger: "Ladegerät",
    swollen: "Aufgebläht",
    damaged: "Beschädigt",
    time: "Zeit",
    timeMissing: "Bitte geben Sie die Zeit der Messung ein.",
    info: "Notiz",
    allOrNone: (cells: number) => `Bitte ${cells} Werte angeben.`,
    gone: "Diese Messung gibt es nicht mehr.",
  },
};

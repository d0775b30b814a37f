// German texts about maintenance and what is to be done. Not in texts.ts: not part of the first load.

const counts = new Intl.NumberFormat("de-DE", { maximumFractionDigits: 1 });
const money = new Intl.NumberFormat("de-DE", { style: "currency", currency: "EUR" });
const counted = (count: number, one: string, many: string) =>
  `${counts.format(count)}\u00a0${count === 1 ? one : many}`;

export const amounts = {
  hours: (count: number) => counted(count, "Stunde", "Stunden"),
  flights: (count: number) => counted(count, "Flug", "Flüge"),
  cycles: (count: number) => counted(count, "Ladezyklus", "Ladezyklen"),
  days: (count: number) => counted(count, "Tag", "Tage"),
  /** Days, said in years or months where they are some. */
  period: (days: number) => {
    if (days % 365 === 0) return counted(days / 365, "Jahr", "Jahre");
    const months = Math.round(days / 30.4);
    const isMonths = days >= 28 && Math.abs(days - months * 30.4) <= 3;
    return isMonths ? counted(months, "Monat", "Monate") : amounts.days(days);
  },
};

export const maintenance = {
  title: "Wartung",
  add: "Wartung hinzufügen",
  all: "Alle Wartungen",
  levels: { red: "Fällig.", amber: "Bald fällig.", green: "In Ordnung.", grey: "Ruht." },
  done: "Erledigt",
  isDone: (title: string) => `Erledigt: ${title}`,
  isSkipped: (title: string) => `Übersprungen: ${title}`,
  isPutOff: (title: string) => `Verschoben: ${title}`,
  undo: "Rückgängig",
  undone: "Rückgängig gemacht.",
  more: (title: string) => `Mehr zu ${title}`,
  skip: "Überspringen",
  later: "Später",
  now: "Nicht mehr verschieben",
  pause: "Pausieren",
  resume: "Fortsetzen",
  edit: "Bearbeiten",
  history: "Verlauf",
  remove: "Löschen",
  removeQuestion: (title: string) => `Wartung „${title}“ löschen?`,
  removeWarning: "Ihr Verlauf wird mitgelöscht. Die Logs bleiben.",
  removed: "Erfolgreich gelöscht.",
  lastDone: (day: string) => `Zuletzt am ${day}`,
  suggestion: (source: string) => `Vorschlag, Quelle: ${source}`,
  manual: (source: string) => `Nach Handbuch: ${source}`,
  andMore: (names: string, more: number) => `${names} und ${more} weitere`,
  failed: "Die Wartung konnte nicht geladen werden. Bitte versuchen Sie es erneut.",
};

export const doneForm = {
  title: (title: string) => `Erledigt: ${title}`,
  time: "Wann",
  timeMissing: "Bitte geben Sie an, wann.",
  info: "Was wurde gemacht?",
  steps: "Schritte",
  photo: "Foto oder Dokument",
  more: "Weitere Angaben",
  cost: "Kosten (€)",
  photoOffline: "Ohne Netz geht es nur ohne Foto.",
  submit: "Erledigt",
  again: "Noch einmal",
};

export const skipForm = {
  title: (title: string) => `Überspringen: ${title}`,
  hint: "Zählt wieder von vorn, ohne dass etwas gemacht wurde. Im Verlauf steht „übersprungen“.",
  reason: "Grund",
  submit: "Überspringen",
};

export const laterForm = {
  title: (title: string) => `Später: ${title}`,
  hint: "Bis dahin meldet sich die Wartung nicht. Fällig bleibt sie.",
  choice: "Wie lange?",
  ways: { days: "7 Tage", flights: "5 Flüge", hours: "5 h", date: "bis Tag" },
  date: "Bis",
  dateMissing: "Bitte wählen Sie einen Tag.",
  submit: "Verschieben",
};

export const jobForm = {
  newTitle: (item: string) => `Wartung für ${item}`,
  editTitle: "Wartung bearbeiten",
  own: "Eigene Wartung",
  templates: "Vorschläge",
  templatesHint: "Allgemeine Vorschläge, keine Vorschriften. Was im Handbuch steht, geht vor.",
  noTemplates: "Für diese Art von Equipment gibt es keine Vorschläge.",
  other: "Anderer Vorschlag",
  title: "Was ist zu tun?",
  titleMissing: "Bitte geben Sie an, was zu tun ist.",
  limits: "Fällig nach (was zuerst kommt)",
  hours: "Flugstunden",
  flights: "Flüge",
  cycles: "Ladezyklen",
  days: "Tage",
  date: "Fällig am",
  limitMissing: "Bitte mindestens eine Grenze angeben.",
  repeat: "Wiederholen",
  repeats: { done: "ab Erledigung", due: "ab Fälligkeit", once: "nur einmal" },
  repeatHint: {
    done: "Die nächste zählt ab dem Tag, an dem sie erledigt wurde.",
    due: "Die nächste zählt ab dem Tag, an dem sie fällig war: für feste Termine, etwa die Versicherung.",
    once: "Nach „Erledigt“ ist sie abgeschlossen.",
  },
  more: "Weitere Angaben",
  steps: "Schritte",
  stepsHint: "Einer je Zeile",
  source: "Nach Handbuch",
  sourceHint: "Etwa Seite oder Adresse",
  warnShare: "Vorher melden (% der Grenze)",
  warnShareHint: "1 bis 50, für Stunden, Flüge und Ladezyklen. Leer: 10 %.",
  on: (date: string) => `am ${date}`,
  noLimit: "Grenze nach Wahl",
  every: (limits: string) => `Alle ${limits}`,
  since: "Zählt seit",
  sinceHint: "Leer: ab jetzt. Ein früherer Tag zählt die Flüge seitdem.",
  saved: "Gespeichert.",
};

export const runs = {
  title: (title: string) => `Verlauf: ${title}`,
  empty: "Noch nie erledigt.",
  failed: "Der Verlauf konnte nicht geladen werden. Bitte versuchen Sie es erneut.",
  done: "Erledigt",
  skipped: "Übersprungen",
  cost: (euros: number) => `Kosten: ${money.format(euros)}`,
  after: (counters: string) => `nach ${counters}`,
  takeBack: "Zurücknehmen",
  takeBackWarning: "Es zählt dann wieder wie davor.",
  takeBackWithLog: "Es zählt dann wieder wie davor, und das Log wird gelöscht.",
};

export const todo = {
  title: "Zu erledigen",
  /** Link from home to the list. */
  all: (count: number) => (count > 3 ? `Alle ${count}` : "Alle"),
  groups: {
    red: "Fällig",
    amber: "Bald fällig",
    green: "Demnächst",
    grey: "Verschoben und pausiert",
  },
  nothing: "Nichts zu erledigen.",
  howTo:
    "Eine Wartung legen Sie auf der Seite eines Copters oder anderen Equipments an: Mehr, „Wartung hinzufügen“.",
  failed: "Die Liste konnte nicht geladen werden. Bitte versuchen Sie es erneut.",
  item: "Gegenstand",
  everything: "Alles",
};

export const undoFailed = "Das konnte nicht rückgängig gemacht werden. Bitte versuchen Sie es erneut.";

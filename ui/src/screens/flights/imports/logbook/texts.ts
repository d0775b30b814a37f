// German texts of a logbook's import in parts. Separate from texts.ts, because no first page needs them.
import { formatNumber } from "../../../../lib/numbers";

const flights = (count: number) => (count === 1 ? "1 Flug" : `${formatNumber(count)} Flüge`);

export const logbook = {
  title: "Ganzes Logbuch",
  choose: "Datei auswählen",
  chooseHint:
    "Die ZIP-Datei von „Meine Daten“ aus dem Profil des anderen Fluglogs, auch wenn sie sehr groß ist.",
  opening: "Die Datei wird geöffnet …",
  about: (size: string, count: number, parts: number) =>
    `${flights(count)} · ${size} · ${parts === 1 ? "1 Teil" : `${formatNumber(parts)} Teile`}`,
  how:
    "Alles kommt ohne weitere Durchsicht: Flüge, Geräte, Ladungen, Logs, Bilder und Dokumente. Was schon hier ist, " +
    "kommt nicht noch einmal. Sie können jederzeit anhalten; mit derselben Datei geht es später dort weiter.",
  start: "Logbuch übernehmen",
  goOn: (part: number) => `Weiter mit Teil ${formatNumber(part)}`,
  part: (part: number, parts: number) => `Teil ${formatNumber(part)} von ${formatNumber(parts)}`,
  working: "Wird übernommen …",
  keepOpen: "Bitte lassen Sie diese Seite offen.",
  pause: "Anhalten",
  waiting: "Keine Verbindung zum Server. Es geht von selbst weiter, sobald er antwortet.",
  busy: "Der Server hat gerade viel zu tun. Es geht gleich weiter.",
  soFar: (what: string) => `Bisher übernommen: ${what}.`,
  nothingNew: "Alles aus dieser Datei ist schon hier.",
  done: (what: string) => `Übernommen: ${what}.`,
  flights,
  lacking: "Nicht alles kommt mit",
  notLogbook: "In dieser Datei ist kein Logbuch eines Fluglogs. Andere Dateien haben höchstens 100 MB.",
  failed: "Das hat nicht geklappt. Bitte versuchen Sie es noch einmal; was schon da ist, bleibt.",
};

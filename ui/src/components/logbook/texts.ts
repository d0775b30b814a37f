// German texts of the Flugbuch and the Gerätebuch.
import { formatCount } from "../../texts";

const flights = (count: number) => (count === 1 ? "1 Flug" : `${formatCount(count)} Flüge`);

export const logbook = {
  pilot: "Flugbuch",
  item: "Gerätebuch",
  period: "Zeitraum",
  wholePeriod: "Alle Jahre",
  ownPeriod: "Von – bis …",
  from: "Erster Tag",
  to: "Letzter Tag",
  facts: (count: number, pages: number, time: string) =>
    [flights(count), pages === 1 ? "1 Seite" : `${formatCount(pages)} Seiten`, time].join(" · "),
  carried: (count: number, time: string) => `Übertrag aus der Zeit davor: ${flights(count)}, ${time}.`,
  carriedPrior: (count: number, time: string) => `Übertrag von vor Fluglog: ${flights(count)}, ${time}.`,
  prior: (count: number, time: string) => `Davon vor Fluglog: ${flights(count)}, ${time}.`,
  withoutTime: (count: number) => `${flights(count)} ohne Flugzeit.`,
  withoutLocation: (count: number) => `${flights(count)} ohne Ort.`,
  about:
    "A4 quer, mit Seitensummen, Übertrag und Platz für die Unterschrift. Jeder Flug zählt auf die Minute gerundet; " +
    "die Tabelle in der PDF-Datei hat die genauen Zeiten.",
  failed: "Das Flugbuch konnte nicht vorbereitet werden. Bitte versuchen Sie es erneut.",
  pdf: "PDF",
  csv: "CSV",
  fullAbout:
    "Ihre Flüge mit allen Feldern, auch zum Übernehmen in ein anderes Fluglog (ohne Bilder, Tracks und Logs):",
  full: "CSV mit allen Feldern",
};

// Texts of "HTTPS im eigenen Netz".

export const certificate = {
  title: "HTTPS im eigenen Netz",
  why:
    "Damit öffnet Fluglog auch ohne Netz, kennt den Standort und lässt sich auf dem Startbildschirm installieren. " +
    "Jedes Gerät muss dem Zertifikat dieses Servers einmal vertrauen.",
  limited:
    "Das Zertifikat gilt nur für diesen Rechner, Namen auf .local und Adressen im eigenen " +
    "Netz. Für andere Seiten kann sich " +
    "damit niemand ausgeben.",
  none: "Dieser Server hat noch kein eigenes Zertifikat. Wer ihn betreibt, macht es mit:",
  command: "sudo fluglog https on",
  failed: "Das Zertifikat kann gerade nicht geladen werden.",
  fingerprint: "Fingerabdruck (SHA-256)",
  compare: "Denselben zeigt „sudo fluglog status“ auf dem Server.",
  load: "Zertifikat laden",
  loadTitle: "1. Zertifikat laden",
  trustTitle: "2. Dem Zertifikat vertrauen",
  checkTitle: "3. Prüfen",
  check: "Dieses Gerät prüfen",
  trusted: "Dieses Gerät vertraut Fluglog.",
  notTrusted:
    "Dieses Gerät vertraut Fluglog noch nicht. Gehen Sie die Schritte noch einmal durch; " +
    "manche Browser müssen danach " +
    "neu gestartet werden.",
  open: "Über HTTPS öffnen",
  loginOnce: "Dort melden Sie sich einmal neu an.",
  systems: [
    {
      name: "iPhone und iPad",
      agent: /iPhone|iPad|Macintosh.*Mobile/,
      steps: [
        "In Safari oben auf „Zertifikat laden“ tippen und „Zulassen“.",
        "Einstellungen öffnen, „Profil geladen“, „Installieren“.",
        "Einstellungen, „Allgemein“, „Info“, ganz unten „Zertifikatsvertrauenseinstellungen“: " +
          "„Fluglog auf …“ einschalten.",
        "Hier prüfen, dann über HTTPS öffnen: „Teilen“, „Zum Home-Bildschirm“.",
      ],
    },
    {
      name: "Android",
      agent: /Android/,
      steps: [
        "Auf „Zertifikat laden“ tippen.",
        "In den Einstellungen nach „CA-Zertifikat“ suchen, „Trotzdem installieren“, die " +
          "geladene Datei wählen. Das braucht " +
          "eine Displaysperre, und Android warnt danach, das Netz könne überwacht werden; " +
          "gemeint ist dieses Zertifikat.",
        "Chrome vertraut ihm sofort. In Firefox: Einstellungen, „Über Firefox“, fünfmal auf " +
          "das Logo tippen, dann unter " +
          "„Secret Settings“ die CA-Zertifikate von Drittanbietern einschalten.",
      ],
    },
    {
      name: "Windows",
      agent: /Windows/,
      steps: [
        "Die geladene Datei öffnen, „Zertifikat installieren“, „Aktueller Benutzer“, „Vertrauenswürdige " +
          "Stammzertifizierungsstellen“.",
      ],
    },
    {
      name: "macOS",
      agent: /Macintosh/,
      steps: [
        "Die geladene Datei öffnen; in der Schlüsselbundverwaltung „Fluglog auf …“ auf „Immer vertrauen“ stellen.",
      ],
    },
    {
      name: "Linux",
      agent: /Linux|X11/,
      steps: [
        "Chrome: Einstellungen, „Zertifikate verwalten“, „Zertifizierungsstellen“, " +
          "„Importieren“. Firefox: Einstellungen, " +
          "„Zertifikate anzeigen“, „Zertifizierungsstellen“, „Importieren“.",
      ],
    },
  ],
};

//! Examples of the commands, for their help pages and the manual.

/// A command line, and its effect.
pub type Example = (&'static str, &'static str);

/// The examples for the program's own help page come first.
pub const ALL: [Example; 47] = [
    (
        "fluglog serve --data-dir /srv/fluglog",
        "Startet den Server und legt das Datenverzeichnis an, wenn es noch leer ist",
    ),
    (
        "sudo fluglog user add --email ada@example.org --nickname Ada --password-stdin",
        "Legt einen Benutzer an; das Passwort wird am Terminal zweimal verdeckt abgefragt",
    ),
    (
        "sudo fluglog backup --output /media/stick --keep 14",
        "Sichert alle Daten auf einen Stick und behält dort die neuesten 14 Sicherungen",
    ),
    (
        "sudo fluglog status",
        "Zeigt, wo der Server zu finden ist und was zu tun ist",
    ),
    (
        "sudo fluglog status --json",
        "Dasselbe für ein Programm, zum Beispiel zur Überwachung",
    ),
    (
        "fluglog serve --listen 127.0.0.1:8080",
        "Nur für einen Proxy auf demselben Rechner zu erreichen",
    ),
    (
        "fluglog init --data-dir /srv/fluglog",
        "Legt alles an, damit die Einstellungen vor dem ersten Start geändert werden können",
    ),
    (
        "sudo fluglog user invite --nickname Ada --valid 14",
        "Ein Link, mit dem Ada sich in den nächsten zwei Wochen ein Konto anlegt",
    ),
    (
        "sudo fluglog user reset ada@example.org",
        "Ein Link, mit dem Ada sich ein neues Passwort gibt",
    ),
    (
        "sudo fluglog user change ada@example.org --email ada@example.net",
        "Ada hat eine neue Adresse",
    ),
    (
        "sudo fluglog user change ada@example.org --operator",
        "Ada sieht auf ihrer Startseite, was am Server zu tun ist",
    ),
    (
        "sudo fluglog user set-password ada@example.org --password-stdin",
        "Ein neues Passwort; am Terminal wird es zweimal verdeckt abgefragt",
    ),
    ("sudo fluglog user logout ada@example.org", "Adas Handy ist verloren"),
    (
        "sudo fluglog user disable ada@example.org",
        "Ada kommt nicht mehr hinein; gelöscht wird nichts",
    ),
    ("sudo fluglog user enable ada@example.org", "Ada darf wieder hinein"),
    (
        "sudo fluglog user delete ada@example.org",
        "Fragt nach und löscht dann alles von Ada",
    ),
    ("sudo fluglog user show ada@example.org", "Was Ada gespeichert hat"),
    ("sudo fluglog user list --json", "Alle Benutzer für ein Programm"),
    (
        "sudo fluglog space list",
        "Alle Haushalte und Vereine, und wer sie verwaltet",
    ),
    (
        "sudo fluglog space show Fliegerverein",
        "Wer darin ist und wie viel er belegt",
    ),
    (
        "sudo fluglog space manager Fliegerverein ada@example.org",
        "Ada verwaltet den Verein, auch wenn es sonst niemand mehr kann",
    ),
    (
        "sudo fluglog space delete Fliegerverein",
        "Fragt nach und löscht dann die ganze Ausrüstung; die Flüge der Mitglieder bleiben",
    ),
    (
        "sudo fluglog equipment move 0198b6f0-1111-7000-8000-00000000000a --user ada@example.org",
        "Ada bekommt das Equipment mit allem, was dazu aufgezeichnet ist",
    ),
    (
        "sudo fluglog config check",
        "Ob der Server mit den geänderten Einstellungen startet",
    ),
    (
        "sudo fluglog https on --name fluglog.example.org",
        "https im eigenen Netz; die Geräte holen sich das Zertifikat unter /app/zertifikat",
    ),
    ("sudo fluglog https off", "Wieder nur http"),
    (
        "sudo fluglog mail test ada@example.org",
        "Ob der Mailserver annimmt, was Fluglog sendet",
    ),
    ("sudo fluglog mail outbox --all", "Alle nicht verschickten Mails"),
    ("sudo fluglog feedback list", "Was Piloten geschrieben haben"),
    (
        "sudo fluglog backup --output fluglog.tar",
        "Eine Sicherung in den aktuellen Ordner, auch wenn nur root das Datenverzeichnis lesen darf",
    ),
    (
        "sudo fluglog backup verify fluglog.tar",
        "Ob diese Sicherung vollständig und unbeschädigt ist",
    ),
    (
        "sudo fluglog backup verify /var/backups/fluglog",
        "Dasselbe von der neuesten darin; „fluglog status“ sagt danach, wie es ausging",
    ),
    (
        "sudo fluglog backup list",
        "Welche Sicherungen bei den Zielen der Einstellungen liegen",
    ),
    (
        "sudo fluglog backup verify --target nas",
        "Ob die neueste Sicherung dort vollständig und unbeschädigt ist",
    ),
    (
        "sudo fluglog restore --target nas",
        "Stellt die neueste Sicherung von dort wieder her",
    ),
    (
        "sudo fluglog restore fluglog.tar",
        "Stellt eine Sicherung wieder her; der Server steht, und das Datenverzeichnis ist leer",
    ),
    (
        "sudo fluglog restore --replace fluglog.tar",
        "Ebenso anstelle der Daten, die da sind; sie liegen danach in einem eigenen Ordner",
    ),
    (
        "sudo fluglog recover --output /media/stick/rettung.tar",
        "Rettet aus einer beschädigten Datenbank, was noch lesbar ist; „fluglog restore“ stellt es wieder her",
    ),
    ("sudo fluglog check", "Ob die Daten unbeschädigt sind; ändert nichts"),
    (
        "sudo fluglog check --repair",
        "Schreibt Verzeichnisse und Summen neu und entfernt, was niemandem gehört",
    ),
    ("sudo fluglog compact", "Gibt nach vielen Löschungen Platz zurück"),
    (
        "sudo fluglog export --user ada@example.org --output ada.zip",
        "Alle Daten von Ada in einer ZIP-Datei, die sich ohne Fluglog lesen lässt",
    ),
    (
        "sudo fluglog logbook --user ada@example.org --year 2026 --output flugbuch.pdf",
        "Adas Flugbuch des Jahres 2026, mit Seitensummen und Übertrag",
    ),
    (
        "sudo fluglog import --user ada@example.org /media/karte/LOGS/Quad-2026-05-09.csv",
        "Was Adas Sender aufgezeichnet hat, wartet in der App auf sie",
    ),
    (
        "fluglog demo --data-dir demo-data",
        "Ein Jahr mit Beispielen; „fluglog serve --data-dir demo-data“ zeigt es",
    ),
    (
        "fluglog completions bash > /etc/bash_completion.d/fluglog",
        "Ergänzt Befehle in der Bash",
    ),
    ("fluglog man | man -l -", "Zeigt das Handbuch"),
];

/// Number of examples on the program's own help page.
const FIRST: usize = 4;

/// The examples of a command, such as `fluglog user add`, and of its subcommands.
pub fn of(path: &str) -> impl Iterator<Item = &'static Example> {
    let most = if path == "fluglog" { FIRST } else { ALL.len() };
    let path = format!("{path} ");
    let is_of = move |line: &str| format!("{} ", line.trim_start_matches("sudo ")).starts_with(&path);
    ALL.iter().filter(move |(line, _)| is_of(line)).take(most)
}

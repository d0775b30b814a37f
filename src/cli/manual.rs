//! `fluglog man`: the manual page, generated from clap's commands and the settings in config/keys.rs.

use clap::{Arg, ArgAction, Command};
use roff::{Inline, Roff, bold, italic, roman};

use super::examples;
use fluglog_config::keys;

const DESCRIPTION: [&str; 3] = [
    "Fluglog ist das Flugbuch für Hobby-Drohnenpiloten und ihre Vereine: ein Server mit allem, was er braucht, auf \
     Ihrem eigenen Rechner. \
     Alle Daten liegen in einem einzigen Verzeichnis; nichts verlässt den Rechner außer Mails, wenn ein Mailserver \
     eingestellt ist.",
    "Jeder Befehl außer restore, recover und compact arbeitet, während der Server läuft, und ebenso, wenn er steht, \
     mit derselben Ausgabe. Ein laufender Server antwortet über \
     einen Socket im Datenverzeichnis, und nur root und seinem eigenen Benutzer. Ohne Server öffnet der Befehl die \
     Datenbank selbst; root \
     arbeitet dann als Eigentümer des Datenverzeichnisses.",
    "Vorrang haben Angaben beim Aufruf, danach Umgebungsvariablen, danach die Konfigurationsdatei, danach die \
     Vorgaben.",
];

/// Terms with explanations.
type Terms = [(&'static str, &'static str)];

const EXIT_CODES: &Terms = &[
    ("0", "Erledigt."),
    (
        "1",
        "Abgelehnt oder fehlgeschlagen; ein Satz auf der Standardfehlerausgabe sagt, was und warum.",
    ),
    ("2", "Falscher Aufruf."),
    ("69", "Die Datenbank ist von einem Prozess belegt, der nicht antwortet."),
    (
        "74",
        "Der Datenträger der Daten ist voll oder meldet Fehler; ein neuer Versuch kann gelingen.",
    ),
    (
        "78",
        "Fehler in der Konfiguration, unbenutzbares Datenverzeichnis, oder Daten einer neueren Version.",
    ),
];

const FILES: &Terms = &[
    (
        "/etc/fluglog/fluglog.toml",
        "Konfigurationsdatei, die ohne andere Angabe gilt, wenn es sie gibt.",
    ),
    ("DIR/fluglog.toml", "Konfigurationsdatei eines Datenverzeichnisses."),
    ("DIR/fluglog.redb", "Die Datenbank."),
    (
        "DIR/blobs/",
        "Bilder, Vorschauen, Dokumente und Profilfotos. An .fluglog-blobs darin erkennt Fluglog seinen Ordner.",
    ),
    ("DIR/outbox/", "Mails, die ohne Mailserver hier liegen bleiben (*.eml)."),
    (
        "DIR/legal/",
        "Eigenes Impressum und eigene Datenschutzerklärung (impressum.txt, dataprivacy.txt); sie sind in jeder \
         Sicherung.",
    ),
    ("DIR/fluglog.sock", "Socket eines laufenden Servers."),
];

const ENVIRONMENT: &Terms = &[
    ("FLUGLOG_DATA_DIR", "Wie --data-dir."),
    ("FLUGLOG_CONFIG", "Wie --config."),
    (
        "FLUGLOG_…",
        "Jede Einstellung der Konfigurationsdatei, siehe KONFIGURATION: in Großbuchstaben, mit zwei Unterstrichen nach \
         dem Namen ihres Abschnitts.",
    ),
    (
        "CREDENTIALS_DIRECTORY",
        "Verzeichnis der Credentials von systemd; eines namens smtp.password ist das Passwort beim Mailserver.",
    ),
];

/// The page in roff, for `man -l`.
pub fn page(mut command: Command) -> String {
    command.build();
    let mut page = Roff::new();
    page.control(
        "TH",
        [
            "FLUGLOG",
            "1",
            "",
            concat!("Fluglog ", env!("CARGO_PKG_VERSION")),
            "Fluglog",
        ],
    );
    section(&mut page, "NAME");
    page.text([roman("fluglog - Flugbuch für Drohnenpiloten")]);
    section(&mut page, "ÜBERSICHT");
    page.text([bold("fluglog"), roman(" [OPTIONEN] "), italic("BEFEHL")]);
    section(&mut page, "BESCHREIBUNG");
    for paragraph in DESCRIPTION {
        page.control("PP", []);
        page.text([roman(paragraph)]);
    }
    section(&mut page, "OPTIONEN");
    for argument in command.get_arguments() {
        explain(&mut page, argument);
    }
    section(&mut page, "BEFEHLE");
    describe(&mut page, &command, "fluglog");
    settings(&mut page);
    for (name, list) in [
        ("UMGEBUNGSVARIABLEN", ENVIRONMENT),
        ("DATEIEN", FILES),
        ("RÜCKGABEWERTE", EXIT_CODES),
    ] {
        section(&mut page, name);
        for (name, explanation) in list {
            term(&mut page, vec![bold(*name)], explanation);
        }
    }
    section(&mut page, "BEISPIELE");
    for (line, effect) in examples::ALL {
        term(&mut page, vec![bold(line)], &format!("{effect}."));
    }
    page.render()
}

/// Describes the subcommands of a command with their arguments.
fn describe(page: &mut Roff, above: &Command, path: &str) {
    for command in above.get_subcommands() {
        let path = format!("{path} {}", command.get_name());
        // A command that only groups others.
        if command.is_subcommand_required_set() {
            describe(page, command, &path);
            continue;
        }
        let own: Vec<_> = command
            .get_arguments()
            .filter(|argument| !argument.is_global_set() && !argument.is_hide_set())
            .collect();
        let usage: String = own.iter().map(|argument| format!(" {}", usage(argument))).collect();
        page.control("SS", [format!("{path}{usage}").as_str()]);
        let about = command.get_about().map(ToString::to_string).unwrap_or_default();
        page.text([roman(format!("{about}."))]);
        for argument in own {
            explain(page, argument);
        }
        describe(page, command, &path);
    }
}

fn settings(page: &mut Roff) {
    section(page, "KONFIGURATION");
    page.text([roman(
        "Die Konfigurationsdatei ist in TOML geschrieben; „fluglog init“ legt sie mit allen Einstellungen und ihren \
         Vorgaben als Kommentar an.",
    )]);
    for (setting, explanation) in keys::documented() {
        term(page, vec![bold(setting)], &explanation);
    }
}

fn explain(page: &mut Roff, argument: &Arg) {
    let mut name = Vec::new();
    if let Some(short) = argument.get_short() {
        name.extend([bold(format!("-{short}")), roman(", ")]);
    }
    if let Some(long) = argument.get_long() {
        name.push(bold(format!("--{long}")));
    }
    if argument.is_positional() || takes_value(argument) {
        if !argument.is_positional() {
            name.push(roman(" "));
        }
        name.push(italic(value_name(argument)));
    }
    let help = argument.get_help().map(ToString::to_string).unwrap_or_default();
    term(page, name, &format!("{help}."));
}

/// Returns, for example, `--email E`, `[--json]` or `[E-MAIL]`.
fn usage(argument: &Arg) -> String {
    let mut text = argument.get_long().map(|long| format!("--{long}")).unwrap_or_default();
    if argument.is_positional() || takes_value(argument) {
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(&value_name(argument));
    }
    if argument.is_required_set() {
        text
    } else {
        format!("[{text}]")
    }
}

fn takes_value(argument: &Arg) -> bool {
    matches!(argument.get_action(), ArgAction::Set | ArgAction::Append)
}

fn value_name(argument: &Arg) -> String {
    let names = argument.get_value_names().unwrap_or_default();
    names.iter().map(|name| name.as_str()).collect::<Vec<_>>().join(" ")
}

fn section(page: &mut Roff, name: &str) {
    page.control("SH", [name]);
}

fn term(page: &mut Roff, name: Vec<Inline>, explanation: &str) {
    page.control("TP", []);
    page.text(name);
    page.text([roman(explanation)]);
}

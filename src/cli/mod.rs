//! The command line: commands, arguments and error messages. One file per command.

mod backup;
mod blobs_folder;
mod check;
mod compact;
mod config;
mod data_dir;
mod demo;
mod equipment;
mod examples;
mod export;
mod failure;
mod finding;
mod https;
mod feedback;
mod import;
mod init;
mod licenses;
mod logbook;
mod mail;
mod manual;
mod output;
mod owner;
mod prompt;
mod recover;
mod refusal;
mod restore;
mod serve;
mod space;
mod status;
mod usage;
mod user;

use std::io::Write;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{ArgAction, Args, CommandFactory, FromArgMatches, Parser, Subcommand};
use clap_complete::Shell;

use failure::Failure;
use fluglog_config::{Config, Flags};
use fluglog_process::log;

/// The flight log of hobby drone pilots.
#[derive(Parser)]
#[command(
    name = "fluglog",
    version,
    about = "Fluglog, das Flugbuch für Drohnenpiloten: ein Server auf Ihrem eigenen Rechner",
    disable_help_flag = true,
    disable_version_flag = true
)]
struct CommandLine {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    place: Paths,
    /// Zeigt diese Hilfe
    #[arg(short, long, action = ArgAction::Help, global = true)]
    help: Option<bool>,
    /// Zeigt die Version
    #[arg(short = 'V', long, action = ArgAction::Version)]
    version: Option<bool>,
    /// Zeigt die Lizenzen von allem, was in diesem Programm steckt
    #[arg(long, exclusive = true)]
    licenses: bool,
}

/// The paths of the data and of the configuration.
#[derive(Args)]
struct Paths {
    /// Datenverzeichnis [Vorgabe: ./data]
    #[arg(long, value_name = "DIR", global = true)]
    data_dir: Option<PathBuf>,
    /// Konfigurationsdatei [Vorgabe: DIR/fluglog.toml]
    #[arg(long, value_name = "FILE", global = true)]
    config: Option<PathBuf>,
}

#[derive(Subcommand)]
enum Command {
    /// Legt Datenverzeichnis, Datenbank und Konfigurationsdatei an
    Init,
    /// Startet den Server
    Serve {
        /// Adresse, mehrfach möglich [Vorgabe: 0.0.0.0:8080]
        #[arg(long, value_name = "ADDR:PORT")]
        listen: Vec<SocketAddr>,
        /// Zertifikat für https (PEM); SIGHUP liest es und den Schlüssel neu
        #[arg(long, value_name = "FILE")]
        tls_cert: Option<PathBuf>,
        /// Privater Schlüssel zum Zertifikat (PEM)
        #[arg(long, value_name = "FILE")]
        tls_key: Option<PathBuf>,
    },
    /// Zeigt, wie es dem Server geht; endet mit 0 nur, wenn einer antwortet
    Status {
        /// Als JSON
        #[arg(long)]
        json: bool,
    },
    /// Verwaltet Benutzer
    #[command(subcommand)]
    User(user::Command),
    /// Verschiebt Equipment zwischen Benutzern und Bereichen
    #[command(subcommand)]
    Equipment(equipment::Command),
    /// Zeigt und löscht Haushalte und Vereine
    #[command(subcommand)]
    Space(space::Command),
    /// Prüft die Konfiguration
    #[command(subcommand)]
    Config(config::Command),
    /// Richtet https im eigenen Netz ein, mit einer eigenen Zertifizierungsstelle
    #[command(subcommand)]
    Https(https::Command),
    /// Testet den Mailversand und zeigt den Postausgang
    #[command(subcommand)]
    Mail(mail::Command),
    /// Zeigt das Feedback der Piloten
    #[command(subcommand)]
    Feedback(feedback::Command),
    /// Sichert alle Daten in ein Archiv, auch während der Server läuft
    Backup(backup::Backup),
    /// Stellt eine Sicherung in einem leeren Datenverzeichnis wieder her, oder mit --replace anstelle der Daten darin
    Restore {
        /// Das Archiv
        #[arg(value_name = "FILE", required_unless_present = "target")]
        file: Option<PathBuf>,
        #[command(flatten)]
        source: backup::targets::Source,
        /// Legt die bisherigen Daten in einen eigenen Ordner im Datenverzeichnis; Einstellungen, eigene Texte und die
        /// Zertifizierungsstelle von „fluglog https“ bleiben
        #[arg(long)]
        replace: bool,
    },
    /// Rettet aus einem beschädigten Datenverzeichnis in ein Archiv, was noch lesbar ist; der Server muss stehen
    Recover {
        /// Datei oder Verzeichnis, „-“ für die Standardausgabe; ein Fluglog-Archiv dieses Namens wird ersetzt, eine
        /// andere Datei nie
        #[arg(long, value_name = "FILE")]
        output: PathBuf,
    },
    /// Prüft alle Daten auf Schäden
    Check {
        /// Schreibt neu, was aus anderen Einträgen folgt, und entfernt, was verwaist ist; nie Daten oder fremde Dateien
        #[arg(long)]
        repair: bool,
        /// Als JSON
        #[arg(long)]
        json: bool,
    },
    /// Verkleinert die Datei der Datenbank um das, was frei ist; der Server muss stehen
    Compact,
    /// Schreibt alle Daten eines Benutzers in eine ZIP-Datei: Tabellen, JSON, Bilder und Dokumente; oder das Gerät
    /// eines Bereichs mit seinen Logs und Benutzungen
    Export {
        /// E-Mail-Adresse des Benutzers
        #[arg(long, value_name = "E", required_unless_present = "space")]
        user: Option<String>,
        /// Name oder Kennung eines Haushalts oder Vereins
        #[arg(long, value_name = "BEREICH", conflicts_with = "user")]
        space: Option<String>,
        /// Datei, „-“ für die Standardausgabe; ein ZIP dieses Namens wird ersetzt, eine andere Datei nie
        #[arg(long, value_name = "FILE")]
        output: PathBuf,
    },
    /// Schreibt das Flugbuch eines Benutzers in eine Datei, zum Drucken oder Vorzeigen
    Logbook {
        /// E-Mail-Adresse des Benutzers
        #[arg(long, value_name = "E")]
        user: String,
        /// Nur Flüge dieses Jahres; was davor war, ist der Übertrag
        #[arg(long, value_name = "YYYY", value_parser = clap::value_parser!(u32).range(1900..=2099))]
        year: Option<u32>,
        /// Name eines Copters oder anderen Equipments; schreibt dessen Gerätebuch
        #[arg(long, value_name = "NAME")]
        item: Option<String>,
        /// Datei, .pdf oder für die Tabelle .csv, „-“ für die Standardausgabe; ein früheres Flugbuch dieses Namens wird
        /// ersetzt, eine andere Datei nie
        #[arg(long, value_name = "FILE")]
        output: PathBuf,
    },
    /// Liest Dateien mit Flügen für einen Benutzer; er sieht sie durch und übernimmt sie in der App
    Import {
        /// E-Mail-Adresse des Benutzers
        #[arg(long, value_name = "E")]
        user: String,
        /// Logs von Sendern, Drohnen und Apps, höchstens 20 auf einmal
        #[arg(value_name = "FILE", required = true)]
        files: Vec<PathBuf>,
    },
    /// Füllt ein leeres Datenverzeichnis mit Beispieldaten
    Demo,
    /// Gibt Vervollständigungen für eine Shell aus
    Completions {
        /// bash, zsh, fish, elvish oder powershell
        #[arg(value_name = "SHELL", hide_possible_values = true)]
        shell: Shell,
    },
    /// Gibt das Handbuch aus, wie „man -l -“ es liest
    Man,
}

/// The definition of the whole command line.
fn command_line() -> clap::Command {
    usage::in_german(CommandLine::command())
}

/// Runs the command given to the process.
#[must_use]
pub fn run() -> ExitCode {
    let line = command_line()
        .try_get_matches()
        .or_else(|error| match (error.kind(), Config::load(&Flags::default())) {
            (ErrorKind::DisplayHelp, Ok(config)) => usage::with_defaults_of(&config, command_line()).try_get_matches(),
            _ => Err(error),
        })
        .and_then(|matches| CommandLine::from_arg_matches(&matches));
    let result = match line {
        Ok(line) => execute(line),
        Err(error) => usage::explain(&error),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            // Best effort: stderr may be closed, but the exit code remains.
            let _ = writeln!(
                std::io::stderr(),
                "{}fluglog: {}",
                log::journal_error_prefix(),
                failure.sentence
            );
            ExitCode::from(failure.code)
        }
    }
}

fn execute(line: CommandLine) -> Result<(), Failure> {
    if line.licenses {
        return licenses::print();
    }
    let Some(command) = line.command else {
        return Err(usage::no_command());
    };
    // Completions and the manual need no data directory.
    match command {
        Command::Completions { shell } => return complete(shell),
        Command::Man => return output::say(&manual::page(command_line())),
        _ => {}
    }
    let mut flags = Flags {
        data_dir: line.place.data_dir,
        config: line.place.config,
        ..Flags::default()
    };
    if let Command::Serve {
        listen,
        tls_cert,
        tls_key,
    } = &command
    {
        flags.listen.clone_from(listen);
        flags.tls.certificate.clone_from(tls_cert);
        flags.tls.key.clone_from(tls_key);
    }
    let config = {
        // Reads as the directory's owner: the file may name another one that only root may read.
        let directory = Config::implied_file_dir(&flags);
        let _acting = directory.map(|directory| owner::act(&directory)).transpose()?;
        Config::load(&flags)
    };
    let config = config.map_err(|error| {
        let failure = Failure::from(error);
        if let Command::Backup(backup) = &command {
            backup::remember_failure(&Config::best_effort_data_dir(&flags), backup, &failure);
        }
        failure
    })?;
    blobs_folder::refuse_foreign(&config.data_dir)?;
    match command {
        Command::Init => init::run(&config),
        Command::Serve { .. } => serve::run(config),
        Command::Status { json } => status::run(&config, json),
        Command::Config(config::Command::Check) => config::check(&config),
        Command::Https(command) => https::run(&config, command),
        Command::User(command) => user::run(&config, command),
        Command::Equipment(command) => equipment::run(&config, command),
        Command::Space(command) => space::run(&config, command),
        Command::Mail(command) => mail::run(&config, command),
        Command::Feedback(command) => feedback::run(&config, command),
        Command::Backup(backup) => backup::run(&config, backup),
        Command::Restore { file, source, replace } => restore::run(&config, file.as_deref(), &source, replace),
        Command::Recover { output } => recover::run(&config, output),
        Command::Check { repair, json } => check::run(&config, repair, json),
        Command::Compact => compact::run(&config),
        Command::Export { user, space, output } => {
            let whose = space.map_or_else(|| export::Whose::User(user.unwrap_or_default()), export::Whose::Space);
            export::run(&config, whose, &output)
        }
        Command::Logbook {
            user,
            year,
            item,
            output,
        } => logbook::run(&config, user, year, item, &output),
        Command::Import { user, files } => import::run(&config, user, &files),
        Command::Demo => demo::run(config),
        Command::Completions { .. } | Command::Man => Ok(()),
    }
}

fn complete(shell: Shell) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command_line(), "fluglog", &mut script);
    let script = String::from_utf8(script)
        .map_err(|_| Failure::new(Failure::REFUSED, "Die Vervollständigungen sind kein gültiger Text."))?;
    output::say(&script)
}

#[cfg(test)]
mod tests {
    use super::command_line;
    use super::examples::{ALL, of};

    /// The arguments in an example line.
    fn arguments(line: &str) -> Vec<&str> {
        let line = line.split(['>', '|']).next().unwrap();
        line.trim_start_matches("sudo ").split_whitespace().collect()
    }

    #[test]
    fn every_example_is_a_line_that_the_program_takes() {
        for (line, _) in ALL {
            let taken = command_line().try_get_matches_from(arguments(line));
            assert!(taken.is_ok(), "{line}");
        }
    }

    #[test]
    fn every_command_has_an_example() {
        fn look(command: &clap::Command, path: &str) {
            assert!(of(path).next().is_some(), "{path}");
            for below in command.get_subcommands() {
                look(below, &format!("{path} {}", below.get_name()));
            }
        }
        look(&command_line(), "fluglog");
    }
}

//! Errors of the configuration; each prints as one German sentence that says how to fix it.

use std::fmt;
use std::path::PathBuf;

/// An error of the configuration; prints one German sentence that says how to fix it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConfigError {
    /// The file contains an unknown key.
    UnknownKey {
        file: PathBuf,
        /// The key with its section.
        key: String,
        /// The closest known key.
        nearest: String,
    },
    /// The environment contains an unknown `FLUGLOG_` variable.
    UnknownVariable {
        name: String,
        /// The closest known variable.
        nearest: String,
    },
    /// A value is invalid for its key.
    BadValue {
        /// The flag, the variable, or the key and its file.
        place: String,
        /// The value, shortened and without control characters.
        value: String,
        /// The expected value; completes the sentence.
        expected: String,
    },
    /// A configuration file was named and doesn't exist.
    Missing {
        file: PathBuf,
        /// The flag or variable that named it.
        named_by: &'static str,
    },
    /// A configuration file exists and can't be read.
    Unreadable {
        file: PathBuf,
        /// The reason, as a clause.
        reason: String,
    },
    /// Settings that contradict each other or are incomplete, as a whole sentence.
    Inconsistent(String),
    /// The file isn't valid TOML.
    NotToml {
        file: PathBuf,
        /// Line at which parsing stopped, from 1.
        line: usize,
        /// Character in that line, from 1.
        column: usize,
    },
}

impl std::error::Error for ConfigError {}

impl fmt::Display for ConfigError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ConfigError::UnknownKey { file, key, nearest } => write!(
                out,
                "In der Konfigurationsdatei {} ist „{key}“ unbekannt, am ähnlichsten ist „{nearest}“: \
                 bitte berichtigen oder löschen.",
                file.display()
            ),
            ConfigError::UnknownVariable { name, nearest } => write!(
                out,
                "Die Umgebungsvariable {name} ist unbekannt, am ähnlichsten ist {nearest}: \
                 bitte berichtigen oder entfernen."
            ),
            ConfigError::BadValue { place, value, expected } => {
                write!(
                    out,
                    "Der Wert „{value}“ von {place} ist ungültig, erwartet wird {expected}."
                )
            }
            ConfigError::Missing { file, named_by } => write!(
                out,
                "Die mit {named_by} genannte Konfigurationsdatei {} gibt es nicht: \
                 bitte anlegen oder die Angabe weglassen.",
                file.display()
            ),
            ConfigError::Unreadable { file, reason } => write!(
                out,
                "Die Konfigurationsdatei {} ist nicht lesbar ({reason}): bitte Pfad und Rechte prüfen.",
                file.display()
            ),
            ConfigError::Inconsistent(sentence) => out.write_str(sentence),
            ConfigError::NotToml { file, line, column } => write!(
                out,
                "Die Konfigurationsdatei {} ist in Zeile {line}, Spalte {column} kein gültiges TOML: \
                 bitte diese Zeile berichtigen, zum Beispiel auf fehlende Anführungszeichen und doppelte Einträge \
                 prüfen.",
                file.display()
            ),
        }
    }
}

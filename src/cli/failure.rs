//! The failure of a command.

use std::io;
use std::path::Path;

use nix::unistd::geteuid;

use fluglog_config::error::ConfigError;

/// The failure of a command: the exit code, and one sentence that names the problem and a way out.
pub struct Failure {
    pub code: u8,
    pub sentence: String,
}

impl Failure {
    /// Refused or failed.
    pub(crate) const REFUSED: u8 = 1;
    /// Wrong usage.
    pub(crate) const USAGE: u8 = 2;
    /// The database is locked by a process that doesn't answer (`EX_UNAVAILABLE`).
    pub(crate) const LOCKED: u8 = 69;
    /// The disk of the data fails or is full, which may pass (`EX_IOERR`): systemd tries again.
    pub(crate) const DISK: u8 = 74;
    /// Bad configuration, unusable data directory, or data of a newer version (`EX_CONFIG`).
    pub const CONFIGURATION: u8 = 78;

    pub fn new(code: u8, sentence: impl Into<String>) -> Failure {
        Failure {
            code,
            sentence: sentence.into(),
        }
    }

    /// A part of the data directory is unusable.
    pub fn unusable(path: &Path, error: &io::Error) -> Failure {
        let why = match error.kind() {
            // Names the user's number, because container volumes are assigned to numbers.
            io::ErrorKind::PermissionDenied => &format!(
                "dem Benutzer mit der Nummer {} fehlen dafür die Rechte, mit sudo geht es vielleicht",
                geteuid()
            ),
            io::ErrorKind::NotADirectory | io::ErrorKind::AlreadyExists => "es ist kein Verzeichnis",
            io::ErrorKind::NotFound => "es ist nicht da",
            io::ErrorKind::AddrInUse => "etwas anderes hat den Namen",
            io::ErrorKind::StorageFull => "der Speicher ist voll",
            io::ErrorKind::ReadOnlyFilesystem => "das Dateisystem ist schreibgeschützt",
            _ => "der Datenträger meldet einen Fehler",
        };
        Failure::new(
            Failure::CONFIGURATION,
            format!(
                "{} ist nicht benutzbar: {why}. Prüfen Sie den Pfad oder wählen Sie mit --data-dir ein anderes \
                 Verzeichnis.",
                path.display()
            ),
        )
    }
}

impl From<ConfigError> for Failure {
    fn from(error: ConfigError) -> Failure {
        Failure::new(Failure::CONFIGURATION, error.to_string())
    }
}

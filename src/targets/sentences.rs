//! German sentences about failing targets, for the shell, the records and the admin's page.

use std::fmt;
use std::io::ErrorKind;

use super::model::TargetError;
use crate::archive::last_backup::NO_RIGHTS;

/// Number of existing archives that are suggested when one isn't found.
const MAX_NAMES: usize = 5;

impl fmt::Display for TargetError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TargetError::DiskMissing(label) => {
                write!(out, "Der Datenträger {label} ist nicht eingehängt. Steckt er?")
            }
            TargetError::NothingMounted(path) => {
                let path = path.display();
                write!(out, "An {path} ist kein eigener Datenträger eingehängt. Steckt er?")
            }
            TargetError::OwnFolder(path) => {
                let path = path.display();
                write!(
                    out,
                    "In {path} liegt die Sicherung schon; bitte einen anderen Ort eintragen."
                )
            }
            TargetError::Folder(path, ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem) => {
                write!(out, "{} ist nicht zu beschreiben: {NO_RIGHTS}.", path.display())
            }
            TargetError::Folder(path, kind) => write!(out, "{} {}", path.display(), of_folder(*kind)),
            TargetError::Unreachable(host) => {
                write!(
                    out,
                    "{host} ist nicht zu erreichen. Stimmt die Adresse, und läuft das Gerät?"
                )
            }
            TargetError::Untrusted(host) => write!(
                out,
                "Dem Zertifikat von {host} ist nicht zu trauen. Stimmt die Uhr, und fehlt ein eigenes Zertifikat in \
                 ca_file?"
            ),
            TargetError::ClockSkew => out.write_str(
                "Die Uhr dieses Geräts geht anders als die des Speichers, der deshalb ablehnt. „sudo timedatectl \
                 set-ntp true“ stellt sie.",
            ),
            TargetError::Unauthorized => out.write_str("Benutzername oder Passwort stimmt nicht."),
            TargetError::Forbidden => out.write_str("Der Benutzer darf das dort nicht."),
            TargetError::FolderMissing => out.write_str("Den Ordner oder Bucket gibt es dort nicht."),
            TargetError::Full => out.write_str("Dort ist kein Platz mehr."),
            TargetError::TooLarge => out.write_str("Eine so große Datei nimmt der Speicher nicht an."),
            TargetError::Redirected(location) => write!(
                out,
                "Die Adresse leitet weiter nach „{location}“; bitte diese eintragen, wenn sie richtig ist."
            ),
            TargetError::UnexpectedStatus(status) => write!(out, "Der Speicher antwortet mit Fehler {status}."),
            TargetError::ConnectionLost => out.write_str("Die Verbindung ist abgebrochen."),
            TargetError::Truncated => out.write_str("Es kam weniger an, als gesendet wurde."),
            TargetError::ArchiveUnreadable => out.write_str("Das eigene Archiv kann nicht gelesen werden."),
            TargetError::NamesTaken => out.write_str("Dort hat schon ein anderes Archiv diesen Namen."),
            TargetError::NotFound(..)
            | TargetError::Empty
            | TargetError::OnlyPlain(_)
            | TargetError::NotEncrypted
            | TargetError::EndlessList => fmt_archives(self, out),
            TargetError::CannotDecrypt => out.write_str(
                "Die Sicherung ist verschlüsselt, und kein Schlüssel passt: Die Passphrase gehört in die Einstellungen \
                 (backup.targets), ein geheimer Schlüssel von age in die Datei nach --identity.",
            ),
            TargetError::NoKeys(path) => {
                let path = path.display();
                write!(
                    out,
                    "In {path} steht kein geheimer Schlüssel von age (AGE-SECRET-KEY-1…)."
                )
            }
        }
    }
}

/// Writes the sentence about the archives that a target has.
fn fmt_archives(error: &TargetError, out: &mut fmt::Formatter<'_>) -> fmt::Result {
    match error {
        TargetError::NotFound(name, names) if names.is_empty() => {
            write!(out, "{name} liegt dort nicht, und nichts sonst.")
        }
        TargetError::NotFound(name, names) => {
            let names: Vec<_> = names.iter().take(MAX_NAMES).map(String::as_str).collect();
            write!(out, "{name} liegt dort nicht; die neuesten sind {}.", names.join(", "))
        }
        TargetError::Empty => out.write_str("Dort liegt keine Sicherung von Fluglog."),
        TargetError::OnlyPlain(name) => write!(
            out,
            "Dort liegt keine verschlüsselte Sicherung, nur unverschlüsselte, die auch jemand anderes abgelegt \
             haben kann; die neueste ist {name}. Ist sie von Ihnen, nennen Sie sie mit --archive."
        ),
        TargetError::NotEncrypted => out.write_str(
            "Die Sicherung heißt wie eine verschlüsselte und ist keine; sie ist nicht von Fluglog. Nennen Sie mit \
             --archive eine andere.",
        ),
        TargetError::EndlessList => out.write_str(
            "Der Speicher hört nicht auf, Dateien aufzuzählen; tragen Sie einen Bucket oder Ordner ein, in dem nur \
             Sicherungen liegen.",
        ),
        _ => Ok(()),
    }
}

fn of_folder(kind: ErrorKind) -> &'static str {
    match kind {
        ErrorKind::NotFound | ErrorKind::NotADirectory => "gibt es nicht. Ist der Datenträger eingehängt?",
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => "ist voll.",
        ErrorKind::FileTooLarge => "nimmt keine so große Datei an.",
        ErrorKind::AlreadyExists => "hat schon ein Archiv dieses Namens.",
        _ => "ist nicht zu benutzen: der Datenträger meldet einen Fehler.",
    }
}

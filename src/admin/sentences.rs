//! German sentences of the server for the admin's page: why a task wasn't done, and the outcome of backups.

use std::io::ErrorKind;

use crate::archive::reader::{Contents, ReadError};
use crate::control::backups::{BackupError, NewBackup};
use crate::control::mails::{Tested, TestedNow};
use crate::control::task::Refusal;
use fluglog_base::error::Error;
use fluglog_base::number;
use fluglog_base::text;
use fluglog_base::time::Clock;
use fluglog_config::provenance::Source;

/// The error for the browser when a task is refused.
pub(crate) fn error_of_refusal(refusal: Refusal) -> Error {
    match refusal {
        Refusal::NotAnAddress(_) => Error::invalid("email", text::EMAIL_INVALID),
        Refusal::UserUnknown(_) => Error::Conflict(text::ACCOUNT_GONE),
        Refusal::AddressTaken(_) => Error::Conflict(text::EMAIL_TAKEN),
        Refusal::UserDisabled(_) => Error::Conflict(text::USER_DISABLED),
        Refusal::LastOperator(_) => Error::Conflict(text::LAST_OPERATOR),
        Refusal::LastManager { .. } => Error::Conflict(text::LAST_MANAGER),
        Refusal::Rule(rule) => rule.into(),
        Refusal::Configuration(sentence) | Refusal::AsInTheApp(sentence) => Error::Invalid { field: None, sentence },
        Refusal::ReadOnly => Error::ReadOnly,
        // The log has the cause.
        Refusal::StorageFull => Error::DiskFull("a task of the admin's page".to_owned()),
        Refusal::SpaceUnknown(_) | Refusal::SpaceAmbiguous(_) | Refusal::NotAMember { .. } => Error::NotFound,
        Refusal::NotTaken | Refusal::DataUnusable => Error::Internal("a task of the admin's page".to_owned()),
    }
}

/// The error for the browser when a backup can't be made or verified.
pub(crate) fn of_backup_error(error: BackupError) -> Error {
    match error {
        BackupError::NoFolder => Error::Conflict(text::BACKUP_FOLDER_UNKNOWN),
        BackupError::Gone => Error::Conflict(text::BACKUP_GONE),
        BackupError::Refused(refusal) => error_of_refusal(refusal),
        unusable @ BackupError::Unusable(..) => Error::Invalid {
            field: None,
            sentence: why_failed(&unusable),
        },
    }
}

/// Why a backup failed, for the records.
pub(crate) fn why_failed(error: &BackupError) -> String {
    let BackupError::Unusable(folder, kind) = error else {
        return "Ein Teil der Daten ist nicht lesbar; „fluglog check“ nennt, was beschädigt ist.".to_owned();
    };
    let why = match kind {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => "der Speicher dort ist voll",
        ErrorKind::FileTooLarge => "die Datei wird dort zu groß",
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => "der Dienst darf dort nicht schreiben",
        ErrorKind::NotFound => "den Ordner gibt es nicht; steckt der Stick?",
        _ => "der Datenträger meldet einen Fehler",
    };
    format!(
        "Die Sicherung kann nicht nach {} geschrieben werden: {why}.",
        folder.display()
    )
}

/// Describes a backup that was made.
pub(crate) fn describe_backup(made: &NewBackup) -> String {
    let mut done = format!("Gesichert: {} ({})", made.name, number::size(made.bytes));
    if !made.sent.is_empty() {
        done += &format!(", auch bei {}", made.sent.join(", "));
    }
    for (target, why) in &made.not_sent {
        done += &format!(". Nicht bei {target}: {}", why.trim_end_matches('.'));
    }
    match made.damage_count {
        0 if made.not_sent.is_empty() => done,
        0 => format!("{done}."),
        damages => format!(
            "{done}. Sie enthält alles, was lesbar ist, aber die Daten haben {}; „fluglog check“ nennt sie.",
            number::counted(damages as u64, "Schaden", "Schäden")
        ),
    }
}

/// Describes a backup that is intact.
pub(crate) fn describe_intact(name: &str, contents: &Contents, clock: &Clock) -> String {
    format!(
        "{name} ist vollständig: Sicherung vom {} mit {} und {}.",
        clock.wall_time_at(contents.created),
        number::counted(contents.findings.records(), "Eintrag", "Einträgen"),
        number::counted(contents.blobs, "Datei", "Dateien"),
    )
}

/// Describes an intact backup of damaged data.
pub(crate) fn describe_damaged(name: &str, contents: &Contents) -> String {
    format!(
        "{name} ist vollständig, aber die Daten darin hatten schon beim Sichern {}; eine ältere Sicherung kann mehr \
         enthalten.",
        number::counted(contents.damage.len() as u64, "Schaden", "Schäden")
    )
}

/// Describes why an archive isn't a usable backup.
pub(crate) fn describe_refused(name: &str, refused: &ReadError) -> String {
    match refused {
        ReadError::Foreign => format!("{name} ist keine Sicherung von Fluglog."),
        ReadError::Truncated => format!("{name} bricht vor dem Ende ab; nehmen Sie eine andere Sicherung."),
        ReadError::Damaged(what) => format!("{name} ist beschädigt: {what}. Nehmen Sie eine andere Sicherung."),
        ReadError::Newer { program, .. } => format!("{name} wurde von Fluglog {program} geschrieben, das neuer ist."),
        ReadError::Unreadable(_) => format!("{name} kann nicht gelesen werden: der Datenträger meldet einen Fehler."),
        ReadError::Unwritable(_) => "Für die Prüfung reicht der Platz auf dem Datenträger der Daten nicht.".to_owned(),
    }
}

/// Describes the outcome of a test mail; true if it was sent.
pub(crate) fn describe_test_mail(to: &str, tested: &TestedNow) -> (bool, String) {
    let (left, sentence) = match &tested.tested {
        Tested::Taken { server, answer } => (
            true,
            format!("Die Testmail an {to} ist gesendet. {server} antwortet: {answer}"),
        ),
        Tested::Kept { path } => (
            false,
            format!(
                "Es ist kein Mailserver eingestellt (smtp.host). Die Testmail liegt in {}.",
                path.display()
            ),
        ),
        Tested::NotSent(why) => (false, format!("Die Testmail an {to} wurde nicht gesendet: {why}.")),
    };
    match tested.needs_restart {
        true => (
            left,
            format!("{sentence} Der laufende Server sendet noch mit den früheren Einstellungen, bis er neu startet."),
        ),
        false => (left, sentence),
    }
}

/// The German name of a setting's source.
pub fn source(source: &Source) -> String {
    match source {
        Source::Default => "Vorgabe".to_owned(),
        Source::File(path) => format!("Datei {}", path.display()),
        Source::Variable(name) => format!("Umgebung {name}"),
        Source::Flag => "Kommandozeile".to_owned(),
        Source::SecretFile => "Passwortdatei oder systemd".to_owned(),
    }
}

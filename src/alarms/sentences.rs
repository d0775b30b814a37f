//! The sentence of each problem, for the shell, the page and the mail alike.

use serde::Serialize;

use crate::base::number;
use crate::base::time::Clock;
use crate::control::status::Problem;

/// A word about backups that lie where the data do.
pub const BACKUP_ON_SAME_DISK: &str = "Die Sicherung liegt auf demselben Datenträger wie die Daten: Geht er kaputt, \
    ist beides verloren. Kopieren Sie sie auch an einen anderen Ort.";

/// Something to be mended, and the command that does it or shows more. The sentence leads to the command.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS, utoipa::ToSchema), ts(export, rename = "ServerProblem"), schema(as = ServerProblem))]
pub struct Explanation {
    pub sentence: String,
    pub command: String,
    /// Whether it is to be seen on every page.
    pub is_urgent: bool,
}

/// Says a problem in German.
#[must_use]
pub fn explain(problem: &Problem, clock: &Clock) -> Explanation {
    let at = |seconds: &i64| clock.wall_time_at(*seconds).to_string();
    let backup = "fluglog backup".to_owned();
    let (sentence, command) = match problem {
        Problem::LittleSpace(free) => (
            format!(
                "Es sind nur noch {} frei, Uploads werden abgelehnt. Was den Platz braucht, zeigt",
                number::size(*free)
            ),
            "du -xh --max-depth=3 / | sort -h | tail".to_owned(),
        ),
        Problem::ClockWrong(now) => (
            format!("Die Uhr geht falsch: {}. Richtig stellt sie", at(now)),
            "sudo timedatectl set-ntp true".to_owned(),
        ),
        Problem::CertificateEndsSoon(end) => (
            format!(
                "Das Zertifikat für https gilt nur bis {}. Nach der Erneuerung liest es ein",
                at(end)
            ),
            "sudo systemctl reload fluglog".to_owned(),
        ),
        Problem::MailsNotSent(count) => (
            format!("Mails, die noch nicht gesendet werden konnten: {count}. Die Gründe zeigt"),
            "fluglog mail outbox".to_owned(),
        ),
        Problem::PublicUrlMissing(settings) => (
            "Zum Mailserver fehlt public_url: Links in Mails führen nur ins eigene Netz. Einzutragen mit".to_owned(),
            format!("sudoedit {}", settings.display()),
        ),
        Problem::ProxyUrlMissing(settings) => (
            "Zu trusted_proxies fehlt public_url: Links führen am Proxy vorbei zu diesem Rechner. Die Adresse des \
             Proxys ist einzutragen mit"
                .to_owned(),
            format!("sudoedit {}", settings.display()),
        ),
        Problem::NoUsers => (
            "Es gibt noch keine Benutzer. Den ersten legt an".to_owned(),
            "fluglog user add --operator --email ADRESSE --nickname NAME --password-stdin".to_owned(),
        ),
        Problem::NoBackup => ("Es gibt noch keine Sicherung. Die erste macht".to_owned(), backup),
        Problem::BackupFailed(time) => (
            format!("Die letzte Sicherung ({}) ist misslungen. Eine neue macht", at(time)),
            backup,
        ),
        Problem::BackupOld(time) => (
            format!("Die letzte Sicherung ist vom {}. Eine neue macht", at(time)),
            backup,
        ),
        Problem::BackupUnsound { folder, checked } => (
            format!(
                "Die Prüfung der neuesten Sicherung ({}) fand Fehler. Welche, zeigt",
                at(checked)
            ),
            format!("fluglog backup verify {folder}"),
        ),
        Problem::Damaged(_) | Problem::ChangeLost(_) | Problem::ReadOnly(_) => damage(problem, clock),
    };
    Explanation {
        sentence,
        command,
        is_urgent: problem.is_urgent(),
    }
}

/// What is wrong with the database itself.
fn damage(problem: &Problem, clock: &Clock) -> (String, String) {
    match problem {
        Problem::ChangeLost(time) => (
            format!(
                "Nach einem Stromausfall war die letzte Änderung (vom {}) nicht mehr lesbar; sie fehlt vielleicht. Ob \
                 sonst etwas fehlt, zeigt",
                clock.wall_time_at(*time)
            ),
            "fluglog check".to_owned(),
        ),
        Problem::ReadOnly(data_dir) => (
            "Die Datenbank ist beschädigt und wird nur noch gelesen; gespeichert wird nichts mehr. Beenden Sie den \
             Server, retten Sie, was noch lesbar ist, und stellen Sie es mit „fluglog restore“ auf einer neuen Karte \
             wieder her (README: „Wenn eine Karte stirbt“). Gerettet wird mit"
                .to_owned(),
            format!("fluglog recover --data-dir {} --output rettung.tar", data_dir.display()),
        ),
        _ => (
            "Die Datenbank ist beschädigt. Was betroffen ist, zeigt".to_owned(),
            "fluglog check".to_owned(),
        ),
    }
}

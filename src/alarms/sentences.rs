//! The German sentence for each problem, used by the shell, the page and the mail.

use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::archive::last_backup::is_forbidden;
use crate::control::status::Problem;
use fluglog_base::number;
use fluglog_base::time::Clock;
use fluglog_config::environment::SYSTEM_FILE;

/// A warning about backups on the disk of the data.
pub const BACKUP_ON_SAME_DISK: &str = "Die Sicherung liegt auf demselben Datenträger wie die Daten: Geht er kaputt, \
    ist beides verloren. Kopieren Sie sie auch an einen anderen Ort.";

/// A problem, and the command that solves it or shows more. The sentence leads up to the command.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS, utoipa::ToSchema), ts(export, rename = "ServerProblem"), schema(as = ServerProblem))]
pub struct ExplainedProblem {
    pub sentence: String,
    pub command: String,
    /// Whether every page shows the problem.
    pub is_urgent: bool,
}

/// How commands are called on this machine: the data of the Debian package belong to its service user.
fn program(config_file: Option<&Path>) -> &'static str {
    match config_file {
        Some(file) if file == Path::new(SYSTEM_FILE) => "sudo fluglog",
        _ => "fluglog",
    }
}

/// Explains a problem in German. `config_file` is the running server's.
#[must_use]
pub fn explain(problem: &Problem, clock: &Clock, config_file: Option<&Path>) -> ExplainedProblem {
    let at = |seconds: &i64| clock.wall_time_at(*seconds).to_string();
    let typed = |arguments: &str| format!("{} {arguments}", program(config_file));
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
            typed("mail outbox"),
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
            typed("user add --email ADRESSE --nickname NAME --password-stdin"),
        ),
        Problem::NoOperator => (
            "Kein Benutzer ist Betreiber: Niemand sieht auf der Startseite, was am Server zu tun ist. Einen dazu macht"
                .to_owned(),
            typed("user change E-MAIL --operator"),
        ),
        Problem::NoBackup { .. }
        | Problem::BackupFailed { .. }
        | Problem::BackupOld { .. }
        | Problem::BackupUnsound { .. } => backup(problem, at, typed),
        Problem::TargetFailed { .. } | Problem::TargetOld { .. } => target(problem, at, typed),
        Problem::Damaged(_) | Problem::ChangeLost(_) | Problem::ReadOnly(_) => damage(problem, clock, typed),
    };
    ExplainedProblem {
        sentence,
        command,
        is_urgent: problem.is_urgent(),
    }
}

/// The command that makes a backup.
fn backup_to(folder: &Option<PathBuf>, typed: impl Fn(&str) -> String) -> String {
    match folder {
        Some(folder) => typed(&format!("backup --output {}", folder.display())),
        None => typed("backup"),
    }
}

/// Returns the way from a failed backup to a new one: the end of the sentence, and the command. `sudo fluglog` would
/// write where the service of the package may not.
fn way_out(why: &str, folder: &Option<PathBuf>, typed: impl Fn(&str) -> String) -> (&'static str, String) {
    match is_forbidden(why) && typed("").starts_with("sudo") {
        true => (
            "Dem Dienst gibt sie „ReadWritePaths=-ORDNER“ unter [Service]; neu sichert danach „sudo systemctl start \
             fluglog-backup“. Einzutragen mit",
            "sudo systemctl edit fluglog-backup".to_owned(),
        ),
        false => ("Eine neue macht", backup_to(folder, typed)),
    }
}

/// Why a backup failed, and the time of the last successful one.
fn failure(why: &str, good: &str, last: Option<String>) -> String {
    last.map_or_else(
        || why.to_owned(),
        |last| format!("{why} Die letzte {good} ist vom {last}."),
    )
}

/// Explains that a backup didn't reach a target.
fn target(problem: &Problem, at: impl Fn(&i64) -> String, typed: impl Fn(&str) -> String) -> (String, String) {
    let (sentence, folder) = match problem {
        Problem::TargetFailed {
            name,
            time,
            why,
            good,
            folder,
        } => {
            let (end, command) = way_out(why, folder, typed);
            let (time, why) = (at(time), failure(why, "gute dort", good.as_ref().map(at)));
            return (
                format!("Die letzte Sicherung ({time}) kam nicht zum Ziel „{name}“. {why} {end}"),
                command,
            );
        }
        Problem::TargetOld {
            name,
            time: Some(time),
            folder,
        } => (
            format!(
                "Die letzte Sicherung beim Ziel „{name}“ ist vom {}. Eine neue macht",
                at(time)
            ),
            folder,
        ),
        Problem::TargetOld {
            name,
            time: None,
            folder,
        } => (
            format!("Zum Ziel „{name}“ ist noch keine Sicherung gegangen. Eine macht"),
            folder,
        ),
        other => return backup(other, at, typed),
    };
    (sentence, backup_to(folder, typed))
}

/// Explains a problem with the backups.
fn backup(problem: &Problem, at: impl Fn(&i64) -> String, typed: impl Fn(&str) -> String) -> (String, String) {
    let backup_to = |folder: &Option<PathBuf>| backup_to(folder, &typed);
    match problem {
        Problem::BackupFailed {
            time,
            why,
            good,
            folder,
        } => {
            let (end, command) = way_out(why, folder, &typed);
            let (time, why) = (at(time), failure(why, "gute", good.as_ref().map(at)));
            (
                format!("Die letzte Sicherung ({time}) ist misslungen. {why} {end}"),
                command,
            )
        }
        Problem::BackupOld { time, folder } => (
            format!("Die letzte Sicherung ist vom {}. Eine neue macht", at(time)),
            backup_to(folder),
        ),
        Problem::BackupUnsound { folder, checked } => (
            format!(
                "Die Prüfung der neuesten Sicherung ({}) fand Fehler. Welche, zeigt",
                at(checked)
            ),
            typed(&format!("backup verify {folder}")),
        ),
        other => {
            let folder = match other {
                Problem::NoBackup { folder } => folder,
                _ => &None,
            };
            (
                "Es gibt noch keine Sicherung. Die erste macht".to_owned(),
                backup_to(folder),
            )
        }
    }
}

/// Explains a problem with the database.
fn damage(problem: &Problem, clock: &Clock, typed: impl Fn(&str) -> String) -> (String, String) {
    match problem {
        Problem::ChangeLost(time) => (
            format!(
                "Nach einem Stromausfall war die letzte Änderung (vom {}) nicht mehr lesbar; sie fehlt vielleicht. Ob \
                 sonst etwas fehlt, zeigt",
                clock.wall_time_at(*time)
            ),
            typed("check"),
        ),
        Problem::ReadOnly(data_dir) => (
            "Die Datenbank ist beschädigt und wird nur noch gelesen; gespeichert wird nichts mehr. Beenden Sie den \
             Server, retten Sie, was noch lesbar ist, und stellen Sie es mit „fluglog restore“ auf einer neuen Karte \
             wieder her (README: „Wenn eine Karte stirbt“). Gerettet wird mit"
                .to_owned(),
            typed(&format!(
                "recover --data-dir {} --output rettung.tar",
                data_dir.display()
            )),
        ),
        _ => (
            "Die Datenbank ist beschädigt. Was betroffen ist, zeigt".to_owned(),
            typed("check"),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fluglog_base::time::Zone;

    #[test]
    fn a_command_is_one_that_works_where_it_is_read() {
        let clock = Clock::system(Zone::UTC);
        let problem = Problem::BackupOld {
            time: 0,
            folder: Some(PathBuf::from("/mnt/stick")),
        };
        let command = |file: &str| explain(&problem, &clock, Some(Path::new(file))).command;
        assert_eq!(
            command("/etc/fluglog/fluglog.toml"),
            "sudo fluglog backup --output /mnt/stick"
        );
        assert_eq!(command("/data/fluglog.toml"), "fluglog backup --output /mnt/stick");
        let forbidden = Problem::TargetFailed {
            name: "platte".to_owned(),
            time: 0,
            why: "/mnt/platte ist nicht zu beschreiben: dafür fehlen die Rechte.".to_owned(),
            good: None,
            folder: None,
        };
        let explained = |file: &str| explain(&forbidden, &clock, Some(Path::new(file)));
        let of_package = explained("/etc/fluglog/fluglog.toml");
        assert!(of_package.sentence.contains("ReadWritePaths=-"), "{of_package:?}");
        assert_eq!(of_package.command, "sudo systemctl edit fluglog-backup");
        assert_eq!(explained("/data/fluglog.toml").command, "fluglog backup");
        let none = Problem::NoBackup { folder: None };
        assert_eq!(explain(&none, &clock, None).command, "fluglog backup");
    }
}

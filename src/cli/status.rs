//! `fluglog status`. Doubles as a health check: the exit code is 0 only if a server answers.

use std::fmt::Write as _;

use serde::Serialize;

use super::failure::Failure;
use super::{data_dir, output};
use crate::alarms::{self, BACKUP_ON_SAME_DISK, ExplainedProblem};
use crate::control::status::{ShowStatus, Status, TargetStatus};
use fluglog_base::time::Clock;
use fluglog_base::{number, time};
use fluglog_config::Config;

/// The status as JSON, from which the readable text is made as well. The names are stable.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Printed {
    version: String,
    /// dd.MM.yyyy; null if the version isn't a release.
    released: Option<String>,
    age_days: Option<i64>,
    /// The version that an upgrade of the system's packages would install.
    newer_version: Option<String>,
    schema: u32,
    /// Whether a server answers.
    running: bool,
    uptime_seconds: Option<u64>,
    url: Option<String>,
    /// The other addresses that other devices can open.
    other_urls: Vec<String>,
    addresses: Vec<String>,
    https: bool,
    /// dd.MM.yyyy HH:mm
    certificate_ends: Option<String>,
    /// SHA-256 of the own authority's certificate.
    certificate_fingerprint: Option<String>,
    data_dir: String,
    config_file: Option<String>,
    /// Null if the server couldn't start with the current settings.
    changed_settings: Option<Vec<String>>,
    database_bytes: u64,
    database_free_bytes: Option<u64>,
    blobs: u64,
    blob_bytes: u64,
    outbox_bytes: u64,
    free_bytes: u64,
    /// Null if some are unreadable.
    users: Option<usize>,
    /// The address for making the first account.
    setup_url: Option<String>,
    mail_server: Option<String>,
    mails_waiting: usize,
    mails_in_outbox: u64,
    last_backup: Option<Backup>,
    /// The last successful backup.
    last_good_backup: Option<GoodBackup>,
    /// The last check of the newest backup in a folder.
    last_backup_check: Option<BackupCheck>,
    /// The targets that each backup is sent to.
    backup_targets: Vec<TargetJson>,
    time_zone: String,
    /// dd.MM.yyyy HH:mm
    clock: String,
    problems: Vec<ExplainedProblem>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Backup {
    /// dd.MM.yyyy HH:mm
    time: String,
    /// A file, or `-` for standard output.
    target: String,
    bytes: u64,
    /// Whether the backup is on the disk of the data, as far as the server can tell.
    on_same_disk: bool,
    /// Why the backup failed; `null` on success.
    failure: Option<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct GoodBackup {
    /// dd.MM.yyyy HH:mm
    time: String,
    target: String,
    bytes: u64,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct TargetJson {
    name: String,
    place: String,
    encrypted: bool,
    /// dd.MM.yyyy HH:mm; `null` before the first.
    time: Option<String>,
    /// Why the backup didn't reach the target; `null` on success.
    failure: Option<String>,
    last_good: Option<GoodBackup>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct BackupCheck {
    /// dd.MM.yyyy HH:mm
    time: String,
    folder: String,
    /// `null` if the backup is intact.
    failure: Option<String>,
}

/// Shows the status, from the running server or as far as the database has it.
pub fn run(config: &Config, json: bool) -> Result<(), Failure> {
    let answered = data_dir::ask(config, ShowStatus)?;
    let printed = printed(answered.value, &answered.clock, answered.time_zone);
    let running = answered.by_a_server;
    match json {
        true => output::say_json(&printed)?,
        false => output::say(&lines(&printed))?,
    }
    if running {
        return Ok(());
    }
    Err(Failure::new(
        Failure::REFUSED,
        format!(
            "Für {} läuft kein Server; „sudo systemctl start fluglog“ oder „fluglog serve“ startet ihn.",
            config.data_dir.display()
        ),
    ))
}

fn printed(status: Status, clock: &Clock, time_zone: String) -> Printed {
    let at = |seconds| clock.wall_time_at(seconds).to_string();
    let config_file = status.config_file.as_deref();
    let explain = |problem| alarms::explain(problem, clock, config_file);
    let problems = status.problems.iter().map(explain);
    Printed {
        problems: problems.collect(),
        age_days: status.age_days(),
        version: status.version,
        released: status.released.map(|time| clock.wall_time_at(time).date().to_string()),
        newer_version: status.newer_version,
        schema: status.schema,
        running: status.uptime_seconds.is_some(),
        uptime_seconds: status.uptime_seconds,
        url: status.url,
        other_urls: status.other_urls,
        addresses: status.addresses,
        https: status.https,
        certificate_ends: status.certificate_ends.map(at),
        certificate_fingerprint: status.fingerprint,
        data_dir: status.data_dir.display().to_string(),
        config_file: status.config_file.map(|file| file.display().to_string()),
        changed_settings: status.changed_settings,
        database_bytes: status.database_bytes,
        database_free_bytes: status.database_free_bytes,
        blobs: status.blobs,
        blob_bytes: status.blob_bytes,
        outbox_bytes: status.outbox_bytes,
        free_bytes: status.free_bytes,
        users: status.users,
        setup_url: status.setup_url,
        mail_server: status.mail_server,
        mails_waiting: status.mails_waiting,
        mails_in_outbox: status.mails_in_outbox,
        last_backup: status.last_backup.map(|backup| Backup {
            time: at(backup.finished),
            target: backup.target,
            bytes: backup.bytes,
            on_same_disk: status.backup_on_same_disk,
            failure: Some(backup.failure).filter(|failure| !failure.is_empty()),
        }),
        last_good_backup: status.last_good_backup.map(|backup| GoodBackup {
            time: at(backup.finished),
            target: backup.target,
            bytes: backup.bytes,
        }),
        last_backup_check: status.last_check.map(|check| BackupCheck {
            time: at(check.finished),
            folder: check.target,
            failure: Some(check.failure).filter(|failure| !failure.is_empty()),
        }),
        backup_targets: status.targets.into_iter().map(|target| sent(target, clock)).collect(),
        time_zone,
        clock: at(status.now),
    }
}

fn sent(target: TargetStatus, clock: &Clock) -> TargetJson {
    let at = |seconds| clock.wall_time_at(seconds).to_string();
    TargetJson {
        name: target.name,
        place: target.place,
        encrypted: target.is_encrypted,
        time: target.last.as_ref().map(|last| at(last.finished)),
        failure: target
            .last
            .map(|last| last.failure)
            .filter(|failure| !failure.is_empty()),
        last_good: target.last_good.map(|good| GoodBackup {
            time: at(good.finished),
            target: good.target,
            bytes: good.bytes,
        }),
    }
}

fn database(status: &Printed) -> String {
    let size = number::size(status.database_bytes);
    match status.database_free_bytes {
        None | Some(0) => size,
        Some(free) => format!("{size}, davon {} frei", number::size(free)),
    }
}

fn changed(settings: Option<&[String]>) -> String {
    match settings {
        None => {
            "\nMit dem, was jetzt eingestellt ist, startet der Server nicht mehr. Warum, zeigt: fluglog config check\n"
                .to_owned()
        }
        Some([]) => String::new(),
        Some(names) => format!(
            "\nSeit dem Start geändert: {}. Es gilt nach: sudo systemctl restart fluglog\n",
            names.join(", ")
        ),
    }
}

fn backup(status: &Printed) -> String {
    match &status.last_backup {
        None => "noch keine".to_owned(),
        Some(Backup {
            time,
            failure: Some(failure),
            ..
        }) => match &status.last_good_backup {
            Some(GoodBackup { time: good, target, .. }) => {
                format!("{time}, misslungen: {failure} Die letzte gute: {good} nach {target}")
            }
            None => format!("{time}, misslungen: {failure}"),
        },
        Some(Backup {
            time, target, bytes, ..
        }) => format!("{time}, {} nach {target}", number::size(*bytes)),
    }
}

/// Describes the state of a target.
fn target(target: &TargetJson) -> String {
    let good = target.last_good.as_ref();
    match (&target.time, &target.failure) {
        (None, _) => "noch nie".to_owned(),
        (Some(time), Some(failure)) => match good {
            Some(good) => format!("{time}, misslungen: {failure} Die letzte gute: {}", good.time),
            None => format!("{time}, misslungen: {failure}"),
        },
        (Some(time), None) => match good {
            Some(good) => format!("{time}, {} nach {}", number::size(good.bytes), target.place),
            None => time.clone(),
        },
    }
}

fn check(status: &Printed) -> String {
    match &status.last_backup_check {
        None => "noch keine".to_owned(),
        Some(BackupCheck {
            time,
            failure: Some(failure),
            ..
        }) => format!("{time}, Fehler: {failure}"),
        Some(BackupCheck { time, folder, .. }) => format!("{time}, die neueste in {folder} ist gut"),
    }
}

fn mails(status: &Printed) -> String {
    let way = match &status.mail_server {
        Some(server) => format!("über {server}"),
        None => format!(
            "in den Ordner outbox ({}, {})",
            number::counted(status.mails_in_outbox, "Mail", "Mails"),
            number::size(status.outbox_bytes)
        ),
    };
    format!(
        "{way}, {}",
        number::counted(status.mails_waiting as u64, "wartet", "warten")
    )
}

/// Where the server can be opened, and where the first account is made.
fn addresses(status: &Printed) -> Vec<(String, String)> {
    let mut lines = Vec::new();
    if let Some(url) = &status.url {
        lines.push(("Adresse".to_owned(), url.clone()));
        lines.extend(
            status
                .other_urls
                .iter()
                .map(|url| ("Auch unter".to_owned(), url.clone())),
        );
        lines.push(("Lauscht auf".to_owned(), status.addresses.join(", ")));
    }
    if let Some(url) = &status.setup_url {
        lines.push(("Erstes Konto".to_owned(), url.clone()));
    }
    lines
}

fn lines(status: &Printed) -> String {
    let mut lines = Vec::new();
    let state = match status.uptime_seconds {
        Some(seconds) => format!("läuft seit {}", time::duration_since_text(seconds)),
        None => "läuft nicht".to_owned(),
    };
    lines.push((format!("Fluglog {}", status.version), state));
    if let (Some(date), Some(days)) = (&status.released, status.age_days) {
        let age = number::counted(days.unsigned_abs(), "Tag", "Tage");
        lines.push(("Stand".to_owned(), format!("{date}, {age} alt")));
    }
    lines.extend(addresses(status));
    let https = match (&status.certificate_ends, status.https) {
        (Some(end), _) => format!("ja, Zertifikat bis {end}"),
        (None, true) => "ja".to_owned(),
        // `https on` came after the start.
        (None, false) if status.certificate_fingerprint.is_some() => {
            "erst nach: sudo systemctl restart fluglog".to_owned()
        }
        (None, false) => "nein".to_owned(),
    };
    let config_file = status.config_file.clone().unwrap_or_else(|| "keine".to_owned());
    lines.push(("https".to_owned(), https));
    if let Some(fingerprint) = &status.certificate_fingerprint {
        lines.push(("Fingerabdruck".to_owned(), fingerprint.clone()));
    }
    let further = [
        ("Daten", format!("{}, Schema {}", status.data_dir, status.schema)),
        ("Konfiguration", config_file),
        ("Datenbank", database(status)),
        (
            "Dateien",
            format!("{}, {}", number::count(status.blobs), number::size(status.blob_bytes)),
        ),
        ("Frei", number::size(status.free_bytes)),
        (
            "Benutzer",
            status
                .users
                .map_or("nicht lesbar".to_owned(), |users| users.to_string()),
        ),
        ("Mails", mails(status)),
        ("Sicherung", backup(status)),
        ("Prüfung", check(status)),
    ];
    lines.extend(further.map(|(name, value)| (name.to_owned(), value)));
    lines.extend(
        status
            .backup_targets
            .iter()
            .map(|sent| (format!("Ziel {}", sent.name), target(sent))),
    );
    lines.push(("Uhr".to_owned(), format!("{} ({})", status.clock, status.time_zone)));
    let mut text = String::new();
    // Writing into a string can't fail.
    for (name, value) in lines {
        let _ = writeln!(text, "{name:15} {value}");
    }
    if let Some(newer) = &status.newer_version {
        let _ = writeln!(text, "\nVersion {newer} liegt bereit: sudo apt upgrade");
    }
    text.push_str(&changed(status.changed_settings.as_deref()));
    if status.last_backup.as_ref().is_some_and(|backup| backup.on_same_disk) {
        let _ = writeln!(text, "\n{BACKUP_ON_SAME_DISK}");
    }
    for ExplainedProblem { sentence, command, .. } in &status.problems {
        let _ = writeln!(text, "\n{sentence}: {command}");
    }
    text
}

//! How the program is: what it holds, what it does, what is wrong with it. Knows no call and changes nothing.

use std::fmt::Write as _;
use std::io;
use std::path::Path;

use serde::Serialize;

use crate::accounts;
use crate::app::App;
use crate::archive::last_backup;
use crate::base::config::{self, public_url::PublicUrl};
use crate::base::error::{Error, Result};
use crate::base::{number, time};
use crate::mail::outbox;
use crate::mail_queue;
use crate::store::{self, schema};
use crate::web::link_base;

/// 01.01.2026 in Unix seconds: no clock that is right shows less.
const CLOCK_LEAST_SECONDS: i64 = 1_767_225_600;

const DAY_SECONDS: i64 = 24 * 60 * 60;
/// Backups are made by a timer every night; who makes them by hand does it before that.
const BACKUP_DAYS_MOST: i64 = 7;
/// Whoever renews certificates by a timer does it earlier than that.
const CERTIFICATE_DAYS_LEAST: i64 = 14;

/// The names in the JSON stay as they are.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Status {
    version: &'static str,
    schema: u32,
    /// Whether a server answers.
    running: bool,
    uptime_seconds: Option<u64>,
    url: Option<String>,
    addresses: Vec<String>,
    /// By a certificate of its own, or by the word of `public_url`.
    https: bool,
    /// When the certificate ends that the server shows, dd.MM.yyyy HH:mm.
    certificate_ends: Option<String>,
    data_dir: String,
    config_file: Option<String>,
    database_bytes: u64,
    blobs: u64,
    blob_bytes: u64,
    outbox_bytes: u64,
    free_bytes: u64,
    users: usize,
    /// `host:port` of the mail server; `null`: mails become files in the outbox.
    mail_server: Option<String>,
    mails_waiting: usize,
    mails_in_outbox: u64,
    last_backup: Option<BackupLine>,
    time_zone: &'static str,
    /// The wall clock of that zone, dd.MM.yyyy HH:mm.
    clock: String,
    problems: Vec<Problem>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct BackupLine {
    /// dd.MM.yyyy HH:mm
    time: String,
    /// A file, or `-` for the standard output.
    target: String,
    bytes: u64,
    /// Why it went wrong, a German sentence; `null` when all went well.
    failure: Option<String>,
}

/// Something to be mended, and the command that does it or shows more.
#[derive(Serialize)]
struct Problem {
    sentence: String,
    command: String,
}

/// The state as a report for people, or as JSON.
///
/// # Errors
/// An unreadable database or data directory.
pub fn show(app: &App, json: bool) -> Result<String> {
    let status = of(app)?;
    if json {
        let json = serde_json::to_string_pretty(&status).map_err(|error| Error::Internal(error.to_string()))?;
        return Ok(json + "\n");
    }
    Ok(report(&status))
}

/// The same, and what was counted, for a monitor (Prometheus).
///
/// # Errors
/// As [`show`].
pub fn metrics(app: &App) -> Result<String> {
    let status = of(app)?;
    let listeners = app.listening.get().map_or(0, Vec::len);
    // Each listener holds the place of the connection that it waits for.
    let taken = app.config.limits.connections - app.connection_permits.available_permits();
    let now = [
        ("fluglog_database_bytes", "Size of the database.", status.database_bytes),
        ("fluglog_blobs", "Images, previews and documents.", status.blobs),
        ("fluglog_blob_bytes", "Their size together.", status.blob_bytes),
        ("fluglog_free_bytes", "What the disk has left.", status.free_bytes),
        ("fluglog_users", "Users.", status.users as u64),
        (
            "fluglog_mails_waiting",
            "Mails that are not sent yet.",
            status.mails_waiting as u64,
        ),
        (
            "fluglog_problems",
            "What `fluglog status` complains of.",
            status.problems.len() as u64,
        ),
        (
            "fluglog_connections",
            "Open connections.",
            taken.saturating_sub(listeners) as u64,
        ),
    ];
    Ok(app.metrics.text(&now))
}

fn of(app: &App) -> Result<Status> {
    let config = &app.config;
    let unreadable = |error: io::Error| Error::Internal(format!("{}: {error}", config.data_dir.display()));
    let listening = app.listening.get();
    let (blobs, blob_bytes) = app.blobs.size().map_err(unreadable)?;
    let (mails_in_outbox, outbox_bytes) = outbox::size(app.mailer.outbox()).map_err(unreadable)?;
    let database = config.data_dir.join(store::FILE_NAME);
    let smtp = &config.smtp;
    let waiting = mail_queue::waiting(app)?;
    let backup = last_backup::last_backup(app)?;
    let certificate_ends = *app.certificate_ends.borrow();
    let mut status = Status {
        version: env!("CARGO_PKG_VERSION"),
        schema: schema::SCHEMA,
        running: listening.is_some(),
        uptime_seconds: listening.map(|_| app.metrics.uptime().as_secs()),
        url: listening.map(|_| link_base::of_app(app) + "/app/"),
        addresses: listening.into_iter().flatten().map(ToString::to_string).collect(),
        https: config.tls.is_set() || config.public_url.as_ref().is_some_and(PublicUrl::is_https),
        certificate_ends: certificate_ends.map(|seconds| app.clock.wall_time_at(seconds).to_string()),
        data_dir: shown(&config.data_dir),
        config_file: config.config_file.as_deref().map(shown),
        database_bytes: std::fs::metadata(database).map_err(unreadable)?.len(),
        blobs,
        blob_bytes,
        outbox_bytes,
        free_bytes: app.blobs.free_bytes()?,
        users: accounts::count_users(app)?,
        mail_server: smtp
            .is_set()
            .then(|| format!("{}:{}", smtp.host, smtp.effective_port())),
        mails_waiting: waiting.len(),
        mails_in_outbox,
        last_backup: backup.as_ref().map(|backup| BackupLine {
            time: app.clock.wall_time_at(backup.finished).to_string(),
            target: backup.target.clone(),
            bytes: backup.bytes,
            failure: Some(backup.failure.clone()).filter(|failure| !failure.is_empty()),
        }),
        time_zone: config.time_zone.name(),
        clock: app.clock.now().to_string(),
        problems: Vec::new(),
    };
    let backup_is_old =
        backup.is_none_or(|backup| backup.finished < app.clock.unix_seconds() - BACKUP_DAYS_MOST * DAY_SECONDS);
    let failing = waiting.iter().filter(|mail| mail.tries > 0).count();
    status.problems = problems(app, &status, failing);
    status.problems.extend(backup_problem(&status, backup_is_old));
    Ok(status)
}

fn shown(path: &Path) -> String {
    path.canonicalize().as_deref().unwrap_or(path).display().to_string()
}

fn problems(app: &App, status: &Status, failing_mails: usize) -> Vec<Problem> {
    let config = &app.config;
    let settings = || match &status.config_file {
        Some(file) => file.clone(),
        None => shown(&config.data_dir.join(config::FILE_NAME)),
    };
    let mut found = Vec::new();
    let mut add = |is_wrong: bool, sentence: String, command: String| {
        if is_wrong {
            found.push(Problem { sentence, command });
        }
    };
    add(
        app.blobs.check_room().is_err(),
        format!(
            "Es sind nur noch {} frei, Uploads werden abgelehnt. Was den Platz braucht, zeigt",
            number::size(status.free_bytes)
        ),
        "du -xh --max-depth=3 / | sort -h | tail".to_owned(),
    );
    add(
        app.clock.unix_seconds() < CLOCK_LEAST_SECONDS,
        format!("Die Uhr geht falsch: {}. Richtig stellt sie", status.clock),
        "sudo timedatectl set-ntp true".to_owned(),
    );
    let soon = app.clock.unix_seconds() + CERTIFICATE_DAYS_LEAST * DAY_SECONDS;
    add(
        app.certificate_ends.borrow().is_some_and(|end| end < soon),
        format!(
            "Das Zertifikat für https gilt nur bis {}. Nach der Erneuerung liest es ein",
            status.certificate_ends.as_deref().unwrap_or_default()
        ),
        "sudo systemctl reload fluglog".to_owned(),
    );
    add(
        failing_mails > 0,
        format!("Mails, die noch nicht gesendet werden konnten: {failing_mails}. Die Gründe zeigt"),
        "fluglog mail outbox".to_owned(),
    );
    add(
        config.smtp.is_set() && config.public_url.is_none(),
        "Zum Mailserver fehlt public_url: Links in Mails führen nur ins eigene Netz. Einzutragen mit".to_owned(),
        format!("sudoedit {}", settings()),
    );
    add(
        status.users == 0,
        "Es gibt noch keine Benutzer. Den ersten legt an".to_owned(),
        "fluglog user add --email ADRESSE --nickname NAME".to_owned(),
    );
    found
}

/// What is wrong with the backups, as soon as there is anything to lose.
fn backup_problem(status: &Status, is_old: bool) -> Option<Problem> {
    let sentence = match &status.last_backup {
        None => "Es gibt noch keine Sicherung. Die erste macht".to_owned(),
        Some(backup) if backup.failure.is_some() => {
            format!("Die letzte Sicherung ({}) ist misslungen. Eine neue macht", backup.time)
        }
        Some(backup) if is_old => format!("Die letzte Sicherung ist vom {}. Eine neue macht", backup.time),
        Some(_) => return None,
    };
    let command = "fluglog backup".to_owned();
    (status.users > 0).then_some(Problem { sentence, command })
}

fn report(status: &Status) -> String {
    let mut lines = Vec::new();
    let state = match status.uptime_seconds {
        Some(seconds) => format!("läuft seit {}", time::span(seconds)),
        None => "läuft nicht".to_owned(),
    };
    lines.push((format!("Fluglog {}", status.version), state));
    if let Some(url) = &status.url {
        lines.push(("Adresse".to_owned(), url.clone()));
        lines.push(("Lauscht auf".to_owned(), status.addresses.join(", ")));
    }
    let mails = match &status.mail_server {
        Some(server) => format!("über {server}"),
        None => format!(
            "in den Ordner outbox ({} Mails, {})",
            number::count(status.mails_in_outbox),
            number::size(status.outbox_bytes)
        ),
    };
    let https = match (&status.certificate_ends, status.https) {
        (Some(end), _) => format!("ja, Zertifikat bis {end}"),
        (None, true) => "ja".to_owned(),
        (None, false) => "nein".to_owned(),
    };
    let backup = match &status.last_backup {
        None => "noch keine".to_owned(),
        Some(BackupLine {
            time,
            failure: Some(failure),
            ..
        }) => format!("{time}, misslungen: {failure}"),
        Some(BackupLine {
            time, target, bytes, ..
        }) => format!("{time}, {} nach {target}", number::size(*bytes)),
    };
    let config_file = status.config_file.clone().unwrap_or_else(|| "keine".to_owned());
    let further = [
        ("https", https),
        ("Daten", format!("{}, Schema {}", status.data_dir, status.schema)),
        ("Konfiguration", config_file),
        ("Datenbank", number::size(status.database_bytes)),
        (
            "Dateien",
            format!("{}, {}", number::count(status.blobs), number::size(status.blob_bytes)),
        ),
        ("Frei", number::size(status.free_bytes)),
        ("Benutzer", status.users.to_string()),
        ("Mails", format!("{mails}, {} warten", status.mails_waiting as u64)),
        ("Sicherung", backup),
        ("Uhr", format!("{} ({})", status.clock, status.time_zone)),
    ];
    lines.extend(further.map(|(name, value)| (name.to_owned(), value)));
    let mut text = String::new();
    // Writing into a string can't fail.
    for (name, value) in lines {
        let _ = writeln!(text, "{name:15} {value}");
    }
    for Problem { sentence, command } in &status.problems {
        let _ = writeln!(text, "\n{sentence}: {command}");
    }
    text
}

//! How the program is: what it holds, what it does, what is wrong with it. Changes nothing.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::task::{Refusal, Task};
use crate::accounts;
use crate::app::App;
use crate::archive::last_backup::{self, BackupRecord};
use crate::base::config::{self, public_url::PublicUrl};
use crate::base::error::{Error, Result};
use crate::mail::outbox;
use crate::mail_queue;
use crate::store::{self, migrations};
use crate::web::link_base;

/// 01.01.2026 in Unix seconds: no clock that is right shows less.
const CLOCK_LEAST_SECONDS: i64 = 1_767_225_600;

const DAY_SECONDS: i64 = 24 * 60 * 60;
/// Backups are made by a timer every night.
const BACKUP_DAYS_MOST: i64 = 2;
/// A timer renews certificates earlier than that.
const CERTIFICATE_DAYS_LEAST: i64 = 14;

/// How the program is.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ShowStatus;

/// How the program is. Times are unix seconds.
#[derive(Debug, Serialize, Deserialize)]
pub struct Status {
    pub version: String,
    pub schema: u32,
    /// Of a server that answers.
    pub uptime_seconds: Option<u64>,
    pub url: Option<String>,
    pub addresses: Vec<String>,
    /// By a certificate of its own, or by the word of `public_url`.
    pub https: bool,
    /// When the certificate ends that the server shows.
    pub certificate_ends: Option<i64>,
    pub data_dir: PathBuf,
    pub config_file: Option<PathBuf>,
    pub database_bytes: u64,
    /// Bytes that compacting would give back, if that can be measured.
    pub database_free_bytes: Option<u64>,
    pub blobs: u64,
    pub blob_bytes: u64,
    pub outbox_bytes: u64,
    pub free_bytes: u64,
    pub users: usize,
    /// `host:port`; without a mail server, mails become files in the outbox.
    pub mail_server: Option<String>,
    pub mails_waiting: usize,
    pub mails_in_outbox: u64,
    pub last_backup: Option<BackupRecord>,
    pub now: i64,
    pub problems: Vec<Problem>,
}

/// Something to be mended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Problem {
    /// Uploads are refused.
    LittleSpace,
    ClockWrong,
    CertificateEndsSoon,
    /// So many.
    MailsNotSent(usize),
    /// Links in mails lead only into the own network; the file where `public_url` belongs.
    PublicUrlMissing(PathBuf),
    /// Links lead past the proxy; the file where `public_url` belongs.
    ProxyUrlMissing(PathBuf),
    NoUsers,
    NoBackup,
    BackupFailed,
    BackupOld,
}

impl Task for ShowStatus {
    type Outcome = Status;
    const TAKES_ANY_DIRECTORY: bool = true;

    fn perform(self, app: &App, _: &mut dyn Write) -> std::result::Result<Status, Refusal> {
        Ok(of(app)?)
    }
}

/// How the program is, and what was counted, for a monitor (Prometheus).
///
/// # Errors
/// An unreadable database or data directory.
pub fn metrics(app: &App) -> Result<String> {
    let status = of(app)?;
    let listeners = app.listening.get().map_or(0, Vec::len);
    // Each listener holds the place of the connection that it waits for.
    let taken = app.config.limits.connections - app.places.free();
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
    let mut status = Status {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        schema: migrations::SCHEMA,
        uptime_seconds: listening.map(|_| app.metrics.uptime().as_secs()),
        url: listening.map(|_| link_base::of_app(app) + "/app/"),
        addresses: listening.into_iter().flatten().map(ToString::to_string).collect(),
        https: config.tls.is_set() || config.public_url.as_ref().is_some_and(PublicUrl::is_https),
        certificate_ends: *app.certificate_ends.borrow(),
        data_dir: full(&config.data_dir),
        config_file: config.config_file.as_deref().map(full),
        database_bytes: std::fs::metadata(database).map_err(unreadable)?.len(),
        database_free_bytes: app.store.space().map(|space| space.free),
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
        last_backup: last_backup::last_backup(app)?,
        now: app.clock.unix_seconds(),
        problems: Vec::new(),
    };
    let failing = waiting.iter().filter(|mail| mail.attempts > 0).count();
    status.problems = problems(app, &status, failing);
    Ok(status)
}

fn full(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

fn problems(app: &App, status: &Status, failing_mails: usize) -> Vec<Problem> {
    let config = &app.config;
    let certificate_ends_soon = |end| end < status.now + CERTIFICATE_DAYS_LEAST * DAY_SECONDS;
    let settings = || match &status.config_file {
        Some(file) => file.clone(),
        None => full(&config.data_dir.join(config::FILE_NAME)),
    };
    // There is nothing to lose yet.
    let needs_backup = status.users > 0;
    let found = [
        app.blobs.check_room().is_err().then_some(Problem::LittleSpace),
        (status.now < CLOCK_LEAST_SECONDS).then_some(Problem::ClockWrong),
        status
            .certificate_ends
            .is_some_and(certificate_ends_soon)
            .then_some(Problem::CertificateEndsSoon),
        (failing_mails > 0).then_some(Problem::MailsNotSent(failing_mails)),
        (config.smtp.is_set() && config.public_url.is_none()).then(|| Problem::PublicUrlMissing(settings())),
        (!config.trusted_proxies.is_empty() && config.public_url.is_none())
            .then(|| Problem::ProxyUrlMissing(settings())),
        (status.users == 0).then_some(Problem::NoUsers),
        backup_problem(status).filter(|_| needs_backup),
    ];
    found.into_iter().flatten().collect()
}

fn backup_problem(status: &Status) -> Option<Problem> {
    match &status.last_backup {
        None => Some(Problem::NoBackup),
        Some(backup) if !backup.failure.is_empty() => Some(Problem::BackupFailed),
        Some(backup) if backup.finished < status.now - BACKUP_DAYS_MOST * DAY_SECONDS => Some(Problem::BackupOld),
        Some(_) => None,
    }
}

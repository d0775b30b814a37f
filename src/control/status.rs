//! The state of the program: its data, its activity, its problems. Changes nothing.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::task::{Refusal, Task};
use crate::archive::last_backup::{self, BackupRecord};
use fluglog_accounts::setup;
use fluglog_app::App;
use fluglog_app::mail_queue;
use fluglog_base::error::{Error, Result};
use fluglog_config::{Config, public_url::PublicUrl};
use fluglog_mail::outbox;
use fluglog_process::{machine, packages};
use fluglog_store::migrations;
use fluglog_web::authority::Authority;
use fluglog_web::link_base;

/// 2026-01-01 in Unix seconds: a clock that shows less is wrong.
pub(crate) const EARLIEST_PLAUSIBLE_TIME: i64 = 1_767_225_600;

const DAY_SECONDS: i64 = 24 * 60 * 60;
/// Age at which the last backup is reported; the timer makes one every night.
const MAX_BACKUP_AGE_DAYS: i64 = 2;
/// The folder that the package's timer writes backups to.
pub(crate) const NIGHTLY_FOLDER: &str = "/var/backups/fluglog";
/// The date of a release is that of its sources, in Unix seconds.
const RELEASED: Option<&str> = option_env!("SOURCE_DATE_EPOCH");
/// Remaining validity at which a certificate is reported; timers renew earlier.
const MIN_CERTIFICATE_DAYS: i64 = 14;

/// Shows the state of the program.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ShowStatus;

/// The state of the program. Times are in Unix seconds.
#[derive(Debug, Serialize, Deserialize)]
pub struct Status {
    pub version: String,
    /// Date of the sources; `None` if the version isn't a release.
    pub released: Option<i64>,
    /// The version that an upgrade of the system's packages would install.
    pub newer_version: Option<String>,
    pub schema: u32,
    /// Only if a server answers.
    pub uptime_seconds: Option<u64>,
    pub url: Option<String>,
    /// The other addresses that other devices can open.
    pub other_urls: Vec<String>,
    pub addresses: Vec<String>,
    /// Whether Fluglog serves https itself, or `public_url` is an https address.
    pub https: bool,
    /// End of validity of the certificate in use.
    pub certificate_ends: Option<i64>,
    /// SHA-256 of the own authority's certificate, in the form that devices show.
    pub fingerprint: Option<String>,
    pub data_dir: PathBuf,
    pub config_file: Option<PathBuf>,
    /// Settings that have changed since the server started; `None` if it couldn't start with them.
    pub changed_settings: Option<Vec<String>>,
    pub database_bytes: u64,
    /// Bytes that compacting would free; `None` if that can't be measured.
    pub database_free_bytes: Option<u64>,
    pub blobs: u64,
    pub blob_bytes: u64,
    pub outbox_bytes: u64,
    pub free_bytes: u64,
    /// `None` if some are unreadable.
    pub users: Option<usize>,
    /// The address for making the first account, while there is none and for a day after the start.
    pub setup_url: Option<String>,
    /// `host:port`; without a mail server, mails become files in the outbox.
    pub mail_server: Option<String>,
    pub mails_waiting: usize,
    pub mails_in_outbox: u64,
    pub last_backup: Option<BackupRecord>,
    pub last_good_backup: Option<BackupRecord>,
    /// Whether the last backup is known to be on the disk of the data.
    pub backup_on_same_disk: bool,
    pub last_check: Option<BackupRecord>,
    pub targets: Vec<TargetStatus>,
    pub now: i64,
    pub problems: Vec<Problem>,
}

/// A place that backups are sent to, with the outcomes.
#[derive(Debug, Serialize, Deserialize)]
pub struct TargetStatus {
    pub name: String,
    pub place: String,
    /// Number of archives kept there; `None` for all.
    pub keep: Option<u32>,
    pub is_encrypted: bool,
    pub last: Option<BackupRecord>,
    pub last_good: Option<BackupRecord>,
}

/// A problem of the server. Times are in Unix seconds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Problem {
    /// Uploads are refused; the number is the free space in bytes.
    LittleSpace(u64),
    /// The clock shows this impossible time.
    ClockWrong(i64),
    CertificateEndsSoon(i64),
    /// Number of mails.
    MailsNotSent(usize),
    /// Links in mails only work in the local network; the file is where `public_url` belongs.
    PublicUrlMissing(PathBuf),
    /// Links bypass the proxy; the file is where `public_url` belongs.
    ProxyUrlMissing(PathBuf),
    NoUsers,
    /// No account shows problems on its home page.
    NoOperator,
    NoBackup {
        folder: Option<PathBuf>,
    },
    BackupFailed {
        time: i64,
        /// One sentence.
        why: String,
        /// Time of the last successful backup.
        good: Option<i64>,
        folder: Option<PathBuf>,
    },
    BackupOld {
        time: i64,
        folder: Option<PathBuf>,
    },
    /// The last backup didn't reach this target.
    TargetFailed {
        name: String,
        time: i64,
        /// One sentence.
        why: String,
        /// Time of the last backup that reached the target.
        good: Option<i64>,
        /// The folder that backups are made in.
        folder: Option<PathBuf>,
    },
    TargetOld {
        name: String,
        /// `None` if no backup has ever reached the target.
        time: Option<i64>,
        folder: Option<PathBuf>,
    },
    /// The newest backup in this folder was found damaged.
    BackupUnsound {
        folder: String,
        checked: i64,
    },
    /// Number of times that a page of the database couldn't be read since the start.
    Damaged(u64),
    /// The last change, made at this time, may be missing.
    ChangeLost(i64),
    /// The database is so damaged that nothing can be stored; the path is the data directory.
    ReadOnly(PathBuf),
}

impl Problem {
    /// Whether operators must see the problem on every page.
    #[must_use]
    pub(crate) fn is_urgent(&self) -> bool {
        matches!(self, Problem::ReadOnly(_))
    }
}

impl Task for ShowStatus {
    type Outcome = Status;
    const TAKES_ANY_DIRECTORY: bool = true;

    fn perform(self, app: &App, _: &mut dyn Write) -> std::result::Result<Status, Refusal> {
        Ok(of(app)?)
    }
}

/// The metrics for monitoring, in Prometheus' text format: the state of the program and its counters.
///
/// # Errors
/// The database or the data directory can't be read.
pub fn metrics(app: &App) -> Result<String> {
    let status = of(app)?;
    let taken = app.config.limits.connections - app.connections.free();
    let mut now = vec![
        ("fluglog_database_bytes", "Size of the database.", status.database_bytes),
        ("fluglog_blobs", "Images, previews and documents.", status.blobs),
        ("fluglog_blob_bytes", "Their size together.", status.blob_bytes),
        ("fluglog_free_bytes", "What the disk has left.", status.free_bytes),
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
        ("fluglog_connections", "Open connections.", taken as u64),
        (
            "process_resident_memory_bytes",
            "Memory that the process has.",
            machine::resident_bytes(),
        ),
    ];
    now.extend(status.users.map(|users| ("fluglog_users", "Users.", users as u64)));
    now.extend(of_backups(&status));
    Ok(app.metrics.text(&now))
}

/// The metrics of backups: name, meaning, value.
fn of_backups(status: &Status) -> Vec<(&'static str, &'static str, u64)> {
    let backup = status.last_backup.as_ref();
    let check = status.last_check.as_ref();
    let last_of_targets = status.targets.iter().filter_map(|target| target.last.as_ref());
    let failed_targets = last_of_targets.filter(|last| !last.failure.is_empty());
    let mut all = vec![(
        "fluglog_backup_targets_failed",
        "Targets that the last backup did not get to.",
        failed_targets.count() as u64,
    )];
    // Without a backup there is no time (0 would be 1970) and no failure: `fluglog_problems` counts it as missing.
    all.extend(backup.into_iter().flat_map(|backup| {
        [
            (
                "fluglog_last_backup_failed",
                "1 when the last backup failed.",
                u64::from(!backup.failure.is_empty()),
            ),
            (
                "fluglog_last_backup_seconds",
                "When the last backup ended or was given up, in Unix seconds.",
                backup.finished.unsigned_abs(),
            ),
        ]
    }));
    all.extend(status.last_good_backup.as_ref().map(|good| {
        (
            "fluglog_last_good_backup_seconds",
            "When the last backup without a failure ended, in Unix seconds.",
            good.finished.unsigned_abs(),
        )
    }));
    all.extend(check.into_iter().flat_map(|check| {
        [
            (
                "fluglog_last_backup_check_failed",
                "1 when the last check of the newest backup found it unsound.",
                u64::from(!check.failure.is_empty()),
            ),
            (
                "fluglog_last_backup_check_seconds",
                "When it ended, in Unix seconds.",
                check.finished.unsigned_abs(),
            ),
        ]
    }));
    all
}

fn other_urls(app: &App) -> Vec<String> {
    let bases = link_base::alternative_bases(app).into_iter();
    bases.map(|base| base + "/app/").collect()
}

fn of(app: &App) -> Result<Status> {
    let config = &app.config;
    let unreadable = |error: io::Error| Error::Internal(format!("{}: {error}", config.data_dir.display()));
    let listening = app.listening.get();
    let (blobs, blob_bytes) = app.blobs.size().map_err(unreadable)?;
    let (mails_in_outbox, outbox_bytes) = outbox::size(app.mailer.outbox()).map_err(unreadable)?;
    let database = config.data_dir.join(fluglog_store::FILE_NAME);
    let space = app.store.space();
    let smtp = &config.smtp;
    let status = Status {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        released: RELEASED.and_then(|seconds| seconds.parse().ok()),
        newer_version: packages::available_upgrade(&fluglog_config::system_root()),
        schema: migrations::SCHEMA,
        uptime_seconds: listening.map(|_| app.metrics.uptime().as_secs()),
        url: listening.map(|_| link_base::admin_base(app) + "/app/"),
        other_urls: listening.map(|_| other_urls(app)).unwrap_or_default(),
        addresses: listening.into_iter().flatten().map(ToString::to_string).collect(),
        https: config.tls.is_set()
            || app.certificate_expiry.borrow().is_some()
            || config.public_url.as_ref().is_some_and(PublicUrl::is_https),
        certificate_ends: *app.certificate_expiry.borrow(),
        fingerprint: Authority::open(&config.data_dir)
            .ok()
            .flatten()
            .map(|authority| authority.fingerprint()),
        data_dir: full(&config.data_dir),
        config_file: config.config_file.as_deref().map(full),
        changed_settings: match listening {
            Some(_) => changed_settings(config),
            None => Some(Vec::new()),
        },
        database_bytes: match space {
            Some(space) => space.file,
            None => std::fs::metadata(database).map_err(unreadable)?.len(),
        },
        database_free_bytes: space.map(|space| space.free),
        blobs,
        blob_bytes,
        outbox_bytes,
        free_bytes: app.blobs.free_bytes()?,
        users: fluglog_accounts::count_users(app).ok(),
        setup_url: setup::url(app).ok().flatten().filter(|_| listening.is_some()),
        mail_server: smtp
            .is_set()
            .then(|| format!("{}:{}", smtp.host, smtp.effective_port())),
        mails_waiting: unless_damaged(app, mail_queue::unsent(app))?.len(),
        mails_in_outbox,
        backup_on_same_disk: unless_damaged(app, has_backup_on_its_disk(app))?,
        last_backup: unless_damaged(app, last_backup::last_copy(app))?,
        last_good_backup: unless_damaged(app, last_backup::last_good_copy(app))?,
        last_check: unless_damaged(app, last_backup::last_check(app))?,
        targets: unless_damaged(app, targets(app))?,
        now: app.clock.unix_seconds(),
        problems: problems(app)?,
    };
    Ok(status)
}

/// Returns the default instead of the error when the database is known to be damaged: the status then reports the
/// damage as a problem, and shows what can still be read.
fn unless_damaged<T: Default>(app: &App, read: Result<T>) -> Result<T> {
    match read {
        Err(Error::Internal(_)) if app.store.is_read_only() || app.store.unreadable_pages() > 0 => Ok(T::default()),
        read => read,
    }
}

impl Status {
    /// Age of the version in days.
    #[must_use]
    pub(crate) fn age_days(&self) -> Option<i64> {
        self.released.map(|released| (self.now - released).max(0) / DAY_SECONDS)
    }
}

/// Whether the last backup is on the disk of the data and wasn't sent elsewhere, so that losing the disk would lose
/// both.
///
/// # Errors
/// The database can't be read.
pub(crate) fn has_backup_on_its_disk(app: &App) -> Result<bool> {
    let last = last_backup::last_copy(app)?.filter(|backup| backup.failure.is_empty());
    let is_there =
        |backup: BackupRecord| machine::are_on_same_filesystem(Path::new(&backup.target), &app.config.data_dir);
    Ok(app.config.targets.all.is_empty() && last.is_some_and(is_there))
}

/// The targets with their outcomes.
///
/// # Errors
/// The database can't be read.
pub fn targets(app: &App) -> Result<Vec<TargetStatus>> {
    let all = app.config.targets.all.iter().map(|target| {
        let (last, last_good) = last_backup::of_target(app, &target.name)?;
        Ok(TargetStatus {
            name: target.name.clone(),
            place: target.place.shown(),
            keep: target.keep,
            is_encrypted: target.encryption.is_some(),
            last,
            last_good,
        })
    });
    all.collect()
}

fn changed_settings(config: &Config) -> Option<Vec<String>> {
    let now = config.reload().ok()?;
    Some(config.differing(&now).into_iter().map(str::to_owned).collect())
}

fn full(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

/// The current problems. Costs a few small reads. Records made unreadable by a damaged page aren't reported as
/// problems of their own.
///
/// # Errors
/// The disk can't be read.
pub fn problems(app: &App) -> Result<Vec<Problem>> {
    let config = &app.config;
    let now = app.clock.unix_seconds();
    let free_bytes = app.blobs.free_bytes()?;
    let certificate_ends = *app.certificate_expiry.borrow();
    let waiting = mail_queue::unsent(app).unwrap_or_default();
    let failing_mails = waiting.iter().filter(|mail| mail.attempts > 0).count();
    let has_users = fluglog_accounts::count_users(app).is_ok_and(|users| users > 0);
    let has_none = fluglog_accounts::count_users(app).is_ok_and(|users| users == 0);
    let settings = || match &config.config_file {
        Some(file) => full(file),
        None => full(&config.data_dir.join(fluglog_config::FILE_NAME)),
    };
    let found = [
        app.blobs
            .check_space()
            .is_err()
            .then_some(Problem::LittleSpace(free_bytes)),
        (now < EARLIEST_PLAUSIBLE_TIME).then_some(Problem::ClockWrong(now)),
        certificate_ends
            .filter(|end| *end < now + MIN_CERTIFICATE_DAYS * DAY_SECONDS)
            .map(Problem::CertificateEndsSoon),
        (failing_mails > 0).then_some(Problem::MailsNotSent(failing_mails)),
        (config.smtp.is_set() && config.public_url.is_none()).then(|| Problem::PublicUrlMissing(settings())),
        (!config.trusted_proxies.is_empty() && config.public_url.is_none())
            .then(|| Problem::ProxyUrlMissing(settings())),
        has_none.then_some(Problem::NoUsers),
        fluglog_accounts::lacks_operator(app)
            .ok()
            .and_then(|lacks| lacks.then_some(Problem::NoOperator)),
        // Without users there is no data to lose yet.
        last_backup::last_copy(app)
            .and_then(|last| Ok(backup_problem(last, last_backup::last_good_copy(app)?, now)))
            .ok()
            .flatten()
            .filter(|_| has_users),
        last_backup::last_check(app)
            .ok()
            .flatten()
            .filter(|check| !check.failure.is_empty())
            .map(|check| Problem::BackupUnsound {
                folder: check.target,
                checked: check.finished,
            }),
        app.store.lost_change().map(Problem::ChangeLost),
        app.store
            .is_read_only()
            .then(|| Problem::ReadOnly(full(&config.data_dir))),
        Some(app.store.unreadable_pages())
            .filter(|pages| *pages > 0 && !app.store.is_read_only())
            .map(Problem::Damaged),
    ];
    let mut found: Vec<_> = found.into_iter().flatten().collect();
    if has_users {
        let uptime = app.metrics.uptime().as_secs().cast_signed();
        let folder = last_backup::last_backup(app).ok().flatten();
        let folder = folder.as_ref().and_then(BackupRecord::folder);
        let targets = targets(app).unwrap_or_default();
        found.extend(
            targets
                .iter()
                .filter_map(|target| target_problem(target, folder, now, uptime)),
        );
    }
    Ok(found)
}

/// The problem of a target. One that never had a backup may be new, so it is reported only after some days.
fn target_problem(target: &TargetStatus, folder: Option<&Path>, now: i64, uptime_seconds: i64) -> Option<Problem> {
    let (name, folder) = (target.name.clone(), folder.map(Path::to_owned));
    let days_most_seconds = MAX_BACKUP_AGE_DAYS * DAY_SECONDS;
    match &target.last {
        Some(last) if !last.failure.is_empty() => Some(Problem::TargetFailed {
            name,
            time: last.finished,
            why: last.failure.clone(),
            good: target.last_good.as_ref().map(|good| good.finished),
            folder,
        }),
        Some(last) if last.finished < now - days_most_seconds => Some(Problem::TargetOld {
            name,
            time: Some(last.finished),
            folder,
        }),
        None if uptime_seconds > days_most_seconds => Some(Problem::TargetOld {
            name,
            time: None,
            folder,
        }),
        _ => None,
    }
}

fn backup_problem(last: Option<BackupRecord>, good: Option<BackupRecord>, now: i64) -> Option<Problem> {
    let folder = last.as_ref().and_then(BackupRecord::folder).map(Path::to_owned);
    match last {
        None => Some(Problem::NoBackup {
            folder: Some(PathBuf::from(NIGHTLY_FOLDER)).filter(|folder| folder.is_dir()),
        }),
        Some(backup) if !backup.failure.is_empty() => Some(Problem::BackupFailed {
            time: backup.finished,
            why: backup.failure,
            good: good.map(|good| good.finished),
            folder,
        }),
        Some(backup) if backup.finished < now - MAX_BACKUP_AGE_DAYS * DAY_SECONDS => Some(Problem::BackupOld {
            time: backup.finished,
            folder,
        }),
        Some(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_backup_is_a_problem_when_there_is_none_it_failed_or_is_older_than_two_days() {
        let now = 1_800_000_000;
        let backup = |seconds: i64, target: &str, failure: &str| BackupRecord {
            finished: now - seconds,
            target: target.to_owned(),
            bytes: 1,
            failure: failure.to_owned(),
        };
        let good = |seconds: i64| Some(backup(seconds, "/backups/fluglog-20260131-235959.tar", ""));
        let two_days_seconds = 2 * 24 * 60 * 60;
        let folder = Some(PathBuf::from("/backups"));
        assert!(matches!(
            backup_problem(None, None, now),
            Some(Problem::NoBackup { .. })
        ));
        assert_eq!(backup_problem(good(0), good(0), now), None);
        assert_eq!(backup_problem(good(two_days_seconds), None, now), None);
        let older = two_days_seconds + 1;
        let old = Problem::BackupOld {
            time: now - older,
            folder: folder.clone(),
        };
        assert_eq!(backup_problem(good(older), good(older), now), Some(old));
        let failed = Problem::BackupFailed {
            time: now,
            why: "voll".to_owned(),
            good: Some(now - 10),
            folder,
        };
        let last = Some(backup(0, "/backups", "voll"));
        assert_eq!(backup_problem(last, good(10), now), Some(failed));
    }
}

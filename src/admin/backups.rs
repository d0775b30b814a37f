//! Backups: the known ones, and making, checking and downloading one.

use std::io::Write;
use std::sync::{Arc, MutexGuard, PoisonError};

use super::model::{AdminArchive, AdminBackups, AdminOutcome, AdminTarget};
use super::sentences::{self, of_backup_error};
use super::shell::{at, time_and_failure};
use crate::archive::folder;
use crate::archive::last_backup;
use crate::control::backups;
use crate::control::status::{self, TargetStatus};
use fluglog_accounts::guard::Admin;
use fluglog_app::{App, ArchiveJob};
use fluglog_base::error::{Error, Result};
use fluglog_base::text;

/// The known backups, their folder and their targets.
pub(crate) fn list_backups(app: &App, _admin: &Admin) -> Result<AdminBackups> {
    let folder = backups::folder(app).map_err(of_backup_error)?;
    let listed = folder.as_deref().map(backups::list).transpose();
    let (archives, folder_failure) = match listed {
        Ok(archives) => (archives.unwrap_or_default(), String::new()),
        Err(_) => (Vec::new(), text::BACKUP_FOLDER_UNREADABLE.to_owned()),
    };
    let (last_backup, last_backup_failure) = time_and_failure(app, last_backup::last_copy(app)?.as_ref());
    let (last_check, last_check_failure) = time_and_failure(app, last_backup::last_check(app)?.as_ref());
    let (busy, outcome) = {
        let archive_job = archive_job(app);
        let result = archive_job.result.clone();
        (
            archive_job.is_busy,
            result.map(|(is_good, sentence)| AdminOutcome { is_good, sentence }),
        )
    };
    Ok(AdminBackups {
        folder: folder.map(|folder| folder.display().to_string()).unwrap_or_default(),
        folder_failure,
        on_same_disk: status::has_backup_on_its_disk(app)?,
        busy,
        outcome,
        last_backup,
        last_backup_failure,
        last_check,
        last_check_failure,
        last_download: time_and_failure(app, last_backup::last_download(app)?.as_ref()).0,
        targets: status::targets(app)?
            .iter()
            .map(|target| shown_target(app, target))
            .collect(),
        archives: archives
            .into_iter()
            .map(|archive| AdminArchive {
                written: at(app, archive.written),
                name: archive.name,
                bytes: archive.bytes,
            })
            .collect(),
    })
}

fn shown_target(app: &App, target: &TargetStatus) -> AdminTarget {
    let (last, last_failure) = time_and_failure(app, target.last.as_ref());
    AdminTarget {
        name: target.name.clone(),
        place: target.place.clone(),
        keep: target.keep,
        encrypted: target.is_encrypted,
        last,
        last_failure,
        last_good: time_and_failure(app, target.last_good.as_ref()).0,
        last_good_bytes: target.last_good.as_ref().map(|good| good.bytes),
    }
}

/// Begins a backup into the folder of the last one.
///
/// # Errors
/// No folder is known, or another operation on archives is running.
pub(crate) fn begin_backup(app: &Arc<App>, _admin: &Admin) -> Result<()> {
    backups::folder(app)
        .map_err(of_backup_error)?
        .ok_or(Error::Conflict(text::BACKUP_FOLDER_UNKNOWN))?;
    start_archive_task(app, |app| {
        let made = backups::make(app, sentences::why_failed).map_err(of_backup_error)?;
        let is_good = made.damage_count == 0 && made.not_sent.is_empty();
        Ok((is_good, sentences::describe_backup(&made)))
    })
}

/// Begins to verify an archive.
///
/// # Errors
/// Another operation on archives is running.
pub(crate) fn begin_check(app: &Arc<App>, _admin: &Admin, name: String) -> Result<()> {
    start_archive_task(app, move |app| {
        let read = backups::check(app, &name, |refused| sentences::describe_refused(&name, refused))
            .map_err(of_backup_error)?;
        Ok(match read {
            Ok(contents) if contents.damage.is_empty() => {
                (true, sentences::describe_intact(&name, &contents, &app.clock))
            }
            Ok(contents) => (false, sentences::describe_damaged(&name, &contents)),
            Err(refused) => (false, sentences::describe_refused(&name, &refused)),
        })
    })
}

/// Runs an operation on archives in a thread of its own: it may outlast any request.
fn start_archive_task(
    app: &Arc<App>,
    work: impl FnOnce(&App) -> Result<(bool, String)> + Send + 'static,
) -> Result<()> {
    let mut archive_job = archive_job(app);
    if archive_job.is_busy {
        return Err(Error::Conflict(text::ARCHIVING));
    }
    *archive_job = ArchiveJob {
        is_busy: true,
        result: None,
    };
    let app = Arc::clone(app);
    tokio::task::spawn_blocking(move || {
        let done = fluglog_store::guarded(|| work(&app)).unwrap_or_else(|panic| Err(Error::Internal(panic)));
        if let Err(Error::Internal(cause) | Error::Busy(cause) | Error::DiskFull(cause)) = &done {
            tracing::error!("{cause}");
        }
        let result = done.unwrap_or_else(|error| (false, error.sentence().to_owned()));
        *self::archive_job(&app) = ArchiveJob {
            is_busy: false,
            result: Some(result),
        };
    });
    Ok(())
}

fn archive_job(app: &App) -> MutexGuard<'_, ArchiveJob> {
    app.archive_job.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The name of an archive made now.
#[must_use]
pub(crate) fn archive_name(app: &App) -> String {
    folder::name(&app.clock.file_stamp_at(app.clock.unix_seconds()))
}

/// Writes a new archive to a browser.
pub(crate) fn send_backup(app: &App, out: &mut dyn Write) -> Result<u64> {
    backups::send(app, out).map(|made| made.bytes).map_err(of_backup_error)
}

//! Backups that a running server makes and verifies itself: into the folder of earlier ones and from there to the
//! targets, or to a browser.

use std::fs;
use std::io::{self, BufReader, Write};
use std::path::{Path, PathBuf};

use super::status;
use super::task::Refusal;
use crate::archive::backup;
use crate::archive::folder::{self, CountingWriter, UnfinishedArchive};
use crate::archive::last_backup::{self, BackupRecord};
use crate::archive::reader::{self, Contents, ReadError};
use crate::targets::{self, Upload};
use fluglog_app::App;
use fluglog_base::dir::open_regular_file;
use fluglog_base::error::Error;
use fluglog_store::builder::DatabaseBuilder;

/// Size of the buffer for reading an archive.
const READ_BYTES: usize = 256 * 1024;

/// An archive in the folder for backups.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArchiveFile {
    pub name: String,
    pub bytes: u64,
    /// Time of its last modification, in Unix seconds.
    pub written: i64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewBackup {
    pub name: String,
    pub bytes: u64,
    /// Number of damages found in the data.
    pub damage_count: usize,
    /// Names of the targets that it was sent to.
    pub sent: Vec<String>,
    /// The other targets, each with the sentence that says why it failed.
    pub not_sent: Vec<(String, String)>,
}

/// Why a backup wasn't made or verified.
#[derive(Debug)]
pub enum BackupError {
    /// No folder for backups is known.
    NoFolder,
    /// No archive has this name.
    Gone,
    /// The folder can't be read or written.
    Unusable(PathBuf, io::ErrorKind),
    Refused(Refusal),
}

impl From<Error> for BackupError {
    fn from(error: Error) -> BackupError {
        BackupError::Refused(Refusal::from(error))
    }
}

/// The folder for backups: that of the last one, or the one that the package's timer uses.
///
/// # Errors
/// The database can't be read.
pub fn folder(app: &App) -> Result<Option<PathBuf>, BackupError> {
    let last = [last_backup::last_backup(app)?, last_backup::last_good(app)?];
    let of_backups = last.iter().flatten().filter_map(BackupRecord::folder);
    let of_check = last_backup::last_check(app)?.map(|check| PathBuf::from(check.target));
    let known = of_backups.map(Path::to_owned).chain(of_check);
    let mut known = known.chain([PathBuf::from(status::NIGHTLY_FOLDER)]);
    Ok(known.find(|folder| folder.is_dir()))
}

/// The archives in the folder, newest first.
///
/// # Errors
/// [`BackupError::Unusable`].
pub fn list(folder: &Path) -> Result<Vec<ArchiveFile>, BackupError> {
    let failed = |error: io::Error| BackupError::Unusable(folder.to_owned(), error.kind());
    let mut names = folder::names(folder).map_err(failed)?;
    names.sort_unstable_by(|one, other| other.cmp(one));
    let about = |name: String| {
        // A newer backup may have removed it just now.
        let found = fs::metadata(folder.join(&name)).ok()?;
        let since_1970 = found.modified().ok()?.duration_since(std::time::UNIX_EPOCH).ok()?;
        Some(ArchiveFile {
            name,
            bytes: found.len(),
            written: i64::try_from(since_1970.as_secs()).unwrap_or(i64::MAX),
        })
    };
    Ok(names.into_iter().filter_map(about).collect())
}

/// Makes a backup into the folder, sends it to the targets and records the outcome. `why` explains a failure for the
/// record.
///
/// # Errors
/// [`BackupError`].
pub fn make(app: &App, why: impl FnOnce(&BackupError) -> String) -> Result<NewBackup, BackupError> {
    let folder = folder(app)?.ok_or(BackupError::NoFolder)?;
    let mut made = write(app, &folder);
    let (target, bytes, failure) = match &made {
        Ok(made) => (folder.join(&made.name), made.bytes, String::new()),
        Err(error) => (folder, 0, why(error)),
    };
    last_backup::remember(app, target.display().to_string(), bytes, failure, false)?;
    if let Ok(made) = &mut made {
        send_to_targets(app, &target, made)?;
    }
    made
}

/// Sends an archive to every target; if one fails, the others still get it.
fn send_to_targets(app: &App, file: &Path, made: &mut NewBackup) -> Result<(), Error> {
    let now = app.clock.unix_seconds();
    let upload = Upload {
        file,
        stamp: &|later| app.clock.file_stamp_at(now + later),
        replaces: made.damage_count == 0,
        data_dir: &app.config.data_dir,
    };
    for target in &app.config.targets.all {
        match targets::send(target, &upload) {
            Ok(stored) => {
                last_backup::remember_target(app, &target.name, stored.name, stored.bytes, String::new(), false)?;
                made.sent.push(target.name.clone());
            }
            Err(error) => {
                let failure = error.to_string();
                last_backup::remember_target(app, &target.name, String::new(), 0, failure.clone(), false)?;
                made.not_sent.push((target.name.clone(), failure));
            }
        }
    }
    Ok(())
}

fn write(app: &App, folder: &Path) -> Result<NewBackup, BackupError> {
    let failed = |error: io::Error| BackupError::Unusable(folder.to_owned(), error.kind());
    let mut unfinished = UnfinishedArchive::begin(folder).map_err(failed)?;
    let mut counted = CountingWriter::new(unfinished.file());
    let written = backup::write(app, &mut counted);
    let (bytes, failure) = (counted.bytes, counted.failure);
    if let Some(error) = failure {
        return Err(failed(error));
    }
    let damages = written?;
    let now = app.clock.unix_seconds();
    let named = |later: i64| folder.join(folder::name(&app.clock.file_stamp_at(now + later)));
    let path = unfinished.publish(named).map_err(failed)?;
    Ok(NewBackup {
        name: path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        bytes,
        damage_count: damages,
        sent: Vec::new(),
        not_sent: Vec::new(),
    })
}

/// Writes a backup to a browser. A complete one is recorded as downloaded, and, if no folder for backups is known, as
/// the last backup.
///
/// # Errors
/// The database can't be read, or `out` can't be written.
pub fn send(app: &App, out: &mut dyn Write) -> Result<NewBackup, BackupError> {
    let mut counted = CountingWriter::new(out);
    let damages = backup::write(app, &mut counted)?;
    let bytes = counted.bytes;
    last_backup::remember_download(app, bytes)?;
    if folder(app)?.is_none() {
        last_backup::remember(app, "-".to_owned(), bytes, String::new(), false)?;
    }
    Ok(NewBackup {
        name: String::new(),
        bytes,
        damage_count: damages,
        sent: Vec::new(),
        not_sent: Vec::new(),
    })
}

/// Reads an archive to its end to verify it. Records the outcome if it is the newest one; `because` explains a failure
/// for the record. The archive's records go through a temporary file, as they may not fit into memory.
///
/// # Errors
/// [`BackupError`]; the inner error is what is wrong with the archive.
pub fn check(
    app: &App,
    name: &str,
    because: impl FnOnce(&ReadError) -> String,
) -> Result<Result<Contents, ReadError>, BackupError> {
    let folder = folder(app)?.ok_or(BackupError::NoFolder)?;
    let all = list(&folder)?;
    if all.iter().all(|archived| archived.name != name) {
        return Err(BackupError::Gone);
    }
    let opened = open_regular_file(&folder.join(name));
    let opened = opened.map_err(|error| BackupError::Unusable(folder.clone(), error.kind()))?;
    let database = DatabaseBuilder::on_disk(&app.config.data_dir)?;
    let read = reader::read(BufReader::with_capacity(READ_BYTES, opened), &database, None);
    if all.first().is_some_and(|newest| newest.name == name) {
        let failure = read.as_ref().err().map(because).unwrap_or_default();
        last_backup::remember_check(app, folder.display().to_string(), failure)?;
    }
    Ok(read)
}

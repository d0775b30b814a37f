//! Backups that a running server makes and verifies itself: into the folder of earlier ones and from there to the
//! targets, or to a browser.

use std::fs::{self, File};
use std::io::{self, BufReader, Write};
use std::path::{Path, PathBuf};

use super::status;
use super::task::Refusal;
use crate::archive::backup;
use crate::archive::folder::{self, Counted, Unfinished};
use crate::archive::last_backup::{self, BackupRecord};
use crate::archive::reader::{self, Contents, Refused};
use crate::targets::{self, Parcel};
use fluglog_app::App;
use fluglog_base::error::Error;
use fluglog_store::loading::Loading;

/// Size of the buffer for reading an archive.
const READ_BYTES: usize = 256 * 1024;

/// An archive in the folder for backups.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Archived {
    pub name: String,
    pub bytes: u64,
    /// Time of its last modification, in Unix seconds.
    pub written: i64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Made {
    pub name: String,
    pub bytes: u64,
    /// Number of damages found in the data.
    pub damages: usize,
    /// Names of the targets that it was sent to.
    pub sent: Vec<String>,
    /// The other targets, each with the sentence that says why it failed.
    pub not_sent: Vec<(String, String)>,
}

/// Why a backup wasn't made or verified.
#[derive(Debug)]
pub enum Unmade {
    /// No folder for backups is known.
    NoFolder,
    /// No archive has this name.
    Gone,
    /// The folder can't be read or written.
    Unusable(PathBuf, io::ErrorKind),
    Refused(Refusal),
}

impl From<Error> for Unmade {
    fn from(error: Error) -> Unmade {
        Unmade::Refused(Refusal::from(error))
    }
}

/// The folder for backups: that of the last one, or the one that the package's timer uses.
///
/// # Errors
/// The database can't be read.
pub fn folder(app: &App) -> Result<Option<PathBuf>, Unmade> {
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
/// [`Unmade::Unusable`].
pub fn list(folder: &Path) -> Result<Vec<Archived>, Unmade> {
    let failed = |error: io::Error| Unmade::Unusable(folder.to_owned(), error.kind());
    let mut names = folder::names(folder).map_err(failed)?;
    names.sort_unstable_by(|one, other| other.cmp(one));
    let about = |name: String| {
        // A newer backup may have removed it just now.
        let found = fs::metadata(folder.join(&name)).ok()?;
        let since_1970 = found.modified().ok()?.duration_since(std::time::UNIX_EPOCH).ok()?;
        Some(Archived {
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
/// [`Unmade`].
pub fn make(app: &App, why: impl FnOnce(&Unmade) -> String) -> Result<Made, Unmade> {
    let folder = folder(app)?.ok_or(Unmade::NoFolder)?;
    let mut made = write(app, &folder);
    let (target, bytes, failure) = match &made {
        Ok(made) => (folder.join(&made.name), made.bytes, String::new()),
        Err(unmade) => (folder, 0, why(unmade)),
    };
    last_backup::remember(app, target.display().to_string(), bytes, failure)?;
    if let Ok(made) = &mut made {
        send_to_targets(app, &target, made)?;
    }
    made
}

/// Sends an archive to every target; if one fails, the others still get it.
fn send_to_targets(app: &App, file: &Path, made: &mut Made) -> Result<(), Error> {
    let now = app.clock.unix_seconds();
    let parcel = Parcel {
        file,
        stamp: &|later| app.clock.stamp_at(now + later),
        replaces: made.damages == 0,
        data_dir: &app.config.data_dir,
    };
    for target in &app.config.targets.all {
        match targets::send(target, &parcel) {
            Ok(stored) => {
                last_backup::remember_target(app, &target.name, stored.name, stored.bytes, String::new())?;
                made.sent.push(target.name.clone());
            }
            Err(trouble) => {
                let failure = trouble.to_string();
                last_backup::remember_target(app, &target.name, String::new(), 0, failure.clone())?;
                made.not_sent.push((target.name.clone(), failure));
            }
        }
    }
    Ok(())
}

fn write(app: &App, folder: &Path) -> Result<Made, Unmade> {
    let failed = |error: io::Error| Unmade::Unusable(folder.to_owned(), error.kind());
    let mut unfinished = Unfinished::begin(folder).map_err(failed)?;
    let mut counted = Counted::new(unfinished.file());
    let written = backup::write(app, &mut counted);
    let (bytes, failure) = (counted.bytes, counted.failure);
    if let Some(error) = failure {
        return Err(failed(error));
    }
    let damages = written?;
    let now = app.clock.unix_seconds();
    let named = |later: i64| folder.join(folder::name(&app.clock.stamp_at(now + later)));
    let path = unfinished.publish(named).map_err(failed)?;
    Ok(Made {
        name: path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        bytes,
        damages,
        sent: Vec::new(),
        not_sent: Vec::new(),
    })
}

/// Writes a backup to a browser. A complete one is recorded as downloaded, and, if no folder for backups is known, as
/// the last backup.
///
/// # Errors
/// The database can't be read, or `out` can't be written.
pub fn send(app: &App, out: &mut dyn Write) -> Result<Made, Unmade> {
    let mut counted = Counted::new(out);
    let damages = backup::write(app, &mut counted)?;
    let bytes = counted.bytes;
    last_backup::remember_fetched(app, bytes)?;
    if folder(app)?.is_none() {
        last_backup::remember(app, "-".to_owned(), bytes, String::new())?;
    }
    Ok(Made {
        name: String::new(),
        bytes,
        damages,
        sent: Vec::new(),
        not_sent: Vec::new(),
    })
}

/// Reads an archive to its end to verify it. Records the outcome if it is the newest one; `because` explains a failure
/// for the record. The archive's records go through a temporary file, as they may not fit into memory.
///
/// # Errors
/// [`Unmade`]; the inner error is what is wrong with the archive.
pub fn check(
    app: &App,
    name: &str,
    because: impl FnOnce(&Refused) -> String,
) -> Result<Result<Contents, Refused>, Unmade> {
    let folder = folder(app)?.ok_or(Unmade::NoFolder)?;
    let all = list(&folder)?;
    if all.iter().all(|archived| archived.name != name) {
        return Err(Unmade::Gone);
    }
    let opened = File::open(folder.join(name)).map_err(|error| Unmade::Unusable(folder.clone(), error.kind()))?;
    let database = Loading::on_disk(&app.config.data_dir)?;
    let read = reader::read(BufReader::with_capacity(READ_BYTES, opened), &database, None);
    if all.first().is_some_and(|newest| newest.name == name) {
        let failure = read.as_ref().err().map(because).unwrap_or_default();
        last_backup::remember_check(app, folder.display().to_string(), failure)?;
    }
    Ok(read)
}

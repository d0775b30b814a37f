//! The folder of the blobs when a command starts: created with its marker, accepted by its marker, or refused as
//! foreign.

use std::fs::{File, TryLockError};
use std::path::Path;
use std::time::{Duration, Instant};

use super::failure::Failure;
use super::output;
use crate::archive::check;
use fluglog_base::number;
use fluglog_store::Store;
use fluglog_store::blobs::folder::{self, BlobName, Content, FOLDER_NAME};

/// How long an ending command may keep the folder locked after it has released the database.
const GIVEN_BACK_WITHIN: Duration = Duration::from_secs(1);
const PAUSE: Duration = Duration::from_millis(10);

/// Refuses to start a new database beside blobs: their database may have been lost, or the folder may be foreign.
pub(crate) fn refuse_full(dir: &Path) -> Result<(), Failure> {
    if let Ok(Content { blobs, foreign }) = folder::content(dir)
        && let Some(name) = foreign.into_iter().chain(blobs.iter().map(BlobName::to_string)).next()
    {
        return Err(Failure::new(
            Failure::REFUSED,
            format!(
                "In {} liegt schon etwas („{}“); es wurde nichts geändert. Eine neue Datenbank braucht einen leeren \
                 Ordner: benennen Sie diesen vorher um.",
                dir.join(FOLDER_NAME).display(),
                output::without_control_characters(&name)
            ),
        ));
    }
    Ok(())
}

/// Creates the folder of the blobs with its marker, or marks an empty one.
pub fn make(dir: &Path) -> Result<(), Failure> {
    folder::mark(dir).map_err(|error| Failure::unusable(&dir.join(FOLDER_NAME), &error))
}

/// Refuses an unmarked folder with foreign entries: probably a link to the wrong place.
pub(crate) fn refuse_foreign(dir: &Path) -> Result<(), Failure> {
    match folder::is_marked(dir) {
        Ok(false) => match folder::content(dir).unwrap_or_default().foreign.first() {
            Some(name) => Err(foreign(dir, name)),
            None => Ok(()),
        },
        // A missing or unusable folder is reported where it is opened.
        Ok(true) | Err(_) => Ok(()),
    }
}

/// Marks the folder if an earlier version made it, and locks it for this data directory alone, until the returned file
/// is dropped.
pub fn take(dir: &Path, store: &Store) -> Result<Option<File>, Failure> {
    mark(dir, store)?;
    let begun = Instant::now();
    loop {
        match folder::lock(dir) {
            Ok(held) => return Ok(Some(held)),
            // An ending command unlocks the folder after the database.
            Err(TryLockError::WouldBlock) if begun.elapsed() < GIVEN_BACK_WITHIN => std::thread::sleep(PAUSE),
            Err(TryLockError::WouldBlock) => return Err(used_by_another(dir)),
            // Without a marker, or on a file system without locks, nobody is kept out. Other errors show up again
            // where the folder is used.
            Err(TryLockError::Error(_)) => return Ok(None),
        }
    }
}

/// Marks a folder that an earlier version made. If it is reached through a link or a mount, one of its files must be
/// named by a record: the folder could belong to others, or be the mount point of a missing disk.
fn mark(dir: &Path, store: &Store) -> Result<(), Failure> {
    refuse_foreign(dir)?;
    if folder::is_marked(dir).unwrap_or(true) || store.is_read_only() {
        return Ok(());
    }
    if folder::is_elsewhere(dir).unwrap_or(true) {
        let blobs = folder::content(dir).unwrap_or_default().blobs;
        let Ok(findings) = store.examine(|data| Ok(check::survey(data))) else {
            return Ok(());
        };
        let is_named = blobs.iter().any(|name| findings.names_file(*name));
        match (blobs.first(), findings.blobs().len()) {
            _ if is_named => {}
            // With unreadable records this can't be decided; without a marker, no orphan is removed.
            _ if !findings.is_complete() => return Ok(()),
            (Some(first), _) => return Err(foreign(dir, &first.to_string())),
            (None, 0) => {}
            (None, missing) => return Err(empty(dir, missing)),
        }
    }
    if let Err(error) = folder::mark(dir) {
        tracing::warn!("the folder of the blobs can't be marked: {error}");
    }
    Ok(())
}

fn used_by_another(dir: &Path) -> Failure {
    Failure::new(
        Failure::LOCKED,
        format!(
            "{} wird gerade von einem anderen Datenverzeichnis benutzt, und zwei können sich keinen Ordner teilen. \
             Führt hier ein Link dorthin, weil das Verzeichnis kopiert wurde, kopieren Sie auch den Ordner.",
            dir.join(FOLDER_NAME).display()
        ),
    )
}

fn empty(dir: &Path, missing: usize) -> Failure {
    Failure::new(
        Failure::DISK,
        format!(
            "{} ist leer, und die Datenbank nennt {}, die dort liegen müssten. Ist der Datenträger eingehängt?",
            dir.join(FOLDER_NAME).display(),
            number::counted(missing as u64, "Datei", "Dateien")
        ),
    )
}

fn foreign(dir: &Path, name: &str) -> Failure {
    Failure::new(
        Failure::CONFIGURATION,
        format!(
            "{} ist kein Ordner von Fluglog: Die Datei {} fehlt darin, und „{}“ gehört nicht zu Fluglog. Es wurde \
             nichts geändert. Führt ein Link an den falschen Ort, berichtigen Sie ihn; ist es doch der Ordner von \
             Fluglog, räumen Sie heraus, was nicht dazugehört.",
            dir.join(FOLDER_NAME).display(),
            folder::MARK,
            output::without_control_characters(name)
        ),
    )
}

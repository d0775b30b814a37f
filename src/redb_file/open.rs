//! Opening a file for reading and writing.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::Arc;
use std::{fmt, io};

use redb::{Builder, Database, DatabaseError, StorageError};

use crate::backend::VerifyingBackend;
use crate::guard::guarded;
use crate::health::DiskHealth;
use crate::last_commit::{self, BEGUN_AT, CommitNote, SYNCED_AT};
use crate::pages::Header;

/// Why a file can't be opened.
#[derive(Debug)]
pub enum OpenError {
    /// Another process has it open.
    Locked,
    /// The content is damaged or no database, with redb's reason.
    Damaged(String),
    /// The file is missing, or permissions forbid the access.
    Inaccessible(io::Error),
    /// The disk fails or is full.
    Disk(io::Error),
}

impl fmt::Display for OpenError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OpenError::Locked => out.write_str("another process has the database open"),
            OpenError::Damaged(cause) => write!(out, "the database is damaged: {cause}"),
            OpenError::Inaccessible(error) => write!(out, "the database can't be accessed: {error}"),
            OpenError::Disk(error) => write!(out, "the disk of the database fails: {error}"),
        }
    }
}

impl std::error::Error for OpenError {}

impl From<DatabaseError> for OpenError {
    fn from(error: DatabaseError) -> OpenError {
        match error {
            DatabaseError::DatabaseAlreadyOpen => OpenError::Locked,
            DatabaseError::Storage(StorageError::Io(error)) => match error.kind() {
                // The file is too short for a header.
                io::ErrorKind::UnexpectedEof | io::ErrorKind::InvalidData => OpenError::Damaged(error.to_string()),
                io::ErrorKind::PermissionDenied | io::ErrorKind::NotFound | io::ErrorKind::ReadOnlyFilesystem => {
                    OpenError::Inaccessible(error)
                }
                _ => OpenError::Disk(error),
            },
            other => OpenError::Damaged(other.to_string()),
        }
    }
}

/// An open database. A panic of redb while it closes a damaged file is logged and goes no further.
pub struct DatabaseHandle {
    /// `Some` until it is dropped.
    database: Option<Database>,
    /// Lock on a file that redb itself doesn't hold.
    _lock: Option<File>,
}

impl DatabaseHandle {
    /// Wraps a database that was opened elsewhere.
    pub fn new(database: Database) -> DatabaseHandle {
        DatabaseHandle::with_lock(database, None)
    }

    pub(crate) fn with_lock(database: Database, lock: Option<File>) -> DatabaseHandle {
        DatabaseHandle {
            database: Some(database),
            _lock: lock,
        }
    }

    /// The database, which is there until the handle is dropped.
    pub fn get(&self) -> Option<&Database> {
        self.database.as_ref()
    }

    /// Like [`DatabaseHandle::get`], for compacting.
    pub fn get_mut(&mut self) -> Option<&mut Database> {
        self.database.as_mut()
    }
}

impl Drop for DatabaseHandle {
    fn drop(&mut self) {
        if let Err(panic) = guarded(|| drop(self.database.take())) {
            tracing::error!("the database could not be closed: {panic}");
        }
    }
}

/// Opens a file for reading and writing, with verification; looks for a commit that was lost in an unclean stop
/// ([`DiskHealth::lost_commit`]). A file that can't be opened stays as it was.
///
/// # Errors
/// See [`OpenError`].
pub fn open(builder: &Builder, path: &Path, health: &Arc<DiskHealth>) -> Result<DatabaseHandle, OpenError> {
    let [synced, begun] = [SYNCED_AT, BEGUN_AT].map(|at| CommitNote::read(path, at));
    health.load_lost_commit(path);
    let header = last_commit::read_header(path);
    let opened = reopen(builder, path, health).inspect_err(|error| {
        // redb writes the header before it finds out that it can't repair the rest.
        if let (OpenError::Damaged(_), Ok(header)) = (error, header) {
            let _ = File::options()
                .write(true)
                .open(path)
                .and_then(|file| file.write_all_at(&header, 0));
        }
    })?;
    let lost = |note: Option<CommitNote>| note.and_then(|note| note.lost_in(path));
    if let Some(time) = lost(synced) {
        tracing::error!("the last change is missing, perhaps; it was made at {time} in Unix seconds");
        health.set_lost_commit(path, Some(time));
    } else if let Some(time) = lost(begun) {
        tracing::warn!("a change that was being stored at {time} in Unix seconds was left out, as it isn't complete");
    }
    Ok(opened)
}

/// Like [`open`], but for a file that this process has just had open: nothing can have got lost meanwhile, and
/// `health` keeps what it knows.
///
/// # Errors
/// See [`OpenError`].
pub fn reopen(builder: &Builder, path: &Path, health: &Arc<DiskHealth>) -> Result<DatabaseHandle, OpenError> {
    let header = last_commit::read_header(path).unwrap_or_default();
    health.set_repairing(Header::of(&header).may_end_in_unfinished_commit());
    // redb may panic on a file of a newer version or on garbage.
    let opened = guarded(|| builder.create_with_backend(VerifyingBackend::open(path, health)?));
    health.set_repairing(false);
    Ok(DatabaseHandle::new(opened.map_err(OpenError::Damaged)??))
}

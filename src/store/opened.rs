//! The open database, which can be reopened. After an I/O error redb fails every later operation; if the disk was only
//! full, the file is opened again, and everything committed is there. If redb fails because of damage, the intact part
//! is opened read-only.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};

use redb::{ReadTransaction, ReadableDatabase, WriteTransaction};
use redb_file::{DatabaseHandle, DiskHealth};

use super::opening::{OpenError, builder};
use super::snapshot::unreadable;
use fluglog_base::error::{Error, Result};

pub(super) struct Opened {
    /// `None` once it could not be opened again.
    database: RwLock<Option<DatabaseHandle>>,
    /// The file and the state of its disk, unless a test keeps the database elsewhere.
    file: Option<(PathBuf, Arc<DiskHealth>)>,
    is_read_only: AtomicBool,
}

impl Opened {
    pub(super) fn new(
        database: DatabaseHandle,
        file: Option<(PathBuf, Arc<DiskHealth>)>,
        is_read_only: bool,
    ) -> Opened {
        Opened {
            database: RwLock::new(Some(database)),
            file,
            is_read_only: AtomicBool::new(is_read_only),
        }
    }

    /// Returns whether the database is too damaged to be written.
    pub(super) fn is_read_only(&self) -> bool {
        self.is_read_only.load(Ordering::Acquire)
    }

    /// Begins a read. The read fails at its next page if the file is reopened meanwhile.
    pub(super) fn begin_read(&self) -> Result<ReadTransaction> {
        let database = self.database();
        let database = database.as_ref().and_then(DatabaseHandle::get).ok_or_else(closed)?;
        database.begin_read().map_err(unreadable)
    }

    pub(super) fn begin_write(&self) -> Result<WriteTransaction> {
        let database = self.database();
        let database = database.as_ref().and_then(DatabaseHandle::get).ok_or_else(closed)?;
        database.begin_write().map_err(unreadable)
    }

    /// Returns whether the file failed only because the disk was full.
    pub(super) fn was_full(&self) -> bool {
        self.health().is_some_and(DiskHealth::is_full)
    }

    /// Returns the file's path; `None` in tests that keep the database elsewhere.
    pub(super) fn path(&self) -> Option<&Path> {
        self.file.as_ref().map(|(path, _)| path.as_path())
    }

    /// State of its disk; `None` when a test keeps it elsewhere.
    pub(super) fn health(&self) -> Option<&DiskHealth> {
        self.file.as_ref().map(|(_, health)| &**health)
    }

    /// Opens the file again. No write transaction may be open.
    ///
    /// # Errors
    /// The file can't be opened.
    pub(super) fn reopen(&self) -> std::result::Result<(), OpenError> {
        let Some((path, health)) = &self.file else {
            return Err(OpenError::Missing);
        };
        let mut database = self.database.write().unwrap_or_else(PoisonError::into_inner);
        // Closed first: the file is locked as long as it is open.
        *database = None;
        *database = Some(redb_file::reopen(&builder(), path, health)?);
        health.reset();
        Ok(())
    }

    /// Switches to read-only access to the intact part. The old handle is leaked: redb has failed on the file, and
    /// would write to it once more when closed.
    ///
    /// # Errors
    /// Nothing is intact, or the disk failed.
    pub(super) fn switch_to_read_only(&self) -> std::result::Result<(), OpenError> {
        let Some((path, health)) = self.file.as_ref().filter(|(_, health)| !health.has_failed()) else {
            return Err(OpenError::Missing);
        };
        let mut database = self.database.write().unwrap_or_else(PoisonError::into_inner);
        std::mem::forget(database.take());
        self.is_read_only.store(true, Ordering::Release);
        *database = Some(redb_file::reopen_read_only(&builder(), path, health)?.database);
        Ok(())
    }

    fn database(&self) -> RwLockReadGuard<'_, Option<DatabaseHandle>> {
        self.database.read().unwrap_or_else(PoisonError::into_inner)
    }
}

fn closed() -> Error {
    Error::Busy("the database could not be opened again".to_owned())
}

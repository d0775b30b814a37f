//! The database while it is open. After an error of its file redb answers nothing any more; when only room was missing,
//! the file is opened again, and what was committed is there. Once redb fails at damage, what is sound is read only.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};

use redb::{ReadTransaction, ReadableDatabase, WriteTransaction};
use redb_file::{DatabaseHandle, DiskHealth};

use super::opening::{OpenError, builder};
use super::snapshot::unreadable;
use crate::base::error::{Error, Result};

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

    /// Whether it is damaged so that nothing written to it would be sound.
    pub(super) fn is_read_only(&self) -> bool {
        self.is_read_only.load(Ordering::Acquire)
    }

    /// A transaction that reads. It fails at its next page when the file is opened again meanwhile.
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

    /// Whether the file failed, and only because the disk was full.
    pub(super) fn was_full(&self) -> bool {
        self.health().is_some_and(DiskHealth::is_full)
    }

    /// Where its file lies, unless a test keeps it elsewhere.
    pub(super) fn path(&self) -> Option<&Path> {
        self.file.as_ref().map(|(path, _)| path.as_path())
    }

    /// State of its disk; `None` when a test keeps it elsewhere.
    pub(super) fn health(&self) -> Option<&DiskHealth> {
        self.file.as_ref().map(|(_, health)| &**health)
    }

    /// Opens the file again. No transaction that writes may be open.
    ///
    /// # Errors
    /// It can't be opened.
    pub(super) fn reopen(&self) -> std::result::Result<(), OpenError> {
        let Some((path, health)) = &self.file else {
            return Err(OpenError::Missing);
        };
        let mut database = self.database.write().unwrap_or_else(PoisonError::into_inner);
        // The file is locked as long as it is open.
        *database = None;
        *database = Some(redb_file::reopen(&builder(), path, health)?);
        health.reset();
        Ok(())
    }

    /// Reads what is sound from now on, and writes nothing. What is open is left so until the process ends: redb has
    /// failed at it, and would write once more when it is closed.
    ///
    /// # Errors
    /// Nothing is sound, or the disk failed.
    pub(super) fn only_read(&self) -> std::result::Result<(), OpenError> {
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

//! The database while it is open. After an error of its file redb answers nothing any more; when only room was missing,
//! the file is opened again, and what was committed is there. Once redb fails at damage, what is sound is read only.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};

use redb::{ReadTransaction, ReadableDatabase, WriteTransaction};

use super::disk::Trouble;
use super::opening::{Held, OpenError, open_file};
use super::rescue;
use super::snapshot::unreadable;
use fluglog_base::error::{Error, Result};

pub(super) struct Opened {
    /// `None` once it could not be opened again.
    database: RwLock<Option<Held>>,
    /// The file, unless a test keeps the database elsewhere, and how its disk has failed.
    file: Option<(PathBuf, Arc<Trouble>)>,
    is_read_only: AtomicBool,
}

impl Opened {
    pub(super) fn new(database: Held, file: Option<(PathBuf, Arc<Trouble>)>, is_read_only: bool) -> Opened {
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
        let database = database.as_ref().and_then(Held::get).ok_or_else(closed)?;
        database.begin_read().map_err(unreadable)
    }

    pub(super) fn begin_write(&self) -> Result<WriteTransaction> {
        let database = self.database();
        let database = database.as_ref().and_then(Held::get).ok_or_else(closed)?;
        database.begin_write().map_err(unreadable)
    }

    /// Whether the file failed, and only because the disk was full.
    pub(super) fn was_full(&self) -> bool {
        self.trouble().is_some_and(Trouble::is_full)
    }

    /// Where its file lies, unless a test keeps it elsewhere.
    pub(super) fn path(&self) -> Option<&Path> {
        self.file.as_ref().map(|(path, _)| path.as_path())
    }

    /// How its disk has failed.
    pub(super) fn trouble(&self) -> Option<&Trouble> {
        self.file.as_ref().map(|(_, trouble)| &**trouble)
    }

    /// Opens the file again. No transaction that writes may be open.
    ///
    /// # Errors
    /// It can't be opened.
    pub(super) fn reopen(&self) -> std::result::Result<(), OpenError> {
        let Some((path, trouble)) = &self.file else {
            return Err(OpenError::Missing);
        };
        let mut database = self.database.write().unwrap_or_else(PoisonError::into_inner);
        // The file is locked as long as it is open.
        *database = None;
        *database = Some(open_file(path, trouble, |_| {})?);
        trouble.forget();
        Ok(())
    }

    /// Reads what is sound from now on, and writes nothing. What is open is left so until the process ends: redb has
    /// failed at it, and would write once more when it is closed.
    ///
    /// # Errors
    /// Nothing is sound, or the disk failed.
    pub(super) fn only_read(&self) -> std::result::Result<(), OpenError> {
        let Some((path, trouble)) = self.file.as_ref().filter(|(_, trouble)| !trouble.is_of_disk()) else {
            return Err(OpenError::Missing);
        };
        let mut database = self.database.write().unwrap_or_else(PoisonError::into_inner);
        std::mem::forget(database.take());
        self.is_read_only.store(true, Ordering::Release);
        let (held, _) = rescue::open(path, trouble, false)?;
        *database = Some(held);
        Ok(())
    }

    fn database(&self) -> RwLockReadGuard<'_, Option<Held>> {
        self.database.read().unwrap_or_else(PoisonError::into_inner)
    }
}

fn closed() -> Error {
    Error::Busy("the database could not be opened again".to_owned())
}

//! The database while it is open. After an error of its file redb answers nothing any more; when only room was missing,
//! the file is opened again, and what was committed is there.

use std::path::PathBuf;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};

use redb::{Database, ReadTransaction, ReadableDatabase, WriteTransaction};

use super::disk::Trouble;
use super::opening::{OpenError, guarded, open_file};
use super::snapshot::unreadable;
use crate::base::error::{Error, Result};

pub(super) struct Opened {
    /// `None` once it could not be opened again.
    database: RwLock<Option<Database>>,
    /// The file, unless a test keeps the database elsewhere, and how its disk has failed.
    file: Option<(PathBuf, Arc<Trouble>)>,
}

impl Opened {
    pub(super) fn new(database: Database, file: Option<(PathBuf, Arc<Trouble>)>) -> Opened {
        Opened {
            database: RwLock::new(Some(database)),
            file,
        }
    }

    /// A transaction that reads. It fails at its next page when the file is opened again meanwhile.
    pub(super) fn begin_read(&self) -> Result<ReadTransaction> {
        let database = self.database();
        let database = database.as_ref().ok_or_else(closed)?;
        database.begin_read().map_err(unreadable)
    }

    pub(super) fn begin_write(&self) -> Result<WriteTransaction> {
        let database = self.database();
        let database = database.as_ref().ok_or_else(closed)?;
        database.begin_write().map_err(unreadable)
    }

    /// Whether the file failed, and only because the disk was full.
    pub(super) fn was_full(&self) -> bool {
        self.trouble().is_some_and(Trouble::is_full)
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
        guarded(|| *database = None).map_err(OpenError::Damaged)?;
        *database = Some(open_file(path, trouble, |_| {})?);
        trouble.forget();
        Ok(())
    }

    fn database(&self) -> RwLockReadGuard<'_, Option<Database>> {
        self.database.read().unwrap_or_else(PoisonError::into_inner)
    }
}

fn closed() -> Error {
    Error::Busy("the database could not be opened again".to_owned())
}

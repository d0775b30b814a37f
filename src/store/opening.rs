//! Opens redb's file, which may be damaged.

use std::cell::{Cell, RefCell};
use std::fs::File;
use std::io;
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind};
use std::path::Path;
use std::sync::{Arc, Once};

use redb::{Database, DatabaseError, StorageError};

use super::disk::{Disk, Trouble};

/// Size of redb's page cache in bytes; the default of 1 GiB is all the memory of a Raspberry Pi.
pub(super) const CACHE_BYTES: usize = 16 * 1024 * 1024;

/// Why a database can't be opened.
#[derive(Debug)]
pub enum OpenError {
    /// Another process has it open.
    Locked,
    /// A newer Fluglog wrote it.
    Newer { schema: u32, program: String },
    /// There is no database.
    Missing,
    /// An older version wrote it, and the copy of this many bytes, which has to be kept before the migration, failed.
    NotMigrated {
        from: u32,
        to: u32,
        bytes: u64,
        cause: String,
    },
    /// Its content is damaged; the text is for the log.
    Damaged(String),
    /// It can't be read or created; the text is for the log.
    Unusable(String),
    /// The disk fails or is full, possibly temporarily; the text is for the log.
    Disk(String),
}

impl From<DatabaseError> for OpenError {
    fn from(error: DatabaseError) -> OpenError {
        match error {
            DatabaseError::DatabaseAlreadyOpen => OpenError::Locked,
            DatabaseError::Storage(StorageError::Io(error)) => match error.kind() {
                // The file is too short for a header.
                io::ErrorKind::UnexpectedEof | io::ErrorKind::InvalidData => OpenError::Damaged(error.to_string()),
                io::ErrorKind::PermissionDenied | io::ErrorKind::NotFound | io::ErrorKind::ReadOnlyFilesystem => {
                    OpenError::Unusable(error.to_string())
                }
                _ => OpenError::Disk(error.to_string()),
            },
            other => OpenError::Damaged(other.to_string()),
        }
    }
}

/// A handle of an open database. Contains redb's panics on closing a damaged file, which are only logged.
pub(super) struct Held {
    /// `Some` until it is dropped.
    database: Option<Database>,
    /// Lock on the file for a database that redb opens without its own lock.
    _lock: Option<File>,
}

impl Held {
    pub(super) fn new(database: Database, lock: Option<File>) -> Held {
        Held {
            database: Some(database),
            _lock: lock,
        }
    }

    pub(super) fn get(&self) -> Option<&Database> {
        self.database.as_ref()
    }

    pub(super) fn get_mut(&mut self) -> Option<&mut Database> {
        self.database.as_mut()
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        if let Err(panic) = guarded(|| drop(self.database.take())) {
            tracing::error!("the database could not be closed: {panic}");
        }
    }
}

/// Opens a file; calls `repairing` with the percentage done if it was not closed cleanly.
///
/// # Errors
/// The file is locked, damaged or unusable.
pub(super) fn open_file(path: &Path, trouble: &Arc<Trouble>, repairing: fn(u8)) -> Result<Held, OpenError> {
    // redb may panic on garbage or on a file of a newer redb.
    let opened = guarded(|| {
        redb::Builder::new()
            .set_cache_size(CACHE_BYTES)
            .set_repair_callback(move |session| repairing((session.progress() * 100.0).round() as u8))
            .create_with_backend(Disk::of(path, trouble)?)
    });
    Ok(Held::new(opened.map_err(OpenError::Damaged)??, None))
}

thread_local! {
    static EXPECTING_PANICS: Cell<bool> = const { Cell::new(false) };
    static LAST_PANIC: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Runs work on possibly damaged data, catching redb's panics.
///
/// # Errors
/// The panic's message and location; the panic isn't printed.
pub fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let usual = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| match EXPECTING_PANICS.get() {
            true => LAST_PANIC.set(words_of(panic)),
            false => usual(panic),
        }));
    });
    let before = EXPECTING_PANICS.replace(true);
    let result = catch_unwind(AssertUnwindSafe(work));
    EXPECTING_PANICS.set(before);
    result.map_err(|_| LAST_PANIC.take())
}

fn words_of(panic: &PanicHookInfo<'_>) -> String {
    let words = panic.payload_as_str().unwrap_or("no words");
    let place = panic.location().map(ToString::to_string).unwrap_or_default();
    format!("{words} ({place})")
}

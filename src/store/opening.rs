//! Opening redb's file, which may be damaged.

use std::cell::{Cell, RefCell};
use std::fs::File;
use std::io;
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind};
use std::path::Path;
use std::sync::{Arc, Once};

use redb::{Database, DatabaseError, StorageError};

use super::disk::{Disk, Trouble};

/// redb's page cache in bytes; its own default is 1 GiB, as much as a Pi has.
pub(super) const CACHE_BYTES: usize = 16 * 1024 * 1024;

/// Why a database can't be opened.
#[derive(Debug)]
pub enum OpenError {
    /// Another process holds it.
    Locked,
    /// A newer Fluglog wrote it.
    Newer { schema: u32, program: String },
    /// There is no database at this place.
    Missing,
    /// An older version wrote it, and before it is brought on a copy of this many bytes has to be kept: that failed.
    NotMigrated {
        from: u32,
        to: u32,
        bytes: u64,
        cause: String,
    },
    /// Its content is damaged; the text is for the log.
    Damaged(String),
    /// It can't be read or made; the text is for the log.
    Unusable(String),
    /// The disk fails or is full, which may pass; the text is for the log.
    Disk(String),
}

impl From<DatabaseError> for OpenError {
    fn from(error: DatabaseError) -> OpenError {
        match error {
            DatabaseError::DatabaseAlreadyOpen => OpenError::Locked,
            DatabaseError::Storage(StorageError::Io(error)) => match error.kind() {
                // Too short for a header.
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

/// An open database. redb may panic when it closes a damaged file; nobody hears of that.
pub(super) struct Held {
    /// There until the end.
    database: Option<Database>,
    /// Keeps other processes out of a file that redb itself doesn't hold.
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

/// Opens a file; calls `repairing` with the percentage that is done when it was not closed cleanly.
///
/// # Errors
/// Locked, damaged, or unusable.
pub(super) fn open_file(path: &Path, trouble: &Arc<Trouble>, repairing: fn(u8)) -> Result<Held, OpenError> {
    // redb may panic on a file of a newer redb or on garbage.
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

/// Runs work on data that may be damaged: redb panics on some of it.
///
/// # Errors
/// The words of the panic and its place, which are printed nowhere.
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

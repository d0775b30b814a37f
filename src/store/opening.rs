//! How redb's file is opened, and why it may not be.

use redb::DatabaseError;

/// redb's page cache in bytes; its own default is 1 GiB, as much as a Pi has.
const CACHE_BYTES: usize = 16 * 1024 * 1024;

/// Why a database can't be opened.
#[derive(Debug)]
pub enum OpenError {
    /// Another process has it open.
    Locked,
    /// A newer Fluglog wrote it.
    Newer { schema: u32, program: String },
    /// No database is at this place.
    Missing,
    /// An older version wrote it, and the copy of this many bytes, which has to be kept before the migration, failed.
    NotMigrated {
        from: u32,
        to: u32,
        bytes: u64,
        cause: String,
    },
    /// The database is damaged; the text is for the log.
    Damaged(String),
    /// The database can't be read or created; the text is for the log.
    Unusable(String),
    /// The disk fails or is full, possibly temporarily; the text is for the log.
    Disk(String),
}

impl From<redb_file::OpenError> for OpenError {
    fn from(error: redb_file::OpenError) -> OpenError {
        match error {
            redb_file::OpenError::Locked => OpenError::Locked,
            redb_file::OpenError::Damaged(cause) => OpenError::Damaged(cause),
            redb_file::OpenError::Inaccessible(error) => OpenError::Unusable(error.to_string()),
            redb_file::OpenError::Disk(error) => OpenError::Disk(error.to_string()),
        }
    }
}

impl From<DatabaseError> for OpenError {
    fn from(error: DatabaseError) -> OpenError {
        redb_file::OpenError::from(error).into()
    }
}

/// Returns the settings for opening a file.
pub(super) fn builder() -> redb::Builder {
    let mut builder = redb::Builder::new();
    builder.set_cache_size(CACHE_BYTES);
    builder
}

/// Like [`builder`]; calls `repairing` with the percentage that is done when the file was not closed cleanly.
pub(super) fn builder_telling(repairing: fn(u8)) -> redb::Builder {
    let mut builder = builder();
    builder.set_repair_callback(move |session| repairing((session.progress() * 100.0).round() as u8));
    builder
}

//! The file under redb. A page that the disk doesn't read, or that a damaged page places behind the end of the file, comes out as zeros, which
//! redb takes for no page: an error of that one read. After an error of its file redb would answer nothing any more.

use std::fs::OpenOptions;
use std::io;
use std::ops::Bound;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use redb::backends::FileBackend;
use redb::{BackendError, DatabaseError, StorageBackend};

/// Errors of these first bytes stay errors: redb's header.
const HEADER_BYTES: u64 = 4096;

/// How the file has failed.
#[derive(Debug, Default)]
pub(super) struct Trouble {
    full: AtomicBool,
    other: AtomicBool,
}

impl Trouble {
    /// Whether room was missing, and nothing else.
    pub(super) fn is_full(&self) -> bool {
        self.full.load(Ordering::Acquire) && !self.other.load(Ordering::Acquire)
    }

    /// The file is opened anew.
    pub(super) fn forget(&self) {
        self.full.store(false, Ordering::Release);
        self.other.store(false, Ordering::Release);
    }

    fn note(&self, error: &io::Error) {
        let kind = if is_full(error) { &self.full } else { &self.other };
        kind.store(true, Ordering::Release);
    }
}

/// Whether an error means that the disk, or what one user or file may have of it, is used up.
pub(super) fn is_full(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge
    )
}

#[derive(Debug)]
pub(super) struct Disk {
    file: FileBackend,
    trouble: Arc<Trouble>,
}

impl Disk {
    /// The file of a database, which is made when it isn't there.
    pub(super) fn of(path: &Path, trouble: &Arc<Trouble>) -> Result<Disk, DatabaseError> {
        let mut options = OpenOptions::new();
        let file = options.read(true).write(true).create(true).truncate(false).open(path)?;
        Ok(Disk {
            file: FileBackend::new(file)?,
            trouble: Arc::clone(trouble),
        })
    }

    fn noted<T>(&self, done: io::Result<T>) -> io::Result<T> {
        done.inspect_err(|error| self.trouble.note(error))
    }
}

type Locked<T> = Result<T, BackendError>;

impl StorageBackend for Disk {
    fn len(&self) -> io::Result<u64> {
        self.noted(self.file.len())
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        let read = self.file.read(offset, out);
        match read {
            Err(error) if offset >= HEADER_BYTES => {
                tracing::error!("the database can't be read at byte {offset}: {error}");
                out.fill(0);
                Ok(())
            }
            read => self.noted(read),
        }
    }

    fn set_len(&self, bytes: u64) -> io::Result<()> {
        self.noted(self.file.set_len(bytes))
    }

    fn sync_data(&self) -> io::Result<()> {
        self.noted(self.file.sync_data())
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        self.noted(self.file.write(offset, data))
    }

    fn close(&self) -> io::Result<()> {
        self.file.close()
    }

    fn try_lock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Locked<bool> {
        self.file.try_lock_range(start, end)
    }

    fn try_lock_shared_range(&self, start: Bound<u64>, end: Bound<u64>) -> Locked<bool> {
        self.file.try_lock_shared_range(start, end)
    }

    fn lock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Locked<()> {
        self.file.lock_range(start, end)
    }

    fn lock_shared_range(&self, start: Bound<u64>, end: Bound<u64>) -> Locked<()> {
        self.file.lock_shared_range(start, end)
    }

    fn unlock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Locked<()> {
        self.file.unlock_range(start, end)
    }

    fn query_lock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Locked<bool> {
        self.file.query_lock_range(start, end)
    }
}

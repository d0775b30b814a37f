//! The file under redb. A page that the disk doesn't read, or that a damaged page places behind the end of the file, comes out as zeros, which
//! redb takes for no page: an error of that one read. After an error of its file redb would answer nothing any more.

use std::fs::OpenOptions;
use std::io;
use std::ops::Bound;
use std::path::Path;

use redb::backends::FileBackend;
use redb::{BackendError, DatabaseError, StorageBackend};

/// Errors of these first bytes stay errors: redb's header.
const HEADER_BYTES: u64 = 4096;

#[derive(Debug)]
pub(super) struct Disk(FileBackend);

impl Disk {
    /// The file of a database, which is made when it isn't there.
    pub(super) fn of(path: &Path) -> Result<Disk, DatabaseError> {
        let mut options = OpenOptions::new();
        let file = options.read(true).write(true).create(true).truncate(false).open(path)?;
        Ok(Disk(FileBackend::new(file)?))
    }
}

type Locked<T> = Result<T, BackendError>;

impl StorageBackend for Disk {
    fn len(&self) -> io::Result<u64> {
        self.0.len()
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        let read = self.0.read(offset, out);
        match read {
            Err(error) if offset >= HEADER_BYTES => {
                tracing::error!("the database can't be read at byte {offset}: {error}");
                out.fill(0);
                Ok(())
            }
            read => read,
        }
    }

    fn set_len(&self, bytes: u64) -> io::Result<()> {
        self.0.set_len(bytes)
    }

    fn sync_data(&self) -> io::Result<()> {
        self.0.sync_data()
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        self.0.write(offset, data)
    }

    fn close(&self) -> io::Result<()> {
        self.0.close()
    }

    fn try_lock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Locked<bool> {
        self.0.try_lock_range(start, end)
    }

    fn try_lock_shared_range(&self, start: Bound<u64>, end: Bound<u64>) -> Locked<bool> {
        self.0.try_lock_shared_range(start, end)
    }

    fn lock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Locked<()> {
        self.0.lock_range(start, end)
    }

    fn lock_shared_range(&self, start: Bound<u64>, end: Bound<u64>) -> Locked<()> {
        self.0.lock_shared_range(start, end)
    }

    fn unlock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Locked<()> {
        self.0.unlock_range(start, end)
    }

    fn query_lock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Locked<bool> {
        self.0.query_lock_range(start, end)
    }
}

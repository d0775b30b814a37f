//! State of the file while it is open: errors of the disk, damaged pages, and a lost commit.

use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::last_commit;

/// State of the file under a database, shared by its backend and its user.
#[derive(Debug, Default)]
pub struct DiskHealth {
    full: AtomicBool,
    failed: AtomicBool,
    is_repairing: AtomicBool,
    unreadable_pages: AtomicU64,
    lost_commit: Mutex<Option<i64>>,
}

impl DiskHealth {
    /// Whether an operation failed for lack of space, and none for another reason.
    pub fn is_full(&self) -> bool {
        self.full.load(Ordering::Acquire) && !self.has_failed()
    }

    /// Whether an operation failed for another reason than lack of space.
    pub fn has_failed(&self) -> bool {
        self.failed.load(Ordering::Acquire)
    }

    /// Forgets the errors of the disk, after the file was opened anew.
    pub fn reset(&self) {
        self.full.store(false, Ordering::Release);
        self.failed.store(false, Ordering::Release);
    }

    /// Number of reads that found a page damaged or unreadable.
    pub fn unreadable_pages(&self) -> u64 {
        self.unreadable_pages.load(Ordering::Relaxed)
    }

    /// Time in Unix seconds of a last commit that was lost in an unclean stop, as long as nobody acknowledged it.
    pub fn lost_commit(&self) -> Option<i64> {
        *self.lost()
    }

    /// Acknowledges the lost commit, in the file too.
    pub fn acknowledge_lost_commit(&self, path: &Path) {
        self.set_lost_commit(path, None);
    }

    pub(crate) fn set_lost_commit(&self, path: &Path, time: Option<i64>) {
        *self.lost() = time;
        last_commit::write_lost(path, time);
    }

    pub(crate) fn load_lost_commit(&self, path: &Path) {
        *self.lost() = last_commit::read_lost(path);
    }

    pub(crate) fn count_unreadable_page(&self) {
        self.unreadable_pages.fetch_add(1, Ordering::Relaxed);
    }

    /// Tells that the file is being opened after an unclean stop: its last commit may be an unfinished one, whose pages
    /// needn't all be there.
    pub(crate) fn set_repairing(&self, is_repairing: bool) {
        self.is_repairing.store(is_repairing, Ordering::Release);
    }

    /// Whether a page that isn't as it should be is no damage.
    pub(crate) fn excuses_pages(&self) -> bool {
        self.is_full() || self.is_repairing.load(Ordering::Acquire)
    }

    /// Remembers the error of an operation.
    pub(crate) fn watch<T>(&self, result: io::Result<T>) -> io::Result<T> {
        result.inspect_err(|error| {
            let kind = if is_full(error) { &self.full } else { &self.failed };
            kind.store(true, Ordering::Release);
        })
    }

    fn lost(&self) -> MutexGuard<'_, Option<i64>> {
        self.lost_commit.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether an error means that the disk, the quota or the largest file size is used up.
pub fn is_full(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge
    )
}

//! Downloads that may go on for hours: one of a pilot at a time, and few in all, because each keeps a thread until its end. Knows no download.

use std::collections::HashSet;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::error::{Error, Result};
use super::id::UserId;
use super::text;

/// Of all pilots at once.
const MOST: usize = 2;
/// Some browsers hand a download on to another program, which asks again: the first time ends just then.
const PATIENCE: Duration = Duration::from_secs(1);

/// All downloads.
#[derive(Default)]
pub struct Downloads {
    running: Mutex<HashSet<UserId>>,
    ended: Condvar,
}

/// A download, until it is dropped.
pub struct Download {
    downloads: Arc<Downloads>,
    pilot: UserId,
}

impl Downloads {
    /// Whether a pilot may begin one now.
    ///
    /// # Errors
    /// [`Error::Conflict`] while the pilot has one, [`Error::Occupied`] while others have all of them.
    pub fn check(&self, pilot: UserId) -> Result<()> {
        may_begin(&self.lock(), pilot)
    }

    /// Begins one, at once or when another ends right now.
    ///
    /// # Errors
    /// As [`Downloads::check`].
    pub fn begin(self: &Arc<Downloads>, pilot: UserId) -> Result<Download> {
        let must_wait = |running: &mut HashSet<UserId>| may_begin(running, pilot).is_err();
        let waited = self.ended.wait_timeout_while(self.lock(), PATIENCE, must_wait);
        let (mut running, _) = waited.unwrap_or_else(PoisonError::into_inner);
        may_begin(&running, pilot)?;
        running.insert(pilot);
        Ok(Download {
            downloads: Arc::clone(self),
            pilot,
        })
    }

    fn lock(&self) -> MutexGuard<'_, HashSet<UserId>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn may_begin(running: &HashSet<UserId>, pilot: UserId) -> Result<()> {
    if running.contains(&pilot) {
        return Err(Error::Conflict(text::DOWNLOAD_RUNNING));
    }
    match running.len() {
        ..MOST => Ok(()),
        _ => Err(Error::Occupied(text::DOWNLOADS_MANY)),
    }
}

impl Drop for Download {
    fn drop(&mut self) {
        self.downloads.lock().remove(&self.pilot);
        self.downloads.ended.notify_all();
    }
}

//! Slots for downloads that may take hours: a few in total, one per pilot. When all are taken, the slowest download
//! that has run for [`GUARANTEED`] gives its slot to the next one. Knows no data.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::error::Error;
use crate::id::UserId;
use crate::limits::permits::LimitReached;
use crate::text;

/// Most downloads at a time. Each occupies a thread and some megabytes.
pub(crate) const MAX_DOWNLOADS: usize = 4;
/// Time for which a download keeps its slot, however slow it is.
pub(crate) const GUARANTEED: Duration = Duration::from_secs(5 * 60);

/// Some browsers hand a download over to another program, which requests it again just as the first request ends.
pub const HANDOVER_WAIT: Duration = Duration::from_secs(1);

/// All running downloads.
#[derive(Default)]
pub struct Downloads {
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    running: Mutex<Vec<Arc<RunningDownload>>>,
    ended: Condvar,
}

struct RunningDownload {
    pilot: UserId,
    begun: Instant,
    /// Bytes that the client has taken so far.
    bytes: AtomicU64,
    is_revoked: AtomicBool,
}

/// A slot; released when dropped.
pub struct Download {
    own: Arc<RunningDownload>,
    shared: Arc<Shared>,
}

impl Downloads {
    /// Takes a slot for a pilot.
    ///
    /// # Errors
    /// [`LimitReached`] if the pilot has a slot already, or none can be freed.
    pub fn begin(&self, pilot: UserId, now: Instant) -> Result<Download, LimitReached> {
        take(&self.shared, &mut self.shared.running(), pilot, now)
    }

    /// Like [`Downloads::begin`], but waits up to `patience` for another download to end.
    ///
    /// # Errors
    /// As for [`Downloads::begin`].
    pub fn begin_within(&self, patience: Duration, pilot: UserId) -> Result<Download, LimitReached> {
        let running = self.shared.running();
        let is_taken = |running: &mut Vec<_>| check(running, pilot, Instant::now()).is_err();
        let waited = self.shared.ended.wait_timeout_while(running, patience, is_taken);
        let (mut running, _) = waited.unwrap_or_else(PoisonError::into_inner);
        take(&self.shared, &mut running, pilot, Instant::now())
    }

    /// Checks whether [`Downloads::begin`] would succeed now.
    ///
    /// # Errors
    /// As for [`Downloads::begin`].
    pub fn check(&self, pilot: UserId, now: Instant) -> Result<(), LimitReached> {
        check(&self.shared.running(), pilot, now).map(drop)
    }
}

fn take(
    shared: &Arc<Shared>,
    running: &mut Vec<Arc<RunningDownload>>,
    pilot: UserId,
    now: Instant,
) -> Result<Download, LimitReached> {
    if let Some(slowest) = check(running, pilot, now)? {
        let slowest = running.swap_remove(slowest);
        slowest.is_revoked.store(true, Ordering::Relaxed);
    }
    let own = Arc::new(RunningDownload {
        pilot,
        begun: now,
        bytes: AtomicU64::new(0),
        is_revoked: AtomicBool::new(false),
    });
    running.push(Arc::clone(&own));
    Ok(Download {
        own,
        shared: Arc::clone(shared),
    })
}

/// Returns the index of the download that has to give up its slot, if any.
fn check(running: &[Arc<RunningDownload>], pilot: UserId, now: Instant) -> Result<Option<usize>, LimitReached> {
    if running.iter().any(|one| one.pilot == pilot) {
        return Err(LimitReached::PerPilot);
    }
    if running.len() < MAX_DOWNLOADS {
        return Ok(None);
    }
    let age = |one: &RunningDownload| now.saturating_duration_since(one.begun);
    let old = running.iter().enumerate().filter(|(_, one)| age(one) >= GUARANTEED);
    let slowest = old.min_by_key(|(_, one)| one.bytes.load(Ordering::Relaxed) / age(one).as_secs().max(1));
    slowest.map(|(at, _)| Some(at)).ok_or(LimitReached::Total)
}

impl Shared {
    fn running(&self) -> MutexGuard<'_, Vec<Arc<RunningDownload>>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Download {
    /// Counts bytes that the client took, and returns whether the download may go on.
    pub(crate) fn record_and_check(&self, bytes: usize) -> bool {
        self.own.bytes.fetch_add(bytes as u64, Ordering::Relaxed);
        !self.is_revoked()
    }

    /// Wraps the output so that bytes are counted; it fails once the slot is revoked.
    pub fn metered<'o>(&'o self, out: &'o mut dyn Write) -> MeteredWriter<'o> {
        MeteredWriter { out, download: self }
    }

    #[must_use]
    pub fn is_revoked(&self) -> bool {
        self.own.is_revoked.load(Ordering::Relaxed)
    }
}

impl Drop for Download {
    fn drop(&mut self) {
        self.shared.running().retain(|one| !Arc::ptr_eq(one, &self.own));
        self.shared.ended.notify_all();
    }
}

/// The output of a download: counts bytes, and fails once the slot is revoked.
pub struct MeteredWriter<'o> {
    out: &'o mut dyn Write,
    download: &'o Download,
}

impl Write for MeteredWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        match self.download.record_and_check(written) {
            true => Ok(written),
            false => Err(io::ErrorKind::ConnectionAborted.into()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// The error for the browser.
#[must_use]
pub fn error_of(taken: LimitReached) -> Error {
    match taken {
        LimitReached::PerPilot => Error::Conflict(text::DOWNLOAD_RUNNING),
        LimitReached::Total => Error::ResourceBusy(text::DOWNLOADS_MANY),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pilot(key: usize) -> UserId {
        UserId::from_key(key as u128)
    }

    #[test]
    fn the_slowest_download_gives_its_place_to_a_pilot_without_one_after_some_minutes() {
        let (downloads, now) = (Downloads::default(), Instant::now());
        let mut running: Vec<_> = (0..MAX_DOWNLOADS)
            .map(|number| downloads.begin(pilot(number), now).map_err(drop).unwrap())
            .collect();
        running.iter().enumerate().for_each(|(at, one)| {
            assert!(one.record_and_check(1_000_000 * (at + 3) % 4_000_000));
        });
        assert_eq!(downloads.check(pilot(0), now).err(), Some(LimitReached::PerPilot));
        let (before, later) = (now + GUARANTEED - Duration::from_secs(1), now + GUARANTEED);
        assert_eq!(downloads.begin(pilot(9), before).err(), Some(LimitReached::Total));
        assert_eq!(downloads.begin(pilot(2), later).err(), Some(LimitReached::PerPilot));
        assert!(running.iter().all(|one| !one.is_revoked()));
        let next = downloads.begin(pilot(9), later).map_err(drop).unwrap();
        // 3, 0, 1 and 2 million bytes.
        let revoked: Vec<_> = running.iter().map(Download::is_revoked).collect();
        assert_eq!(revoked, [false, true, false, false]);
        // The slot of this download has been given away; dropping it must free nothing.
        drop(running.remove(1));
        let after = downloads.begin(pilot(8), later).map_err(drop).unwrap();
        assert!(running[1].is_revoked() && !after.is_revoked() && !next.is_revoked());
        drop(running.remove(0));
        assert!(downloads.check(pilot(7), later).is_ok());
    }
}

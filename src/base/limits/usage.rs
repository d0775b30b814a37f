//! How much of the quota each pilot and each space uses, as far as it is known. A full count is expensive: additions are added up, and
//! a new count is made only if the sum might exceed the limit and is stale (something was deleted) or only an upper
//! bound. Counts of one owner are serialized: parallel uploads wait for each other, so that they can't each fit alone
//! and exceed the limit together. Knows no table and no file.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::error::{Error, Result};
use crate::id::OwnerId;

/// A slower count is repeated only after [`RECOUNT_FACTOR`] times its duration, so that deleting and adding in turns
/// can't keep the server busy counting.
const CHEAP_COUNT: Duration = Duration::from_millis(100);
const RECOUNT_FACTOR: u32 = 20;

/// The storage that each owner uses.
#[derive(Default)]
pub struct Usage(Mutex<HashMap<OwnerId, Arc<Mutex<OwnerUsage>>>>);

#[derive(Default)]
struct OwnerUsage {
    counted: Option<Counted>,
    /// Bytes that are being added now; a count may miss them.
    reserved: u64,
}

struct Counted {
    bytes: u64,
    /// Upper bound of the bytes added since the count.
    added: u64,
    /// Whether something may have been deleted since the count.
    is_stale: bool,
    at: Instant,
    duration: Duration,
}

/// Bytes that are about to be added for an owner. Dropped without [`Reservation::commit`], they are released.
pub struct Reservation {
    of: Arc<Mutex<OwnerUsage>>,
    bytes: u64,
    is_used: bool,
}

impl Reservation {
    /// Marks the reserved bytes as stored; the amount is an upper bound.
    pub fn commit(mut self) {
        self.is_used = true;
    }
}

impl Counted {
    fn may_be_renewed(&self) -> bool {
        self.duration < CHEAP_COUNT || self.at.elapsed() > self.duration * RECOUNT_FACTOR
    }
}

impl Usage {
    /// Reserves `bytes` for an owner, unless that exceeds `limit`: then it is refused with `sentence`. `count` counts
    /// what the owner has stored.
    ///
    /// # Errors
    /// [`Error::QuotaUsedUp`], or the error of `count`.
    pub fn reserve(
        &self,
        owner: OwnerId,
        bytes: u64,
        (limit, sentence): (u64, &'static str),
        count: impl FnOnce() -> Result<u64>,
    ) -> Result<Reservation> {
        let of = Arc::clone(locked(&self.0).entry(owner).or_default());
        let mut usage = locked(&of);
        match &mut usage.counted {
            Some(counted) if counted.bytes + counted.added + bytes <= limit => counted.added += bytes,
            Some(counted) if counted.bytes + bytes > limit && !(counted.is_stale && counted.may_be_renewed()) => {
                return Err(Error::QuotaUsedUp(sentence));
            }
            _ => {
                let at = Instant::now();
                let has = count()?;
                let (fits, reserved) = (has + usage.reserved + bytes <= limit, usage.reserved);
                usage.counted = Some(Counted {
                    bytes: has,
                    added: reserved + if fits { bytes } else { 0 },
                    is_stale: false,
                    at,
                    duration: at.elapsed(),
                });
                if !fits {
                    return Err(Error::QuotaUsedUp(sentence));
                }
            }
        }
        usage.reserved += bytes;
        drop(usage);
        let is_used = false;
        Ok(Reservation { of, bytes, is_used })
    }

    /// Forgets an owner's count: data came or went that weren't reserved.
    pub fn forget(&self, owner: OwnerId) {
        let of = locked(&self.0).get(&owner).map(Arc::clone);
        if let Some(of) = of {
            locked(&of).counted = None;
        }
    }

    /// Marks an owner's count as stale: something may have been deleted.
    pub fn mark_stale(&self, owner: OwnerId) {
        let of = locked(&self.0).get(&owner).map(Arc::clone);
        if let Some(of) = of
            && let Some(counted) = &mut locked(&of).counted
        {
            counted.is_stale = true;
        }
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        let mut usage = locked(&self.of);
        usage.reserved -= self.bytes;
        if let Some(counted) = usage.counted.as_mut().filter(|_| !self.is_used) {
            counted.added = counted.added.saturating_sub(self.bytes);
        }
    }
}

fn locked<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FULL: &str = "full";

    #[test]
    fn what_is_added_is_counted_again_only_near_the_limit() {
        let (usage, owner) = (Usage::default(), OwnerId::from_key(1));
        let never = || -> Result<u64> { panic!("it is counted") };
        let add = |bytes, count: &dyn Fn() -> Result<u64>| {
            usage.reserve(owner, bytes, (100, FULL), count).map(Reservation::commit)
        };
        assert_eq!(add(10, &|| Ok(50)), Ok(()));
        assert_eq!(add(40, &never), Ok(()));
        // The sum is only an upper bound, so it is counted anew.
        assert_eq!(add(10, &|| Ok(70)), Ok(()));
        assert_eq!(add(31, &never), Err(Error::QuotaUsedUp(FULL)));
        assert_eq!(add(30, &|| Ok(80)), Err(Error::QuotaUsedUp(FULL)));
        assert_eq!(add(30, &never), Err(Error::QuotaUsedUp(FULL)));
        usage.mark_stale(owner);
        assert_eq!(add(30, &|| Ok(20)), Ok(()));
    }

    #[test]
    fn what_is_being_added_at_once_never_passes_the_limit_together() {
        let (usage, owner) = (Usage::default(), OwnerId::from_key(1));
        // None of the reserved bytes is stored yet when the count is made.
        let reserve = || usage.reserve(owner, 10, (100, FULL), || Ok(5));
        let running = std::thread::scope(|scope| {
            let asked: Vec<_> = (0..30).map(|_| scope.spawn(reserve)).collect();
            asked
                .into_iter()
                .filter_map(|asked| asked.join().unwrap().ok())
                .collect::<Vec<_>>()
        });
        assert_eq!(running.len(), 9);
        usage.mark_stale(owner);
        assert!(
            reserve().is_err(),
            "what was deleted doesn't make room for what is reserved"
        );
        // None of the reservations was used.
        drop(running);
        let never = || -> Result<u64> { panic!("it is counted") };
        assert!(usage.reserve(owner, 95, (100, FULL), never).is_ok());
    }
}

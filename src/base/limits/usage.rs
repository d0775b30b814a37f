//! How much of the quota each pilot uses, as far as it is known. A full count is expensive: additions are added up, and
//! a new count is made only if the sum might exceed the limit and is stale (something was deleted) or only an upper
//! bound. Counts of one pilot are serialized: parallel uploads wait for each other, so that they can't each fit alone
//! and exceed the limit together. Knows no table and no file.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::error::{Error, Result};
use crate::id::UserId;

/// A slower count is repeated only after [`RECOUNT_FACTOR`] times its duration, so that deleting and adding in turns
/// can't keep the server busy counting.
const CHEAP_COUNT: Duration = Duration::from_millis(100);
const RECOUNT_FACTOR: u32 = 20;

/// The space that each pilot uses.
#[derive(Default)]
pub struct Usage(Mutex<HashMap<UserId, Arc<Mutex<PilotUsage>>>>);

#[derive(Default)]
struct PilotUsage {
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

/// Bytes that a pilot is about to add. Dropped without [`Reservation::commit`], they are released.
pub struct Reservation {
    of: Arc<Mutex<PilotUsage>>,
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
    /// Reserves `bytes` for a pilot, unless that exceeds `limit`. `count` counts what the pilot has stored.
    ///
    /// # Errors
    /// [`Error::QuotaUsedUp`], or the error of `count`.
    pub fn reserve(
        &self,
        user: UserId,
        bytes: u64,
        limit: u64,
        count: impl FnOnce() -> Result<u64>,
    ) -> Result<Reservation> {
        let of = Arc::clone(locked(&self.0).entry(user).or_default());
        let mut pilot = locked(&of);
        match &mut pilot.counted {
            Some(counted) if counted.bytes + counted.added + bytes <= limit => counted.added += bytes,
            Some(counted) if counted.bytes + bytes > limit && !(counted.is_stale && counted.may_be_renewed()) => {
                return Err(Error::QuotaUsedUp);
            }
            _ => {
                let at = Instant::now();
                let has = count()?;
                let (fits, reserved) = (has + pilot.reserved + bytes <= limit, pilot.reserved);
                pilot.counted = Some(Counted {
                    bytes: has,
                    added: reserved + if fits { bytes } else { 0 },
                    is_stale: false,
                    at,
                    duration: at.elapsed(),
                });
                if !fits {
                    return Err(Error::QuotaUsedUp);
                }
            }
        }
        pilot.reserved += bytes;
        drop(pilot);
        let is_used = false;
        Ok(Reservation { of, bytes, is_used })
    }

    /// Marks a pilot's count as stale: something may have been deleted.
    pub fn mark_stale(&self, user: UserId) {
        let of = locked(&self.0).get(&user).map(Arc::clone);
        if let Some(of) = of
            && let Some(counted) = &mut locked(&of).counted
        {
            counted.is_stale = true;
        }
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        let mut pilot = locked(&self.of);
        pilot.reserved -= self.bytes;
        if let Some(counted) = pilot.counted.as_mut().filter(|_| !self.is_used) {
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

    #[test]
    fn what_is_added_is_counted_again_only_near_the_limit() {
        let (usage, user) = (Usage::default(), UserId::from_key(1));
        let never = || -> Result<u64> { panic!("it is counted") };
        let add =
            |bytes, count: &dyn Fn() -> Result<u64>| usage.reserve(user, bytes, 100, count).map(Reservation::commit);
        assert_eq!(add(10, &|| Ok(50)), Ok(()));
        assert_eq!(add(40, &never), Ok(()));
        // The sum is only an upper bound, so it is counted anew.
        assert_eq!(add(10, &|| Ok(70)), Ok(()));
        assert_eq!(add(31, &never), Err(Error::QuotaUsedUp));
        assert_eq!(add(30, &|| Ok(80)), Err(Error::QuotaUsedUp));
        assert_eq!(add(30, &never), Err(Error::QuotaUsedUp));
        usage.mark_stale(user);
        assert_eq!(add(30, &|| Ok(20)), Ok(()));
    }

    #[test]
    fn what_is_being_added_at_once_never_passes_the_limit_together() {
        let (usage, user) = (Usage::default(), UserId::from_key(1));
        // None of the reserved bytes is stored yet when the count is made.
        let reserve = || usage.reserve(user, 10, 100, || Ok(5));
        let running = std::thread::scope(|scope| {
            let asked: Vec<_> = (0..30).map(|_| scope.spawn(reserve)).collect();
            asked
                .into_iter()
                .filter_map(|asked| asked.join().unwrap().ok())
                .collect::<Vec<_>>()
        });
        assert_eq!(running.len(), 9);
        usage.mark_stale(user);
        assert!(
            reserve().is_err(),
            "what was deleted doesn't make room for what is reserved"
        );
        // None of the reservations was used.
        drop(running);
        let never = || -> Result<u64> { panic!("it is counted") };
        assert!(usage.reserve(user, 95, 100, never).is_ok());
    }
}

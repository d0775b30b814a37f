//! How much room each pilot has used up, as far as it is known. It is counted seldom: what is added is added up, and
//! only when that could be too much, and something was deleted or the sum is only an upper bound, it is counted anew.
//! Of one pilot by one at a time: others wait for its count, so that they can't all fit by themselves.
//! Knows no table and no file.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::error::{Error, Result};
use crate::id::UserId;

/// A count that takes longer is made again only after so many times its duration: deleting and adding in turns keeps
/// nothing busy.
const QUICK: Duration = Duration::from_millis(100);
const PAUSE: u32 = 20;

/// The room that pilots use.
#[derive(Default)]
pub struct Usage(Mutex<HashMap<UserId, Arc<Mutex<OfPilot>>>>);

#[derive(Default)]
struct OfPilot {
    counted: Option<Counted>,
    /// Bytes that are being added now: a count may miss them.
    reserved: u64,
}

struct Counted {
    bytes: u64,
    /// Bytes added since, at most.
    added: u64,
    /// Whether something may have been deleted since.
    is_old: bool,
    at: Instant,
    took: Duration,
}

/// Bytes that a pilot is adding. Dropped without [`Reservation::used`] they weren't.
pub struct Reservation {
    of: Arc<Mutex<OfPilot>>,
    bytes: u64,
    is_used: bool,
}

impl Reservation {
    /// The bytes are there now, at most.
    pub fn used(mut self) {
        self.is_used = true;
    }
}

impl Counted {
    fn may_be_renewed(&self) -> bool {
        self.took < QUICK || self.at.elapsed() > self.took * PAUSE
    }
}

impl Usage {
    /// Reserves so many bytes for a pilot who adds them, unless that is more than the limit. `count` counts what the
    /// pilot has.
    ///
    /// # Errors
    /// [`Error::QuotaUsedUp`], or as `count`.
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
            Some(counted) if counted.bytes + bytes > limit && !(counted.is_old && counted.may_be_renewed()) => {
                return Err(Error::QuotaUsedUp);
            }
            _ => {
                let at = Instant::now();
                let has = count()?;
                let (fits, reserved) = (has + pilot.reserved + bytes <= limit, pilot.reserved);
                pilot.counted = Some(Counted {
                    bytes: has,
                    added: reserved + if fits { bytes } else { 0 },
                    is_old: false,
                    at,
                    took: at.elapsed(),
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

    /// A pilot may have deleted something.
    pub fn may_be_less(&self, user: UserId) {
        let of = locked(&self.0).get(&user).map(Arc::clone);
        if let Some(of) = of
            && let Some(counted) = &mut locked(&of).counted
        {
            counted.is_old = true;
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
            |bytes, count: &dyn Fn() -> Result<u64>| usage.reserve(user, bytes, 100, count).map(Reservation::used);
        assert_eq!(add(10, &|| Ok(50)), Ok(()));
        assert_eq!(add(40, &never), Ok(()));
        // The sum is an upper bound.
        assert_eq!(add(10, &|| Ok(70)), Ok(()));
        assert_eq!(add(31, &never), Err(Error::QuotaUsedUp));
        assert_eq!(add(30, &|| Ok(80)), Err(Error::QuotaUsedUp));
        assert_eq!(add(30, &never), Err(Error::QuotaUsedUp));
        usage.may_be_less(user);
        assert_eq!(add(30, &|| Ok(20)), Ok(()));
    }

    #[test]
    fn what_is_being_added_at_once_never_passes_the_limit_together() {
        let (usage, user) = (Usage::default(), UserId::from_key(1));
        // None of it is there yet when it is counted.
        let reserve = || usage.reserve(user, 10, 100, || Ok(5));
        let running = std::thread::scope(|scope| {
            let asked: Vec<_> = (0..30).map(|_| scope.spawn(reserve)).collect();
            asked
                .into_iter()
                .filter_map(|asked| asked.join().unwrap().ok())
                .collect::<Vec<_>>()
        });
        assert_eq!(running.len(), 9);
        usage.may_be_less(user);
        assert!(
            reserve().is_err(),
            "what was deleted doesn't make room for what is reserved"
        );
        // Nothing came of them.
        drop(running);
        let never = || -> Result<u64> { panic!("it is counted") };
        assert!(usage.reserve(user, 95, 100, never).is_ok());
    }
}

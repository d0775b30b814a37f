//! How much room each pilot has used up, as far as it is known. It is counted seldom: what is added is added up, and only when that could
//! be too much, and something was deleted or the sum is only an upper bound, it is counted anew. Knows no table and no file.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::error::{Error, Result};
use super::id::UserId;

/// A count that takes longer is made again only after so many times its duration: deleting and adding in turns keeps nothing busy.
const QUICK: Duration = Duration::from_millis(100);
const PAUSE: u32 = 20;

/// The room that pilots use.
#[derive(Default)]
pub struct Usage(Mutex<HashMap<UserId, Counted>>);

struct Counted {
    bytes: u64,
    /// Bytes added since, at most.
    added: u64,
    /// Whether something may have been deleted since.
    is_old: bool,
    at: Instant,
    took: Duration,
}

impl Counted {
    fn may_be_renewed(&self) -> bool {
        self.took < QUICK || self.at.elapsed() > self.took * PAUSE
    }
}

impl Usage {
    /// Takes notice that a pilot adds so many bytes, unless that is more than the limit. `count` counts what the pilot has.
    ///
    /// # Errors
    /// [`Error::QuotaUsedUp`], or as `count`.
    pub fn add(&self, user: UserId, bytes: u64, limit: u64, count: impl FnOnce() -> Result<u64>) -> Result<()> {
        if let Some(counted) = self.known().get_mut(&user) {
            if counted.bytes + counted.added + bytes <= limit {
                counted.added += bytes;
                return Ok(());
            }
            let is_too_much = counted.bytes + bytes > limit;
            if is_too_much && !(counted.is_old && counted.may_be_renewed()) {
                return Err(Error::QuotaUsedUp);
            }
        }
        let at = Instant::now();
        let has = count()?;
        let fits = has + bytes <= limit;
        let counted = Counted {
            bytes: has,
            added: if fits { bytes } else { 0 },
            is_old: false,
            at,
            took: at.elapsed(),
        };
        self.known().insert(user, counted);
        fits.then_some(()).ok_or(Error::QuotaUsedUp)
    }

    /// A pilot may have deleted something.
    pub fn may_be_less(&self, user: UserId) {
        if let Some(counted) = self.known().get_mut(&user) {
            counted.is_old = true;
        }
    }

    fn known(&self) -> MutexGuard<'_, HashMap<UserId, Counted>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_added_is_counted_again_only_near_the_limit() {
        let (usage, user) = (Usage::default(), UserId::from_key(1));
        let never = || -> Result<u64> { panic!("it is counted") };
        assert_eq!(usage.add(user, 10, 100, || Ok(50)), Ok(()));
        assert_eq!(usage.add(user, 40, 100, never), Ok(()));
        // The sum is an upper bound.
        assert_eq!(usage.add(user, 10, 100, || Ok(70)), Ok(()));
        assert_eq!(usage.add(user, 31, 100, never), Err(Error::QuotaUsedUp));
        assert_eq!(usage.add(user, 30, 100, || Ok(80)), Err(Error::QuotaUsedUp));
        assert_eq!(usage.add(user, 30, 100, never), Err(Error::QuotaUsedUp));
        usage.may_be_less(user);
        assert_eq!(usage.add(user, 30, 100, || Ok(20)), Ok(()));
    }
}

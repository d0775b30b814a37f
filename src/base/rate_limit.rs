//! Counts failed tries against limits in a sliding window of 15 minutes. Knows no password and no user.
//!
//! The counts live in memory: a restart forgets them. That gives an attacker who can restart the server a few tries more, and
//! spares the SD card a write for every wrong password.

use std::collections::{HashMap, VecDeque};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::base::error::{Error, Result};

const WINDOW: Duration = Duration::from_secs(15 * 60);
/// From this many keys on, those without a recent failure are forgotten.
const MANY_KEYS: usize = 10_000;

/// Recent tries by key.
#[derive(Default)]
pub struct Tries {
    recent: Mutex<HashMap<String, Recent>>,
    settled: Condvar,
}

#[derive(Default)]
struct Recent {
    failures: VecDeque<Instant>,
    running: usize,
}

/// A try whose outcome is open. Dropped without [`Try::succeed`] it is a failure.
pub struct Try<'t> {
    tries: &'t Tries,
    keys: Vec<String>,
    begun: Instant,
    failed: bool,
}

impl Tries {
    /// Begins a try that counts for each key, unless one of them has used up its failures. Many at once are no way around the limit:
    /// a try that could be one too many waits for the outcome of those before it.
    ///
    /// # Errors
    /// [`Error::TooManyTries`]; then nothing is counted.
    pub fn begin(&self, limits: &[(&str, usize)], now: Instant) -> Result<Try<'_>> {
        let mut recent = self.lock();
        if recent.len() >= MANY_KEYS {
            recent.retain(|_, tries| {
                tries.running > 0
                    || tries
                        .failures
                        .back()
                        .is_some_and(|last| now.duration_since(*last) < WINDOW)
            });
        }
        while must_wait(&mut recent, limits, now)? {
            recent = self.settled.wait(recent).unwrap_or_else(PoisonError::into_inner);
        }
        for (key, _) in limits {
            recent.entry((*key).to_owned()).or_default().running += 1;
        }
        Ok(Try {
            tries: self,
            keys: limits.iter().map(|(key, _)| (*key).to_owned()).collect(),
            begun: now,
            failed: true,
        })
    }

    /// Forgets all failures of a key.
    pub fn clear(&self, key: &str) {
        if let Some(tries) = self.lock().get_mut(key) {
            tries.failures.clear();
        }
        self.settled.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Recent>> {
        self.recent.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether the outcome of running tries decides if another one may begin.
fn must_wait(recent: &mut HashMap<String, Recent>, limits: &[(&str, usize)], now: Instant) -> Result<bool> {
    let mut wait = false;
    for (key, most) in limits {
        let Some(tries) = recent.get_mut(*key) else { continue };
        while tries
            .failures
            .front()
            .is_some_and(|first| now.duration_since(*first) >= WINDOW)
        {
            tries.failures.pop_front();
        }
        if let (true, Some(first)) = (tries.failures.len() >= *most, tries.failures.front()) {
            let wait = WINDOW.saturating_sub(now.duration_since(*first));
            return Err(Error::TooManyTries {
                retry_after_seconds: wait.as_secs().max(1),
            });
        }
        wait |= tries.failures.len() + tries.running >= *most;
    }
    Ok(wait)
}

impl Try<'_> {
    /// The try was no failure.
    pub fn succeed(mut self) {
        self.failed = false;
    }
}

impl Drop for Try<'_> {
    fn drop(&mut self) {
        let mut recent = self.tries.lock();
        for key in &self.keys {
            if let Some(tries) = recent.get_mut(key) {
                tries.running -= 1;
                if self.failed {
                    tries.failures.push_back(self.begun);
                }
            }
        }
        drop(recent);
        self.tries.settled.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_try_after_the_last_allowed_failure_waits_until_the_window_has_passed() {
        let tries = Tries::default();
        let start = Instant::now();
        for _ in 0..5 {
            drop(tries.begin(&[("a", 5)], start).unwrap());
        }
        let later = start + Duration::from_secs(60);
        assert_eq!(
            tries.begin(&[("a", 5)], later).err(),
            Some(Error::TooManyTries {
                retry_after_seconds: 14 * 60
            })
        );
        drop(tries.begin(&[("b", 5)], later).unwrap());
        drop(tries.begin(&[("a", 5)], start + WINDOW).unwrap());
    }

    #[test]
    fn a_refused_try_counts_for_no_key() {
        let tries = Tries::default();
        let now = Instant::now();
        drop(tries.begin(&[("full", 1)], now).unwrap());
        for _ in 0..3 {
            assert!(tries.begin(&[("other", 1), ("full", 1)], now).is_err());
        }
        drop(tries.begin(&[("other", 1)], now).unwrap());
    }

    #[test]
    fn successes_use_up_nothing_however_many_run_at_once() {
        let tries = Tries::default();
        let now = Instant::now();
        std::thread::scope(|scope| {
            for _ in 0..20 {
                scope.spawn(|| tries.begin(&[("a", 2)], now).unwrap().succeed());
            }
        });
        drop(tries.begin(&[("a", 1)], now).unwrap());
    }

    #[test]
    fn of_many_guesses_at_once_only_as_many_as_allowed_are_made() {
        let tries = Tries::default();
        let now = Instant::now();
        let made = std::thread::scope(|scope| {
            let guesses: Vec<_> = (0..50)
                .map(|_| scope.spawn(|| tries.begin(&[("a", 5)], now).map(drop).is_ok()))
                .collect();
            guesses
                .into_iter()
                .filter_map(|guess| guess.join().ok())
                .filter(|made| *made)
                .count()
        });
        assert_eq!(made, 5);
    }

    #[test]
    fn a_cleared_key_may_fail_as_often_as_a_new_one() {
        let tries = Tries::default();
        let now = Instant::now();
        drop(tries.begin(&[("a", 1)], now).unwrap());
        tries.clear("a");
        drop(tries.begin(&[("a", 1)], now).unwrap());
    }
}

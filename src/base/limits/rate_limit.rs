//! Limits failed attempts in a sliding window. Knows no password and no user.
//!
//! The counts live in memory: a restart forgets them. That gives an attacker who can restart the server a few more
//! attempts, and spares the SD card a write per wrong password.

use std::collections::{HashMap, VecDeque};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::error::{Error, Result};

const HOUR: Duration = Duration::from_secs(60 * 60);
const QUARTER: Duration = Duration::from_secs(15 * 60);
/// Number of keys from which on those without a recent failure are forgotten.
const MANY_KEYS: usize = 10_000;

/// How many failed attempts a key may have within a window.
#[derive(Debug, Clone, Copy)]
pub struct Limit<'k> {
    key: &'k str,
    most: usize,
    window: Duration,
}

impl<'k> Limit<'k> {
    /// A limit per quarter of an hour.
    #[must_use]
    pub const fn per_quarter_hour(key: &'k str, most: usize) -> Limit<'k> {
        let window = QUARTER;
        Limit { key, most, window }
    }

    /// A limit per hour.
    #[must_use]
    pub const fn per_hour(key: &'k str, most: usize) -> Limit<'k> {
        let window = HOUR;
        Limit { key, most, window }
    }
}

#[derive(Default)]
pub struct RateLimiter {
    recent: Mutex<HashMap<String, Recent>>,
    settled: Condvar,
}

#[derive(Default)]
struct Recent {
    failures: VecDeque<Instant>,
    running: usize,
}

/// A pending attempt. Dropped without [`Attempt::succeed`], it counts as a failure.
pub struct Attempt<'t> {
    limiter: &'t RateLimiter,
    keys: Vec<String>,
    begun: Instant,
    failed: bool,
}

impl RateLimiter {
    /// Begins an attempt that counts for each key, unless one of them has used up its failures. Parallel attempts can't
    /// evade the limit: one that could exceed it waits for the outcome of those before it.
    ///
    /// # Errors
    /// [`Error::RateLimited`]; nothing is counted then.
    pub fn begin(&self, limits: &[Limit<'_>], now: Instant) -> Result<Attempt<'_>> {
        let mut recent = self.lock();
        if recent.len() >= MANY_KEYS {
            recent.retain(|_, attempts| {
                attempts.running > 0
                    || attempts
                        .failures
                        .back()
                        .is_some_and(|last| now.duration_since(*last) < HOUR)
            });
        }
        while must_wait(&mut recent, limits, now)? {
            recent = self.settled.wait(recent).unwrap_or_else(PoisonError::into_inner);
        }
        for limit in limits {
            recent.entry(limit.key.to_owned()).or_default().running += 1;
        }
        Ok(Attempt {
            limiter: self,
            keys: limits.iter().map(|limit| limit.key.to_owned()).collect(),
            begun: now,
            failed: true,
        })
    }

    /// Returns the number of failures that a limit counts now.
    #[must_use]
    pub fn count(&self, limit: &Limit<'_>, now: Instant) -> usize {
        match self.lock().get_mut(limit.key) {
            Some(attempts) => attempts.count_within(limit.window, now),
            None => 0,
        }
    }

    /// Forgets all failures of a key.
    pub fn clear(&self, key: &str) {
        if let Some(attempts) = self.lock().get_mut(key) {
            attempts.failures.clear();
        }
        self.settled.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Recent>> {
        self.recent.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Recent {
    /// Forgets failures before the window and returns the number within it.
    fn count_within(&mut self, window: Duration, now: Instant) -> usize {
        while self
            .failures
            .front()
            .is_some_and(|first| now.duration_since(*first) >= window)
        {
            self.failures.pop_front();
        }
        self.failures.len()
    }
}

/// Returns whether the attempt has to wait for the outcome of running ones.
fn must_wait(recent: &mut HashMap<String, Recent>, limits: &[Limit<'_>], now: Instant) -> Result<bool> {
    let mut wait = false;
    for limit in limits {
        let Some(attempts) = recent.get_mut(limit.key) else {
            continue;
        };
        let failures = attempts.count_within(limit.window, now);
        if let (true, Some(first)) = (failures >= limit.most, attempts.failures.front()) {
            let wait = limit.window.saturating_sub(now.duration_since(*first));
            return Err(Error::RateLimited {
                retry_after_seconds: wait.as_secs().max(1),
            });
        }
        wait |= failures + attempts.running >= limit.most;
    }
    Ok(wait)
}

impl Attempt<'_> {
    /// Ends the attempt as a success.
    pub fn succeed(mut self) {
        self.failed = false;
    }
}

impl Drop for Attempt<'_> {
    fn drop(&mut self) {
        let mut recent = self.limiter.lock();
        for key in &self.keys {
            if let Some(attempts) = recent.get_mut(key) {
                attempts.running -= 1;
                if self.failed {
                    attempts.failures.push_back(self.begun);
                }
            }
        }
        drop(recent);
        self.limiter.settled.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quarter(key: &str, most: usize) -> Limit<'_> {
        Limit::per_quarter_hour(key, most)
    }

    #[test]
    fn the_attempt_after_the_last_allowed_failure_waits_until_the_window_has_passed() {
        let limiter = RateLimiter::default();
        let start = Instant::now();
        for _ in 0..5 {
            drop(limiter.begin(&[quarter("a", 5)], start).unwrap());
        }
        let later = start + Duration::from_secs(60);
        assert_eq!(
            limiter.begin(&[quarter("a", 5)], later).err(),
            Some(Error::RateLimited {
                retry_after_seconds: 14 * 60
            })
        );
        drop(limiter.begin(&[quarter("b", 5)], later).unwrap());
        drop(limiter.begin(&[quarter("a", 5)], start + QUARTER).unwrap());
    }

    #[test]
    fn a_refused_attempt_counts_for_no_key() {
        let limiter = RateLimiter::default();
        let now = Instant::now();
        drop(limiter.begin(&[quarter("full", 1)], now).unwrap());
        for _ in 0..3 {
            assert!(limiter.begin(&[quarter("other", 1), quarter("full", 1)], now).is_err());
        }
        drop(limiter.begin(&[quarter("other", 1)], now).unwrap());
    }

    #[test]
    fn successes_use_up_nothing_however_many_run_at_once() {
        let limiter = RateLimiter::default();
        let now = Instant::now();
        std::thread::scope(|scope| {
            for _ in 0..20 {
                scope.spawn(|| limiter.begin(&[quarter("a", 2)], now).unwrap().succeed());
            }
        });
        drop(limiter.begin(&[quarter("a", 1)], now).unwrap());
    }

    #[test]
    fn of_many_guesses_at_once_only_as_many_as_allowed_are_made() {
        let limiter = RateLimiter::default();
        let now = Instant::now();
        let made = std::thread::scope(|scope| {
            let guesses: Vec<_> = (0..50)
                .map(|_| scope.spawn(|| limiter.begin(&[quarter("a", 5)], now).map(drop).is_ok()))
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
    fn an_attempt_that_could_be_one_too_many_waits_for_those_before_it() {
        let limiter = RateLimiter::default();
        let now = Instant::now();
        for succeeds in [true, false] {
            limiter.clear("a");
            let mut running: Vec<_> = (0..5)
                .map(|_| limiter.begin(&[quarter("a", 5)], now).unwrap())
                .collect();
            std::thread::scope(|scope| {
                let next = scope.spawn(|| limiter.begin(&[quarter("a", 5)], now).map(Attempt::succeed).is_ok());
                // Long enough to begin if it doesn't wait.
                for _ in 0..10_000 {
                    std::thread::yield_now();
                }
                assert!(!next.is_finished());
                if succeeds {
                    running.remove(0).succeed();
                }
                running.clear();
                assert_eq!(next.join().unwrap(), succeeds);
            });
        }
    }

    #[test]
    fn a_cleared_key_may_fail_as_often_as_a_new_one() {
        let limiter = RateLimiter::default();
        let now = Instant::now();
        drop(limiter.begin(&[quarter("a", 1)], now).unwrap());
        limiter.clear("a");
        drop(limiter.begin(&[quarter("a", 1)], now).unwrap());
    }

    #[test]
    fn a_limit_for_an_hour_remembers_longer_and_answers_how_long_to_wait() {
        let limiter = RateLimiter::default();
        let start = Instant::now();
        let limit = Limit::per_hour("a", 2);
        for used in 0..2 {
            assert_eq!(limiter.count(&limit, start), used);
            drop(limiter.begin(&[limit], start).unwrap());
        }
        assert!(limiter.begin(&[limit], start + QUARTER).is_err());
        assert_eq!(limiter.count(&limit, start + HOUR), 0);
    }

    #[test]
    fn an_attempt_in_the_last_millisecond_of_a_window_waits_a_second() {
        let limiter = RateLimiter::default();
        let start = Instant::now();
        drop(limiter.begin(&[quarter("a", 1)], start).unwrap());
        let refused = limiter.begin(&[quarter("a", 1)], start + QUARTER - Duration::from_millis(1));
        assert_eq!(refused.err(), Some(Error::RateLimited { retry_after_seconds: 1 }));
    }

    #[test]
    fn of_many_keys_those_without_a_recent_failure_are_forgotten_but_for_attempts_that_run() {
        let limiter = RateLimiter::default();
        let start = Instant::now();
        let runs = limiter.begin(&[quarter("runs", 1)], start).unwrap();
        for number in 0..MANY_KEYS {
            drop(limiter.begin(&[quarter(&number.to_string(), 1)], start).unwrap());
        }
        drop(limiter.begin(&[quarter("recent", 1)], start + HOUR / 2).unwrap());
        drop(limiter.begin(&[quarter("new", 1)], start + HOUR).unwrap());
        let mut kept: Vec<_> = limiter.lock().keys().cloned().collect();
        kept.sort();
        assert_eq!(kept, ["new", "recent", "runs"]);
        drop(runs);
        assert!(limiter.begin(&[quarter("runs", 1)], start).is_err());
    }

    #[test]
    fn an_attempt_that_waits_goes_on_when_its_key_is_cleared() {
        let limiter = RateLimiter::default();
        let now = Instant::now();
        let limit = quarter("a", 2);
        for _ in 0..50 {
            drop(limiter.begin(&[limit], now).unwrap());
            let runs = limiter.begin(&[limit], now).unwrap();
            std::thread::scope(|scope| {
                let (about_to_wait, begins) = std::sync::mpsc::channel();
                let waits = scope.spawn({
                    let limiter = &limiter;
                    move || {
                        about_to_wait.send(()).unwrap();
                        limiter.begin(&[limit], now).map(Attempt::succeed)
                    }
                });
                begins.recv().unwrap();
                std::thread::yield_now();
                limiter.clear("a");
                let deadline = Instant::now() + Duration::from_secs(20);
                while !waits.is_finished() && Instant::now() < deadline {
                    std::thread::yield_now();
                }
                let has_gone_on = waits.is_finished();
                runs.succeed();
                assert!(has_gone_on);
            });
        }
    }
}

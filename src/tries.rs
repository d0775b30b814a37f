//! Counts tries against limits in a sliding window of 15 minutes. Knows no password and no user.
//!
//! The counts live in memory: a restart forgets them. That gives an attacker who can restart the server a few tries more, and
//! spares the SD card a write for every wrong password.

use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::error::{Error, Result};

const WINDOW: Duration = Duration::from_secs(15 * 60);
/// From this many keys on, those without a recent try are forgotten.
const MANY_KEYS: usize = 10_000;

/// Recent tries by key.
#[derive(Default)]
pub struct Tries {
    recent: Mutex<HashMap<String, VecDeque<Instant>>>,
}

impl Tries {
    /// Counts one try for each key, unless one of them has used up its limit. A try counts from its beginning, so that many at
    /// once count as many; one that succeeds is taken back.
    ///
    /// # Errors
    /// [`Error::TooManyTries`]; then nothing was counted.
    pub fn begin(&self, limits: &[(&str, usize)], now: Instant) -> Result<()> {
        let mut recent = self.lock();
        if recent.len() >= MANY_KEYS {
            recent.retain(|_, tries| tries.back().is_some_and(|last| now.duration_since(*last) < WINDOW));
        }
        for (key, most) in limits {
            let Some(tries) = recent.get_mut(*key) else { continue };
            while tries.front().is_some_and(|first| now.duration_since(*first) >= WINDOW) {
                tries.pop_front();
            }
            if let (true, Some(first)) = (tries.len() >= *most, tries.front()) {
                let wait = WINDOW.saturating_sub(now.duration_since(*first));
                return Err(Error::TooManyTries {
                    retry_after_seconds: wait.as_secs().max(1),
                });
            }
        }
        for (key, _) in limits {
            recent.entry((*key).to_owned()).or_default().push_back(now);
        }
        Ok(())
    }

    /// Takes back the latest try of a key.
    pub fn take_back(&self, key: &str) {
        let mut recent = self.lock();
        if let Some(tries) = recent.get_mut(key) {
            tries.pop_back();
        }
    }

    /// Forgets all tries of a key.
    pub fn clear(&self, key: &str) {
        self.lock().remove(key);
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, VecDeque<Instant>>> {
        self.recent.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_try_after_the_last_allowed_one_waits_until_the_window_has_passed() {
        let tries = Tries::default();
        let start = Instant::now();
        for _ in 0..5 {
            tries.begin(&[("a", 5)], start).unwrap();
        }
        let later = start + Duration::from_secs(60);
        assert_eq!(
            tries.begin(&[("a", 5)], later),
            Err(Error::TooManyTries {
                retry_after_seconds: 14 * 60
            })
        );
        tries.begin(&[("b", 5)], later).unwrap();
        tries.begin(&[("a", 5)], start + WINDOW).unwrap();
    }

    #[test]
    fn a_refused_try_counts_for_no_key() {
        let tries = Tries::default();
        let now = Instant::now();
        tries.begin(&[("full", 1)], now).unwrap();
        for _ in 0..3 {
            assert!(tries.begin(&[("other", 1), ("full", 1)], now).is_err());
        }
        tries.begin(&[("other", 1)], now).unwrap();
    }

    #[test]
    fn a_success_gives_its_try_back() {
        let tries = Tries::default();
        let now = Instant::now();
        for _ in 0..10 {
            tries.begin(&[("a", 1)], now).unwrap();
            tries.take_back("a");
        }
    }
}

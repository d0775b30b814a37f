//! Locks by key: work of one key runs one after another, work of different keys in parallel. Knows no work.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use tokio::sync::{Mutex as Lock, OwnedMutexGuard};

/// Number of keys from which on unused ones are forgotten.
const MANY_KEYS: usize = 256;

pub struct KeyedLock<K>(Mutex<HashMap<K, Weak<Lock<()>>>>);

impl<K> Default for KeyedLock<K> {
    fn default() -> KeyedLock<K> {
        KeyedLock(Mutex::default())
    }
}

impl<K: Eq + Hash> KeyedLock<K> {
    /// Waits asynchronously for the lock of a key.
    pub async fn lock(&self, key: K) -> OwnedMutexGuard<()> {
        self.of(key).lock_owned().await
    }

    fn of(&self, key: K) -> Arc<Lock<()>> {
        let mut locks = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if locks.len() >= MANY_KEYS {
            locks.retain(|_, lock| lock.strong_count() > 0);
        }
        let known = locks.entry(key).or_default();
        known.upgrade().unwrap_or_else(|| {
            let new = Arc::default();
            *known = Arc::downgrade(&new);
            new
        })
    }
}

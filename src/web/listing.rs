//! A list that is read from the store while it is sent. Knows no record.

use fluglog_base::error::Result;
use fluglog_store::{Snapshot, Store};

/// The items behind some ids, read a few at a time, each in its state at that time. Items deleted since the beginning
/// are left out, items created since then too.
pub struct LazyList<Id> {
    store: Store,
    /// Remaining ids in reverse order.
    remaining: Vec<Id>,
}

impl<Id> LazyList<Id> {
    #[must_use]
    pub fn of(store: &Store, mut ids: Vec<Id>) -> LazyList<Id> {
        ids.reverse();
        ids.shrink_to_fit();
        LazyList {
            store: store.clone(),
            remaining: ids,
        }
    }

    /// Returns the next items, for at most `most` ids at a time; an empty list is the end. `read` leaves out deleted
    /// items.
    ///
    /// # Errors
    /// Passes on the error of `read`.
    pub fn next<T>(&mut self, most: usize, read: impl Fn(&Snapshot<'_>, &[Id]) -> Result<Vec<T>>) -> Result<Vec<T>> {
        let mut found = Vec::new();
        while found.is_empty() && !self.remaining.is_empty() {
            let mut ids = self.remaining.split_off(self.remaining.len().saturating_sub(most));
            ids.reverse();
            found = self.store.read(|data| read(data, &ids))?;
        }
        Ok(found)
    }
}

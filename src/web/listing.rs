//! A list that is read while it is sent. Knows no record.

use fluglog_base::error::Result;
use fluglog_store::{Snapshot, Store};

/// The items behind some ids, read a few at a time: each that was there at the beginning and still is when its turn
/// comes, as it is then.
pub struct Listing<Id> {
    store: Store,
    /// The next one is the last one.
    left: Vec<Id>,
}

impl<Id> Listing<Id> {
    #[must_use]
    pub fn of(store: &Store, mut ids: Vec<Id>) -> Listing<Id> {
        ids.reverse();
        ids.shrink_to_fit();
        Listing {
            store: store.clone(),
            left: ids,
        }
    }

    /// The next items, of at most so many ids; none are left after none. `read` leaves out those that are gone.
    ///
    /// # Errors
    /// As `read`.
    pub fn next<T>(&mut self, most: usize, read: impl Fn(&Snapshot<'_>, &[Id]) -> Result<Vec<T>>) -> Result<Vec<T>> {
        let mut found = Vec::new();
        while found.is_empty() && !self.left.is_empty() {
            let mut ids = self.left.split_off(self.left.len().saturating_sub(most));
            ids.reverse();
            found = self.store.read(|data| read(data, &ids))?;
        }
        Ok(found)
    }
}

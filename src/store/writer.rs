//! A transaction that changes the database. Knows no table.

use std::cell::Cell;
use std::ops::Deref;

use redb::{ReadableTable, WriteTransaction};

use super::record::{self, Owned, Record};
use super::snapshot::{Snapshot, Transaction, unreadable};
use super::table::{Index, Key, KeyRange, OwnerKey};
use fluglog_base::error::{Error, Result};
use fluglog_base::id::OwnerId;

/// Space in the file that an addition leaves free, so that records can always be deleted.
const SPARE_BYTES: usize = 64 * 1024;

pub struct Writer<'t> {
    snapshot: Snapshot<'t>,
    pub(super) transaction: &'t WriteTransaction,
    pub(super) changed: Cell<bool>,
}

impl<'t> Deref for Writer<'t> {
    type Target = Snapshot<'t>;

    fn deref(&self) -> &Snapshot<'t> {
        &self.snapshot
    }
}

impl<'t> Writer<'t> {
    pub(super) fn new(transaction: &'t WriteTransaction) -> Writer<'t> {
        Writer {
            snapshot: Snapshot(Transaction::Write(transaction)),
            transaction,
            changed: Cell::new(false),
        }
    }

    /// Ensures that the file has `SPARE_BYTES` left, or can grow. Temporarily uses the key of a record that doesn't
    /// exist, and stores nothing.
    ///
    /// # Errors
    /// [`Error::Busy`] if there is less space and the file can't grow.
    pub fn ensure_spare_space<R: Record>(&self, key: R::Key) -> Result<()> {
        let mut table = self.transaction.open_table(R::TABLE.definition).map_err(unreadable)?;
        table.insert_reserve(key, SPARE_BYTES).map_err(unreadable)?;
        table.remove(key).map_err(unreadable)?;
        Ok(())
    }

    /// Stores a record, replacing an existing one. An identical record isn't written again.
    pub fn put<R: Record>(&self, key: R::Key, record: &R) -> Result<()> {
        let bytes = record::encode(key, record).map_err(Error::Internal)?;
        let mut table = self.transaction.open_table(R::TABLE.definition).map_err(unreadable)?;
        let is_there = |old: redb::AccessGuard<'_, &[u8]>| old.value() == bytes.as_slice();
        if table.get(key).map_err(unreadable)?.is_some_and(is_there) {
            return Ok(());
        }
        self.changed.set(true);
        table.insert(key, bytes.as_slice()).map_err(unreadable)?;
        Ok(())
    }

    /// Removes a record if it exists.
    pub fn remove<R: Record>(&self, key: R::Key) -> Result<()> {
        let mut table = self.transaction.open_table(R::TABLE.definition).map_err(unreadable)?;
        if table.remove(key).map_err(unreadable)?.is_some() {
            self.changed.set(true);
        }
        Ok(())
    }

    /// Removes the records in a range of keys.
    pub fn remove_range<R: Record>(&self, range: impl KeyRange<R::Key>) -> Result<()> {
        self.changed.set(true);
        let mut table = self.transaction.open_table(R::TABLE.definition).map_err(unreadable)?;
        table
            .retain_in::<R::Key, _>(range.bounds(), |_, _| false)
            .map_err(unreadable)
    }

    /// Removes the records of an owner.
    pub fn remove_of<R: Owned>(&self, owner: impl Into<OwnerId>) -> Result<()> {
        self.remove_range::<R>(R::Key::of(owner.into()))
    }

    /// Adds a key to an index.
    pub fn insert_key<K: Key>(&self, index: &Index<K>, key: K) -> Result<()> {
        self.changed.set(true);
        let mut table = self.transaction.open_table(index.definition).map_err(unreadable)?;
        table.insert(key, ()).map_err(unreadable)?;
        Ok(())
    }

    /// Removes a key from an index if it is there.
    pub fn remove_key<K: Key>(&self, index: &Index<K>, key: K) -> Result<()> {
        self.changed.set(true);
        let mut table = self.transaction.open_table(index.definition).map_err(unreadable)?;
        table.remove(key).map_err(unreadable)?;
        Ok(())
    }

    /// Removes the keys in a range from an index.
    pub fn remove_keys<K: Key>(&self, index: &Index<K>, range: impl KeyRange<K>) -> Result<()> {
        self.changed.set(true);
        let mut table = self.transaction.open_table(index.definition).map_err(unreadable)?;
        table
            .retain_in::<K, _>(range.bounds(), |_, ()| false)
            .map_err(unreadable)
    }
}

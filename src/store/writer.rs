//! A transaction that changes the database. Knows no table.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::ops::Deref;

use redb::{ReadableTable, Value, WriteTransaction};

use super::meter::Meter;
use super::record::{self, Owned, Record};
use super::snapshot::{Snapshot, Transaction, unreadable};
use super::table::{Index, Key, KeyRange, OwnerKey, TableOf};
use fluglog_base::error::{Error, Result};
use fluglog_base::id::OwnerId;

/// Space in the file that an addition leaves free, so that records can always be deleted.
const SPARE_BYTES: usize = 64 * 1024;

pub struct Writer<'t> {
    snapshot: Snapshot<'t>,
    pub(super) transaction: &'t WriteTransaction,
    pub(super) changed: Cell<bool>,
    growth: Cell<i64>,
    derived_last: RefCell<Derivations>,
    counts: RefCell<BTreeMap<Place, usize>>,
}

/// A table and a place in it.
type Place = (&'static str, (u128, u128));

/// Derivations at the end of a transaction, by the place of the derived record.
type Derivations = BTreeMap<Place, Derive>;

/// Derives the record under a key from the records that it follows from.
pub type Derive = fn(&Writer<'_>, (u128, u128)) -> Result<()>;

impl<'t> Deref for Writer<'t> {
    type Target = Snapshot<'t>;

    fn deref(&self) -> &Snapshot<'t> {
        &self.snapshot
    }
}

impl<'t> Writer<'t> {
    pub(super) fn new(transaction: &'t WriteTransaction) -> Writer<'t> {
        Writer::metered(transaction, Meter::default())
    }

    pub(super) fn metered(transaction: &'t WriteTransaction, meter: Meter) -> Writer<'t> {
        Writer {
            snapshot: Snapshot(Transaction::Write(transaction), meter),
            transaction,
            changed: Cell::new(false),
            growth: Cell::new(0),
            derived_last: RefCell::default(),
            counts: RefCell::default(),
        }
    }

    /// Returns how many records there are in a range, named by `place`, before one more is put there. Counts them once
    /// in a transaction, and takes removed ones for those that are there.
    pub fn count_before_adding<R: Record>(&self, place: (u128, u128), range: impl KeyRange<R::Key>) -> Result<usize> {
        let place = (R::TABLE.name(), place);
        let known = self.counts.borrow().get(&place).copied();
        let count = match known {
            Some(count) => count,
            None => self.count_keys(&R::TABLE, range)?,
        };
        self.counts.borrow_mut().insert(place, count + 1);
        Ok(count)
    }

    /// Derives a record when the work of this transaction is done: once, however many of the records it follows from
    /// change until then. Until then the record is as it was.
    pub fn derive_last<R: Record<Key = (u128, u128)>>(&self, key: R::Key, derive: Derive) {
        self.derived_last.borrow_mut().insert((R::TABLE.name(), key), derive);
    }

    /// Returns whether a record will be derived when the work of this transaction is done.
    #[must_use]
    pub fn will_derive<R: Record<Key = (u128, u128)>>(&self, key: R::Key) -> bool {
        self.derived_last.borrow().contains_key(&(R::TABLE.name(), key))
    }

    /// Derives what waits for the end of the work; a derivation may ask for more.
    pub(super) fn derive_all(&self) -> Result<()> {
        loop {
            let next = self.derived_last.borrow_mut().pop_first();
            let Some(((_, key), derive)) = next else {
                return Ok(());
            };
            derive(self, key)?;
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
        self.snapshot.1.count()?;
        let bytes = record::encode(key, record).map_err(Error::Internal)?;
        let mut table = self.transaction.open_table(R::TABLE.definition).map_err(unreadable)?;
        let mut replaced = 0;
        if let Some(old) = table.get(key).map_err(unreadable)? {
            if old.value() == bytes.as_slice() {
                return Ok(());
            }
            replaced = old.value().len();
        }
        self.changed.set(true);
        self.grow(bytes.len(), replaced);
        table.insert(key, bytes.as_slice()).map_err(unreadable)?;
        Ok(())
    }

    /// Removes a record if it exists.
    pub fn remove<R: Record>(&self, key: R::Key) -> Result<()> {
        self.snapshot.1.count()?;
        let mut table = self.transaction.open_table(R::TABLE.definition).map_err(unreadable)?;
        if let Some(old) = table.remove(key).map_err(unreadable)? {
            self.changed.set(true);
            self.grow(0, old.value().len());
        }
        Ok(())
    }

    /// Returns by how many bytes records have grown in this transaction, without those removed by ranges.
    #[must_use]
    pub fn growth(&self) -> i64 {
        self.growth.get()
    }

    fn grow(&self, now: usize, before: usize) {
        // A record has at most some megabytes.
        let bytes = |length: usize| i64::try_from(length).unwrap_or(i64::MAX);
        self.growth.set(self.growth.get() + bytes(now) - bytes(before));
    }

    /// Removes the records in a range of keys.
    pub fn remove_range<R: Record>(&self, range: impl KeyRange<R::Key>) -> Result<()> {
        self.changed.set(true);
        let mut table = self.transaction.open_table(R::TABLE.definition).map_err(unreadable)?;
        let mut counted = Ok(());
        let removed = table.retain_in::<R::Key, _>(range.bounds(), |_, _| self.stays(&mut counted));
        removed.map_err(unreadable).and(counted)
    }

    /// Gives the records in a range of keys other keys, such as those of another owner.
    pub fn rekey<R: Record>(&self, range: impl KeyRange<R::Key>, to: impl Fn(R::Key) -> R::Key) -> Result<()> {
        for (key, record) in self.scan::<R>(range)? {
            self.remove::<R>(key)?;
            self.put(to(key), &record)?;
        }
        Ok(())
    }

    /// Like [`Writer::rekey`], for an index.
    pub fn rekey_index<K: Key>(&self, index: &Index<K>, range: impl KeyRange<K>, to: impl Fn(K) -> K) -> Result<()> {
        for key in self.keys_ascending(index, range, usize::MAX)? {
            self.remove_key(index, key)?;
            self.insert_key(index, to(key))?;
        }
        Ok(())
    }

    /// Removes the records of an owner.
    pub fn remove_of<R: Owned>(&self, owner: impl Into<OwnerId>) -> Result<()> {
        self.remove_range::<R>(R::Key::of(owner.into()))
    }

    /// Adds a key to an index.
    pub fn insert_key<K: Key>(&self, index: &Index<K>, key: K) -> Result<()> {
        self.snapshot.1.count()?;
        self.changed.set(true);
        let mut table = self.transaction.open_table(index.definition).map_err(unreadable)?;
        table.insert(key, ()).map_err(unreadable)?;
        Ok(())
    }

    /// Removes a key from an index if it is there.
    pub fn remove_key<K: Key>(&self, index: &Index<K>, key: K) -> Result<()> {
        self.snapshot.1.count()?;
        self.changed.set(true);
        let mut table = self.transaction.open_table(index.definition).map_err(unreadable)?;
        table.remove(key).map_err(unreadable)?;
        Ok(())
    }

    /// Removes the keys in a range from an index.
    pub fn remove_keys<K: Key>(&self, index: &Index<K>, range: impl KeyRange<K>) -> Result<()> {
        self.changed.set(true);
        let mut table = self.transaction.open_table(index.definition).map_err(unreadable)?;
        let mut counted = Ok(());
        let removed = table.retain_in::<K, _>(range.bounds(), |_, ()| self.stays(&mut counted));
        removed.map_err(unreadable).and(counted)
    }

    /// Removes the rows under these keys, readable or not.
    pub(super) fn remove_rows<K: Key, V: Value>(&self, table: &TableOf<K, V>, keys: &[K]) -> Result<()> {
        let mut opened = self.transaction.open_table(table.definition).map_err(unreadable)?;
        for key in keys {
            self.snapshot.1.count()?;
            self.changed.set(true);
            opened.remove(*key).map_err(unreadable)?;
        }
        Ok(())
    }

    /// Counts a row of a range that is removed. Returns whether the row stays, because the work has taken too long.
    fn stays(&self, counted: &mut Result<()>) -> bool {
        if counted.is_ok() {
            *counted = self.snapshot.1.count();
        }
        counted.is_err()
    }
}

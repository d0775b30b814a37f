//! One state of the database, and what can be read of it.

use std::ops::{Bound, RangeBounds};

use redb::{ReadTransaction, ReadableTable, ReadableTableMetadata, WriteTransaction};

use super::record::{self, Record};
use super::table::{Index, Key, Table, shown};
use crate::base::error::{Error, Result};

/// One state of the database.
pub struct Snapshot<'t>(pub(super) Source<'t>);

pub(super) enum Source<'t> {
    Read(&'t ReadTransaction),
    Write(&'t WriteTransaction),
}

/// Runs an expression on an opened table, whichever kind of transaction it comes from.
macro_rules! on_table {
    ($source:expr, $definition:expr, |$table:ident| $work:expr) => {
        match &$source {
            Source::Read(transaction) => {
                let $table = transaction.open_table($definition).map_err(unreadable)?;
                $work
            }
            Source::Write(transaction) => {
                let $table = transaction.open_table($definition).map_err(unreadable)?;
                $work
            }
        }
    };
}

impl Snapshot<'_> {
    /// The record under this key.
    pub fn get<R: Record>(&self, key: R::Key) -> Result<Option<R>> {
        on_table!(self.0, R::TABLE.definition, |table| {
            match table.get(key).map_err(unreadable)? {
                Some(bytes) => decode(key, bytes.value()).map(Some),
                None => check_edges::<R>(&table, key..=key).map(|()| None),
            }
        })
    }

    /// The records under these keys, in their order. All of them must be there.
    ///
    /// # Errors
    /// Unreadable, damaged, or one is missing.
    pub fn get_all<R: Record>(&self, keys: impl IntoIterator<Item = R::Key>) -> Result<Vec<R>> {
        on_table!(self.0, R::TABLE.definition, |table| {
            keys.into_iter()
                .map(|key| match table.get(key).map_err(unreadable)? {
                    Some(bytes) => decode(key, bytes.value()),
                    None => Err(Error::Internal(format!(
                        "{}: an index names a missing record",
                        R::TABLE.name()
                    ))),
                })
                .collect()
        })
    }

    /// The records in a range of keys, in order.
    pub fn scan<R: Record>(&self, range: impl RangeBounds<R::Key>) -> Result<Vec<(R::Key, R)>> {
        let mut order = Order::new(R::TABLE.name(), &range);
        let ends = (range.start_bound().cloned(), range.end_bound().cloned());
        on_table!(self.0, R::TABLE.definition, |table| {
            check_edges::<R>(&table, ends)?;
            table
                .range::<R::Key>(range)
                .map_err(unreadable)?
                .map(|entry| {
                    let (key, bytes) = entry.map_err(unreadable)?;
                    let key = order.next(key.value())?;
                    Ok((key, decode(key, bytes.value())?))
                })
                .collect()
        })
    }

    /// The keys of an index in a range, last first, at most `most` of them.
    pub fn last_keys<K: Key>(&self, index: &Index<K>, range: impl RangeBounds<K>, most: usize) -> Result<Vec<K>> {
        let mut order = Order::new(index.name(), &range);
        on_table!(self.0, index.definition, |table| {
            table
                .range::<K>(range)
                .map_err(unreadable)?
                .rev()
                .take(most)
                .map(|entry| order.next_back(entry.map_err(unreadable)?.0.value()))
                .collect()
        })
    }

    /// How many keys an index has in a range.
    pub fn count_keys<K: Key>(&self, index: &Index<K>, range: impl RangeBounds<K>) -> Result<usize> {
        on_table!(self.0, index.definition, |table| {
            let mut keys = table.range::<K>(range).map_err(unreadable)?;
            keys.try_fold(0, |count, key| key.map(|_| count + 1).map_err(unreadable))
        })
    }

    /// The first key of an index in a range.
    pub fn first_key<K: Key>(&self, index: &Index<K>, range: impl RangeBounds<K>) -> Result<Option<K>> {
        on_table!(self.0, index.definition, |table| {
            let mut order = Order::new(index.name(), &range);
            let first = table.range::<K>(range).map_err(unreadable)?.next();
            first
                .map(|entry| order.next(entry.map_err(unreadable)?.0.value()))
                .transpose()
        })
    }

    /// Whether there is a record under this key, readable or not.
    pub fn has<K: Key>(&self, table: &Table<K>, key: K) -> Result<bool> {
        on_table!(self.0, table.definition, |table| Ok(table
            .get(key)
            .map_err(unreadable)?
            .is_some()))
    }

    /// How many records a table has.
    pub fn count<K: Key>(&self, table: &Table<K>) -> Result<u64> {
        on_table!(self.0, table.definition, |table| table.len().map_err(unreadable))
    }

    /// Hands out all rows of a table in order, readable as records or not.
    ///
    /// # Errors
    /// Unreadable, or what `visit` says.
    pub fn each_row<K: Key>(&self, table: &Table<K>, mut visit: impl FnMut(K, &[u8]) -> Result<()>) -> Result<()> {
        match &self.0 {
            Source::Read(transaction) => {
                let table = transaction.open_table(table.definition).map_err(unreadable)?;
                for row in table.iter().map_err(unreadable)? {
                    let (key, bytes) = row.map_err(unreadable)?;
                    visit(key.value(), bytes.value())?;
                }
                Ok(())
            }
            Source::Write(transaction) => {
                let mut rows = Vec::new();
                // A transaction that writes opens a table once at a time, and `visit` may want it.
                for row in transaction
                    .open_table(table.definition)
                    .map_err(unreadable)?
                    .iter()
                    .map_err(unreadable)?
                {
                    let (key, bytes) = row.map_err(unreadable)?;
                    rows.push((key.value(), bytes.value().to_vec()));
                }
                rows.into_iter().try_for_each(|(key, bytes)| visit(key, &bytes))
            }
        }
    }

    /// Hands out all keys of an index, in order.
    ///
    /// # Errors
    /// Unreadable, or what `visit` says.
    pub fn each_key<K: Key>(&self, index: &Index<K>, mut visit: impl FnMut(K) -> Result<()>) -> Result<()> {
        on_table!(self.0, index.definition, |table| {
            for key in table.iter().map_err(unreadable)? {
                visit(key.map_err(unreadable)?.0.value())?;
            }
            Ok(())
        })
    }
}

/// Sees that keys come in order, and within their range: a page of the database in a wrong place has right records with other keys.
pub(super) struct Order<K> {
    name: &'static str,
    start: Bound<K>,
    end: Bound<K>,
}

impl<K: Key> Order<K> {
    pub(super) fn new(name: &'static str, range: &impl RangeBounds<K>) -> Order<K> {
        Order {
            name,
            start: range.start_bound().cloned(),
            end: range.end_bound().cloned(),
        }
    }

    /// The next key from the front.
    pub(super) fn next(&mut self, key: K) -> Result<K> {
        self.within(key)?;
        self.start = Bound::Excluded(key);
        Ok(key)
    }

    /// The next key from the back.
    pub(super) fn next_back(&mut self, key: K) -> Result<K> {
        self.within(key)?;
        self.end = Bound::Excluded(key);
        Ok(key)
    }

    fn within(&self, key: K) -> Result<()> {
        if (self.start, self.end).contains(&key) {
            return Ok(());
        }
        Err(Error::Internal(format!(
            "{}: a key is in a wrong place",
            shown(self.name, key)
        )))
    }
}

/// Sees that nothing of a range is missing at its ends. redb looks for them among the keys: a damaged one leads it astray, and then the row beside
/// the end that it found is that one, or belongs into the range.
fn check_edges<R: Record>(
    table: &impl ReadableTable<R::Key, &'static [u8]>,
    range: impl RangeBounds<R::Key>,
) -> Result<()> {
    let before = match range.start_bound() {
        Bound::Unbounded => None,
        Bound::Included(start) => table
            .range((Bound::Unbounded, Bound::Excluded(*start)))
            .map_err(unreadable)?
            .next_back(),
        Bound::Excluded(start) => table
            .range((Bound::Unbounded, Bound::Included(*start)))
            .map_err(unreadable)?
            .next_back(),
    };
    let after = match range.end_bound() {
        Bound::Unbounded => None,
        Bound::Included(end) => table
            .range((Bound::Excluded(*end), Bound::Unbounded))
            .map_err(unreadable)?
            .next(),
        Bound::Excluded(end) => table
            .range((Bound::Included(*end), Bound::Unbounded))
            .map_err(unreadable)?
            .next(),
    };
    for row in [before, after].into_iter().flatten() {
        let (key, bytes) = row.map_err(unreadable)?;
        let key = key.value();
        if range.contains(&key) || record::proven(R::TABLE.name(), key, bytes.value()).is_none() {
            return Err(Error::Internal(format!(
                "{}: the record beside a range is damaged",
                shown(R::TABLE.name(), key)
            )));
        }
    }
    Ok(())
}

fn decode<R: Record>(key: R::Key, bytes: &[u8]) -> Result<R> {
    record::decode(key, bytes).map_err(Error::Internal)
}

/// An error of redb: of its file, after which it answers nothing any more, or of a damaged page.
pub(super) fn unreadable(error: impl Into<redb::Error>) -> Error {
    let error = error.into();
    let cause = format!("the database can't be used: {error}");
    match error {
        redb::Error::Io(_) | redb::Error::PreviousIo | redb::Error::DatabaseClosed | redb::Error::LockPoisoned(_) => {
            Error::Busy(cause)
        }
        _ => Error::Internal(cause),
    }
}

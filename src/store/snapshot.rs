//! A consistent state of the database, and reading from it.

use std::ops::RangeInclusive;

use redb::{ReadTransaction, ReadableTable, ReadableTableMetadata, Value, WriteTransaction};

use super::meter::Meter;
use super::record::{self, Owned, Record};
use super::table::{Index, Key, KeyRange, OwnerKey, Table, TableOf};
use fluglog_base::error::{Error, Result};
use fluglog_base::id::OwnerId;
use redb_file::guarded;

/// A consistent state of the database.
pub struct Snapshot<'t>(pub(super) Transaction<'t>, pub(super) Meter);

pub(super) enum Transaction<'t> {
    Read(&'t ReadTransaction),
    Write(&'t WriteTransaction),
}

/// Evaluates an expression on an opened table, for both kinds of transaction.
macro_rules! on_table {
    ($source:expr, $definition:expr, |$table:ident| $work:expr) => {
        match &$source {
            Transaction::Read(transaction) => {
                let $table = transaction.open_table($definition).map_err(unreadable)?;
                $work
            }
            Transaction::Write(transaction) => {
                let $table = transaction.open_table($definition).map_err(unreadable)?;
                $work
            }
        }
    };
}

impl Snapshot<'_> {
    /// Returns the number of rows read and written in this transaction so far, as a measure of its cost that doesn't
    /// depend on the machine.
    #[must_use]
    pub fn rows(&self) -> u64 {
        self.1.rows()
    }

    /// Reads the record under a key.
    pub fn get<R: Record>(&self, key: R::Key) -> Result<Option<R>> {
        self.1.count()?;
        let read = || {
            on_table!(self.0, R::TABLE.definition, |table| {
                match table.get(key).map_err(unreadable)? {
                    Some(bytes) => decode(key, bytes.value()).map(Some),
                    None => Ok(None),
                }
            })
        };
        match self.0 {
            // redb panics on a lost page; other pages can still be read.
            Transaction::Read(_) => guarded(read).unwrap_or_else(|panic| Err(Error::Internal(panic))),
            Transaction::Write(_) => read(),
        }
    }

    /// Reads the records under these keys, in the keys' order; `None` where there is none.
    pub fn get_each<R: Record>(&self, keys: impl IntoIterator<Item = R::Key>) -> Result<Vec<Option<R>>> {
        on_table!(self.0, R::TABLE.definition, |table| {
            keys.into_iter()
                .map(|key| {
                    self.1.count()?;
                    let bytes = table.get(key).map_err(unreadable)?;
                    bytes.map(|bytes| decode(key, bytes.value())).transpose()
                })
                .collect()
        })
    }

    /// Reads the records under these keys, in the keys' order. All must exist.
    ///
    /// # Errors
    /// A record is unreadable, damaged or missing.
    pub fn get_all<R: Record>(&self, keys: impl IntoIterator<Item = R::Key>) -> Result<Vec<R>> {
        let missing = || Error::Internal(format!("{}: an index names a missing record", R::TABLE.name()));
        let records = self.get_each(keys)?.into_iter();
        records.map(|record| record.ok_or_else(missing)).collect()
    }

    /// Reads those of the records under these keys that exist, in the keys' order.
    pub fn get_some<R: Record>(&self, keys: impl IntoIterator<Item = R::Key>) -> Result<Vec<(R::Key, R)>> {
        on_table!(self.0, R::TABLE.definition, |table| {
            keys.into_iter()
                .filter_map(
                    |key| match self.1.count().and_then(|()| table.get(key).map_err(unreadable)) {
                        Ok(Some(bytes)) => Some(decode(key, bytes.value()).map(|record| (key, record))),
                        Ok(None) => None,
                        Err(error) => Some(Err(error)),
                    },
                )
                .collect()
        })
    }

    /// Reads the records in a range of keys, in order.
    pub fn scan<R: Record>(&self, range: impl KeyRange<R::Key>) -> Result<Vec<(R::Key, R)>> {
        let mut records = Vec::new();
        self.each::<R>(range, |key, record| records.push((key, record)))?;
        Ok(records)
    }

    /// Reads the records of an owner, in order.
    pub fn of<R: Owned>(&self, owner: impl Into<OwnerId>) -> Result<Vec<(R::Key, R)>> {
        self.scan::<R>(R::Key::of(owner.into()))
    }

    /// Calls `look` for each record in a range of keys, in order, with only one record in memory at a time.
    pub fn each<R: Record>(&self, range: impl KeyRange<R::Key>, mut look: impl FnMut(R::Key, R)) -> Result<()> {
        on_table!(self.0, R::TABLE.definition, |table| {
            for entry in table.range::<R::Key>(range.bounds()).map_err(unreadable)? {
                let (key, bytes) = entry.map_err(unreadable)?;
                self.1.count()?;
                let key = key.value();
                look(key, decode(key, bytes.value())?);
            }
            Ok(())
        })
    }

    /// Returns at most `most` keys of a table or index in a range, in descending order.
    pub fn keys_descending<K: Key, V: Value>(
        &self,
        index: &TableOf<K, V>,
        range: impl KeyRange<K>,
        most: usize,
    ) -> Result<Vec<K>> {
        on_table!(self.0, index.definition, |table| {
            table
                .range::<K>(range.bounds())
                .map_err(unreadable)?
                .rev()
                .take(most)
                .map(|entry| self.1.count().and_then(|()| Ok(entry.map_err(unreadable)?.0.value())))
                .collect()
        })
    }

    /// Returns at most `most` keys of a table or index in a range, in ascending order.
    pub fn keys_ascending<K: Key, V: Value>(
        &self,
        keyed: &TableOf<K, V>,
        range: impl KeyRange<K>,
        most: usize,
    ) -> Result<Vec<K>> {
        on_table!(self.0, keyed.definition, |table| {
            table
                .range::<K>(range.bounds())
                .map_err(unreadable)?
                .take(most)
                .map(|entry| self.1.count().and_then(|()| Ok(entry.map_err(unreadable)?.0.value())))
                .collect()
        })
    }

    /// Counts the keys of a table or index in a range.
    pub fn count_keys<K: Key, V: Value>(&self, keyed: &TableOf<K, V>, range: impl KeyRange<K>) -> Result<usize> {
        on_table!(self.0, keyed.definition, |table| {
            let mut keys = table.range::<K>(range.bounds()).map_err(unreadable)?;
            keys.try_fold(0, |count, key| {
                self.1.count()?;
                key.map(|_| count + 1).map_err(unreadable)
            })
        })
    }

    /// Returns the first key of an index in each range.
    pub fn first_keys<K: Key, R: KeyRange<K>>(
        &self,
        index: &Index<K>,
        ranges: impl IntoIterator<Item = R>,
    ) -> Result<Vec<Option<K>>> {
        on_table!(self.0, index.definition, |table| {
            ranges
                .into_iter()
                .map(|range| {
                    let first = table.range::<K>(range.bounds()).map_err(unreadable)?.next();
                    first.map(|entry| Ok(entry.map_err(unreadable)?.0.value())).transpose()
                })
                .collect()
        })
    }

    /// Returns the first key of an index in a range.
    pub fn first_key<K: Key>(&self, index: &Index<K>, range: impl KeyRange<K>) -> Result<Option<K>> {
        Ok(self.first_keys(index, [range])?.pop().flatten())
    }

    /// Returns the keys of the records in a range.
    pub fn record_keys<K: Key>(&self, table: &Table<K>, range: impl KeyRange<K>) -> Result<Vec<K>> {
        self.keys_ascending(table, range, usize::MAX)
    }

    /// Returns whether there is a record under this key, readable or not.
    pub fn has<K: Key>(&self, table: &Table<K>, key: K) -> Result<bool> {
        on_table!(self.0, table.definition, |table| Ok(table
            .get(key)
            .map_err(unreadable)?
            .is_some()))
    }

    /// Returns whether there are records under all these keys, without decoding any.
    pub fn has_all<K: Key>(&self, table: &Table<K>, keys: impl IntoIterator<Item = K>) -> Result<bool> {
        on_table!(self.0, table.definition, |table| {
            for key in keys {
                if table.get(key).map_err(unreadable)?.is_none() {
                    return Ok(false);
                }
            }
            Ok(true)
        })
    }

    /// Counts the records of a table.
    pub fn count<K: Key>(&self, table: &Table<K>) -> Result<u64> {
        on_table!(self.0, table.definition, |table| table.len().map_err(unreadable))
    }

    /// Calls `visit` for all rows of a table or index in order, without decoding them.
    ///
    /// # Errors
    /// The table is unreadable, or the error of `visit`.
    pub fn each_row<K: Key, V: Value>(
        &self,
        keyed: &TableOf<K, V>,
        mut visit: impl FnMut(K, &[u8]) -> Result<()>,
    ) -> Result<()> {
        self.each_row_of_kind(keyed, &mut visit)
    }

    /// Compiled once for each kind of key, not for each caller.
    fn each_row_of_kind<K: Key, V: Value>(
        &self,
        keyed: &TableOf<K, V>,
        visit: &mut dyn FnMut(K, &[u8]) -> Result<()>,
    ) -> Result<()> {
        match &self.0 {
            Transaction::Read(transaction) => {
                let table = transaction.open_table(keyed.definition).map_err(unreadable)?;
                for row in table.iter().map_err(unreadable)? {
                    let (key, bytes) = row.map_err(unreadable)?;
                    visit(key.value(), V::as_bytes(&bytes.value()).as_ref())?;
                }
                Ok(())
            }
            Transaction::Write(transaction) => {
                let mut rows = Vec::new();
                // Collected first: a write transaction can't open a table twice at a time, and `visit` may open it.
                for row in transaction
                    .open_table(keyed.definition)
                    .map_err(unreadable)?
                    .iter()
                    .map_err(unreadable)?
                {
                    let (key, bytes) = row.map_err(unreadable)?;
                    rows.push((key.value(), V::as_bytes(&bytes.value()).as_ref().to_vec()));
                }
                rows.into_iter().try_for_each(|(key, bytes)| visit(key, &bytes))
            }
        }
    }

    /// Returns the total size of keys and values in a range.
    pub(super) fn bytes_of_rows<K: Key, V: Value>(
        &self,
        keyed: &TableOf<K, V>,
        range: RangeInclusive<K>,
    ) -> Result<u64> {
        on_table!(self.0, keyed.definition, |table| {
            let mut rows = table.range::<K>(range).map_err(unreadable)?;
            rows.try_fold(0, |sum, row| {
                let (_, value) = row.map_err(unreadable)?;
                Ok(sum + (size_of::<K>() + V::as_bytes(&value.value()).as_ref().len()) as u64)
            })
        })
    }
}

fn decode<R: Record>(key: R::Key, bytes: &[u8]) -> Result<R> {
    record::decode(key, bytes).map_err(Error::Internal)
}

/// Converts an error of redb. I/O errors, after which redb fails every later operation, become [`Error::Busy`]; damaged
/// pages become [`Error::Internal`].
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

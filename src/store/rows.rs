//! All tables as rows of bytes, for archives and for creating tables. Knows no topic and no record.

use redb::{Value, WriteTransaction};
use redb_file::{Proof, RowProof};

use super::record;
use super::snapshot::{Snapshot, unreadable};
use super::table::{Key, Scope, TableOf, of_owner};
use super::writer::Writer;
use fluglog_base::error::{Error, Result};

/// Callback for rows: key and value as bytes.
pub(crate) type RowVisitor<'v> = &'v mut dyn FnMut(&[u8], &[u8]) -> Result<()>;

/// A table or an index, whatever its keys are.
pub trait Rows: RowProof {
    /// The table's name in the database and in an archive.
    fn name(&self) -> &'static str;

    /// Creates the table if it doesn't exist: a read transaction can't open a missing table.
    fn create(&self, transaction: &WriteTransaction) -> Result<()>;

    /// Removes all rows.
    fn clear(&self, transaction: &WriteTransaction) -> Result<()>;

    /// Calls `visit` for all rows, in order.
    ///
    /// # Errors
    /// The table is unreadable, or the error of `visit`.
    fn each(&self, data: &Snapshot<'_>, visit: RowVisitor<'_>) -> Result<()>;

    /// Inserts rows. Values are not checked.
    ///
    /// # Errors
    /// [`Error::Internal`] if a key isn't valid for the table, or the database can't be written.
    fn insert(&self, transaction: &WriteTransaction, rows: &[(&[u8], &[u8])]) -> Result<()>;

    /// Returns the total size of the rows whose keys begin with this owner.
    fn bytes_of(&self, data: &Snapshot<'_>, owner: u128) -> Result<u64>;

    /// Removes at most `most` rows whose keys begin with this owner. Returns their number.
    ///
    /// # Errors
    /// The database can't be written.
    fn remove_of(&self, writer: &Writer<'_>, owner: u128, most: usize) -> Result<usize>;

    /// Returns the owner of the rows.
    fn scope(&self) -> Scope;

    /// Returns whether it is an index: keys without values, derived from records.
    fn is_index(&self) -> bool;
}

fn key_of_redb<K: Key>(bytes: &[u8]) -> Option<K> {
    (K::fixed_width() == Some(bytes.len())).then(|| K::from_bytes(bytes))
}

fn key_bytes<K: Key>(key: K) -> Vec<u8> {
    let mut bytes = Vec::new();
    key.bytes(&mut |part| bytes.extend_from_slice(part));
    bytes
}

impl<K: Key, V: Value + 'static> Rows for TableOf<K, V> {
    fn name(&self) -> &'static str {
        self.name()
    }

    fn create(&self, transaction: &WriteTransaction) -> Result<()> {
        transaction.open_table(self.definition).map(drop).map_err(unreadable)
    }

    fn clear(&self, transaction: &WriteTransaction) -> Result<()> {
        transaction.delete_table(self.definition).map_err(unreadable)?;
        self.create(transaction)
    }

    fn each(&self, data: &Snapshot<'_>, visit: RowVisitor<'_>) -> Result<()> {
        let mut key_bytes = Vec::new();
        data.each_row(self, |key, value| {
            key_bytes.clear();
            key.bytes(&mut |part| key_bytes.extend_from_slice(part));
            visit(&key_bytes, value)
        })
    }

    fn insert(&self, transaction: &WriteTransaction, rows: &[(&[u8], &[u8])]) -> Result<()> {
        let mut table = transaction.open_table(self.definition).map_err(unreadable)?;
        for (key, value) in rows {
            table
                .insert(key_in::<K>(self.name(), key)?, V::from_bytes(value))
                .map_err(unreadable)?;
        }
        Ok(())
    }

    fn bytes_of(&self, data: &Snapshot<'_>, owner: u128) -> Result<u64> {
        of_owner(owner).map_or(Ok(0), |keys| data.bytes_of_rows(self, keys))
    }

    fn remove_of(&self, writer: &Writer<'_>, owner: u128, most: usize) -> Result<usize> {
        let Some(range) = of_owner(owner) else { return Ok(0) };
        let keys = writer.keys_ascending(self, range, most)?;
        writer.remove_rows(self, &keys)?;
        Ok(keys.len())
    }

    fn scope(&self) -> Scope {
        self.scope()
    }

    fn is_index(&self) -> bool {
        V::fixed_width() == Some(0)
    }
}

/// Keys in the encoding of archives. Records prove themselves by their checksum; the keys of an index don't.
impl<K: Key, V: Value + 'static> RowProof for TableOf<K, V> {
    fn key_bytes(&self) -> usize {
        K::fixed_width().unwrap_or(0)
    }

    fn key(&self, key: &[u8]) -> Option<Vec<u8>> {
        key_of_redb::<K>(key).map(key_bytes)
    }

    fn proof(&self, key: &[u8], value: &[u8]) -> Option<(Vec<u8>, Proof)> {
        let key = key_of_redb::<K>(key).filter(|_| !self.is_index())?;
        Some((key_bytes(key), record::proven(self.name(), key, value)?))
    }
}

fn key_in<K: Key>(table: &str, mut bytes: &[u8]) -> Result<K> {
    K::take(&mut bytes)
        .filter(|_| bytes.is_empty())
        .ok_or_else(|| Error::Internal(format!("{table}: a key has a wrong length")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::KeyPart;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_key_comes_back_from_its_bytes(key: (u128, u128, u8, i64, u128)) {
            let mut bytes = Vec::new();
            key.bytes(&mut |part| bytes.extend_from_slice(part));
            prop_assert_eq!(bytes.len(), 16 + 16 + 1 + 8 + 16);
            prop_assert_eq!(key_in::<(u128, u128, u8, i64, u128)>("t", &bytes), Ok(key));
            bytes.push(0);
            prop_assert!(key_in::<(u128, u128, u8, i64, u128)>("t", &bytes).is_err());
            prop_assert!(key_in::<(u128, u128, u8, i64, u128)>("t", &bytes[..40]).is_err());
        }
    }
}

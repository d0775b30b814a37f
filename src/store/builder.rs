//! A database that is filled from an archive, table by table, before it is used. Knows no archive.

use std::fs::{self, OpenOptions};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use redb::backends::InMemoryBackend;
use redb::{Database, ReadableDatabase};

use super::meter::Meter;
use super::opening::{OpenError, builder};
use super::rows::Rows;
use super::snapshot::{Snapshot, Transaction, unreadable};
use super::writer::Writer;
use super::{migrations, schema};
use fluglog_base::error::{Error, Result};
use fluglog_base::id::new_uuid;

pub struct DatabaseBuilder {
    database: Database,
}

impl DatabaseBuilder {
    /// Creates a database in memory.
    ///
    /// # Errors
    /// Not enough memory.
    pub fn in_memory() -> Result<DatabaseBuilder> {
        let database = redb::Builder::new()
            .create_with_backend(InMemoryBackend::new())
            .map_err(unreadable)?;
        Ok(DatabaseBuilder { database })
    }

    /// Creates a database in an unlinked file in this folder, which disappears when it is closed.
    ///
    /// # Errors
    /// The folder can't be written.
    #[expect(clippy::disallowed_methods, reason = "a fresh name, of the file that was just made")]
    pub fn on_disk(folder: &Path) -> Result<DatabaseBuilder> {
        let path = folder.join(format!(".{}", new_uuid()));
        let opened = OpenOptions::new()
            .read(true)
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(&path)
            .and_then(|file| fs::remove_file(&path).map(|()| file));
        let file = opened.map_err(|error| Error::Internal(format!("{}: {error}", path.display())))?;
        let database = builder().create_file(file).map_err(unreadable)?;
        Ok(DatabaseBuilder { database })
    }

    /// Creates a database in a new file.
    ///
    /// # Errors
    /// The file can't be written.
    pub fn at(file: &Path) -> Result<DatabaseBuilder> {
        let database = builder().create(file).map_err(unreadable)?;
        Ok(DatabaseBuilder { database })
    }

    /// Inserts rows into a table, in a transaction of their own: a single one for everything would leave the file
    /// larger than its content.
    ///
    /// # Errors
    /// [`Error::Internal`] if there is no such table, a key isn't valid for it, or the database can't be written.
    pub fn insert(&self, table: &str, rows: &[(&[u8], &[u8])]) -> Result<()> {
        let known = schema::ALL.iter().find(|known| known.name() == table);
        let table = known.ok_or_else(|| Error::Internal(format!("{table} is no table")))?;
        let transaction = self.database.begin_write().map_err(unreadable)?;
        table.insert(&transaction, rows)?;
        transaction.commit().map_err(unreadable)
    }

    /// Migrates the content to the schema of this version.
    ///
    /// # Errors
    /// The content isn't a Fluglog database, or one of a newer version.
    pub fn complete(&self) -> std::result::Result<(), OpenError> {
        migrations::prepare(&self.database, None)
    }

    /// Empties these tables.
    ///
    /// # Errors
    /// The database can't be written.
    pub fn clear(&self, tables: &[&dyn Rows]) -> Result<()> {
        let transaction = self.database.begin_write().map_err(unreadable)?;
        tables.iter().try_for_each(|table| table.clear(&transaction))?;
        transaction.commit().map_err(unreadable)
    }

    /// Changes the content.
    ///
    /// # Errors
    /// The error of `work`, or the database can't be written.
    pub fn write<T>(&self, work: impl FnOnce(&Writer<'_>) -> Result<T>) -> Result<T> {
        let transaction = self.database.begin_write().map_err(unreadable)?;
        let writer = Writer::new(&transaction);
        let value = work(&writer)?;
        writer.derive_all()?;
        transaction.commit().map_err(unreadable)?;
        Ok(value)
    }

    /// Reads the content.
    ///
    /// # Errors
    /// The error of `work`, or the database can't be read.
    pub fn read<T>(&self, work: impl FnOnce(&Snapshot<'_>) -> Result<T>) -> Result<T> {
        let transaction = self.database.begin_read().map_err(unreadable)?;
        work(&Snapshot(Transaction::Read(&transaction), Meter::default()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::encode;
    use crate::tests::{Note, note};

    type Row = (Vec<u8>, Vec<u8>);

    fn rows_of(loading: &DatabaseBuilder, table: &dyn Rows) -> Vec<Row> {
        let mut rows = Vec::new();
        let mut visit = |key: &[u8], value: &[u8]| {
            rows.push((key.to_vec(), value.to_vec()));
            Ok(())
        };
        loading.read(|data| table.each(data, &mut visit)).unwrap();
        rows
    }

    fn bytes_of(loading: &DatabaseBuilder, table: &dyn Rows, owner: u128) -> u64 {
        loading.read(|data| table.bytes_of(data, owner)).unwrap()
    }

    fn insert(loading: &DatabaseBuilder, table: &dyn Rows, rows: &[Row]) {
        let rows: Vec<_> = rows
            .iter()
            .map(|(key, value)| (key.as_slice(), value.as_slice()))
            .collect();
        loading.insert(table.name(), &rows).unwrap();
    }

    fn loadings() -> (tempfile::TempDir, [DatabaseBuilder; 2]) {
        let directory = tempfile::tempdir().unwrap();
        let file = DatabaseBuilder::at(&directory.path().join("loading.redb")).unwrap();
        (directory, [DatabaseBuilder::in_memory().unwrap(), file])
    }

    #[test]
    fn rows_are_read_back_measured_and_cleared() {
        let (table, index): (&dyn Rows, &dyn Rows) = (&schema::EQUIPMENT, &schema::FLIGHTS_BY_START);
        let record = |owner: u128, id: u128| {
            let key = [owner.to_be_bytes(), id.to_be_bytes()].concat();
            (key, encode((owner, id), &note("Notiz")).unwrap())
        };
        let records = [record(1, 1), record(1, 2), record(2, 1)];
        // Signed integers are stored with their first bit flipped, so that keys sort as numbers.
        let minutes = 5u64 | 1 << 63;
        let place = [&1u128.to_be_bytes()[..], &minutes.to_be_bytes(), &9u128.to_be_bytes()].concat();
        let places = [(place, Vec::new())];
        let (_directory, loadings) = loadings();
        for loading in &loadings {
            insert(loading, table, &records);
            insert(loading, index, &places);
            assert_eq!(
                (rows_of(loading, table), rows_of(loading, index)),
                (records.to_vec(), places.to_vec())
            );
            let bytes = |owner| (bytes_of(loading, table, owner), bytes_of(loading, index, owner));
            let of_one = (records[0].0.len() + records[0].1.len()) as u64;
            assert_eq!((bytes(1).0, bytes(2).0, bytes(3)), (2 * of_one, of_one, (0, 0)));
            assert_eq!((bytes(1).1, bytes(2).1), (size_of::<(u128, i64, u128)>() as u64, 0));
            loading.clear(&[index]).unwrap();
            assert_eq!((rows_of(loading, table).len(), rows_of(loading, index).len()), (3, 0));
            loading.clear(&[table]).unwrap();
            assert!(rows_of(loading, table).is_empty());
        }
        assert_eq!((table.is_index(), index.is_index()), (false, true));
    }

    #[test]
    fn what_is_no_row_of_a_table_is_refused() {
        let loading = DatabaseBuilder::in_memory().unwrap();
        for (table, key) in [
            ("nie", [0; 32].as_slice()),
            ("equipment", &[0; 31]),
            ("flights_by_start", &[0; 41]),
        ] {
            assert!(
                matches!(loading.insert(table, &[(key, &[])]), Err(Error::Internal(_))),
                "{table}"
            );
        }
    }

    #[test]
    fn a_change_counts_as_a_whole() {
        let loading = DatabaseBuilder::in_memory().unwrap();
        insert(&loading, &schema::EQUIPMENT, &[]);
        let got = |loading: &DatabaseBuilder| loading.read(|data| data.get::<Note>((1, 1))).unwrap();
        let failed = loading.write(|writer| {
            writer.put((1, 1), &note("halb"))?;
            Err::<(), _>(Error::Conflict("nein"))
        });
        assert_eq!((failed, got(&loading)), (Err(Error::Conflict("nein")), None));
        assert_eq!(
            loading.write(|writer| writer.put((1, 1), &note("ganz")).map(|()| 7)),
            Ok(7)
        );
        assert_eq!(got(&loading), Some(note("ganz")));
    }

    #[test]
    fn a_complete_database_says_its_schema() {
        let loading = DatabaseBuilder::in_memory().unwrap();
        insert(&loading, &schema::META, &[]);
        assert!(rows_of(&loading, &schema::META).is_empty());
        loading.complete().unwrap();
        assert_eq!(rows_of(&loading, &schema::META).len(), 1);
    }
}

//! A database that is filled from an archive, table by table, before anybody may use it. Knows no archive.

use std::path::Path;

use redb::backends::InMemoryBackend;
use redb::{Database, ReadableDatabase};

use super::opening::{CACHE_BYTES, OpenError};
use super::rows::Rows;
use super::snapshot::{Snapshot, Source, unreadable};
use super::writer::Writer;
use super::{migrations, schema};
use crate::base::error::{Error, Result};

/// A database that is being filled.
pub struct Loading {
    database: Database,
}

impl Loading {
    /// One that is gone afterwards.
    ///
    /// # Errors
    /// The memory is too small.
    pub fn in_memory() -> Result<Loading> {
        let database = redb::Builder::new()
            .create_with_backend(InMemoryBackend::new())
            .map_err(unreadable)?;
        Ok(Loading { database })
    }

    /// One in a new file.
    ///
    /// # Errors
    /// The file can't be written.
    pub fn at(file: &Path) -> Result<Loading> {
        let database = redb::Builder::new()
            .set_cache_size(CACHE_BYTES)
            .create(file)
            .map_err(unreadable)?;
        Ok(Loading { database })
    }

    /// Puts rows into a table. One transaction for everything would make the file larger than what it holds.
    ///
    /// # Errors
    /// [`Error::Internal`] when there is no such table or a key is none of it, or the database can't be written.
    pub fn insert(&self, table: &str, rows: &[(&[u8], &[u8])]) -> Result<()> {
        let known = schema::ALL.iter().find(|known| known.name() == table);
        let table = known.ok_or_else(|| Error::Internal(format!("{table} is no table")))?;
        let transaction = self.database.begin_write().map_err(unreadable)?;
        table.insert(&transaction, rows)?;
        transaction.commit().map_err(unreadable)
    }

    /// Brings what was put in to the schema of this version.
    ///
    /// # Errors
    /// It is no database of ours, or of a newer version.
    pub fn complete(&self) -> std::result::Result<(), OpenError> {
        migrations::prepare(&self.database, None)
    }

    /// Removes what was put into these tables.
    ///
    /// # Errors
    /// The database can't be written.
    pub fn clear(&self, tables: &[&dyn Rows]) -> Result<()> {
        let transaction = self.database.begin_write().map_err(unreadable)?;
        tables.iter().try_for_each(|table| table.clear(&transaction))?;
        transaction.commit().map_err(unreadable)
    }

    /// Changes what was put in.
    ///
    /// # Errors
    /// As `work`, or the database can't be written.
    pub fn write<T>(&self, work: impl FnOnce(&Writer<'_>) -> Result<T>) -> Result<T> {
        let transaction = self.database.begin_write().map_err(unreadable)?;
        let value = work(&Writer::new(&transaction))?;
        transaction.commit().map_err(unreadable)?;
        Ok(value)
    }

    /// Reads what was put in.
    ///
    /// # Errors
    /// As `work`, or an unreadable database.
    pub fn read<T>(&self, work: impl FnOnce(&Snapshot<'_>) -> Result<T>) -> Result<T> {
        let transaction = self.database.begin_read().map_err(unreadable)?;
        work(&Snapshot(Source::Read(&transaction)))
    }
}

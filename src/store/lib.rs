//! The database: opening, reading, writing. The only user of redb. Knows no topic.
//!
//! Work is a closure over a transaction. A read sees one consistent state. Writes that arrive together share one
//! commit, and so one sync of the disk; a caller gets its result only after that commit is durable. A failed write
//! changes nothing.
//!
//! Every read and write may find the database unreadable ([`Error::Busy`]) or a record damaged ([`Error::Internal`]):
//! `# Errors` sections list only other errors.

// Tests remove and rename what they made.
#![cfg_attr(test, allow(clippy::disallowed_methods))]

pub mod blobs;
pub mod damaged;
pub mod findings;
pub mod builder;
pub mod migrations;
mod opened;
mod opening;
pub mod record;
pub mod rows;
pub mod schema;
mod meter;
mod snapshot;
mod table;
mod writer;
mod writing;
pub mod deletions;
pub mod open_flight;
pub mod operations;

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use redb::{CompactionError, DatabaseError};
use redb_file::{DatabaseHandle, DiskHealth};
pub use redb_file::{Space, guarded};
use tokio::sync::watch;

use fluglog_base::dir::create_or_truncate;
use fluglog_base::error::{Error, Result};
use fluglog_base::id::UserId;
use fluglog_base::limits::tasks::Task;
use meter::Meter;
use opened::Opened;
pub use opening::OpenError;
use opening::{builder, builder_telling};
pub use snapshot::Snapshot;
use snapshot::Transaction;
pub use table::{Index, Key, Owner, Scope, Table, owned_by, under};
pub use writer::Writer;

/// Name of the database's file in the data directory.
pub const FILE_NAME: &str = "fluglog.redb";
/// Name under which a new database is created: if only this file exists, there was no database before.
pub const UNFINISHED_NAME: &str = "fluglog.redb.part";

/// The open database. Cheap to clone.
#[derive(Clone)]
pub struct Store {
    // Declared before the database, so that it is dropped first: the last store then closes the database on its own
    // thread, instead of the queue's thread. If the process ended during that, the next start would have to repair the
    // database.
    writes: writing::Queue,
    database: Arc<Opened>,
    file: Option<PathBuf>,
    failing: watch::Sender<bool>,
}

impl Store {
    /// Opens the database of a data directory; creates it first if `create` is set and there is none. A database too
    /// damaged to be written is opened read-only ([`Store::is_read_only`]).
    ///
    /// # Errors
    /// The database is locked by another process, was written by a newer version, can't be migrated, is missing, or is
    /// unusable.
    pub fn open(data_dir: &Path, create: bool) -> std::result::Result<Store, OpenError> {
        let path = data_dir.join(FILE_NAME);
        if create && !path.exists() {
            create_database(data_dir, &path)?;
        }
        or_read_only(data_dir, |health| {
            let database = open(&path, &health, |_| {})?;
            start_in(data_dir, database, health)
        })
    }

    /// Like [`Store::open`], for a server: calls `repairing` with the percentage done if the database was not closed
    /// cleanly, and compacts a file that is mostly free.
    ///
    /// # Errors
    /// As for [`Store::open`].
    pub fn open_to_serve(data_dir: &Path, repairing: fn(u8)) -> std::result::Result<Store, OpenError> {
        let path = data_dir.join(FILE_NAME);
        or_read_only(data_dir, |health| {
            let mut database = open(&path, &health, repairing)?;
            if redb_file::is_worth_compacting(&path) {
                tracing::info!("the file of the database is mostly free and is compacted");
                match compact(&mut database, &path) {
                    Ok((before, after)) => tracing::info!("compacted from {} to {} bytes", before.file, after.file),
                    Err(error) => {
                        tracing::error!("the database is not compacted: {error:?}");
                        // After an I/O error redb fails every later operation, so the file has to be opened again.
                        drop(database);
                        health.reset();
                        database = open(&path, &health, repairing)?;
                    }
                }
            }
            start_in(data_dir, database, health)
        })
    }

    /// Compacts the file of a data directory's database; returns its space before and after.
    ///
    /// # Errors
    /// As for [`Store::open`].
    pub fn compact(data_dir: &Path) -> std::result::Result<(Space, Space), OpenError> {
        let path = data_dir.join(FILE_NAME);
        compact(&mut open(&path, &Arc::default(), |_| {})?, &path)
    }

    /// Returns whether the database is damaged and therefore read-only: every write is refused.
    #[must_use]
    pub fn is_read_only(&self) -> bool {
        self.database.is_read_only()
    }

    /// Reads one consistent state of the database. Keep it short: during a long read the file grows, and it never
    /// shrinks.
    ///
    /// # Errors
    /// The error of `work`, or the database is unreadable.
    pub fn read<T>(&self, work: impl FnOnce(&Snapshot<'_>) -> Result<T>) -> Result<T> {
        let result = self.examine(work);
        if matches!(result, Err(Error::Busy(_))) {
            // After an I/O error redb fails every later operation. An empty write makes the writer notice, which opens
            // the file again or gives up.
            self.write_later(|_| Ok(()));
        }
        result
    }

    /// Like [`Store::read`], for a check: damage doesn't end the process.
    ///
    /// # Errors
    /// The error of `work`, or the database is unreadable.
    pub fn examine<T>(&self, work: impl FnOnce(&Snapshot<'_>) -> Result<T>) -> Result<T> {
        let read = guarded(|| {
            let transaction = self.database.begin_read()?;
            work(&Snapshot(Transaction::Read(&transaction), Meter::default()))
        });
        read.unwrap_or_else(|panic| Err(Error::Internal(format!("a read of the database ended: {panic}"))))
    }

    /// Returns whether redb's own check finds the file intact. Reads all of it; writes wait meanwhile.
    pub fn is_whole(&self) -> Result<bool> {
        if self.is_read_only() {
            return Ok(false);
        }
        let file = self.file.clone();
        self.writes.write(None, move |_| {
            Ok(file
                .as_deref()
                .is_none_or(|file| redb_file::is_intact(&builder(), file)))
        })
    }

    /// Returns how the file's space is used, approximately during writes; `None` if it can't be measured.
    #[must_use]
    pub fn space(&self) -> Option<Space> {
        self.file.as_deref().and_then(|file| Space::of(file).ok())
    }

    /// Time in Unix seconds of the last change before an unclean stop, if it is missing and no check has reported it.
    #[must_use]
    pub fn lost_change(&self) -> Option<i64> {
        self.database.health().and_then(DiskHealth::lost_commit)
    }

    /// Forgets the lost change once it was reported. In a file that is only read it stays.
    pub fn acknowledge_lost_change(&self) {
        if let (Some(health), Some(file), false) = (self.database.health(), &self.file, self.is_read_only()) {
            health.acknowledge_lost_commit(file);
        }
    }

    /// Returns how often since the start a page of the file was damaged or unreadable.
    #[must_use]
    pub fn unreadable_pages(&self) -> u64 {
        self.database.health().map_or(0, DiskHealth::unreadable_pages)
    }

    /// Changes the database: all of `work` durably, or nothing. Blocks until the change is on disk.
    ///
    /// `work` may run more than once (if another write in the same commit failed), so it must have no effects outside
    /// its transaction.
    ///
    /// # Errors
    /// The error of `work`, [`Error::ReadOnly`], or the database can't be written ([`Error::DiskFull`] if the disk is
    /// full); whether the change is stored is unknown then.
    pub fn write<T: Send + 'static>(&self, work: impl FnMut(&Writer<'_>) -> Result<T> + Send + 'static) -> Result<T> {
        self.writes.write(None, work)
    }

    /// Like [`Store::write`], for a request of a pilot: pilots take turns, however much one of them asks for, and work
    /// that takes too much time is refused.
    ///
    /// # Errors
    /// As for [`Store::write`]; [`Error::Conflict`] if the work takes too long.
    pub fn write_for<T: Send + 'static>(
        &self,
        pilot: UserId,
        work: impl FnMut(&Writer<'_>) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        self.writes.write(Some(pilot), work)
    }

    /// Like [`Store::write`], for a task of the server, whose budget bounds the time.
    ///
    /// # Errors
    /// As for [`Store::write`]; [`Error::Conflict`] if the work takes too long.
    pub fn write_task<T: Send + 'static>(
        &self,
        task: Task,
        work: impl FnMut(&Writer<'_>) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        self.writes.write_within(None, Some(task.budget().writer), work)
    }

    /// Removes the records of a table that are over, in as many transactions as the task's budget asks for. Finds them
    /// while nobody waits for the writer. Returns their number.
    ///
    /// # Errors
    /// As for [`Store::write_task`].
    pub fn remove_over<R: record::Record>(
        &self,
        task: Task,
        is_over: impl Fn(R::Key, &R) -> bool + Clone + Send + 'static,
    ) -> Result<usize>
    where
        R::Key: Send,
    {
        let mut over = Vec::new();
        self.read(|data| {
            data.each::<R>(.., |key, record| {
                if is_over(key, &record) {
                    over.push(key);
                }
            })
        })?;
        for keys in over.chunks(task.budget().at_once.max(1)) {
            let (keys, is_over) = (keys.to_vec(), is_over.clone());
            self.write_task(task, move |writer| {
                for key in &keys {
                    // The record may have been used meanwhile.
                    if writer.get::<R>(*key)?.is_some_and(|record| is_over(*key, &record)) {
                        writer.remove::<R>(*key)?;
                    }
                }
                Ok(())
            })?;
        }
        Ok(over.len())
    }

    /// Returns how many rows all writes have read and written so far: what they cost, whatever the machine.
    #[must_use]
    pub fn rows_of_writes(&self) -> u64 {
        self.writes.rows()
    }

    /// Changes the database soon, without reporting the outcome: for changes whose loss does no harm.
    pub fn write_later(&self, work: impl FnMut(&Writer<'_>) -> Result<()> + Send + 'static) {
        self.writes.enqueue(None, work);
    }

    /// Resolves once the database has failed permanently: the process should restart.
    pub async fn failed(&self) {
        let mut failed = self.failing.subscribe();
        // This store holds the sender, so waiting can't fail.
        let _ = failed.wait_for(|failed| *failed).await;
    }
}

/// Creates an empty database, which gets its name only when it is complete.
#[expect(
    clippy::disallowed_methods,
    reason = "the caller found no database; both names are only a database's"
)]
fn create_database(data_dir: &Path, path: &Path) -> std::result::Result<(), OpenError> {
    let failed = |error: std::io::Error| OpenError::Unusable(error.to_string());
    let unfinished = data_dir.join(UNFINISHED_NAME);
    // Truncates what an earlier attempt left.
    create_or_truncate(&unfinished).map_err(failed)?;
    let database = redb::Builder::new()
        .create(&unfinished)
        .map_err(|error| OpenError::Unusable(error.to_string()))?;
    migrations::prepare(&database, None)?;
    drop(database);
    File::open(&unfinished)
        .and_then(|file| file.sync_all())
        .map_err(failed)?;
    std::fs::rename(&unfinished, path).map_err(failed)
}

/// See [`Store::compact`].
fn compact(database: &mut DatabaseHandle, path: &Path) -> std::result::Result<(Space, Space), OpenError> {
    let unusable = |error: std::io::Error| OpenError::Unusable(error.to_string());
    let before = Space::of(path).map_err(unusable)?;
    let Some(opened) = database.get_mut() else {
        return Err(OpenError::Missing);
    };
    let compacted = guarded(|| opened.compact()).map_err(OpenError::Damaged)?;
    compacted.map_err(|error| match error {
        CompactionError::Storage(error) => OpenError::from(DatabaseError::Storage(error)),
        other => OpenError::Unusable(other.to_string()),
    })?;
    Ok((before, Space::of(path).map_err(unusable)?))
}

/// Opens the database of a data directory; if it is too damaged to be written, opens its intact part read-only.
fn or_read_only(
    data_dir: &Path,
    open: impl FnOnce(Arc<DiskHealth>) -> std::result::Result<Store, OpenError>,
) -> std::result::Result<Store, OpenError> {
    let damage = match open(Arc::default()) {
        Err(OpenError::Damaged(cause)) => cause,
        opened => return opened,
    };
    let path = data_dir.join(FILE_NAME);
    let health = Arc::<DiskHealth>::default();
    let opened = match redb_file::open_read_only(&builder(), &path, &health) {
        Err(redb_file::OpenError::Locked) => return Err(OpenError::Locked),
        Err(_) => return Err(OpenError::Damaged(damage)),
        Ok(opened) => opened,
    };
    tracing::warn!("the database is damaged and only read: {damage}");
    // Tables that are newer than the file are made in memory; their readers would meet an error otherwise. A table
    // whose name is lost isn't newer: it would seem to be empty.
    let database = opened.database.get().filter(|_| opened.has_all_tables);
    let prepared = guarded(|| database.map(|database| migrations::prepare(database, None)));
    if let Ok(Some(Err(error @ OpenError::Newer { .. }))) = prepared {
        return Err(error);
    }
    new_store(Opened::new(opened.database, Some((path, health)), true))
}

/// Makes the database of a data directory ready for work.
fn start_in(
    data_dir: &Path,
    database: DatabaseHandle,
    health: Arc<DiskHealth>,
) -> std::result::Result<Store, OpenError> {
    let store = start(database, Some((data_dir.join(FILE_NAME), health)))?;
    // redb syncs its file, not the folder that names it.
    File::open(data_dir)
        .and_then(|folder| folder.sync_all())
        .map_err(|error| OpenError::Unusable(error.to_string()))?;
    Ok(store)
}

/// Opens the file of a database that is there and not newer than this version.
fn open(path: &Path, health: &Arc<DiskHealth>, repairing: fn(u8)) -> std::result::Result<DatabaseHandle, OpenError> {
    match std::fs::metadata(path) {
        // A pipe would block.
        Ok(file) if !file.is_file() => return Err(OpenError::Unusable("it is no regular file".to_owned())),
        // redb would initialize an empty file as a new database, as if there had never been any data.
        Ok(file) if file.len() == 0 => return Err(OpenError::Damaged("the file is empty".to_owned())),
        Err(_) => return Err(OpenError::Missing),
        Ok(_) => {}
    }
    // Has to come first: redb writes to the file as soon as it opens it.
    migrations::check_schema(path)?;
    Ok(redb_file::open(&builder_telling(repairing), path, health)?)
}

/// Makes a database ready for work; `file` is where it lies, unless a test keeps it elsewhere.
fn start(database: DatabaseHandle, file: Option<(PathBuf, Arc<DiskHealth>)>) -> std::result::Result<Store, OpenError> {
    let path = file.as_ref().map(|(path, _)| path.as_path());
    if let Some(database) = database.get() {
        guarded(|| migrations::prepare(database, path)).map_err(OpenError::Damaged)??;
    }
    new_store(Opened::new(database, file, false))
}

fn new_store(database: Opened) -> std::result::Result<Store, OpenError> {
    let database = Arc::new(database);
    let failing = watch::Sender::new(false);
    Ok(Store {
        writes: writing::Queue::start(Arc::clone(&database), failing.clone())
            .map_err(|error| OpenError::Unusable(error.to_string()))?,
        file: database.path().map(Path::to_owned),
        database,
        failing,
    })
}

#[cfg(test)]
mod tests;

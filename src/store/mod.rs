//! The database: opening, reading, writing. The only user of redb. Knows no topic.
//!
//! Work is a closure over a transaction. Reads see one state. Writes that arrive together share one commit and so one
//! sync of the disk; a caller gets its answer only after that commit is durable. A write that fails leaves nothing.
//!
//! Every read and write may find the database unreadable ([`Error::Busy`]) or a record damaged ([`Error::Internal`]):
//! `# Errors` says only what else can go wrong.

pub mod blobs;
pub mod damaged;
pub mod findings;
pub mod loading;
pub mod migrations;
mod opened;
mod opening;
pub mod record;
pub mod rows;
pub mod schema;
mod snapshot;
mod table;
mod writer;
mod writing;

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use redb::{CompactionError, DatabaseError};
use redb_file::{DatabaseHandle, DiskHealth};
pub use redb_file::{Space, guarded};
use tokio::sync::watch;

use crate::base::dir::create_or_truncate;
use crate::base::error::{Error, Result};
use opened::Opened;
pub use opening::OpenError;
use opening::{builder, builder_telling};
pub use snapshot::Snapshot;
use snapshot::Transaction;
pub use table::{Index, Key, Table};
pub use writer::Writer;

/// The file of the database in the data directory.
pub const FILE_NAME: &str = "fluglog.redb";
/// The file that a new database is made in: if it is there without the other, nothing was there before.
pub const UNFINISHED_NAME: &str = "fluglog.redb.part";

/// The open database. Cheap to clone.
#[derive(Clone)]
pub struct Store {
    // Dropped before the database, so that dropping the last store closes the database, and not the queue's thread: a
    // close that the end of the process overtakes costs a repair at the next start.
    writes: writing::Queue,
    database: Arc<Opened>,
    file: Option<PathBuf>,
    failing: watch::Sender<bool>,
}

impl Store {
    /// Opens the database of a data directory; makes it first when `create` says so and there is none. One that is too
    /// damaged to be written is only read ([`Store::is_read_only`]).
    ///
    /// # Errors
    /// Locked by another process, written by a newer version, not to be brought on from an older one, missing, or
    /// unusable.
    pub fn open(data_dir: &Path, create: bool) -> std::result::Result<Store, OpenError> {
        let path = data_dir.join(FILE_NAME);
        if create && !path.exists() {
            make(data_dir, &path)?;
        }
        or_only_read(data_dir, |health| {
            let database = open(&path, &health, |_| {})?;
            start_in(data_dir, database, health)
        })
    }

    /// [`Store::open`] for a server, which calls `repairing` with the percentage that is done when the database was not
    /// closed cleanly. A file that is mostly free is compacted first.
    ///
    /// # Errors
    /// As [`Store::open`].
    pub fn open_to_serve(data_dir: &Path, repairing: fn(u8)) -> std::result::Result<Store, OpenError> {
        let path = data_dir.join(FILE_NAME);
        or_only_read(data_dir, |health| {
            let mut database = open(&path, &health, repairing)?;
            if redb_file::is_worth_compacting(&path) {
                tracing::info!("the file of the database is mostly free and is compacted");
                match compact(&mut database, &path) {
                    Ok((before, after)) => tracing::info!("compacted from {} to {} bytes", before.file, after.file),
                    Err(error) => {
                        tracing::error!("the database is not compacted: {error:?}");
                        // After an error of its file redb answers nothing any more.
                        drop(database);
                        health.reset();
                        database = open(&path, &health, repairing)?;
                    }
                }
            }
            start_in(data_dir, database, health)
        })
    }

    /// Makes the file of a data directory's database as small as it can be; its space before and after.
    ///
    /// # Errors
    /// As [`Store::open`].
    pub fn compact(data_dir: &Path) -> std::result::Result<(Space, Space), OpenError> {
        let path = data_dir.join(FILE_NAME);
        compact(&mut open(&path, &Arc::default(), |_| {})?, &path)
    }

    /// Whether the file is damaged so that what is sound in it is only read: every write is refused.
    #[must_use]
    pub fn is_read_only(&self) -> bool {
        self.database.is_read_only()
    }

    /// Reads one state of the database. Keep it short: a long read makes the file grow for good.
    ///
    /// # Errors
    /// As `work`, or an unreadable database.
    pub fn read<T>(&self, work: impl FnOnce(&Snapshot<'_>) -> Result<T>) -> Result<T> {
        let result = self.examine(work);
        if matches!(result, Err(Error::Busy(_))) {
            // After an error of the disk redb answers nothing any more: the writer finds that out as well, and opens
            // the file again or gives up.
            self.write_later(|_| Ok(()));
        }
        result
    }

    /// As [`Store::read`], for a check: damage doesn't end the process.
    ///
    /// # Errors
    /// As `work`, or an unreadable database.
    pub fn examine<T>(&self, work: impl FnOnce(&Snapshot<'_>) -> Result<T>) -> Result<T> {
        let read = guarded(|| {
            let transaction = self.database.begin_read()?;
            work(&Snapshot(Transaction::Read(&transaction)))
        });
        read.unwrap_or_else(|panic| Err(Error::Internal(format!("a read of the database ended: {panic}"))))
    }

    /// Whether redb finds its own file whole. Reads all of it, and writes wait meanwhile.
    pub fn is_whole(&self) -> Result<bool> {
        if self.is_read_only() {
            return Ok(false);
        }
        let file = self.file.clone();
        self.writes.write(move |_| {
            Ok(file
                .as_deref()
                .is_none_or(|file| redb_file::is_intact(&builder(), file)))
        })
    }

    /// The space of the file, roughly while it is written to; `None` when it can't be measured.
    #[must_use]
    pub fn space(&self) -> Option<Space> {
        self.file.as_deref().and_then(|file| Space::of(file).ok())
    }

    /// Time in Unix seconds of the last change before an unclean stop, if it is missing, perhaps, and no check has told
    /// so.
    #[must_use]
    pub fn lost_change(&self) -> Option<i64> {
        self.database.health().and_then(DiskHealth::lost_commit)
    }

    /// Forgets the lost change, which was told. In a file that is only read it stays.
    pub fn acknowledge_lost_change(&self) {
        if let (Some(health), Some(file), false) = (self.database.health(), &self.file, self.is_read_only()) {
            health.acknowledge_lost_commit(file);
        }
    }

    /// How often since the start a page of the file was damaged or could not be read.
    #[must_use]
    pub fn unreadable_pages(&self) -> u64 {
        self.database.health().map_or(0, DiskHealth::unreadable_pages)
    }

    /// Changes the database: all of `work`, durably, or nothing. Blocks until the change is on disk.
    ///
    /// `work` may run more than once (a write that shared its commit failed), so it has no effect outside its
    /// transaction.
    ///
    /// # Errors
    /// As `work`, [`Error::ReadOnly`], or that the database can't be written ([`Error::Full`] when only room is
    /// missing); then whether the change is there is unknown.
    pub fn write<T: Send + 'static>(&self, work: impl FnMut(&Writer<'_>) -> Result<T> + Send + 'static) -> Result<T> {
        self.writes.write(work)
    }

    /// Changes the database soon, and tells nobody how that ended: for what is no loss when it is lost.
    pub fn write_later(&self, work: impl FnMut(&Writer<'_>) -> Result<()> + Send + 'static) {
        self.writes.write_later(work);
    }

    /// Resolves once the database has failed for good: the process should end and start anew.
    pub async fn failed(&self) {
        let mut failed = self.failing.subscribe();
        // The sender is held by this very store.
        let _ = failed.wait_for(|failed| *failed).await;
    }
}

/// Makes an empty database that has its name only when it is whole.
#[expect(
    clippy::disallowed_methods,
    reason = "the caller found no database; both names are only a database's"
)]
fn make(data_dir: &Path, path: &Path) -> std::result::Result<(), OpenError> {
    let failed = |error: std::io::Error| OpenError::Unusable(error.to_string());
    let unfinished = data_dir.join(UNFINISHED_NAME);
    // Without what is left of an earlier try.
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

/// Opens the database of a data directory, or only what is sound in it when it is too damaged to be written.
fn or_only_read(
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
    store_of(Opened::new(opened.database, Some((path, health)), true))
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
        // redb would take it for a new one, and what was in it would seem never to have been there.
        Ok(file) if file.len() == 0 => return Err(OpenError::Damaged("the file is empty".to_owned())),
        Err(_) => return Err(OpenError::Missing),
        Ok(_) => {}
    }
    // Before redb writes as much as that it was opened.
    migrations::check_schema(path)?;
    Ok(redb_file::open(&builder_telling(repairing), path, health)?)
}

/// Makes a database ready for work; `file` is where it lies, unless a test keeps it elsewhere.
fn start(database: DatabaseHandle, file: Option<(PathBuf, Arc<DiskHealth>)>) -> std::result::Result<Store, OpenError> {
    let path = file.as_ref().map(|(path, _)| path.as_path());
    if let Some(database) = database.get() {
        guarded(|| migrations::prepare(database, path)).map_err(OpenError::Damaged)??;
    }
    store_of(Opened::new(database, file, false))
}

fn store_of(database: Opened) -> std::result::Result<Store, OpenError> {
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
mod power_cut;
#[cfg(test)]
mod tests;

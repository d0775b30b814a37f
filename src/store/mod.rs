//! The database: opening, reading, writing. The only user of redb. Knows no topic.
//!
//! Work is a closure over a transaction. Reads see one state. Writes that arrive together share one commit and so one sync of the
//! disk; a caller gets its answer only after that commit is durable. A write that fails leaves nothing.
//!
//! Every read and write may find the database unreadable ([`Error::Busy`]) or a record damaged ([`Error::Internal`]): `# Errors` says only
//! what else can go wrong.

pub mod blobs;
pub mod findings;
mod integrity;
pub mod loading;
pub mod migrations;
pub mod record;
pub mod schema;
pub mod tables;
mod writing;

use std::cell::Cell;
use std::fs::File;
use std::ops::{Bound, Deref, RangeBounds};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Once};

use redb::{
    Database, DatabaseError, ReadTransaction, ReadableDatabase, ReadableTable, ReadableTableMetadata, TableDefinition,
    WriteTransaction,
};
use tokio::sync::watch;

use crate::base::error::{Error, Result};
use record::Record;
use tables::KeyPart;

/// The file of the database in the data directory.
pub const FILE_NAME: &str = "fluglog.redb";
/// The file that a new database is made in: who finds it without the other knows that nothing was there before.
pub const UNFINISHED_NAME: &str = "fluglog.redb.part";

/// redb's page cache in bytes; its own default is 1 GiB, as much as a Pi has.
const CACHE_BYTES: usize = 32 * 1024 * 1024;

/// A key of a table or an index: integers and tuples of them.
pub trait Key: for<'a> redb::Key<SelfType<'a> = Self> + KeyPart + Ord + Copy + 'static {}
impl<K: for<'a> redb::Key<SelfType<'a> = K> + KeyPart + Ord + Copy + 'static> Key for K {}

/// A table of records.
pub struct Table<K: Key> {
    definition: TableDefinition<'static, K, &'static [u8]>,
    name: &'static str,
}

impl<K: Key> Table<K> {
    /// The table of this name.
    #[must_use]
    pub const fn new(name: &'static str) -> Table<K> {
        Table {
            definition: TableDefinition::new(name),
            name,
        }
    }

    /// Its name, for messages.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }
}

/// A sorted set of keys.
pub struct Index<K: Key> {
    definition: TableDefinition<'static, K, ()>,
    name: &'static str,
}

impl<K: Key> Index<K> {
    /// The index of this name.
    #[must_use]
    pub const fn new(name: &'static str) -> Index<K> {
        Index {
            definition: TableDefinition::new(name),
            name,
        }
    }

    /// Its name, for messages.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }
}

/// The open database. Cheap to clone.
#[derive(Clone)]
pub struct Store {
    // Dropped before the database, which is then closed by whoever drops the last store: a close that the end of the process
    // overtakes costs a repair at the next start.
    writes: writing::Queue,
    database: Arc<Database>,
    file: Option<PathBuf>,
    failing: watch::Sender<bool>,
}

/// Why a database can't be opened.
#[derive(Debug)]
pub enum OpenError {
    /// Another process holds it.
    Locked,
    /// A newer Fluglog wrote it.
    Newer { schema: u32, program: String },
    /// There is no database at this place.
    Missing,
    /// An older version wrote it, and before it is brought on a copy of this many bytes has to be kept: that failed.
    NotMigrated {
        from: u32,
        to: u32,
        bytes: u64,
        cause: String,
    },
    /// It can't be read or made; the text is for the log.
    Unusable(String),
}

impl Store {
    /// Opens the database of a data directory; makes it first when `create` says so and there is none.
    ///
    /// # Errors
    /// Locked by another process, written by a newer version, not to be brought on from an older one, missing, or unusable.
    pub fn open(data_dir: &Path, create: bool) -> std::result::Result<Store, OpenError> {
        Store::open_telling(data_dir, create, |_| {})
    }

    /// [`Store::open`], which calls `repairing` with the percentage that is done when the database was not closed cleanly.
    ///
    /// # Errors
    /// As [`Store::open`].
    pub fn open_telling(data_dir: &Path, create: bool, repairing: fn(u8)) -> std::result::Result<Store, OpenError> {
        let path = data_dir.join(FILE_NAME);
        if create && !path.exists() {
            make(data_dir, &path)?;
        }
        match std::fs::metadata(&path) {
            // redb would take it for a new one, and what was in it would seem never to have been there.
            Ok(file) if file.len() == 0 => return Err(OpenError::Unusable("the file is empty".to_owned())),
            Err(_) => return Err(OpenError::Missing),
            Ok(_) => {}
        }
        // redb may panic on a file of a newer redb or on garbage.
        let database = guarded(|| {
            redb::Builder::new()
                .set_cache_size(CACHE_BYTES)
                .set_repair_callback(move |session| repairing((session.progress() * 100.0).round() as u8))
                .create(&path)
        })
        .ok_or_else(|| OpenError::Unusable("the file is damaged or of a newer format".to_owned()))?
        .map_err(|error| match error {
            DatabaseError::DatabaseAlreadyOpen => OpenError::Locked,
            other => OpenError::Unusable(other.to_string()),
        })?;
        let store = start(database, Some(path))?;
        // redb syncs its file, not the folder that names it.
        File::open(data_dir)
            .and_then(|folder| folder.sync_all())
            .map_err(|error| OpenError::Unusable(error.to_string()))?;
        Ok(store)
    }

    /// Reads one state of the database. Keep it short: a long read makes the file grow for good.
    ///
    /// # Errors
    /// As `work`, or an unreadable database.
    pub fn read<T>(&self, work: impl FnOnce(&Snapshot<'_>) -> Result<T>) -> Result<T> {
        let result = self.examine(work);
        if matches!(result, Err(Error::Busy(_))) {
            // After an error of the disk redb answers nothing any more.
            self.failing.send_replace(true);
        }
        result
    }

    /// As [`Store::read`], for whoever looks for damage: finding some doesn't end the process.
    ///
    /// # Errors
    /// As `work`, or an unreadable database.
    pub fn examine<T>(&self, work: impl FnOnce(&Snapshot<'_>) -> Result<T>) -> Result<T> {
        let transaction = self.database.begin_read().map_err(unreadable)?;
        work(&Snapshot(Source::Read(&transaction)))
    }

    /// Whether redb finds its own file whole. Reads all of it, and writes wait meanwhile.
    pub fn is_whole(&self) -> Result<bool> {
        let file = self.file.clone();
        self.writes
            .write(move |_| Ok(file.as_deref().is_none_or(integrity::is_whole)))
    }

    /// Changes the database: all of `work`, durably, or nothing. Blocks until the change is on disk.
    ///
    /// `work` may run more than once (a write that shared its commit failed), so it has no effect outside its transaction.
    ///
    /// # Errors
    /// As `work`, or that the database can't be written; then whether the change is there is unknown.
    pub fn write<T: Send + 'static>(&self, work: impl FnMut(&Writer<'_>) -> Result<T> + Send + 'static) -> Result<T> {
        self.writes.write(work)
    }

    /// Resolves once the database has failed for good: the process should end and start anew.
    pub async fn failed(&self) {
        let mut failed = self.failing.subscribe();
        // The sender is held by this very store.
        let _ = failed.wait_for(|failed| *failed).await;
    }
}

/// Makes an empty database that has its name only when it is whole.
fn make(data_dir: &Path, path: &Path) -> std::result::Result<(), OpenError> {
    let failed = |error: std::io::Error| OpenError::Unusable(error.to_string());
    let unfinished = data_dir.join(UNFINISHED_NAME);
    // Without what is left of an earlier try.
    File::create(&unfinished).map_err(failed)?;
    let database = redb::Builder::new()
        .create(&unfinished)
        .map_err(|error| OpenError::Unusable(error.to_string()))?;
    migrations::prepare(&database, None)?;
    drop(database);
    std::fs::rename(&unfinished, path).map_err(failed)
}

/// Makes a database ready for work; `file` is where it lies, unless a test keeps it elsewhere.
fn start(database: Database, file: Option<PathBuf>) -> std::result::Result<Store, OpenError> {
    guarded(|| migrations::prepare(&database, file.as_deref()))
        .ok_or_else(|| OpenError::Unusable("the file is damaged".to_owned()))??;
    let database = Arc::new(database);
    let failing = watch::Sender::new(false);
    Ok(Store {
        writes: writing::Queue::start(Arc::clone(&database), failing.clone())
            .map_err(|error| OpenError::Unusable(error.to_string()))?,
        database,
        file,
        failing,
    })
}

/// One state of the database.
pub struct Snapshot<'t>(Source<'t>);

enum Source<'t> {
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
            let found = table.get(key).map_err(unreadable)?;
            found.map(|bytes| decode(key, bytes.value())).transpose()
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
        on_table!(self.0, R::TABLE.definition, |table| {
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

/// A transaction that changes the database.
pub struct Writer<'t> {
    snapshot: Snapshot<'t>,
    transaction: &'t WriteTransaction,
    changed: Cell<bool>,
}

impl<'t> Deref for Writer<'t> {
    type Target = Snapshot<'t>;

    fn deref(&self) -> &Snapshot<'t> {
        &self.snapshot
    }
}

impl<'t> Writer<'t> {
    fn new(transaction: &'t WriteTransaction) -> Writer<'t> {
        Writer {
            snapshot: Snapshot(Source::Write(transaction)),
            transaction,
            changed: Cell::new(false),
        }
    }

    /// Stores a record, in place of the one that was there. One that is there already, byte for byte, isn't written again.
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

    /// Removes a record, if it is there.
    pub fn remove<R: Record>(&self, key: R::Key) -> Result<()> {
        self.changed.set(true);
        let mut table = self.transaction.open_table(R::TABLE.definition).map_err(unreadable)?;
        table.remove(key).map_err(unreadable)?;
        Ok(())
    }

    /// Removes the records in a range of keys.
    pub fn remove_range<R: Record>(&self, range: impl RangeBounds<R::Key>) -> Result<()> {
        self.changed.set(true);
        let mut table = self.transaction.open_table(R::TABLE.definition).map_err(unreadable)?;
        table.retain_in::<R::Key, _>(range, |_, _| false).map_err(unreadable)
    }

    /// Adds a key to an index.
    pub fn insert_key<K: Key>(&self, index: &Index<K>, key: K) -> Result<()> {
        self.changed.set(true);
        let mut table = self.transaction.open_table(index.definition).map_err(unreadable)?;
        table.insert(key, ()).map_err(unreadable)?;
        Ok(())
    }

    /// Takes a key out of an index, if it is there.
    pub fn remove_key<K: Key>(&self, index: &Index<K>, key: K) -> Result<()> {
        self.changed.set(true);
        let mut table = self.transaction.open_table(index.definition).map_err(unreadable)?;
        table.remove(key).map_err(unreadable)?;
        Ok(())
    }

    /// Takes the keys in a range out of an index.
    pub fn remove_keys<K: Key>(&self, index: &Index<K>, range: impl RangeBounds<K>) -> Result<()> {
        self.changed.set(true);
        let mut table = self.transaction.open_table(index.definition).map_err(unreadable)?;
        table.retain_in::<K, _>(range, |_, ()| false).map_err(unreadable)
    }
}

/// Sees that keys come in order, and within their range: a page of the database in a wrong place has right records with other keys.
struct Order<K> {
    name: &'static str,
    start: Bound<K>,
    end: Bound<K>,
}

impl<K: Key> Order<K> {
    fn new(name: &'static str, range: &impl RangeBounds<K>) -> Order<K> {
        Order {
            name,
            start: range.start_bound().cloned(),
            end: range.end_bound().cloned(),
        }
    }

    /// The next key from the front.
    fn next(&mut self, key: K) -> Result<K> {
        self.within(key)?;
        self.start = Bound::Excluded(key);
        Ok(key)
    }

    /// The next key from the back.
    fn next_back(&mut self, key: K) -> Result<K> {
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
            tables::shown(self.name, key)
        )))
    }
}

fn decode<R: Record>(key: R::Key, bytes: &[u8]) -> Result<R> {
    record::decode(key, bytes).map_err(Error::Internal)
}

thread_local! {
    static EXPECTING_PANICS: Cell<bool> = const { Cell::new(false) };
}

/// Runs work on data that may be damaged: redb panics on some of it. `None` when it did; nothing of it is printed.
pub fn guarded<T>(work: impl FnOnce() -> T) -> Option<T> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let usual = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if !EXPECTING_PANICS.get() {
                usual(panic);
            }
        }));
    });
    let before = EXPECTING_PANICS.replace(true);
    let result = catch_unwind(AssertUnwindSafe(work));
    EXPECTING_PANICS.set(before);
    result.ok()
}

fn unreadable(error: impl std::fmt::Display) -> Error {
    Error::Busy(format!("the database can't be used: {error}"))
}

#[cfg(test)]
mod power_cut;
#[cfg(test)]
mod tests;

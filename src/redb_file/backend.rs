//! A [`StorageBackend`] that compares the checksums of redb's pages, which redb itself doesn't do when it reads.
//!
//! The checksum of a page is known from its parent, which was read before it, or from the content when it was written
//! here. A damaged page is read as zeros, as is one that the disk doesn't read or that lies behind the end of the file:
//! redb takes zeros for no page and returns an error for that one read. After an error of its backend it would refuse
//! every later call.

use std::collections::HashMap;
use std::fs::OpenOptions;
use std::io;
use std::ops::Bound;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use redb::backends::FileBackend;
use redb::{BackendError, DatabaseError, StorageBackend};
use xxhash_rust::xxh3::xxh3_128;

use crate::health::DiskHealth;
use crate::last_commit::{BEGUN_AT, CommitNote, SYNCED_AT};
use crate::pages::{self, Header, Kind, PAGE_BYTES, PageRef, Widths};

/// What is known about the content that a page must have.
#[derive(Debug, Clone, Copy)]
enum Expected {
    /// Checksum in the parent, and what the page holds.
    FromParent(u128, Tree),
    /// Checksum over the whole page, as it was written.
    Written(u128),
    /// The page was found damaged.
    Damaged,
}

impl Expected {
    fn matches(self, page: &[u8]) -> bool {
        match self {
            Expected::FromParent(checksum, tree) => pages::checksum(page, tree.widths()) == Some(checksum),
            Expected::Written(checksum) => xxh3_128(page) == checksum,
            Expected::Damaged => false,
        }
    }
}

/// The tree that a page belongs to.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Tree {
    /// The tree of the tables.
    Tables,
    /// A table.
    Rows(Widths),
}

impl Tree {
    pub(crate) fn widths(self) -> Widths {
        match self {
            Tree::Tables => pages::TABLE_TREE,
            Tree::Rows(widths) => widths,
        }
    }
}

/// A backend that verifies each page that is read from the one below it.
#[derive(Debug)]
pub struct VerifyingBackend<B> {
    file: B,
    health: Arc<DiskHealth>,
    state: Mutex<State>,
    is_closed: AtomicBool,
}

#[derive(Debug)]
struct State {
    header: Header,
    /// The last commit that was begun.
    begun: Option<CommitNote>,
    /// Whether it was begun here. Otherwise the file had it, and some of its pages may never have been written.
    is_begun_here: bool,
    /// The commit that the next sync completes.
    unsynced: Option<CommitNote>,
    /// The last commit that was synced.
    synced: Option<CommitNote>,
    /// Pages by their offset.
    expected: HashMap<u64, Expected>,
}

impl State {
    fn expect(&mut self, page: PageRef, tree: Tree) {
        let Some((at, _)) = self.header.byte_range(page.number) else {
            return;
        };
        let expected = self.expected.entry(at).or_insert(Expected::Damaged);
        if !matches!(expected, Expected::Written(_)) {
            *expected = Expected::FromParent(page.checksum, tree);
        }
    }

    /// Learns the checksums of the pages below an undamaged one.
    fn learn_from(&mut self, page: &[u8], tree: Tree) {
        match (pages::kind(page), tree) {
            (Some(Kind::Branch), _) => pages::children(page).for_each(|child| self.expect(child, tree)),
            (Some(Kind::Leaf), Tree::Tables) => {
                for table in pages::table_entries(page) {
                    table
                        .root
                        .into_iter()
                        .for_each(|root| self.expect(root, Tree::Rows(table.widths)));
                }
            }
            _ => {}
        }
    }
}

impl VerifyingBackend<FileBackend> {
    /// Opens the file of a database; creates it when it isn't there.
    pub(crate) fn open(path: &Path, health: &Arc<DiskHealth>) -> Result<VerifyingBackend<FileBackend>, DatabaseError> {
        let mut options = OpenOptions::new();
        let file = options.read(true).write(true).create(true).truncate(false).open(path)?;
        let backend = VerifyingBackend::new(FileBackend::new(file)?, health);
        backend.state().synced = CommitNote::read(path, SYNCED_AT);
        Ok(backend)
    }
}

impl<B: StorageBackend> VerifyingBackend<B> {
    /// Wraps a backend; `health` records damaged pages and errors of the disk.
    pub fn new(file: B, health: &Arc<DiskHealth>) -> VerifyingBackend<B> {
        VerifyingBackend {
            file,
            health: Arc::clone(health),
            state: Mutex::new(State {
                header: Header::of(&[]),
                begun: None,
                is_begun_here: false,
                unsynced: None,
                synced: None,
                expected: HashMap::new(),
            }),
            is_closed: AtomicBool::new(false),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes the note of a commit beside the header that has it: both reach the disk with one sync.
    fn note_begun(&self, header: &[u8]) -> io::Result<()> {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let time = i64::try_from(now.as_secs()).unwrap_or(i64::MAX);
        let mut state = self.state();
        let newest = CommitNote::of_newest(header, time);
        if let Some(newest) = newest.filter(|newest| !newest.is_same_commit_as(state.begun)) {
            self.file.write(BEGUN_AT, &newest.to_bytes())?;
            state.begun = Some(newest);
            state.is_begun_here = true;
        }
        // Of a commit in two phases, the first header doesn't name it yet.
        let named = CommitNote::of_primary(header, time);
        state.unsynced = state
            .begun
            .filter(|begun| state.is_begun_here && begun.is_same_commit_as(named));
        Ok(())
    }

    /// Writes the note of a commit whose sync has returned. It is there after the program was killed, and after a power
    /// cut if the system wrote it meanwhile; without it, the loss of the commit is no certain one.
    fn note_synced(&self, commit: CommitNote) {
        let mut state = self.state();
        if !commit.is_same_commit_as(state.synced) && self.file.write(SYNCED_AT, &commit.to_bytes()).is_ok() {
            state.synced = Some(commit);
        }
    }

    fn read_header(&self, bytes: &[u8]) {
        let mut state = self.state();
        state.header = Header::of(bytes);
        if !state.is_begun_here {
            state.begun = CommitNote::of_newest(bytes, 0);
        }
        for slot in pages::commit_slots(bytes).filter(|slot| slot.is_valid) {
            for root in slot.roots.into_iter().flatten() {
                state.expect(root, Tree::Tables);
            }
        }
    }

    /// Whether a page has its expected content. A page that nothing is known about passes.
    fn verifies(&self, offset: u64, page: &[u8]) -> bool {
        let expected = self.state().expected.get(&offset).copied();
        let Some(expected) = expected else {
            return true;
        };
        if !expected.matches(page) {
            self.state().expected.insert(offset, Expected::Damaged);
            return false;
        }
        if let Expected::FromParent(_, tree) = expected {
            self.state().learn_from(page, tree);
        }
        true
    }
}

type Locked<T> = Result<T, BackendError>;

impl<B: StorageBackend> StorageBackend for VerifyingBackend<B> {
    fn len(&self) -> io::Result<u64> {
        self.health.watch(self.file.len())
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        let read = self.file.read(offset, out);
        if offset < PAGE_BYTES {
            self.read_header(out);
            return self.health.watch(read);
        }
        let damage = match read {
            Err(error) => format!("the database can't be read at byte {offset}: {error}"),
            Ok(()) if self.verifies(offset, out) => return Ok(()),
            Ok(()) => format!("the database is damaged in the page at byte {offset}"),
        };
        if self.is_closed.load(Ordering::Acquire) {
            return Err(io::Error::other("the file is closed"));
        }
        out.fill(0);
        // Pages of a commit that found the disk full, or that was cut off, needn't be there.
        if !self.health.excuses_pages() {
            tracing::error!("{damage}");
            self.health.count_unreadable_page();
        }
        Ok(())
    }

    fn set_len(&self, bytes: u64) -> io::Result<()> {
        self.health.watch(self.file.set_len(bytes))
    }

    fn sync_data(&self) -> io::Result<()> {
        let commit = self.state().unsynced.take();
        self.health.watch(self.file.sync_data())?;
        if let Some(commit) = commit {
            self.note_synced(commit);
        }
        Ok(())
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        if offset >= PAGE_BYTES {
            let written = Expected::Written(xxh3_128(data));
            self.state().expected.insert(offset, written);
        }
        self.health.watch(self.file.write(offset, data))?;
        match offset {
            0 if data.len() < BEGUN_AT as usize => self.health.watch(self.note_begun(data)),
            _ => Ok(()),
        }
    }

    fn close(&self) -> io::Result<()> {
        self.is_closed.store(true, Ordering::Release);
        self.file.close()
    }

    fn try_lock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Locked<bool> {
        self.file.try_lock_range(start, end)
    }

    fn try_lock_shared_range(&self, start: Bound<u64>, end: Bound<u64>) -> Locked<bool> {
        self.file.try_lock_shared_range(start, end)
    }

    fn lock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Locked<()> {
        self.file.lock_range(start, end)
    }

    fn lock_shared_range(&self, start: Bound<u64>, end: Bound<u64>) -> Locked<()> {
        self.file.lock_shared_range(start, end)
    }

    fn unlock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Locked<()> {
        self.file.unlock_range(start, end)
    }

    fn query_lock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Locked<bool> {
        self.file.query_lock_range(start, end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::guard::guarded;
    use proptest::prelude::*;
    use redb::backends::InMemoryBackend;
    use redb::{Database, ReadableDatabase, ReadableTable, TableDefinition};
    use std::collections::BTreeMap;

    const ROWS: TableDefinition<(u128, u128), &[u8]> = TableDefinition::new("rows");
    const KEYS: TableDefinition<(u128, i64), ()> = TableDefinition::new("keys");

    /// A disk that the test can look at and damage.
    #[derive(Debug, Clone, Default)]
    struct Bytes(Arc<InMemoryBackend>);

    impl Bytes {
        fn all(&self) -> Vec<u8> {
            let mut all = vec![0; usize::try_from(self.0.len().unwrap()).unwrap()];
            self.0.read(0, &mut all).unwrap();
            all
        }

        fn of(content: &[u8]) -> Bytes {
            let bytes = Bytes::default();
            bytes.0.set_len(content.len() as u64).unwrap();
            bytes.0.write(0, content).unwrap();
            bytes
        }
    }

    impl StorageBackend for Bytes {
        fn len(&self) -> io::Result<u64> {
            self.0.len()
        }
        fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
            self.0.read(offset, out)
        }
        fn set_len(&self, bytes: u64) -> io::Result<()> {
            self.0.set_len(bytes)
        }
        fn sync_data(&self) -> io::Result<()> {
            self.0.sync_data()
        }
        fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
            self.0.write(offset, data)
        }
    }

    /// Without a cache, so that every page is read from the disk each time.
    fn open(bytes: &Bytes, health: &Arc<DiskHealth>) -> Result<Database, DatabaseError> {
        redb::Builder::new()
            .set_cache_size(0)
            .create_with_backend(VerifyingBackend::new(bytes.clone(), health))
    }

    type Rows = BTreeMap<(u128, u128), Vec<u8>>;

    fn read(database: &Database) -> Result<(Rows, usize), redb::Error> {
        let transaction = database.begin_read()?;
        let mut rows = Rows::new();
        for row in transaction.open_table(ROWS)?.iter()? {
            let (key, value) = row?;
            rows.insert(key.value(), value.value().to_vec());
        }
        let keys = transaction.open_table(KEYS)?;
        let count = keys.iter()?.try_fold(0, |count, key| key.map(|_| count + 1))?;
        Ok((rows, count))
    }

    /// A database with this number of rows, and its content.
    fn filled(count: u128) -> (Bytes, Rows) {
        let bytes = Bytes::default();
        let database = open(&bytes, &Arc::default()).unwrap();
        let mut rows = Rows::new();
        let transaction = database.begin_write().unwrap();
        {
            let mut table = transaction.open_table(ROWS).unwrap();
            let mut keys = transaction.open_table(KEYS).unwrap();
            for number in 0..count {
                let value = vec![number.to_le_bytes()[0]; 50 + usize::try_from(number % 90).unwrap()];
                table.insert((1, number), &*value).unwrap();
                keys.insert((number, 5), ()).unwrap();
                rows.insert((1, number), value);
            }
        }
        transaction.commit().unwrap();
        drop(database);
        (bytes, rows)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(12))]

        #[test]
        fn pages_are_read_as_they_were_written(changes in proptest::collection::vec((0..600u128, 0..3000usize,
            any::<bool>()), 1..400), commit_every in 1..40usize) {
            let health = Arc::default();
            let bytes = Bytes::default();
            let mut rows = Rows::new();
            let mut database = open(&bytes, &health).unwrap();
            for (at, batch) in changes.chunks(commit_every).enumerate() {
                let transaction = database.begin_write().unwrap();
                {
                    let mut table = transaction.open_table(ROWS).unwrap();
                    let mut keys = transaction.open_table(KEYS).unwrap();
                    for (number, length, is_kept) in batch {
                        let key = (1, *number);
                        let value = vec![7; *length];
                        if *is_kept {
                            table.insert(key, &*value).unwrap();
                            keys.insert((*number, 5), ()).unwrap();
                            rows.insert(key, value);
                        } else {
                            table.remove(key).unwrap();
                            keys.remove((*number, 5)).unwrap();
                            rows.remove(&key);
                        }
                    }
                }
                transaction.commit().unwrap();
                prop_assert_eq!(read(&database).unwrap(), (rows.clone(), rows.len()));
                if at % 5 == 4 {
                    drop(database);
                    database = open(&bytes, &health).unwrap();
                }
                if at % 7 == 6 {
                    database.compact().unwrap();
                    prop_assert_eq!(read(&database).unwrap(), (rows.clone(), rows.len()));
                }
            }
            prop_assert_eq!(health.unreadable_pages(), 0);
        }
    }

    #[test]
    fn a_page_with_one_wrong_bit_is_damaged_and_stays_as_it_is() {
        let (bytes, rows) = filled(500);
        let whole = bytes.all();
        let mut damaged_pages = 0;
        for page in 1..whole.len() / 4096 {
            let mut flipped = whole.clone();
            flipped[page * 4096 + 3 + page % 60] ^= 1 << (page % 8);
            let bytes = Bytes::of(&flipped);
            let health = Arc::default();
            let found = guarded(|| read(&open(&bytes, &health)?));
            match found {
                Ok(Ok(found)) => assert_eq!(found, (rows.clone(), rows.len()), "page {page}"),
                _ => {
                    assert!(health.unreadable_pages() > 0, "page {page}");
                    assert!(bytes.all()[page * 4096..][..4096] == flipped[page * 4096..][..4096]);
                    damaged_pages += 1;
                }
            }
        }
        assert!(damaged_pages > 15, "only {damaged_pages} pages are in use");
    }

    #[test]
    fn a_damaged_page_is_an_error_and_never_other_rows() {
        let (bytes, rows) = filled(500);
        let whole = bytes.all();
        let mut errors = 0;
        for page in 1..whole.len() / 4096 {
            for kind in 0..3 {
                // Pages that nobody uses are full of zeros.
                if whole[page * 4096] == 0 {
                    continue;
                }
                let mut damaged = whole.clone();
                let other = 1 + page % (whole.len() / 4096 - 1);
                let (own, garbage) = (page * 4096..(page + 1) * 4096, page * 4096 + 8..page * 4096 + 72);
                match kind {
                    0 => damaged[own].fill(0),
                    1 => damaged[garbage]
                        .iter_mut()
                        .for_each(|byte| *byte = byte.wrapping_add(91)),
                    _ => damaged.copy_within(other * 4096..(other + 1) * 4096, own.start),
                }
                let result = std::panic::catch_unwind(|| {
                    let database = open(&Bytes::of(&damaged), &Arc::default())?;
                    read(&database)
                });
                match result {
                    Ok(Ok(found)) => assert_eq!(found, (rows.clone(), rows.len()), "page {page}, {kind}"),
                    _ => errors += 1,
                }
            }
        }
        assert!(errors > 40, "only {errors} damages were seen");
    }
}

//! The file under redb, which doesn't compare the checksums of its pages when it reads: this does. A page is known by
//! the one above it, and that was read before; one that was written here is known by what was written. A single wrong
//! bit is put right, in the file too. Any other damaged page comes out as zeros, as does one that the disk doesn't read
//! or that lies behind the end of the file. redb takes zeros for no page: an error of that one read. After an error of
//! its file it would answer nothing any more.

use std::collections::HashMap;
use std::fs::OpenOptions;
use std::io;
use std::ops::Bound;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use redb::backends::FileBackend;
use redb::{BackendError, DatabaseError, StorageBackend};
use xxhash_rust::xxh3::xxh3_128;

use super::notes::{self, Commit, News};
use super::pages::{self, Header, Kind, Named, PAGE_BYTES, Shape};

/// How the file has failed, and what was put right in it.
#[derive(Debug, Default)]
pub(super) struct Trouble {
    full: AtomicBool,
    other: AtomicBool,
    news: Mutex<News>,
    unreadable: AtomicU64,
}

impl Trouble {
    /// Whether room was missing, and nothing else.
    pub(super) fn is_full(&self) -> bool {
        self.full.load(Ordering::Acquire) && !self.other.load(Ordering::Acquire)
    }

    /// The file is opened anew.
    pub(super) fn forget(&self) {
        self.full.store(false, Ordering::Release);
        self.other.store(false, Ordering::Release);
    }

    /// What the next check has to tell.
    pub(super) fn news(&self) -> MutexGuard<'_, News> {
        self.news.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How often a page was not what had been written there, or could not be read.
    pub(super) fn unreadable(&self) -> u64 {
        self.unreadable.load(Ordering::Relaxed)
    }

    /// Whether the disk failed, otherwise than by being full.
    pub(super) fn is_of_disk(&self) -> bool {
        self.other.load(Ordering::Acquire)
    }

    fn note(&self, error: &io::Error) {
        let kind = if is_full(error) { &self.full } else { &self.other };
        kind.store(true, Ordering::Release);
    }
}

/// Whether an error means that the disk, or what one user or file may have of it, is used up.
pub(super) fn is_full(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge
    )
}

/// The proof of a page.
#[derive(Debug, Clone, Copy)]
enum Known {
    /// The checksum that the page above has, and what it says that is in the page.
    Named(u128, Content),
    /// The checksum of all of it.
    Written(u128),
    /// It is damaged.
    Lost,
}

/// What is in the pages of a tree.
#[derive(Debug, Clone, Copy)]
pub(super) enum Content {
    Tables,
    Rows(Shape),
}

impl Content {
    pub(super) fn shape(self) -> Shape {
        match self {
            Content::Tables => pages::TABLES,
            Content::Rows(shape) => shape,
        }
    }
}

impl Known {
    fn is_right(self, page: &[u8]) -> bool {
        match self {
            Known::Named(checksum, content) => pages::checksum(page, content.shape()) == Some(checksum),
            Known::Written(checksum) => xxh3_128(page) == checksum,
            Known::Lost => false,
        }
    }
}

#[derive(Debug)]
pub(super) struct Disk<B> {
    file: B,
    trouble: Arc<Trouble>,
    /// Where notes are kept.
    path: Option<PathBuf>,
    state: Mutex<State>,
    is_closed: AtomicBool,
}

#[derive(Debug)]
struct State {
    header: Header,
    /// The commit that was noted last.
    noted: Option<Commit>,
    /// Pages by where they are.
    known: HashMap<u64, Known>,
}

impl State {
    fn name(&mut self, named: Named, content: Content) {
        let Some((at, _)) = self.header.place(named.number) else {
            return;
        };
        let known = self.known.entry(at).or_insert(Known::Lost);
        if !matches!(known, Known::Written(_)) {
            *known = Known::Named(named.checksum, content);
        }
    }

    /// Learns of the pages below a whole one.
    fn learn_from(&mut self, page: &[u8], content: Content) {
        match (pages::kind(page), content) {
            (Some(Kind::Branch), _) => pages::children(page).for_each(|child| self.name(child, content)),
            (Some(Kind::Leaf), Content::Tables) => {
                for table in pages::definitions(page) {
                    table
                        .root
                        .into_iter()
                        .for_each(|root| self.name(root, Content::Rows(table.shape)));
                }
            }
            _ => {}
        }
    }
}

impl Disk<FileBackend> {
    /// The file of a database, which is made when it isn't there.
    pub(super) fn of(path: &Path, trouble: &Arc<Trouble>) -> Result<Disk<FileBackend>, DatabaseError> {
        let mut options = OpenOptions::new();
        let file = options.read(true).write(true).create(true).truncate(false).open(path)?;
        let mut disk = Disk::over(FileBackend::new(file)?, trouble);
        // One that is noted already keeps its time.
        disk.state().noted = Commit::noted(path);
        disk.path = Some(path.to_owned());
        Ok(disk)
    }
}

impl<B: StorageBackend> Disk<B> {
    pub(super) fn over(file: B, trouble: &Arc<Trouble>) -> Disk<B> {
        Disk {
            file,
            trouble: Arc::clone(trouble),
            path: None,
            state: Mutex::new(State {
                header: Header::of(&[]),
                noted: None,
                known: HashMap::new(),
            }),
            is_closed: AtomicBool::new(false),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn noted<T>(&self, done: io::Result<T>) -> io::Result<T> {
        done.inspect_err(|error| self.trouble.note(error))
    }

    fn note_mended(&self) {
        let mut news = self.trouble.news();
        news.wrong_bits += 1;
        if let Some(path) = &self.path {
            news.keep(path);
        }
    }

    /// Notes a commit beside the header that has it: they go to the disk with the same sync.
    fn note_commit(&self, header: &[u8]) -> io::Result<()> {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let time = i64::try_from(now.as_secs()).unwrap_or(i64::MAX);
        let Some(newest) = Commit::newest(&mut header.to_vec(), time) else {
            return Ok(());
        };
        let mut state = self.state();
        if !state.noted.is_some_and(|noted| noted.is_same_as(newest)) {
            self.file.write(notes::COMMIT_AT, &newest.bytes())?;
            state.noted = Some(newest);
        }
        Ok(())
    }

    fn read_header(&self, bytes: &mut [u8]) {
        let header = Header::of(bytes);
        let mut state = self.state();
        state.header = header;
        for slot in pages::slots(bytes) {
            if slot.is_mended {
                tracing::error!("the header of the database has a wrong bit; it is put right");
                self.note_mended();
            }
            for root in slot.roots.into_iter().flatten().filter(|_| slot.is_sound) {
                state.name(root, Content::Tables);
            }
        }
    }

    /// Whether a page is what it should be, or is that now.
    fn proves(&self, offset: u64, page: &mut [u8]) -> bool {
        let known = self.state().known.get(&offset).copied();
        let Some(known) = known else {
            return true;
        };
        if !known.is_right(page) {
            if matches!(known, Known::Lost) || !pages::mend(page, |page| known.is_right(page)) {
                self.state().known.insert(offset, Known::Lost);
                return false;
            }
            tracing::error!("the database has a wrong bit in the page at byte {offset}; it is put right");
            self.note_mended();
            // Nobody changes a page that can be read. One that stays wrong is mended again.
            let _ = self.file.write(offset, page);
        }
        if let Known::Named(_, content) = known {
            self.state().learn_from(page, content);
        }
        true
    }
}

type Locked<T> = Result<T, BackendError>;

impl<B: StorageBackend> StorageBackend for Disk<B> {
    fn len(&self) -> io::Result<u64> {
        self.noted(self.file.len())
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        let read = self.file.read(offset, out);
        if offset < PAGE_BYTES {
            self.read_header(out);
            return self.noted(read);
        }
        let damage = match read {
            Err(error) => format!("the database can't be read at byte {offset}: {error}"),
            Ok(()) if self.proves(offset, out) => return Ok(()),
            Ok(()) => format!("the database is damaged in the page at byte {offset}"),
        };
        if self.is_closed.load(Ordering::Acquire) {
            return Err(io::Error::other("the file is closed"));
        }
        out.fill(0);
        // Until it is open again, pages of the commit that found the disk full needn't be there.
        if !self.trouble.is_full() {
            tracing::error!("{damage}");
            self.trouble.unreadable.fetch_add(1, Ordering::Relaxed);
        }
        Ok(())
    }

    fn set_len(&self, bytes: u64) -> io::Result<()> {
        self.noted(self.file.set_len(bytes))
    }

    fn sync_data(&self) -> io::Result<()> {
        self.noted(self.file.sync_data())
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        if offset >= PAGE_BYTES {
            let written = Known::Written(xxh3_128(data));
            self.state().known.insert(offset, written);
        }
        self.noted(self.file.write(offset, data))?;
        match offset {
            0 if data.len() < notes::COMMIT_AT as usize => self.noted(self.note_commit(data)),
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
    fn open(bytes: &Bytes, trouble: &Arc<Trouble>) -> Result<Database, DatabaseError> {
        redb::Builder::new()
            .set_cache_size(0)
            .create_with_backend(Disk::over(bytes.clone(), trouble))
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

    /// A database with so many rows, and what is in it.
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
            let trouble = Arc::default();
            let bytes = Bytes::default();
            let mut rows = Rows::new();
            let mut database = open(&bytes, &trouble).unwrap();
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
                    database = open(&bytes, &trouble).unwrap();
                }
                if at % 7 == 6 {
                    database.compact().unwrap();
                    prop_assert_eq!(read(&database).unwrap(), (rows.clone(), rows.len()));
                }
            }
            prop_assert_eq!(std::mem::take(&mut *trouble.news()).wrong_bits, 0);
        }
    }

    #[test]
    fn a_wrong_bit_is_put_right_wherever_it_is_and_stays_so() {
        let (bytes, rows) = filled(500);
        let whole = bytes.all();
        let mut mended_pages = 0;
        for page in 1..whole.len() / 4096 {
            let mut flipped = whole.clone();
            flipped[page * 4096 + 3 + page % 60] ^= 1 << (page % 8);
            let bytes = Bytes::of(&flipped);
            let trouble = Arc::default();
            let database = open(&bytes, &trouble).unwrap();
            assert_eq!(read(&database).unwrap(), (rows.clone(), rows.len()), "page {page}");
            drop(database);
            if std::mem::take(&mut *trouble.news()).wrong_bits > 0 {
                mended_pages += 1;
                assert_eq!(read(&open(&bytes, &trouble).unwrap()).unwrap().1, rows.len());
                assert_eq!(std::mem::take(&mut *trouble.news()).wrong_bits, 0, "page {page}");
            }
        }
        assert!(mended_pages > 15, "only {mended_pages} pages are in use");
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

//! Tests of simulated power cuts at any disk operation of writes, compactions and migrations: confirmed writes survive,
//! unconfirmed ones are stored completely or not at all, an index never disagrees with its records, and nobody says
//! that a change is missing.
//!
//! The simulated disk reorders and tears writes: each sector that wasn't synced is kept or lost at random. As a
//! control, the test must fail with a disk that lies about syncing.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, MutexGuard};

use redb::{Database, StorageBackend};
use redb_file::VerifyingBackend;
use serde::{Deserialize, Serialize};

use super::*;
use crate::migrations::{Step, migrate};

const SECTOR_BYTES: usize = 512;
/// Number of notes that are kept: each new one replaces the oldest.
const KEPT: u128 = 5;
const OWNER: u128 = 7;

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Note {
    text: String,
}

record!(Note: (Owner, u128) = FLIGHTS);

#[derive(Debug)]
enum Operation {
    Write(usize, Vec<u8>),
    Length(usize),
}

#[derive(Debug)]
struct SimulatedDisk {
    /// Content as the program sees it.
    live: Vec<u8>,
    /// Content at the last sync.
    durable: Vec<u8>,
    /// Operations since the last sync, which a real disk may or may not have stored.
    pending: Vec<Operation>,
    operations: u64,
    /// Number of the operation at which the power is cut.
    cut: u64,
    /// Only every n-th sync has an effect.
    syncs_one_in: u64,
    syncs: u64,
}

impl SimulatedDisk {
    fn step(&mut self) -> io::Result<()> {
        self.operations += 1;
        if self.operations >= self.cut {
            return Err(io::Error::other("power cut"));
        }
        Ok(())
    }
}

#[derive(Debug, Clone)]
struct PowerCut(Arc<Mutex<SimulatedDisk>>);

impl PowerCut {
    fn new(content: Vec<u8>, cut: u64, syncs_one_in: u64) -> PowerCut {
        PowerCut(Arc::new(Mutex::new(SimulatedDisk {
            durable: content.clone(),
            live: content,
            pending: Vec::new(),
            operations: 0,
            cut,
            syncs_one_in,
            syncs: 0,
        })))
    }

    fn disk(&self) -> MutexGuard<'_, SimulatedDisk> {
        self.0.lock().unwrap()
    }

    /// Returns the disk's content after the power cut.
    fn after(&self, coin: &mut Coin) -> Vec<u8> {
        let disk = self.disk();
        let mut content = disk.durable.clone();
        for operation in &disk.pending {
            match operation {
                Operation::Length(length) => {
                    if coin.toss() {
                        content.resize(*length, 0);
                    }
                }
                Operation::Write(at, data) => {
                    for (number, sector) in data.chunks(SECTOR_BYTES).enumerate() {
                        if coin.toss() {
                            put(&mut content, at + number * SECTOR_BYTES, sector);
                        }
                    }
                }
            }
        }
        content
    }
}

fn put(content: &mut Vec<u8>, at: usize, data: &[u8]) {
    if content.len() < at + data.len() {
        content.resize(at + data.len(), 0);
    }
    content[at..at + data.len()].copy_from_slice(data);
}

impl StorageBackend for PowerCut {
    fn len(&self) -> io::Result<u64> {
        Ok(self.disk().live.len() as u64)
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        let disk = self.disk();
        let from = usize::try_from(offset).unwrap();
        let found = disk.live.get(from..from + out.len());
        out.copy_from_slice(found.ok_or_else(|| io::Error::other("behind the end"))?);
        Ok(())
    }

    fn set_len(&self, length: u64) -> io::Result<()> {
        let mut disk = self.disk();
        disk.step()?;
        let length = usize::try_from(length).unwrap();
        disk.live.resize(length, 0);
        disk.pending.push(Operation::Length(length));
        Ok(())
    }

    fn sync_data(&self) -> io::Result<()> {
        let mut disk = self.disk();
        disk.step()?;
        disk.syncs += 1;
        if disk.syncs.is_multiple_of(disk.syncs_one_in) {
            disk.durable = disk.live.clone();
            disk.pending.clear();
        }
        Ok(())
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        let mut disk = self.disk();
        let at = usize::try_from(offset).unwrap();
        put(&mut disk.live, at, data);
        disk.pending.push(Operation::Write(at, data.to_vec()));
        disk.step()
    }
}

/// Xorshift64 (Marsaglia 2003).
struct Coin(u64);

impl Coin {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 20) % limit
    }

    fn toss(&mut self) -> bool {
        self.below(2) == 0
    }
}

fn open_database(disk: &PowerCut) -> std::result::Result<Database, String> {
    redb::Builder::new()
        .create_with_backend(VerifyingBackend::new(disk.clone(), &Arc::default()))
        .map_err(|error| error.to_string())
}

/// Opens the store on a disk. A panic of redb counts as an error.
fn open(disk: &PowerCut) -> std::result::Result<Store, String> {
    let opened = catch_unwind(AssertUnwindSafe(|| {
        start(DatabaseHandle::new(open_database(disk)?), None).map_err(|error| format!("{error:?}"))
    }));
    opened.unwrap_or_else(|_| Err("a panic".to_owned()))
}

fn text(number: u128) -> String {
    "Notiz ".repeat(usize::try_from(number % 9).unwrap() * 40) + &number.to_string()
}

/// Writes notes until the disk fails; returns how many were confirmed.
fn work(store: &Store, from: u128) -> u128 {
    let failed = (from..).find(|number| write(store, *number).is_err());
    failed.expect("there are fewer operations than numbers")
}

fn write(store: &Store, number: u128) -> Result<()> {
    store.write(move |writer| {
        writer.put((OWNER, number), &Note { text: text(number) })?;
        writer.insert_key(&schema::FLIGHTS_BY_START, (OWNER, 0, number))?;
        let Some(old) = number.checked_sub(KEPT) else {
            return Ok(());
        };
        writer.remove_key(&schema::FLIGHTS_BY_START, (OWNER, 0, old))?;
        writer.remove::<Note>((OWNER, old))
    })
}

/// Returns how many notes were written, if exactly the expected ones are there.
fn found(store: &Store) -> std::result::Result<u128, String> {
    let read = catch_unwind(AssertUnwindSafe(|| {
        store.read(|data| {
            let all = (OWNER, i64::MIN, 0)..=(OWNER, i64::MAX, u128::MAX);
            let listed = data.keys_descending(&schema::FLIGHTS_BY_START, all, usize::MAX)?;
            Ok((data.scan::<Note>(..)?, listed))
        })
    }));
    let (notes, mut listed) = read
        .map_err(|_| "a panic".to_owned())?
        .map_err(|error| format!("{error:?}"))?;
    listed.reverse();
    let written = notes.last().map_or(0, |((_, number), _)| number + 1);
    let expected: Vec<_> = (written.saturating_sub(KEPT)..written).collect();
    let numbers: Vec<_> = notes.iter().map(|((_, number), _)| *number).collect();
    let listed: Vec<_> = listed.iter().map(|(_, _, number)| *number).collect();
    let whole = notes.iter().all(|((_, number), note)| note.text == text(*number));
    match (numbers == expected, listed == expected, whole) {
        (true, true, true) => Ok(written),
        _ => Err(format!("{numbers:?} are there, {listed:?} are listed, whole: {whole}")),
    }
}

/// Fails if the start of the server would say of this content that a page is damaged, or the start or the command that
/// recovers that its last change is missing.
fn expect_no_alarm(content: &[u8]) -> std::result::Result<(), String> {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), content).unwrap();
    let recovered = damaged::open(file.path()).unwrap().lost_commit();
    let health = Arc::default();
    let opened = redb_file::open(&opening::builder(), file.path(), &health).map_err(|error| error.to_string())?;
    drop(opened);
    match (recovered, health.lost_commit(), health.unreadable_pages()) {
        (None, None, 0) => Ok(()),
        said => Err(format!(
            "a change is said to be missing or pages to be damaged: {said:?}"
        )),
    }
}

/// Simulates writes, a power cut, perhaps another cut during reopening, and checks the result. `Err` says what was
/// lost.
fn life(seed: u64, syncs_one_in: u64) -> std::result::Result<(), String> {
    let mut coin = Coin(seed | 1);
    coin.below(2);
    let disk = PowerCut::new(Vec::new(), u64::MAX, syncs_one_in);
    let store = open(&disk)?;
    let first = 1 + coin.below(500);
    let now = disk.disk().operations;
    disk.disk().cut = now + first;
    let confirmed = work(&store, 0);
    drop(store);
    let mut content = disk.after(&mut coin);
    if coin.toss() {
        let disk = PowerCut::new(content, 1 + coin.below(12), syncs_one_in);
        // Opening may fail, or finish before the cut.
        drop(open(&disk));
        content = disk.after(&mut coin);
    }
    expect_no_alarm(&content)?;
    let disk = PowerCut::new(content, u64::MAX, 1);
    let store = open(&disk)?;
    let written = found(&store)?;
    // The write in progress may be stored.
    if written != confirmed && written != confirmed + 1 {
        return Err(format!("{confirmed} were confirmed, {written} are there"));
    }
    // Writing works again.
    let now = disk.disk().operations;
    disk.disk().cut = now + 60;
    work(&store, written);
    Ok(())
}

/// Simulates a power cut during compaction.
fn compaction(seed: u64, syncs_one_in: u64) -> std::result::Result<(), String> {
    let mut coin = Coin(seed | 1);
    coin.below(2);
    let disk = PowerCut::new(Vec::new(), u64::MAX, syncs_one_in);
    let store = open(&disk)?;
    let written = 1 + u128::from(coin.below(60));
    for number in 0..written {
        write(&store, number).map_err(|error| format!("{error:?}"))?;
    }
    drop(store);
    let mut database = open_database(&disk)?;
    let now = disk.disk().operations;
    disk.disk().cut = now + 1 + coin.below(80);
    let compacted = catch_unwind(AssertUnwindSafe(|| database.compact()));
    drop(catch_unwind(AssertUnwindSafe(|| drop(database))));
    drop(compacted);
    let content = disk.after(&mut coin);
    expect_no_alarm(&content)?;
    let disk = PowerCut::new(content, u64::MAX, 1);
    match found(&open(&disk)?)? {
        there if there == written => Ok(()),
        there => Err(format!("{written} were confirmed, {there} are there")),
    }
}

/// Notes of schema 1 that a migration rewrites: more than one page of them.
const MIGRATED: u128 = 40;

/// A step that moves each note to another owner.
fn to_another_owner(writer: &Writer<'_>) -> Result<()> {
    for ((owner, number), note) in writer.scan::<Note>(..)? {
        writer.remove::<Note>((owner, number))?;
        writer.put((owner + 1, number), &note)?;
    }
    Ok(())
}

/// Migrates the database on a disk by these steps. A panic of redb counts as an error.
fn migrated(disk: &PowerCut, steps: &[Step]) -> std::result::Result<Database, String> {
    let opened = catch_unwind(AssertUnwindSafe(|| {
        let database = open_database(disk)?;
        migrate(&database, None, steps).map_err(|error| format!("{error:?}"))?;
        Ok(database)
    }));
    opened.unwrap_or_else(|_| Err("a panic".to_owned()))
}

/// Returns the owner of the notes, if exactly the expected ones are there.
fn owner_of_notes(database: &Database) -> std::result::Result<u128, String> {
    let transaction = database.begin_write().map_err(|error| error.to_string())?;
    let notes = Writer::new(&transaction)
        .scan::<Note>(..)
        .map_err(|error| format!("{error:?}"))?;
    let owner = notes.first().map_or(0, |((owner, _), _)| *owner);
    let expected: Vec<_> = (0..MIGRATED).map(|number| ((owner, number), text(number))).collect();
    let found: Vec<_> = notes.into_iter().map(|(key, note)| (key, note.text)).collect();
    if found == expected {
        Ok(owner)
    } else {
        Err(format!("{} notes are there, of {owner} and others", found.len()))
    }
}

/// Simulates a power cut during a migration, and perhaps another cut during the next one.
fn migration(seed: u64, syncs_one_in: u64) -> std::result::Result<(), String> {
    let mut coin = Coin(seed | 1);
    coin.below(2);
    let disk = PowerCut::new(Vec::new(), u64::MAX, 1);
    let database = migrated(&disk, &[])?;
    let transaction = database.begin_write().map_err(|error| error.to_string())?;
    for number in 0..MIGRATED {
        let note = Note { text: text(number) };
        let put = Writer::new(&transaction).put((OWNER, number), &note);
        put.map_err(|error| format!("{error:?}"))?;
    }
    transaction.commit().map_err(|error| error.to_string())?;
    drop(database);
    let mut content = disk.disk().live.clone();
    for _ in 0..=coin.below(2) {
        let disk = PowerCut::new(content, 1 + coin.below(40), syncs_one_in);
        drop(migrated(&disk, &[to_another_owner]));
        content = disk.after(&mut coin);
        expect_no_alarm(&content)?;
    }
    let disk = PowerCut::new(content, u64::MAX, 1);
    let between = owner_of_notes(&open_database(&disk)?)?;
    let after = owner_of_notes(&migrated(&disk, &[to_another_owner])?)?;
    if (between == OWNER || between == OWNER + 1) && after == OWNER + 1 {
        Ok(())
    } else {
        Err(format!("the notes are of {between}, then of {after}"))
    }
}

/// Returns the number of rounds; `FLUGLOG_CUTS`, set when the tests are built, asks for more than the default.
fn cuts(few: usize) -> usize {
    option_env!("FLUGLOG_CUTS").map_or(few, |wanted| wanted.parse().unwrap())
}

fn seeds() -> impl Iterator<Item = u64> {
    (1..).map(|number: u64| number.wrapping_mul(0x9E37_79B9_7F4A_7C15))
}

#[test]
fn a_confirmed_write_survives_a_power_cut_at_any_moment() {
    for seed in seeds().take(cuts(100)) {
        if let Err(lost) = life(seed, 1) {
            panic!("life({seed}, 1): {lost}");
        }
    }
}

#[test]
fn a_power_cut_while_the_file_is_compacted_loses_nothing() {
    for seed in seeds().take(cuts(60)) {
        if let Err(lost) = compaction(seed, 1) {
            panic!("compaction({seed}, 1): {lost}");
        }
    }
}

#[test]
fn a_power_cut_while_the_data_are_migrated_leaves_the_old_schema_or_the_new_one() {
    for seed in seeds().take(cuts(60)) {
        if let Err(lost) = migration(seed, 1) {
            panic!("migration({seed}, 1): {lost}");
        }
    }
}

#[test]
fn on_a_disk_that_lies_about_syncing_the_same_test_fails() {
    let lost = seeds().take(30).filter(|seed| life(*seed, 7).is_err());
    assert!(lost.count() > 15, "the power cut shows nothing");
    let lost = seeds().take(30).filter(|seed| compaction(*seed, 7).is_err());
    assert!(lost.count() > 10, "the power cut of a compaction shows nothing");
    let lost = seeds().take(30).filter(|seed| migration(*seed, 7).is_err());
    assert!(lost.count() > 10, "the power cut of a migration shows nothing");
}

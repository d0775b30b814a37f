//! Every row that is left in a damaged file is found, and no wrong one.

use redb::{Database, TableDefinition, WriteTransaction};
use xxhash_rust::xxh3::xxh3_64;

use super::*;

const NAME: &str = "records";
const RECORDS: TableDefinition<(u128, u128), &[u8]> = TableDefinition::new(NAME);
/// In the first byte of a value whose checksum covers table and key.
const SEALED: u8 = 0x80;

/// Keys are two numbers, and a value ends with a checksum.
struct Records;

impl RowProof for Records {
    fn key_bytes(&self) -> usize {
        32
    }

    fn key(&self, key: &[u8]) -> Option<Vec<u8>> {
        let numbers: &[u8; 32] = key.try_into().ok()?;
        let (first, second) = numbers.split_at(16);
        let reversed = |number: &[u8]| number.iter().rev().copied().collect::<Vec<_>>();
        Some([reversed(first), reversed(second)].concat())
    }

    fn proof(&self, key: &[u8], value: &[u8]) -> Option<(Vec<u8>, Proof)> {
        let key = self.key(key)?;
        let (payload, checksum) = value.split_last_chunk::<8>()?;
        let proof = match payload.first()? & SEALED {
            0 => Proof::Value,
            _ => Proof::Row,
        };
        (checksum_of(&key, payload) == *checksum).then_some((key, proof))
    }
}

fn checksum_of(key: &[u8], payload: &[u8]) -> [u8; 8] {
    let is_sealed = payload[0] & SEALED != 0;
    let place = if is_sealed {
        [NAME.as_bytes(), key].concat()
    } else {
        Vec::new()
    };
    xxh3_64(&[&place, payload].concat()).to_le_bytes()
}

fn value(key: &[u8], first: u8, text: &str) -> Vec<u8> {
    let payload = [&[first], text.as_bytes()].concat();
    [&payload[..], &checksum_of(key, &payload)].concat()
}

/// Names of other tables, which have no rows.
fn others() -> impl Iterator<Item = String> {
    (0..60).map(|number| format!("other-{number:02}"))
}

fn create_tables(transaction: &WriteTransaction) {
    transaction.open_table(RECORDS).unwrap();
    for name in others() {
        transaction.open_table(TableDefinition::<u64, u64>::new(&name)).unwrap();
    }
}

fn insert<'r>(transaction: &WriteTransaction, rows: impl IntoIterator<Item = (&'r KeyBytes, &'r Vec<u8>)>) {
    let mut table = transaction.open_table(RECORDS).unwrap();
    for (key, value) in rows {
        let number = |at: usize| u128::from_be_bytes(*key[at..].first_chunk().unwrap());
        table.insert((number(0), number(16)), value.as_slice()).unwrap();
    }
}

type RowsOf = BTreeMap<KeyBytes, Vec<u8>>;

const PAGE: usize = PAGE_BYTES as usize;
/// Rows of the table: several leaves under a branch, and one row that needs pages of its own.
const ROWS: u128 = 300;
const LONG: u128 = 150;
/// A row that the last commit removes.
const REMOVED: u128 = 222;
/// Rows in the end.
const LEFT: u64 = ROWS as u64 - 1;

/// Whether the last commit changes a row.
fn is_changed(number: u128) -> bool {
    number.is_multiple_of(90) || number == ROWS - 1
}

/// The row of this number, in the state of a commit.
fn row(number: u128, commit: &str) -> (KeyBytes, Vec<u8>) {
    let key = (7u128, number * 10);
    let length = if number == LONG { 9_000 } else { 40 };
    let text = format!("{commit} {number} ").repeat(length / 5);
    let bytes = [key.0.to_be_bytes(), key.1.to_be_bytes()].concat();
    let value = value(&bytes, SEALED | 1, &text);
    (bytes, value)
}

fn rows(commit: &str) -> RowsOf {
    (0..ROWS).map(|number| row(number, commit)).collect()
}

/// A file with two commits, of which the second changes some rows: after the first, after both, and after it was
/// closed.
struct Written {
    first: Vec<u8>,
    open: Vec<u8>,
    closed: Vec<u8>,
    rows: RowsOf,
    before: RowsOf,
}

impl Written {
    /// Whether a commit has this row.
    fn has_had(&self, key: &KeyBytes, value: &Vec<u8>) -> bool {
        [&self.rows, &self.before]
            .iter()
            .any(|rows| rows.get(key) == Some(value))
    }
}

fn written() -> Written {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("recover.redb");
    let database = Database::create(&path).unwrap();
    let commit = |rows: &RowsOf, removed: Option<u128>| {
        let transaction = database.begin_write().unwrap();
        create_tables(&transaction);
        insert(&transaction, rows);
        if let Some(number) = removed {
            let mut table = transaction.open_table(RECORDS).unwrap();
            assert!(table.remove((7, number * 10)).unwrap().is_some());
        }
        transaction.commit().unwrap();
    };
    let before = rows("old");
    commit(&before, None);
    let first = std::fs::read(&path).unwrap();
    let changed: RowsOf = (0..ROWS)
        .filter(|number| is_changed(*number))
        .map(|number| row(number, "new"))
        .collect();
    commit(&changed, Some(REMOVED));
    let open = std::fs::read(&path).unwrap();
    drop(database);
    let mut rows: RowsOf = before.clone().into_iter().chain(changed).collect();
    rows.remove(&row(REMOVED, "").0);
    Written {
        first,
        open,
        closed: std::fs::read(path).unwrap(),
        rows,
        before,
    }
}

fn place(file: &[u8], bytes: &[u8]) -> Option<usize> {
    memchr::memmem::find(file, bytes)
}

fn places(file: &[u8], bytes: &[u8]) -> Vec<usize> {
    memchr::memmem::find_iter(file, bytes).collect()
}

fn damaged(file: &[u8]) -> DamagedFile {
    let place = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(place.path(), file).unwrap();
    DamagedFile::open(place.path(), &[(NAME, &Records)]).unwrap()
}

fn found(file: &[u8]) -> RecoveredTable {
    damaged(file).table(NAME, &Records)
}

/// The pages of the table in a file, root first: their places and lengths, and whether they are branches.
fn pages_of_table(file: &[u8]) -> Vec<(usize, usize, bool)> {
    let mut damaged = damaged(file);
    let root = damaged.entry(NAME).and_then(|table| table.root).unwrap();
    let widths = (&Records as &dyn RowProof).widths();
    let mut pages = Vec::new();
    let mut next = vec![root];
    while let Some(page_ref) = next.pop() {
        let (at, page, is_intact) = damaged.pages.find(page_ref, widths).unwrap();
        assert!(is_intact);
        let is_branch = pages::kind(&page) == Some(Kind::Branch);
        pages.push((at as usize, page.len(), is_branch));
        if is_branch {
            next.extend(pages::children(&page));
        }
    }
    pages
}

/// The rows that a damage took away, which are told as lost. All that are found are right, or older where they are told
/// as uncertain.
#[track_caller]
fn lost(file: &[u8], written: &Written) -> u64 {
    let found = found(file);
    for (key, value) in &found.rows {
        assert!(written.has_had(key, value), "a row that nobody wrote");
    }
    let right = found
        .rows
        .iter()
        .filter(|(key, value)| written.rows.get(*key) == Some(value))
        .count() as u64;
    assert_eq!(found.expected, Some(LEFT));
    assert!(
        right + found.uncertain >= found.rows.len() as u64,
        "older rows are told as uncertain"
    );
    assert_eq!(found.lost(), LEFT - (found.rows.len() as u64 - found.uncertain));
    found.lost()
}

#[test]
fn a_whole_file_gives_every_row() {
    let written = written();
    for file in [&written.open, &written.closed] {
        let found = found(file);
        assert_eq!(found.rows, written.rows);
        assert_eq!(
            (found.expected, found.gaps, found.uncertain, found.lost()),
            (Some(LEFT), 0, 0, 0)
        );
    }
    let mut damaged = damaged(&written.closed);
    for name in others() {
        let found = damaged.table(&name, &Records);
        assert_eq!(
            (found.rows.len(), found.expected, found.gaps),
            (0, Some(0), 0),
            "{name}"
        );
    }
}

#[test]
fn a_table_that_was_never_made_has_no_rows() {
    let written = written();
    let found = damaged(&written.closed).table("never", &Records);
    assert_eq!((found.expected, found.gaps, found.lost()), (None, 0, 0));
}

#[test]
fn one_wrong_bit_anywhere_in_a_page_loses_few_rows_and_all_losses_are_reported() {
    let written = written();
    for (at, length, _) in pages_of_table(&written.closed) {
        for byte_range in (at..at + length).step_by(2_999) {
            let mut file = written.closed.clone();
            file[byte_range] ^= 1 << (byte_range % 8);
            let found = found(&file);
            let is_right = |(key, value): &(&KeyBytes, &Vec<u8>)| written.rows.get(*key) == Some(*value);
            let right = found.rows.iter().filter(is_right).count() as u64;
            assert!(right + 3 >= LEFT, "a wrong bit at {byte_range}: {right} rows");
            assert_eq!(
                found.lost(),
                LEFT - (found.rows.len() as u64 - found.uncertain),
                "{byte_range}"
            );
            assert!(
                found.rows.iter().all(|(key, value)| written.has_had(key, value)),
                "{byte_range}"
            );
        }
    }
}

#[test]
fn a_lost_page_loses_its_own_rows_at_most() {
    let written = written();
    let pages = pages_of_table(&written.closed);
    assert!(pages.len() > 5 && pages[0].2 && pages.iter().any(|(_, length, _)| *length > PAGE));
    for (at, length, is_branch) in pages {
        let mut file = written.closed.clone();
        file[at..at + length].fill(0);
        let lost = lost(&file, &written);
        let found = found(&file).rows;
        match is_branch {
            // The pages below are there, but nothing says any more that they are the last state.
            true => assert!(written.rows.keys().all(|key| found.contains_key(key))),
            false => assert!((1..60).contains(&lost), "{lost} rows of a leaf are lost"),
        }
    }
}

#[test]
fn a_damaged_row_is_the_only_one_lost() {
    let written = written();
    for number in [0, 1, 77, LONG, ROWS - 1] {
        let (key, value) = row(number, if is_changed(number) { "new" } else { "old" });
        let mut file = written.closed.clone();
        // Older pages may have the row, too.
        let places = places(&file, &value);
        assert!(!places.is_empty());
        places.iter().for_each(|at| file[at + 5] ^= 0b11);
        let found = found(&file);
        assert!(found.rows.len() as u64 >= LEFT - 1 && found.rows.get(&key) != Some(&value));
        assert_eq!((found.lost(), found.gaps), (1, 1), "row {number}");
    }
}

#[test]
fn an_older_state_of_a_lost_row_is_reported_as_uncertain() {
    let written = written();
    for number in [90, ROWS - 1] {
        let mut file = written.closed.clone();
        let (key, value) = row(number, "new");
        let (_, older) = row(number, "old");
        let damaged = place(&file, &value).unwrap();
        file[damaged + 5] ^= 0b11;
        // redb may have written over the page before.
        assert!(file.len().is_multiple_of(PAGE));
        let kept = place(&written.first, &older).unwrap() / PAGE * PAGE;
        file.extend_from_slice(&written.first[kept..kept + PAGE]);
        let found = found(&file);
        assert_eq!(found.rows.get(&key), Some(&older));
        assert_eq!((found.rows.len() as u64, found.uncertain, found.lost()), (LEFT, 1, 1));
    }
}

#[test]
fn a_removed_row_comes_back_only_where_the_damage_is() {
    let written = written();
    let (removed, older) = row(REMOVED, "old");
    let kept = place(&written.first, &older).unwrap() / PAGE * PAGE;
    for (lost, comes_back) in [(20, false), (REMOVED + 1, true)] {
        let mut file = written.closed.clone();
        file.extend_from_slice(&written.first[kept..kept + PAGE]);
        let (_, value) = row(lost, "old");
        let at = place(&file, &value).unwrap() / PAGE * PAGE;
        file[at..at + PAGE].fill(0);
        let found = found(&file);
        assert!(found.gaps > 0);
        assert_eq!(
            found.rows.contains_key(&removed),
            comes_back,
            "after the page of row {lost} was lost"
        );
    }
}

#[test]
fn a_page_whose_head_is_damaged_is_read_by_what_proves_itself() {
    let written = written();
    // The root, a leaf, and the pages of the long row.
    let pages = pages_of_table(&written.closed).into_iter().enumerate();
    for (_, (at, length, is_branch)) in pages.filter(|(byte_range, (_, length, _))| *byte_range < 2 || *length > PAGE) {
        for damage in [&[(0, 0b11)][..], &[(2, 0b101)], &[(0, 0b100), (2, 0b10)], &[(1, 0b11)]] {
            let mut file = written.closed.clone();
            for (byte, bits) in damage {
                file[at + byte] ^= bits;
            }
            let found = found(&file);
            assert_eq!(
                found.rows, written.rows,
                "{damage:?} in a page of {length} bytes, branch: {is_branch}"
            );
            assert_eq!((found.uncertain, found.lost()), (0, 0));
        }
    }
}

#[test]
fn a_page_that_lies_somewhere_else_is_found() {
    let written = written();
    let leaves: Vec<_> = pages_of_table(&written.closed)
        .into_iter()
        .filter(|page| !page.2 && page.1 == PAGE)
        .collect();
    let [(one, ..), (other, ..), ..] = leaves[..] else {
        panic!("too few leaves")
    };
    let mut file = written.closed.clone();
    let (first, second) = (file[one..one + PAGE].to_vec(), file[other..other + PAGE].to_vec());
    file[one..one + PAGE].copy_from_slice(&second);
    file[other..other + PAGE].copy_from_slice(&first);
    let found = found(&file);
    assert_eq!((found.rows == written.rows, found.gaps, found.lost()), (true, 0, 0));
    // A page that is gone isn't replaced by the other page that lies in its byte range.
    file[other..other + PAGE].fill(0);
    assert!((1..60).contains(&lost(&file, &written)));
}

#[test]
fn a_table_whose_name_is_damaged_is_the_one_that_is_missing() {
    let written = written();
    let mut file = written.closed.clone();
    for at in places(&file, b"records") {
        file[at + 3] = b'w';
    }
    let found = found(&file);
    assert_eq!((found.rows == written.rows, found.uncertain), (true, 0));
    assert_eq!(
        found.expected, None,
        "a damaged page doesn't say how many rows there were"
    );
}

#[test]
fn without_the_tree_of_the_tables_the_rows_are_found_but_not_how_many_there_were() {
    let written = written();
    let mut file = written.closed.clone();
    let header = Header::of(&file);
    let slots = header.slots_by_precedence(&file[..PAGE]).into_iter();
    for root in slots.filter_map(|slot| slot.roots[0]) {
        let (at, length) = header.byte_range(root.number).unwrap();
        file[at as usize..(at + length) as usize].fill(0);
    }
    let found = found(&file);
    assert!(written.rows.keys().all(|key| found.rows.contains_key(key)));
    assert_eq!(
        (found.expected, found.gaps, found.lost(), found.uncertain as u128),
        (None, 1, 1, found.rows.len() as u128)
    );
}

#[test]
fn a_commit_that_a_power_cut_broke_off_does_not_count() {
    let written = written();
    let damaged = |file: &[u8]| {
        let mut file = file.to_vec();
        let (_, value) = row(90, "new");
        let at = place(&file, &value).unwrap() / PAGE * PAGE;
        file[at..at + PAGE].fill(0);
        file
    };
    assert_eq!(found(&damaged(&written.open)).rows, written.before);
    let mut unlike = written.open.clone();
    unlike[place(&written.open, &row(90, "new").1).unwrap() / PAGE * PAGE + 2] ^= 0b101;
    assert_eq!(
        found(&unlike).rows,
        written.before,
        "though what is left of the page proves itself"
    );
    // The file was closed after it: then the page was lost later.
    assert_ne!(found(&damaged(&written.closed)).rows, written.before);
    assert_eq!(found(&written.open).rows, written.rows);
    // Of two that aren't whole the last one counts.
    let mut both = written.open.clone();
    let (key, value) = row(45, "old");
    for at in places(&both, &value) {
        both[at + 5] ^= 0b11;
    }
    let found_in_both = found(&both).rows;
    assert_eq!(
        (found_in_both.get(&key), found_in_both.get(&row(90, "").0)),
        (None, Some(&row(90, "new").1))
    );
    let quick = |file: &[u8]| {
        let place = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(place.path(), file).unwrap();
        DamagedFile::open_unverified(place.path())
            .unwrap()
            .table(NAME, &Records)
            .rows
    };
    assert_eq!(quick(&written.open), written.rows);
}

#[test]
fn a_file_that_ends_too_early_gives_what_is_there() {
    let written = written();
    for pages in [0, 1, 2, 20, 40, 80, 200] {
        let file = &written.closed[..written.closed.len().min(pages * PAGE + 17)];
        let found = found(file);
        assert!(found.rows.iter().all(|(key, value)| written.has_had(key, value)));
    }
}

#[test]
fn a_table_of_tables_knows_names_and_what_they_stand_for() {
    let table_entry = [0; 52];
    assert!(TableNames.proof(b"records", &table_entry).is_some());
    for (name, table_entry) in [
        (&b""[..], &table_entry[..]),
        (b"rec rds", &table_entry),
        (b"records", &[0; 9]),
    ] {
        assert!(TableNames.proof(name, table_entry).is_none());
    }
    assert_eq!(TableNames.key(b"records"), Some(b"records".to_vec()));
    assert_eq!(Content::key(&(&Records as &dyn RowProof), &[0; 31]), None);
}

#[test]
fn rows_without_their_key_in_the_checksum_are_unverified_in_a_damaged_page_and_only_there() {
    const OLD: u128 = 20;
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("unsealed.redb");
    let database = Database::create(&path).unwrap();
    let transaction = database.begin_write().unwrap();
    for id in 0..OLD {
        let key = [7u128.to_be_bytes(), id.to_be_bytes()].concat();
        let value = value(&key, 1, &format!("row {id}"));
        insert(&transaction, [(&key, &value)]);
    }
    transaction.commit().unwrap();
    drop(database);
    let mut file = std::fs::read(&path).unwrap();
    let whole = found(&file);
    assert_eq!((whole.rows.len() as u128, whole.unverified), (OLD, 0));
    for key in places(&file, &[7u128.to_le_bytes(), 5u128.to_le_bytes()].concat()) {
        file[key + 16] ^= 0b1100_0000;
    }
    let damaged = found(&file);
    assert_eq!((damaged.rows.len() as u128, u128::from(damaged.unverified)), (OLD, OLD));
}

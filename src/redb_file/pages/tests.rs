//! Pages that redb wrote are read as redb reads them.

use std::collections::BTreeMap;

use proptest::prelude::*;
use redb::{Database, ReadableDatabase as _, TableDefinition};

use super::*;

const EMPTY: TableDefinition<u64, &[u8]> = TableDefinition::new("empty");
const FIXED: TableDefinition<u64, u128> = TableDefinition::new("fixed");
const NUMBERED: TableDefinition<u64, &[u8]> = TableDefinition::new("numbered");
const NAMED: TableDefinition<&[u8], u64> = TableDefinition::new("page_ref");
const TEXTS: TableDefinition<&[u8], &[u8]> = TableDefinition::new("texts");

type Rows = BTreeMap<Vec<u8>, Vec<u8>>;

/// Rows of several pages, one of which is longer than a page.
const ROWS: u64 = 700;

fn text(number: u64) -> Vec<u8> {
    let length = if number == 333 { 9_000 } else { number as usize % 50 };
    format!("{number:04}").bytes().cycle().take(4 + length).collect()
}

/// A file with a table of each widths, in its second commit, and what is in them.
fn written() -> (Vec<u8>, BTreeMap<String, Rows>) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("pages.redb");
    let database = Database::create(&path).unwrap();
    let first = database.begin_write().unwrap();
    first.open_table(EMPTY).unwrap();
    first.commit().unwrap();
    let second = database.begin_write().unwrap();
    let mut tables: BTreeMap<String, Rows> = BTreeMap::from([("empty".to_owned(), Rows::new())]);
    let mut keep = |table: &str, key: &[u8], value: &[u8]| {
        tables
            .entry(table.to_owned())
            .or_default()
            .insert(key.to_vec(), value.to_vec())
    };
    for number in 0..ROWS {
        let (key, text) = (number.to_le_bytes(), text(number));
        second
            .open_table(FIXED)
            .unwrap()
            .insert(number, u128::from(number))
            .unwrap();
        keep("fixed", &key, &u128::from(number).to_le_bytes());
        second
            .open_table(NUMBERED)
            .unwrap()
            .insert(number, text.as_slice())
            .unwrap();
        keep("numbered", &key, &text);
        second
            .open_table(NAMED)
            .unwrap()
            .insert(text.as_slice(), number)
            .unwrap();
        keep("page_ref", &text, &key);
        second
            .open_table(TEXTS)
            .unwrap()
            .insert(text.as_slice(), text.as_slice())
            .unwrap();
        keep("texts", &text, &text);
    }
    second.commit().unwrap();
    assert!(database.begin_read().unwrap().list_tables().unwrap().count() == tables.len());
    // Closing would commit once more.
    (std::fs::read(path).unwrap(), tables)
}

fn page(file: &[u8], number: u64) -> &[u8] {
    let (at, length) = Header::of(file).byte_range(number).unwrap();
    &file[at as usize..(at + length) as usize]
}

/// All entries below a page, each with the checksum that its parent holds, and between the keys of its branches.
fn entries(file: &[u8], page_ref: PageRef, widths: Widths) -> Vec<(Vec<u8>, Vec<u8>)> {
    let page = page(file, page_ref.number);
    assert_eq!(checksum(page, widths), Some(page_ref.checksum));
    let count = entry_count(page);
    match kind(page).unwrap() {
        Kind::Leaf => {
            assert!(count <= max_entries(page, widths));
            let entry = |at| entry(page, widths, count, at).unwrap();
            (0..count)
                .map(|at| (entry(at).0.to_vec(), entry(at).1.to_vec()))
                .collect()
        }
        Kind::Branch => {
            assert!(count <= max_keys(page));
            let mut all = Vec::new();
            let mut keys: Vec<Vec<u8>> = Vec::new();
            let ordered = |key: &[u8]| match widths.key {
                Some(_) => key.iter().rev().copied().collect(),
                None => key.to_vec(),
            };
            for (at, page_ref) in children(page).enumerate() {
                let below = entries(file, page_ref, widths);
                assert_eq!(child(page, count, at).map(|child| child.number), Some(page_ref.number));
                if at < count {
                    keys.push(branch_key(page, widths, count, at).unwrap().to_vec());
                }
                assert!(
                    below
                        .iter()
                        .all(|(key, _)| keys.get(at).is_none_or(|next| ordered(key) <= ordered(next)))
                );
                assert!(
                    below
                        .iter()
                        .all(|(key, _)| at == 0 || ordered(key) > ordered(&keys[at - 1]))
                );
                all.extend(below);
            }
            assert_eq!(keys.len(), count);
            all
        }
    }
}

/// All tables that a commit leads to.
fn tables(file: &[u8], root: PageRef) -> BTreeMap<String, Rows> {
    let names = entries(file, root, TABLE_TREE).into_iter();
    let read = |(name, value): (Vec<u8>, Vec<u8>)| {
        let table_entry = table_entry(&value).unwrap();
        let rows = match table_entry.root {
            Some(root) => entries(file, root, table_entry.widths),
            None => Vec::new(),
        };
        assert_eq!(rows.len() as u64, table_entry.rows);
        (String::from_utf8(name).unwrap(), rows.into_iter().collect())
    };
    names.map(read).collect()
}

fn table_tree_roots(file: &[u8]) -> Vec<PageRef> {
    let slots = Header::of(file).slots_by_precedence(file).into_iter();
    slots.filter_map(|slot| slot.roots[0]).collect()
}

#[test]
fn tables_of_every_shape_are_read_as_redb_wrote_them() {
    let (file, expected) = written();
    assert_eq!(tables(&file, table_tree_roots(&file)[0]), expected);
    let names = page(&file, table_tree_roots(&file)[0].number);
    let rows: Vec<u64> = table_entries(names).map(|table_entry| table_entry.rows).collect();
    assert_eq!(rows, [0, ROWS, ROWS, ROWS, ROWS]);
}

/// Number of tables that redb finds in a file.
fn tables_of_redb(file: &[u8]) -> usize {
    let place = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(place.path(), file).unwrap();
    let database = Database::open(place.path()).unwrap();
    database.begin_read().unwrap().list_tables().unwrap().count()
}

#[test]
fn the_commit_that_counts_comes_first() {
    let (mut file, expected) = written();
    let counted = |file: &[u8]| tables(file, table_tree_roots(file)[0]).len();
    let before = tables(&file, table_tree_roots(&file)[1]).len();
    assert!(before < expected.len());
    let flags = file[MAGIC.len()] & !NOT_CLOSED;
    // After a commit in two phases the slot that the header names, else the later one.
    for (other, expected) in [
        (flags, expected.len()),
        (flags ^ SECOND_SLOT, expected.len()),
        ((flags ^ SECOND_SLOT) | TWO_PHASES, before),
        (flags | NOT_CLOSED, expected.len()),
        ((flags ^ SECOND_SLOT) | NOT_CLOSED, expected.len()),
        ((flags ^ SECOND_SLOT) | NOT_CLOSED | TWO_PHASES, before),
    ] {
        file[MAGIC.len()] = other;
        assert_eq!(counted(&file), expected, "{other:b}");
        assert_eq!(tables_of_redb(&file), expected, "{other:b}");
    }
    file[MAGIC.len()] = flags;
    let last = SLOTS_AT[usize::from(flags & SECOND_SLOT)];
    file[last + 9] ^= 0b1000;
    assert_eq!(counted(&file), before, "a damaged slot comes last");
    file[last + 1] = 0;
    assert_eq!(table_tree_roots(&file).len(), 1, "a slot without tables leads nowhere");
}

#[test]
fn slots_say_whether_they_are_as_they_were_written() {
    let (file, _) = written();
    let state = |file: &[u8]| -> Vec<_> {
        commit_slots(&file[..PAGE_BYTES as usize])
            .map(|slot| (slot.is_valid, slot.commit))
            .collect()
    };
    let written = state(&file);
    assert!(written.iter().all(|(is_valid, _)| *is_valid));
    assert_ne!(written[0].1, written[1].1);
    let mut damaged = file.clone();
    damaged[SLOTS_AT[0] + 70] ^= 1;
    assert_eq!(state(&damaged), [(false, written[0].1), written[1]]);
    assert_eq!(commit_slots(&damaged[..SLOTS_AT[1]]).count(), 1);
}

#[test]
fn numbers_of_pages_name_their_region_and_their_length() {
    let mut header = MAGIC.to_vec();
    header.resize(PAGE_BYTES as usize, 0);
    header[HEADER_PAGES_AT] = 3;
    header[REGION_PAGES_AT] = 100;
    let header = Header::of(&header);
    assert_eq!(header.byte_range(0), Some((4 * 4096, 4096)));
    assert_eq!(header.byte_range(5), Some((9 * 4096, 4096)));
    assert_eq!(
        header.byte_range(5 | 2 << 20),
        Some(((1 + 2 * 103 + 3 + 5) * 4096, 4096))
    );
    assert_eq!(header.byte_range(5 | 1 << 59), Some(((4 + 10) * 4096, 8192)));
    assert_eq!(
        header.byte_range(1 | 10 << 59),
        Some((4 * 4096 + MAX_PAGE_BYTES, MAX_PAGE_BYTES))
    );
    assert_eq!(header.byte_range(1 | 11 << 59), None);
    // Impossible sizes are ignored.
    let mut unlikely = MAGIC.to_vec();
    unlikely.resize(PAGE_BYTES as usize, 0);
    assert_eq!(
        Header::of(&unlikely).byte_range(1 | 1 << 20),
        Some(((1 + (1 << 20) + 1) * 4096, 4096))
    );
    unlikely[HEADER_PAGES_AT + 3] = 255;
    unlikely[REGION_PAGES_AT + 3] = 255;
    assert_eq!(Header::of(&unlikely).byte_range(1), Some((2 * 4096, 4096)));
    assert!(Header::of(&[]).may_end_in_unfinished_commit());
}

#[test]
fn a_page_holds_as_many_entries_as_their_widths_allow() {
    let page = [0; 4096];
    let widths = |key| Widths { key, value: None };
    assert_eq!(max_entries(&page, widths(Some(16))), 204);
    assert_eq!(max_entries(&page, widths(None)), 512);
    assert_eq!((max_keys(&page), max_keys(&page[..7])), (170, 0));
}

proptest! {
    #[test]
    fn no_bytes_make_reading_a_page_fail(
        mut bytes in proptest::collection::vec(any::<u8>(), 0..300),
        kind in 0u8..4,
        few in 0u8..12,
        key in proptest::option::of(0usize..40),
        value in proptest::option::of(0usize..40),
    ) {
        let widths = Widths { key, value };
        if let [first, _, low, high, ..] = bytes.as_mut_slice() {
            (*first, *low, *high) = (kind, few, 0);
        }
        let count = entry_count(&bytes);
        for at in 0..=count {
            if let Some((key, value)) = entry(&bytes, widths, count, at) {
                prop_assert!(key.len() + value.len() <= bytes.len());
            }
            let _ = (branch_key(&bytes, widths, count, at), child(&bytes, count, at));
        }
        let _ = (table_entry(&bytes), checksum(&bytes, widths));
        let _ = (children(&bytes).count(), table_entries(&bytes).count());
        let _ = Header::of(&bytes).slots_by_precedence(&bytes);
        let _ = Header::of(&bytes).primary_slot(&bytes);
    }
}

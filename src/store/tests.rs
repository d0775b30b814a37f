//! The store's promises to its callers: commits, refusals, newer data.

mod power_cut;

use std::sync::Barrier;

use serde::{Deserialize, Serialize};

use super::migrations::{META_KEY, MetaRecord};
use super::*;

#[derive(Serialize, Deserialize, Debug, PartialEq)]
pub(super) struct Note {
    text: String,
}

record!(Note: (Owner, u128) = EQUIPMENT);

pub(super) fn note(text: &str) -> Note {
    Note { text: text.to_owned() }
}

pub(super) fn store() -> (tempfile::TempDir, Store) {
    let directory = tempfile::tempdir().unwrap();
    let store = Store::open(directory.path(), true).unwrap();
    (directory, store)
}

#[test]
fn a_record_is_there_after_reopening() {
    let (directory, store) = store();
    store.write(|writer| writer.put((1, 2), &note("bleibt"))).unwrap();
    drop(store);
    let store = reopen(&directory);
    assert_eq!(
        store.read(|data| data.get::<Note>((1, 2))).unwrap(),
        Some(note("bleibt"))
    );
}

/// Reopens the store. The writing thread releases the file shortly after the last `Store` is dropped.
fn reopen(directory: &tempfile::TempDir) -> Store {
    loop {
        match Store::open(directory.path(), false) {
            Err(OpenError::Locked) => std::thread::yield_now(),
            other => return other.unwrap(),
        }
    }
}

#[test]
fn a_write_that_fails_halfway_leaves_nothing() {
    let (_directory, store) = store();
    let failed = store.write(|writer| {
        writer.put((1, 1), &note("halb"))?;
        Err::<(), _>(Error::Conflict("nein"))
    });
    assert_eq!(failed, Err(Error::Conflict("nein")));
    assert_eq!(store.read(|data| data.get::<Note>((1, 1))).unwrap(), None);
}

#[test]
fn every_kind_of_change_is_committed_when_it_is_the_only_one() {
    let (_directory, store) = store();
    let index = &schema::FLIGHTS_BY_START;
    let notes = || store.read(|data| data.scan::<Note>(..)).unwrap().len();
    let keys = || store.read(|data| data.keys_descending(index, .., 10)).unwrap().len();
    for key in [(1, 1), (1, 2), (2, 1)] {
        store.write(move |writer| writer.put(key, &note("da"))).unwrap();
        store
            .write(move |writer| writer.insert_key(index, (key.0, 5, key.1)))
            .unwrap();
    }
    assert_eq!((notes(), keys()), (3, 3));
    store.write(|writer| writer.remove::<Note>((1, 1))).unwrap();
    assert_eq!(notes(), 2);
    store
        .write(|writer| writer.remove_range::<Note>((1, 0)..=(1, 9)))
        .unwrap();
    assert_eq!(notes(), 1);
    store.write(|writer| writer.remove_key(index, (1, 5, 1))).unwrap();
    assert_eq!(keys(), 2);
    store
        .write(|writer| writer.remove_keys(index, (1, 0, 0)..=(1, 9, 9)))
        .unwrap();
    assert_eq!(keys(), 1);
}

#[test]
fn writes_at_the_same_time_neither_lose_nor_spoil_each_other() {
    let (_directory, store) = store();
    let together = Barrier::new(16);
    std::thread::scope(|scope| {
        for number in 0..16u128 {
            let (store, together) = (&store, &together);
            scope.spawn(move || {
                together.wait();
                let result = store.write(move |writer| {
                    writer.put((7, number), &note("da"))?;
                    match number % 4 {
                        0 => Err(Error::Conflict("nein")),
                        1 => panic!("a defect in one write"),
                        _ => Ok(number),
                    }
                });
                match number % 4 {
                    0 => assert_eq!(result, Err(Error::Conflict("nein"))),
                    1 => assert!(matches!(result, Err(Error::Internal(_)))),
                    _ => assert_eq!(result, Ok(number)),
                }
            });
        }
    });
    let kept = store.read(|data| data.scan::<Note>((7, 0)..=(7, u128::MAX))).unwrap();
    assert_eq!(
        kept.iter().map(|(key, _)| key.1).collect::<Vec<_>>(),
        vec![2, 3, 6, 7, 10, 11, 14, 15]
    );
}

/// Keeps the writer busy until the guard is dropped, so that what is written meanwhile waits.
fn busy_writer(store: &Store) -> std::sync::mpsc::Sender<()> {
    let (free, waits) = std::sync::mpsc::channel::<()>();
    let (begun, begins) = std::sync::mpsc::channel();
    store.write_later(move |_| {
        let _ = begun.send(());
        // Ends when the sender is dropped.
        let _ = waits.recv();
        Ok(())
    });
    begins.recv().unwrap();
    free
}

#[test]
fn of_each_pilot_one_write_is_taken_before_the_second_of_another() {
    let (_directory, store) = store();
    let ran = Arc::new(std::sync::Mutex::new(Vec::new()));
    let busy = busy_writer(&store);
    for pilot in [1, 1, 1, 1, 2, 3] {
        let ran = Arc::clone(&ran);
        store.writes.enqueue(Some(UserId::from_key(pilot)), move |_| {
            ran.lock().unwrap().push(pilot);
            Ok(())
        });
    }
    drop(busy);
    store.write_for(UserId::from_key(1), |_| Ok(())).unwrap();
    assert_eq!(*ran.lock().unwrap(), [1, 2, 3, 1, 1, 1]);
}

#[test]
fn writes_that_fail_halfway_make_the_others_run_twice_at_most() {
    let (_directory, store) = store();
    let runs = Arc::new(std::sync::atomic::AtomicUsize::new(0));
    let busy = busy_writer(&store);
    for pilot in 0..30_u128 {
        let runs = Arc::clone(&runs);
        store.writes.enqueue(Some(UserId::from_key(pilot)), move |writer| {
            writer.put((pilot, 1), &note("da"))?;
            runs.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            match pilot % 2 {
                0 => Ok(()),
                _ => Err(Error::Conflict("nein")),
            }
        });
    }
    drop(busy);
    store.write(|_| Ok(())).unwrap();
    assert_eq!(store.read(|data| data.scan::<Note>(..)).unwrap().len(), 15);
    let runs = runs.load(std::sync::atomic::Ordering::Relaxed);
    assert!(runs <= 60, "{runs}");
}

#[test]
fn a_task_removes_all_that_is_over_and_nothing_else() {
    let (_directory, store) = store();
    let written = store.write(|writer| {
        (0..450_u128).try_for_each(|number| writer.put((1, number), &note(["alt", "neu"][usize::from(number > 440)])))
    });
    written.unwrap();
    let is_over = |_, note: &Note| note.text == "alt";
    assert_eq!(store.remove_over::<Note>(Task::Expired, is_over), Ok(441));
    let left = store.read(|data| data.scan::<Note>(..)).unwrap();
    assert!(left.len() == 9 && left.iter().all(|(_, note)| note.text == "neu"));
    assert_eq!(store.remove_over::<Note>(Task::Expired, is_over), Ok(0));
}

#[test]
fn a_task_that_keeps_the_writer_too_long_is_refused_and_changes_nothing() {
    let (_directory, store) = store();
    let refused = store.write_task(Task::Reminders, |writer| -> Result<()> {
        writer.put((1, 1), &note("halb"))?;
        loop {
            writer.get::<Note>((1, 1))?;
        }
    });
    assert!(matches!(refused, Err(Error::Conflict(_))));
    assert_eq!(store.read(|data| data.get::<Note>((1, 1))), Ok(None));
}

#[test]
fn rows_that_are_removed_together_count_as_work() {
    let (_directory, store) = store();
    let written = store.write(|writer| (0..3000_u128).try_for_each(|number| writer.put((1, number), &note("da"))));
    written.unwrap();
    let removed = store
        .writes
        .write_within(None, Some(std::time::Duration::ZERO), |writer| {
            writer.remove_of::<Note>(UserId::from_key(1))
        });
    assert!(matches!(removed, Err(Error::Conflict(_))));
    let left = store.read(|data| data.scan::<Note>(..)).unwrap();
    assert_eq!(left.len(), 3000, "all or nothing is removed");
}

#[test]
fn what_is_derived_last_is_derived_once_and_sees_all_that_was_written() {
    let (_directory, store) = store();
    let derived = store.write(|writer| {
        for item in 2..100 {
            writer.put((1, item), &note("Quelle"))?;
            writer.derive_last::<Note>((1, 1), |writer, key| {
                let (sources, before) = (writer.scan::<Note>((1, 2)..=(1, 200))?.len(), writer.get::<Note>(key)?);
                writer.put(key, &note(&format!("{sources} {before:?}")))
            });
        }
        Ok(writer.will_derive::<Note>((1, 1)))
    });
    assert_eq!(derived, Ok(true));
    let found = store.read(|data| data.get::<Note>((1, 1))).unwrap();
    assert_eq!(found, Some(note("98 None")));
}

#[test]
fn the_range_of_a_user_holds_only_that_user() {
    let (_directory, store) = store();
    let users = [0, 1, 2, u128::MAX - 1, u128::MAX];
    store
        .write(move |writer| {
            for user in users {
                for item in users {
                    writer.put((user, item), &note(&user.to_string()))?;
                }
            }
            Ok(())
        })
        .unwrap();
    for user in users {
        let own = store
            .read(|data| data.scan::<Note>((user, 0)..=(user, u128::MAX)))
            .unwrap();
        assert_eq!(own.len(), users.len());
        assert!(own.iter().all(|(_, own)| own.text == user.to_string()));
    }
}

#[test]
fn an_index_gives_its_last_keys_first() {
    let (_directory, store) = store();
    store
        .write(|writer| {
            for start in [-5, 0, 7, 3] {
                writer.insert_key(&schema::FLIGHTS_BY_START, (1, start, 9))?;
            }
            writer.remove_key(&schema::FLIGHTS_BY_START, (1, 3, 9))
        })
        .unwrap();
    let last = |most| {
        store
            .read(|data| {
                data.keys_descending(
                    &schema::FLIGHTS_BY_START,
                    (1, i64::MIN, 0)..=(1, i64::MAX, u128::MAX),
                    most,
                )
            })
            .unwrap()
    };
    assert_eq!(last(2), vec![(1, 7, 9), (1, 0, 9)]);
    assert_eq!(last(9).len(), 3);
}

#[test]
fn a_database_of_a_newer_version_is_refused_and_left_as_it_is() {
    let (directory, store) = store();
    store
        .write(|writer| {
            let newer = MetaRecord {
                schema: migrations::SCHEMA + 1,
                program: "9.0.0".to_owned(),
            };
            writer.put(META_KEY, &newer)
        })
        .unwrap();
    drop(store);
    let file = directory.path().join(FILE_NAME);
    let before = std::fs::read(&file).unwrap();
    let refused = Store::open(directory.path(), true);
    let Err(OpenError::Newer { schema, program }) = refused else {
        panic!("a newer database was opened");
    };
    assert_eq!((schema, program.as_str()), (migrations::SCHEMA + 1, "9.0.0"));
    assert!(std::fs::read(&file).unwrap() == before);
}

#[test]
fn a_second_opening_finds_the_database_locked() {
    let (directory, _store) = store();
    assert!(matches!(Store::open(directory.path(), true), Err(OpenError::Locked)));
}

#[test]
fn a_missing_database_is_made_only_when_asked() {
    let directory = tempfile::tempdir().unwrap();
    assert!(matches!(Store::open(directory.path(), false), Err(OpenError::Missing)));
    assert!(!directory.path().join(FILE_NAME).exists());
}

#[test]
fn an_empty_file_in_place_of_the_database_is_no_new_database() {
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join(FILE_NAME), "").unwrap();
    for create in [true, false] {
        assert!(matches!(
            Store::open(directory.path(), create),
            Err(OpenError::Damaged(_))
        ));
    }
}

/// The leaves that name a table: that of the last commit, and earlier ones.
fn leaves_naming(file: &[u8], table: &str) -> Vec<usize> {
    let names = |page: &[u8]| page[0] == 1 && page.windows(table.len()).any(|part| part == table.as_bytes());
    let pages = file.chunks(4096).enumerate().skip(1);
    pages.filter(|(_, page)| names(page)).map(|(at, _)| at * 4096).collect()
}

#[test]
fn with_any_page_lost_that_names_tables_what_the_others_name_is_read() {
    let (directory, store) = store();
    drop(store);
    let file = directory.path().join(FILE_NAME);
    let whole = std::fs::read(&file).unwrap();
    let names: Vec<_> = schema::ALL.iter().map(|table| table.name()).collect();
    // A name that is a part of another one is in that one's page, too.
    let is_alone = |name: &&&str| names.iter().filter(|other| other.contains(**name)).count() == 1;
    let naming: std::collections::BTreeSet<_> = names
        .iter()
        .filter(is_alone)
        .map(|name| leaves_naming(&whole, name))
        .collect();
    assert!(naming.len() > 1, "all tables are named by one page");
    for lost in naming {
        let mut damaged = whole.clone();
        for at in lost {
            damaged[at..at + 4096].fill(0);
        }
        std::fs::write(&file, damaged).unwrap();
        let store = Store::open(directory.path(), false).unwrap();
        assert!(store.is_read_only());
        // A table whose name is lost must not seem empty.
        let is_read = |table: &&&dyn rows::Rows| store.read(|data| table.each(data, &mut |_, _| Ok(()))).is_ok();
        let read = schema::ALL.iter().filter(is_read).count();
        assert!(read > 0 && read < schema::ALL.len(), "{read} tables");
    }
}

#[test]
fn garbage_in_place_of_the_database_is_an_error_and_no_panic() {
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join(FILE_NAME), vec![0xA5; 70_000]).unwrap();
    assert!(matches!(
        Store::open(directory.path(), true),
        Err(OpenError::Damaged(_))
    ));
}

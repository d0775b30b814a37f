//! Shrinking the database file: by the command, and at a start when most of it is free.

use std::fs;
use std::path::{Path, PathBuf};

use redb::{Database, TableDefinition};
use serde_json::Value;

use crate::cli::check::{expect_clean, fill};
use crate::harness::process::run;
use crate::harness::{Server, temporary_directory, text};

const DATABASE: &str = "fluglog.redb";
const GONE: TableDefinition<u128, &[u8]> = TableDefinition::new("gone");
/// Free space from which a start compacts the file.
const FREED_BYTES: usize = 12_000_000;

/// A data directory whose database has much free space before the used pages, as after many deletions.
fn with_room() -> (tempfile::TempDir, PathBuf) {
    let place = temporary_directory();
    let directory = place.path().join("data");
    let fly = |name| {
        let server = Server::start_in(&directory);
        fill(&server.pilot(name));
        assert!(!server.log().contains("compacted"), "{}", server.log());
        assert!(server.stop().success());
    };
    let write = |work: &dyn Fn(&redb::WriteTransaction)| {
        let database = Database::open(directory.join(DATABASE)).unwrap();
        let writing = database.begin_write().unwrap();
        work(&writing);
        writing.commit().unwrap();
    };
    fly("Anna");
    write(&|writing| {
        let mut table = writing.open_table(GONE).unwrap();
        for number in 0..(FREED_BYTES / 3000) as u128 {
            table.insert(number, &[7; 3000][..]).unwrap();
        }
    });
    fly("Ben");
    write(&|writing| assert!(writing.delete_table(GONE).unwrap()));
    (place, directory)
}

fn bytes(directory: &Path) -> u64 {
    fs::metadata(directory.join(DATABASE)).unwrap().len()
}

fn free(directory: &Path) -> u64 {
    let told = run(["status", "--json", "--data-dir", text(directory)]);
    let told: Value = serde_json::from_str(&told.stdout).unwrap();
    told["databaseFreeBytes"].as_u64().unwrap()
}

#[test]
fn compact_gives_back_what_is_free_and_loses_nothing() {
    let (_place, directory) = with_room();
    let whole = expect_clean(&directory);
    assert!(free(&directory) > 10_000_000);
    let before = bytes(&directory);
    let done = run(["compact", "--data-dir", text(&directory)]);
    assert_eq!((done.code, done.stderr.as_str()), (0, ""), "{done:?}");
    assert!(done.stdout.contains("MB sind frei geworden"), "{done:?}");
    assert!(bytes(&directory) < before / 4, "{before} and {}", bytes(&directory));
    assert_eq!(expect_clean(&directory), whole);
    let told = run(["status", "--data-dir", text(&directory)]).stdout;
    assert!(told.lines().any(|line| line.starts_with("Datenbank ")), "{told}");
}

#[test]
fn a_running_server_s_database_is_not_compacted_and_the_command_says_how() {
    let server = Server::start();
    let refused = run(["compact", "--data-dir", text(server.directory())]);
    refused.expect_refusal(1, &["läuft ein Fluglog-Server", "systemctl stop fluglog", "Start"]);
}

#[test]
fn a_start_compacts_a_file_that_is_mostly_free_and_no_other() {
    let (_place, directory) = with_room();
    let before = bytes(&directory);
    let server = Server::start_in(&directory);
    server.log_with("is compacted");
    assert!(free(&directory) < 1_000_000);
    assert!(server.stop().success());
    assert!(bytes(&directory) < before / 4, "{before} and {}", bytes(&directory));
    expect_clean(&directory);
    let again = Server::start_in(&directory);
    assert!(!again.log().contains("compacted"), "{}", again.log());
}

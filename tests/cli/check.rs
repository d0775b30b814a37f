//! The check of all data: its findings in damaged data, its repairs, and that a running server doesn't interfere.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use proptest::prelude::{Strategy, any};
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};

use crate::harness::calls::keys;
use crate::harness::files;
use crate::harness::pictures::jpeg;
use crate::harness::{Output, Pilot, Server, process::run, temporary_directory, text};

pub fn check(directory: &Path) -> Output {
    run(["check", "--data-dir", text(directory)])
}

pub fn repair(directory: &Path) -> Output {
    run(["check", "--repair", "--data-dir", text(directory)])
}

#[track_caller]
pub fn expect_clean(directory: &Path) -> String {
    let done = check(directory);
    assert_eq!((done.code, done.stderr.as_str()), (0, ""), "{done:?}");
    assert_eq!(done.stdout.lines().count(), 1, "{done:?}");
    done.stdout
}

/// Adds one object of every kind: a flight with images and a log with a document, a charging, a document, a photo,
/// feedback.
pub fn fill(pilot: &Pilot) {
    let copter = pilot.item(crate::harness::calls::COPTER, "Brummer");
    let battery = pilot.item(crate::harness::calls::BATTERY, "Akku 1");
    let flight = pilot.fly(
        &copter,
        &[&battery],
        &serde_json::json!({"flightTime": "7,5", "batteryStartVoltage": "16,8", "batteryEndVoltage": "14,6",
            "consumedCapacity": "900"}),
    );
    pilot.add_images(&flight, &[&jpeg(600, 400), &jpeg(40, 30)]);
    let log = [
        ("dpfId", flight.as_str()),
        ("info", "Wind"),
        ("time", "01.03.2026 10:00"),
    ];
    pilot
        .upload("SaveFlightLog", &log, &[("file", "karte.txt", b"Karte")])
        .expect_status(201);
    let log = [
        ("dpfId", copter.as_str()),
        ("info", "Propeller"),
        ("time", "01.03.2026 11:00"),
    ];
    pilot.upload("SaveEquipmentLog", &log, &[]).expect_status(201);
    pilot
        .save_charging(
            &battery,
            &[
                ("chargeStartTime", "01.03.2026 09:00"),
                ("fromVoltage", "14,8"),
                ("chargeEndTime", "01.03.2026 10:05"),
                ("toVoltage", "16,8"),
                ("charged", "1100"),
            ],
        )
        .expect_status(200);
    pilot.document("bericht.pdf", b"Bericht");
    pilot
        .upload("SaveProfile", &[], &[("photo", "ich.jpg", &jpeg(200, 200))])
        .expect_status(201);
    pilot
        .post(
            "SendFeedback",
            &[
                ("version", "1.3.0"),
                ("message", "Gut"),
                ("rate", "9"),
                ("requestId", "0198b6f0-1111-7000-8000-00000000000a"),
            ],
        )
        .expect_status(201);
    pilot.take_off(&copter);
}

/// A filled data directory without a running server.
pub fn filled() -> (tempfile::TempDir, PathBuf) {
    let place = temporary_directory();
    let directory = place.path().join("data");
    let server = Server::start_in(&directory);
    fill(&server.pilot("Anna"));
    fill(&server.pilot("Ben"));
    assert!(server.stop().success());
    (place, directory)
}

pub fn blobs(directory: &Path) -> Vec<PathBuf> {
    let names = files::blobs(directory);
    names.iter().map(|name| directory.join("blobs").join(name)).collect()
}

fn name(path: &Path) -> &str {
    path.file_name().unwrap().to_str().unwrap()
}

#[test]
fn undamaged_data_pass_the_check_with_a_server_and_without() {
    let place = temporary_directory();
    let directory = place.path().join("data");
    let server = Server::start_in(&directory);
    fill(&server.pilot("Anna"));
    let running = expect_clean(&directory);
    assert!(running.contains("7 Dateien"), "{running}");
    assert!(server.stop().success());
    assert_eq!(expect_clean(&directory), running);
}

#[test]
fn of_a_pilot_who_is_deleted_nothing_is_left() {
    let (_place, directory) = filled();
    for _ in 0..2 {
        expect_clean(&directory);
        let who = if blobs(&directory).len() > 7 { "Anna" } else { "Ben" };
        let done = run([
            "user",
            "delete",
            "--yes",
            "--data-dir",
            text(&directory),
            &format!("{who}@example.org"),
        ]);
        assert_eq!(done.code, 0, "{done:?}");
    }
    assert!(expect_clean(&directory).contains("0 Dateien"));
}

#[test]
fn a_file_that_nobody_names_is_an_orphan_that_repair_removes() {
    let (_place, directory) = filled();
    let server = Server::start_in(&directory);
    let left = [
        "0198c0de-0000-7000-8000-000000000001",
        "0198c0de-0000-7000-8000-000000000002.part",
    ];
    for name in left {
        fs::write(directory.join("blobs").join(name), "Rest").unwrap();
    }
    let there = blobs(&directory).len();
    let running = check(&directory);
    assert!(server.stop().success());
    let stopped = check(&directory);
    assert_eq!(
        (running.code, &running.stdout, &running.stderr),
        (0, &stopped.stdout, &stopped.stderr)
    );
    for name in left {
        assert!(running.stdout.contains(name), "{running:?}");
    }
    assert!(
        running.stdout.contains("kein Schaden") && running.stdout.contains("--repair"),
        "{running:?}"
    );
    assert_eq!(blobs(&directory).len(), there, "looking removes nothing");

    let done = repair(&directory);
    assert_eq!((done.code, done.stderr.as_str()), (0, ""), "{done:?}");
    assert_eq!(blobs(&directory).len(), there - left.len());
    expect_clean(&directory);
}

#[test]
fn a_file_that_is_damaged_or_missing_is_named_and_kept() {
    let (_place, directory) = filled();
    let files = blobs(&directory);
    let mut flipped = fs::read(&files[0]).unwrap();
    flipped[0] ^= 1;
    fs::write(&files[0], flipped).unwrap();
    fs::write(&files[1], "").unwrap();
    fs::remove_file(&files[2]).unwrap();
    let swapped = fs::read(&files[3]).unwrap();
    fs::copy(&files[4], &files[3]).unwrap();
    fs::write(&files[4], swapped).unwrap();
    let server = Server::start_in(&directory);
    let running = check(&directory);
    assert!(server.stop().success());
    let stopped = check(&directory);
    assert_eq!((&running.stdout, &running.stderr), (&stopped.stdout, &stopped.stderr));
    for done in [stopped, repair(&directory)] {
        assert_eq!(done.code, 1, "{done:?}");
        for file in &files[..5] {
            let line = done.stdout.lines().find(|line| line.contains(name(file)));
            assert!(line.is_some_and(|line| line.starts_with("Schaden: ")), "{done:?}");
        }
        assert_eq!(done.stdout.lines().count(), 6, "{done:?}");
    }
    assert_eq!(blobs(&directory).len(), files.len() - 1, "a repair removes no data");
}

#[test]
fn programs_get_all_that_the_check_found() {
    let (_place, directory) = filled();
    let files = blobs(&directory);
    let asked = || {
        let done = run(["check", "--json", "--data-dir", text(&directory)]);
        let found: Value = serde_json::from_str(&done.stdout).expect("JSON");
        (done, found)
    };
    let (done, whole) = asked();
    assert_eq!((done.code, done.stderr.as_str()), (0, ""), "{done:?}");
    assert_eq!(
        keys(&whole),
        [
            "damage",
            "entries",
            "fileBytes",
            "files",
            "foreign",
            "orphans",
            "removed",
            "repaired",
            "voltages"
        ]
    );
    let nothing = json!([]);
    assert_eq!([&whole["damage"], &whole["orphans"], &whole["foreign"]], [&nothing; 3]);
    assert_eq!(whole["files"], files.len());

    fs::remove_file(&files[0]).unwrap();
    let (done, found) = asked();
    assert_eq!(done.code, 1);
    assert_eq!(done.stderr, check(&directory).stderr);
    let damage = found["damage"][0].as_str().unwrap();
    let expected = format!("blobs/{}: die Datei fehlt; sie gehört zu ", name(&files[0]));
    assert!(damage.starts_with(&expected), "{found}");
    assert_eq!(
        check(&directory).stdout.lines().next(),
        Some(&*format!("Schaden: {damage}"))
    );
}

/// The offsets of an id, encoded by bincode, in the database file.
fn places_of(id: &Path, database: &[u8]) -> Vec<usize> {
    let mut bytes = u128::from_str_radix(&name(id).replace('-', ""), 16)
        .unwrap()
        .to_le_bytes()
        .to_vec();
    bytes.insert(0, 254);
    (0..database.len() - bytes.len())
        .filter(|at| database[*at..].starts_with(&bytes))
        .collect()
}

#[test]
fn the_files_of_a_record_that_can_t_be_read_are_nobodys_orphans() {
    let (_place, directory) = filled();
    let files = blobs(&directory);
    let file = directory.join("fluglog.redb");
    let mut database = fs::read(&file).unwrap();
    let places = places_of(&files[0], &database);
    assert!(!places.is_empty());
    for at in places {
        database[at + 3] ^= 1;
    }
    fs::write(&file, database).unwrap();
    for done in [check(&directory), repair(&directory)] {
        assert_eq!(done.code, 1, "{done:?}");
        assert!(
            done.stdout.contains("nicht lesbar; es kann Daten betreffen von: ")
                && done.stdout.contains("@example.org")
                && !done.stdout.contains("kein Eintrag nennt"),
            "{done:?}"
        );
        assert!(done.stderr.contains("fluglog recover"), "{done:?}");
    }
    assert_eq!(blobs(&directory), files);
}

#[test]
fn a_wrong_bit_is_damage_of_the_page_until_it_is_restored() {
    let (_place, directory) = filled();
    let whole = expect_clean(&directory);
    let file = directory.join("fluglog.redb");
    let database = fs::read(&file).unwrap();
    let mut flipped = database.clone();
    flipped[places_of(&blobs(&directory)[0], &database)[0]] ^= 1;
    for _ in 0..2 {
        fs::write(&file, &flipped).unwrap();
        let done = check(&directory);
        assert_eq!(done.code, 1, "{done:?}");
        assert!(
            done.stdout
                .contains("Schaden: fluglog.redb: die Prüfsummen der Datei stimmen nicht"),
            "{done:?}"
        );
        assert!(
            done.stdout.contains("nicht lesbar") && !done.stdout.contains("Repariert"),
            "{done:?}"
        );
        assert!(done.stderr.contains("fluglog recover"), "{done:?}");
    }
    fs::write(&file, &database).unwrap();
    assert_eq!(expect_clean(&directory), whole);
}

#[test]
fn any_flipped_byte_in_the_database_ends_a_command_with_a_sentence_at_worst() {
    let (_place, directory) = filled();
    // Damage of a page without content is none.
    assert_eq!(run(["compact", "--data-dir", text(&directory)]).code, 0);
    let file = directory.join("fluglog.redb");
    let whole = fs::read(&file).unwrap();
    let used = whole.len();
    let mut runner = TestRunner::deterministic();
    let damages = (0..used, any::<u8>(), 0..3u8);
    let mut found = 0;
    for _ in 0..60 {
        let (at, noise, kind) = damages.new_tree(&mut runner).unwrap().current();
        let mut damaged = whole.clone();
        match kind {
            0 => damaged[at] ^= 1 << (noise % 8),
            1 => damaged[at..].iter_mut().take(4096).for_each(|byte| *byte = noise),
            _ => damaged.truncate(at),
        }
        fs::write(&file, damaged).unwrap();
        let done = check(&directory);
        assert!([0, 1, 78].contains(&done.code), "{kind} at {at}: {done:?}");
        assert!(!done.stderr.contains("panicked"), "{kind} at {at}: {done:?}");
        let sentences = usize::from(done.code != 0);
        let without_log = done.stderr.lines().filter(|line| line.starts_with("fluglog: ")).count();
        assert_eq!(without_log, sentences, "{kind} at {at}: {done:?}");
        found += sentences;
    }
    assert!(found > 20, "only {found} of 60 damages were found");
}

#[test]
fn changes_during_the_check_are_no_orphans_and_no_damage() {
    let server = Server::start();
    let stop = AtomicBool::new(false);
    let pilots = ["Anna", "Ben", "Cleo"].map(|name| server.pilot(name));
    std::thread::scope(|scope| {
        for pilot in &pilots {
            scope.spawn(|| {
                let content = vec![7; 200_000];
                while !stop.load(Ordering::Relaxed) {
                    let document = pilot.document("kommt.bin", &content);
                    pilot
                        .post("DeleteUserDocument", &[("dpfId", &document)])
                        .expect_status(200);
                }
            });
        }
        let outputs: Vec<_> = (0..12).map(|_| check(server.directory())).collect();
        stop.store(true, Ordering::Relaxed);
        for done in outputs {
            assert_eq!(done.code, 0, "{done:?}");
        }
    });
}

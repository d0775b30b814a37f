//! Files that the admin imports for a pilot, with and without a running server.

use std::fs;
use std::path::Path;

use serde_json::json;

use crate::harness::calls::{COPTER, id_in};
use crate::harness::process::{Output, run};
use crate::harness::{PASSWORD, Pilot, Server, temporary_directory, text, wait};

const FLIGHTS: &str = "tests/fixtures/flights/";

fn import(directory: &Path, email: &str, files: &[&str]) -> Output {
    let mut line = vec!["import", "--data-dir", text(directory), "--user", email];
    line.extend(files);
    run(line)
}

#[test]
fn what_the_admin_imports_waits_for_the_pilot_as_any_upload() {
    let place = temporary_directory();
    let server = Server::start_in(place.path());
    let anna = server.pilot("anna");
    anna.item(COPTER, "Adler");
    let file = |name: &str| format!("{FLIGHTS}{name}");
    let (track, log) = (file("zwei.gpx"), file("Testquad-2026-05-09.csv"));
    let done = import(place.path(), "anna@example.org", &[&track, &log]);
    assert_eq!((done.code, done.stderr.as_str()), (0, ""), "{done:?}");
    assert_eq!(
        done.stdout,
        "5 Flüge warten auf anna@example.org, unter „Aus Datei übernehmen“.\n"
    );
    assert!(anna.flights().is_empty());
    let waiting = anna.post("GetImports", &[]).json();
    assert_eq!(waiting[0]["files"], json!(["zwei.gpx", "Testquad-2026-05-09.csv"]));
    assert_eq!(server.blobs().len(), 2, "the copies of the command are gone");

    assert!(server.stop().success());
    let done = import(place.path(), " Anna@Example.org", &[&log]);
    assert_eq!(
        (done.code, done.stdout.as_str()),
        (
            0,
            "3 Flüge warten auf Anna@Example.org, unter „Aus Datei übernehmen“.\n"
        ),
        "{done:?}"
    );
    let server = Server::start_in(place.path());
    let anna = server.stranger();
    anna.log_in("anna@example.org", PASSWORD).expect_status(202);
    let waiting = anna.post("GetImports", &[]).json();
    assert_eq!(waiting.as_array().unwrap().len(), 2);
    let found = anna.post("GetImport", &[("dpfId", &id_in(&waiting[0]))]).json();
    assert_eq!(found["proposals"].as_array().unwrap().len(), 3);
}

#[test]
fn an_import_that_fails_says_why_and_leaves_nothing() {
    let place = temporary_directory();
    let server = Server::start_in(place.path());
    server.pilot("anna");
    let log = format!("{FLIGHTS}zwei.gpx");
    let nothing = place.path().join("notiz.txt");
    fs::write(&nothing, "kein Flug").unwrap();
    let many: Vec<_> = (0..21).map(|_| log.as_str()).collect();
    let large = place.path().join("groß.csv");
    fs::File::create(&large).unwrap().set_len(210 * 1024 * 1024).unwrap();
    let missing = place.path().join("fehlt.csv");
    for (email, files, sentence) in [
        (
            "ben@example.org",
            vec![log.as_str()],
            "ben@example.org ist kein Benutzer",
        ),
        ("anna", vec![log.as_str()], "„anna“ ist keine E-Mail-Adresse"),
        ("anna@example.org", vec![text(&missing)], "fehlt.csv ist nicht da."),
        ("anna@example.org", vec![text(place.path())], "ist keine Datei"),
        (
            "anna@example.org",
            vec![text(&nothing)],
            "Diese Datei ist keine Flugdatei, die Fluglog kennt.",
        ),
        ("anna@example.org", many, "Höchstens 20 Dateien auf einmal."),
        ("anna@example.org", vec![text(&large)], "zu groß"),
    ] {
        let done = import(place.path(), email, &files);
        assert_eq!((done.code, done.stdout.as_str()), (1, ""), "{done:?}");
        assert!(done.stderr.contains(sentence), "{done:?}");
        assert_eq!(server.blobs().len(), 0, "{sentence}");
    }
    let empty = temporary_directory();
    let done = import(empty.path(), "anna@example.org", &[&log]);
    assert_eq!(done.code, 78, "{done:?}");
    assert!(fs::read_dir(empty.path()).unwrap().next().is_none());
}

#[test]
fn what_rests_in_the_folder_of_a_pilot_waits_for_the_pilot_once() {
    let (logs, place) = (temporary_directory(), temporary_directory());
    let settings = [
        ("FLUGLOG_IMPORT_DIR", text(logs.path())),
        ("FLUGLOG_LIMITS__IMPORT_DIR_SECONDS", "0.2"),
    ];
    let server = Server::start_in_with(place.path(), &settings);
    let anna = server.pilot("anna");
    let waiting = |pilot: &Pilot| pilot.post("GetImports", &[]).json().as_array().unwrap().clone();
    let copied = |name: &str| fs::read(format!("{FLIGHTS}{name}")).unwrap();
    let log = copied("Testquad-2026-05-09.csv");
    // The folder appears with all its content at once.
    let whole = temporary_directory();
    let card = logs.path().join("anna@example.org/LOGS");
    for folder in ["anna@example.org/LOGS", "nobody@example.org"] {
        fs::create_dir_all(whole.path().join(folder)).unwrap();
    }
    for (name, content) in [
        ("nobody@example.org/zwei.csv", log.as_slice()),
        ("anna@example.org/LOGS/.versteckt.csv", &log),
        ("anna@example.org/LOGS/leer.csv", b""),
        ("anna@example.org/LOGS/notiz.txt", b"kein Flug"),
        ("anna@example.org/LOGS/Testquad-2026-05-09.csv", &log),
    ] {
        fs::write(whole.path().join(name), content).unwrap();
    }
    std::os::unix::fs::symlink("/etc/passwd", whole.path().join("anna@example.org/LOGS/passwd.csv")).unwrap();
    for folder in ["nobody@example.org", "anna@example.org"] {
        fs::rename(whole.path().join(folder), logs.path().join(folder)).unwrap();
    }
    let found = wait::until("the log of the card waits", || waiting(&anna).first().cloned());
    assert_eq!(found["files"], json!(["Testquad-2026-05-09.csv", "notiz.txt"]));
    anna.post("DiscardImport", &[("dpfId", &id_in(&found))])
        .expect_status(200);

    // Known content is ignored under another name and after a restart; new content isn't.
    fs::write(card.join("Kopie.csv"), &log).unwrap();
    assert!(server.stop().success());
    let server = Server::start_in_with(place.path(), &settings);
    let anna = server.stranger();
    anna.log_in("anna@example.org", PASSWORD).expect_status(202);
    fs::write(card.join("zwei.gpx"), copied("zwei.gpx")).unwrap();
    let found = wait::until("the next file waits", || waiting(&anna).first().cloned());
    assert_eq!((&found["files"], waiting(&anna).len()), (&json!(["zwei.gpx"]), 1));
    assert_eq!(fs::read_dir(&card).unwrap().count(), 7, "nothing is removed");
}

#[test]
fn no_link_in_the_folder_of_a_pilot_leads_to_files_of_others() {
    let (logs, place) = (temporary_directory(), temporary_directory());
    let settings = [
        ("FLUGLOG_IMPORT_DIR", text(logs.path())),
        ("FLUGLOG_LIMITS__IMPORT_DIR_SECONDS", "0.2"),
    ];
    let server = Server::start_in_with(place.path(), &settings);
    let (anna, ben) = (server.pilot("anna"), server.pilot("ben"));
    let [track, log] =
        ["zwei.gpx", "Testquad-2026-05-09.csv"].map(|name| fs::read(format!("{FLIGHTS}{name}")).unwrap());
    ben.document("geheim.csv", &log);
    let blobs = place.path().join("blobs");
    let blob = blobs.join(server.blobs().remove(0));
    // The folder appears with all its content at once.
    let whole = temporary_directory();
    let at = |name: &str| whole.path().join("anna@example.org").join(name);
    fs::create_dir_all(at("LOGS")).unwrap();
    fs::write(at("LOGS/zwei.gpx"), &track).unwrap();
    fs::hard_link(&blob, at("LOGS/hart.csv")).unwrap();
    fs::hard_link(place.path().join("fluglog.redb"), at("LOGS/datenbank.csv")).unwrap();
    std::os::unix::fs::symlink(&blob, at("LOGS/weich.csv")).unwrap();
    std::os::unix::fs::symlink(&blobs, at("BLOBS")).unwrap();
    fs::rename(at(""), logs.path().join("anna@example.org")).unwrap();
    let waiting = || anna.post("GetImports", &[]).json().as_array().unwrap().clone();
    let found = wait::until("the pilot's own track waits", || waiting().first().cloned());
    assert_eq!((&found["files"], waiting().len()), (&json!(["zwei.gpx"]), 1));
    server.log_with("it is a file of Fluglog's own");
}

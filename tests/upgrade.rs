//! Databases of earlier schemas, kept as they were written (tests/fixtures): this version serves each of them with everything
//! that was in it. Knows what a pilot saw then; how a database is read is the program's affair.

// A test that can't go on says so by panicking.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stderr)]

#[path = "harness/mod.rs"]
mod harness;

use std::fs;
use std::path::{Path, PathBuf};

use harness::calls::COPTER;
use harness::{PASSWORD, Server, run_with_input, temporary_directory, text};
use serde_json::{Value, json};
use tempfile::TempDir;

const FIXTURES: &str = "tests/fixtures";
const DATABASE: &str = "fluglog.redb";
/// What every pilot saw when the database was made.
const CONTENT: &str = "content.json";

const DEMO: (&str, &str) = ("demo@example.org", "fluglog-demo");
/// Has an open flight, an open and a finished charging, and a browser that stays logged in.
const SECOND: (&str, &str) = ("zweite@example.org", PASSWORD);

#[test]
fn a_database_of_every_schema_is_served_with_everything_that_was_in_it() {
    for folder in fixtures() {
        let (_place, server) = serve(&folder);
        let then = content_then(&folder);
        for (email, password) in [DEMO, SECOND] {
            let pilot = server.stranger();
            pilot.log_in(email, password).expect_status(202);
            assert_says(
                &format!("{}: {email}", folder.display()),
                &pilot.everything(),
                &then[email],
            );
        }
    }
}

#[test]
fn a_database_of_every_schema_is_whole_and_comes_back_from_a_backup() {
    for folder in fixtures() {
        let (place, server) = serve(&folder);
        let archive = place.path().join("a.tar");
        let restored = place.path().join("restored");
        let commands: [&[&str]; 4] = [
            &["check", "--data-dir", text(place.path())],
            &["backup", "--data-dir", text(place.path()), "--output", text(&archive)],
            &["restore", "--data-dir", text(&restored), text(&archive)],
            &["check", "--data-dir", text(&restored)],
        ];
        for command in commands {
            let done = run_with_input(command, b"");
            assert_eq!(done.code, 0, "{}: {done:?}", folder.display());
        }
        assert!(server.stop().success());
        let server = Server::start_in(&restored);
        let pilot = server.stranger();
        pilot.log_in(SECOND.0, SECOND.1).expect_status(202);
        let then = &content_then(&folder)[SECOND.0];
        assert_says("restored", &pilot.everything(), then);
    }
}

#[test]
fn the_demo_pilot_of_schema_1_has_flights_and_items_that_add_up() {
    let folder = Path::new(FIXTURES).join("schema-1");
    let (_place, server) = serve(&folder);
    let pilot = server.stranger();
    pilot.log_in(DEMO.0, DEMO.1).expect_status(202);
    assert_eq!(pilot.flights().len(), 60);
    assert_eq!(pilot.statistics()["totalFlightTime"], "6 h 14 min");
    let found: Vec<_> = [0, 1, 2, 3, 4]
        .into_iter()
        .flat_map(|kind| [pilot.equipments(kind, false), pilot.equipments(kind, true)].concat())
        .map(|item| json!([item["name"], item["usageTime"], item["endVoltage"]]))
        .collect();
    assert_eq!(
        found,
        [
            json!(["Brummer", 3.77, 15.2]),
            json!(["Roter Baron", 2.46, 21.9]),
            json!(["Übungscopter", 0.0, null]),
            json!(["Akku 1", 1.24, 22.8]),
            json!(["Akku 2", 1.22, 21.9]),
            json!(["Akku 3", 1.84, 14.4]),
            json!(["Akku 4", 1.93, 15.2]),
            json!(["Brille", 6.23, 15.2]),
            json!(["Alte Brille", 0.0, null]),
            json!(["Funke", 6.23, 15.2]),
            json!(["Actioncam", 3.77, 15.2]),
            json!(["Kleine Kamera", 0.0, null]),
        ]
    );
}

#[test]
fn a_pilot_of_every_schema_stays_logged_in_and_finishes_the_open_flight() {
    for folder in fixtures() {
        let (_place, server) = serve(&folder);
        let then = content_then(&folder);
        let pilot = server.stranger();
        let token = then["token"].as_str().unwrap();
        pilot.post("CheckSession", &[("token", token)]).expect_status(200);
        let open = pilot.open_flight();
        assert_eq!(open, then[SECOND.0]["flights"][0]["dpfId"]);

        pilot
            .finish_flight(&json!({"dpfId": open, "flightTime": "6"}))
            .expect_status(200);
        assert_eq!(pilot.open_flight(), Value::Null);
        let copter = &pilot.equipments(COPTER, false)[0];
        assert_says("copter", copter, &json!({"name": "Hummel", "usageTime": 0.1}));
    }
}

/// The folder of every schema.
fn fixtures() -> Vec<PathBuf> {
    let entries = fs::read_dir(FIXTURES).unwrap().map(|entry| entry.unwrap().path());
    let folders: Vec<_> = entries.filter(|path| path.is_dir()).collect();
    assert!(!folders.is_empty(), "{FIXTURES} has no database");
    folders
}

fn content_then(folder: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(folder.join(CONTENT)).unwrap()).unwrap()
}

/// Serves a copy of a database.
fn serve(folder: &Path) -> (TempDir, Server) {
    let place = temporary_directory();
    fs::copy(folder.join(DATABASE), place.path().join(DATABASE)).unwrap();
    for part in ["blobs", "outbox"] {
        fs::create_dir(place.path().join(part)).unwrap();
    }
    let server = Server::start_in(place.path());
    (place, server)
}

/// Fails unless all that was said then is said now. More may be said now.
#[track_caller]
fn assert_says(place: &str, now: &Value, then: &Value) {
    match (now, then) {
        (Value::Object(now), Value::Object(then)) => {
            for (field, then) in then {
                assert_says(&format!("{place}.{field}"), &now[field], then);
            }
        }
        (Value::Array(now), Value::Array(then)) => {
            assert_eq!(now.len(), then.len(), "{place}");
            for (at, (now, then)) in now.iter().zip(then).enumerate() {
                assert_says(&format!("{place}[{at}]"), now, then);
            }
        }
        _ => assert_eq!(now, then, "{place}"),
    }
}

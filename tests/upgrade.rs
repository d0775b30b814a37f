//! Data written by earlier versions (tests/fixtures): this version serves all of it, also after a change, a backup and
//! a restore. Knows what a pilot saw then, not how data are stored.

#[path = "fixtures/seen.rs"]
mod seen;

use std::fs;
use std::path::{Path, PathBuf};

use crate::harness::calls::{COPTER, id_in};
use crate::harness::{PASSWORD, Server, run_with_input, temporary_directory, text};
use redb::{ReadableDatabase as _, ReadableTableMetadata as _, TableHandle, UntypedTableHandle};
use seen::seen;
use serde_json::{Map, Value, json};
use tempfile::TempDir;

const FIXTURES: &str = "tests/fixtures";
/// Log files of radios and drones, in the same folder.
const FLIGHT_FILES: &str = "flights";
const DATABASE: &str = "fluglog.redb";
/// What every pilot saw when the data were made.
const CONTENT: &str = "content.json";
const ARCHIVE: &str = "archive.tar";

const DEMO: (&str, &str) = ("demo@example.org", "fluglog-demo");
/// A pilot with an open flight, an open and a finished charging, and a browser that stays logged in.
const SECOND: &str = "zweite@example.org";

#[test]
fn data_of_every_version_are_served_with_everything_that_was_in_them() {
    for folder in fixtures() {
        let (place, server) = serve(&folder);
        let then = content_then(&folder);
        assert_everybody_sees(&folder, &server, &then);
        if let Some(feedback) = then.get("feedback") {
            let listed = done(&["feedback", "list", "--json", "--data-dir", text(place.path())]);
            assert_says("feedback", &serde_json::from_str(&listed).unwrap(), feedback);
        }
    }
}

#[test]
fn an_archive_of_every_version_is_whole_and_comes_back_as_it_was() {
    let archives: Vec<_> = fixtures()
        .into_iter()
        .filter(|folder| folder.join(ARCHIVE).exists())
        .collect();
    assert!(!archives.is_empty(), "{FIXTURES} has no archive");
    for folder in archives {
        let archive = folder.join(ARCHIVE);
        let place = temporary_directory();
        let restored = place.path().join("restored");
        done(&["backup", "verify", text(&archive)]);
        done(&["restore", "--data-dir", text(&restored), text(&archive)]);
        done(&["check", "--data-dir", text(&restored)]);
        let server = Server::start_in(&restored);
        assert_everybody_sees(&folder, &server, &content_then(&folder));
    }
}

#[test]
fn data_of_every_version_are_whole_and_changed_and_come_back_from_a_backup() {
    for folder in fixtures() {
        let place = copy(&folder);
        let archive = place.path().join("a.tar");
        let restored = place.path().join("restored");
        done(&["check", "--data-dir", text(place.path())]);
        let server = Server::start_in(place.path());
        let pilot = server.stranger();
        pilot.log_in(SECOND, PASSWORD).expect_status(202);
        let before = seen(&pilot);
        // Some records are rewritten, the others keep their old format.
        let item = json!({"dpfId": id_in(&before["active"]["copters"][0]), "name": "Umbenannt"});
        pilot.save_edit_equipment(&item).expect_status(200);
        let flight = json!({"dpfId": id_in(&before["flights"][0]), "location": "Flugplatz"});
        pilot.save_flight(&flight).expect_status(200);
        pilot.document("neu.txt", b"Neu");
        let changed = seen(&pilot);
        assert_eq!(changed["flights"][0]["location"], "Flugplatz");
        assert_eq!(
            changed["documents"].as_array().unwrap().len(),
            before["documents"].as_array().unwrap().len() + 1
        );

        done(&["check", "--data-dir", text(place.path())]);
        done(&["backup", "--data-dir", text(place.path()), "--output", text(&archive)]);
        assert!(server.stop().success());
        done(&["backup", "verify", text(&archive)]);
        done(&["restore", "--data-dir", text(&restored), text(&archive)]);
        done(&["check", "--data-dir", text(&restored)]);
        let server = Server::start_in(&restored);
        let pilot = server.stranger();
        pilot.log_in(SECOND, PASSWORD).expect_status(202);
        assert_eq!(seen(&pilot), changed, "{}", folder.display());
    }
}

/// The other tests only cover data that the fixtures contain.
#[test]
fn the_data_of_a_release_have_a_row_in_every_table_of_their_time() {
    for (version, count) in [("1.3.0", 27), ("1.4.0", 40)] {
        let database = copy(&Path::new(FIXTURES).join(version));
        let database = redb::Database::open(database.path().join(DATABASE)).unwrap();
        let transaction = database.begin_read().unwrap();
        let tables: Vec<_> = transaction.list_tables().unwrap().collect();
        assert_eq!(tables.len(), count, "{version}");
        let is_empty =
            |table: &UntypedTableHandle| transaction.open_untyped_table(table.clone()).unwrap().len().unwrap() == 0;
        let empty: Vec<_> = tables
            .iter()
            .filter(|table| is_empty(table))
            .map(TableHandle::name)
            .collect();
        assert!(empty.is_empty(), "{version}: {empty:?} are empty");
    }
}

#[test]
fn names_and_files_that_1_4_0_took_over_are_known() {
    let (_place, server) = serve(&Path::new(FIXTURES).join("1.4.0"));
    let pilot = server.stranger();
    pilot.log_in(SECOND, PASSWORD).expect_status(202);
    let look_through = |name: &str, content: &[u8]| {
        let files = [("files", name, content)];
        pilot.upload("UploadImport", &[], &files).expect_status(201).json()
    };
    let again = fs::read(Path::new(FIXTURES).join(FLIGHT_FILES).join("Flugbuch.csv")).unwrap();
    for proposal in look_through("Flugbuch.csv", &again)["proposals"].as_array().unwrap() {
        assert_eq!(
            (&proposal["twin"]["kind"], &proposal["ticked"]),
            (&json!("digest"), &json!(false))
        );
    }
    let next = look_through("eigen.csv", b"wann;was;wie weit\n02.06.2025 10:00;Falke;1200\n");
    let proposal = &next["proposals"][0];
    assert_eq!(proposal["distance"], json!(1.2), "by the columns that were chosen");
    assert!(
        proposal["copter"].is_string(),
        "by the name that a copter was chosen for"
    );
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
fn a_pilot_of_every_version_stays_logged_in_and_finishes_the_open_flight() {
    for folder in fixtures() {
        let (_place, server) = serve(&folder);
        let then = content_then(&folder);
        let pilot = server.stranger();
        let token = then["token"].as_str().unwrap();
        pilot.post("CheckSession", &[("token", token)]).expect_status(200);
        let open = pilot.open_flight();
        assert_eq!(open, then[SECOND]["flights"][0]["dpfId"]);

        pilot
            .finish_flight(&json!({"dpfId": open, "flightTime": "6"}))
            .expect_status(200);
        assert_eq!(pilot.open_flight(), Value::Null);
        let copter = &pilot.equipments(COPTER, false)[0];
        assert_says("copter", copter, &json!({"name": "Hummel", "usageTime": 0.1}));
    }
}

#[test]
fn of_several_pilots_of_1_3_0_the_status_asks_for_an_operator_and_who_is_alone_is_one() {
    let users = |server: &Server| -> Vec<Value> {
        let users = done(&["user", "list", "--json", "--data-dir", text(server.directory())]);
        serde_json::from_str(&users).unwrap()
    };
    let operators = |server: &Server| users(server).iter().filter(|user| user["operator"] == true).count();
    let asks = |server: &Server| {
        let status = done(&["status", "--data-dir", text(server.directory())]);
        status.contains("fluglog user change E-MAIL --operator")
    };
    let (place, several) = serve(&Path::new(FIXTURES).join("1.3.0"));
    assert_eq!((operators(&several), asks(&several)), (0, true));
    for user in &users(&several)[1..] {
        let email = user["email"].as_str().unwrap();
        done(&["user", "delete", "--yes", email, "--data-dir", text(place.path())]);
    }
    assert!(several.stop().success());
    let alone = Server::start_in(place.path());
    assert_eq!((operators(&alone), asks(&alone)), (1, false));
}

/// The folders of all versions.
fn fixtures() -> Vec<PathBuf> {
    let entries = fs::read_dir(FIXTURES).unwrap().map(|entry| entry.unwrap().path());
    let folders: Vec<_> = entries.filter(|path| path.join(DATABASE).is_file()).collect();
    assert!(!folders.is_empty(), "{FIXTURES} has no data");
    folders
}

fn content_then(folder: &Path) -> Map<String, Value> {
    serde_json::from_str(&fs::read_to_string(folder.join(CONTENT)).unwrap()).unwrap()
}

/// Copies a data directory.
fn copy(folder: &Path) -> TempDir {
    let place = temporary_directory();
    fs::copy(folder.join(DATABASE), place.path().join(DATABASE)).unwrap();
    for part in ["blobs", "outbox"] {
        fs::create_dir(place.path().join(part)).unwrap();
    }
    for blob in fs::read_dir(folder.join("blobs")).into_iter().flatten() {
        let blob = blob.unwrap();
        fs::copy(blob.path(), place.path().join("blobs").join(blob.file_name())).unwrap();
    }
    place
}

/// Serves a copy of a data directory.
fn serve(folder: &Path) -> (TempDir, Server) {
    let place = copy(folder);
    let server = Server::start_in(place.path());
    (place, server)
}

/// The output of a command that succeeded.
#[track_caller]
fn done(command: &[&str]) -> String {
    let done = run_with_input(command, b"");
    assert_eq!(done.code, 0, "{command:?}: {done:?}");
    done.stdout
}

/// Fails unless every pilot still sees the data of then.
#[track_caller]
fn assert_everybody_sees(folder: &Path, server: &Server, then: &Map<String, Value>) {
    let pilots: Vec<_> = then.iter().filter(|(name, _)| name.contains('@')).collect();
    assert!(pilots.len() >= 2);
    for (email, then) in pilots {
        let pilot = server.stranger();
        let password = if email == DEMO.0 { DEMO.1 } else { PASSWORD };
        pilot.log_in(email, password).expect_status(202);
        assert_says(&format!("{}: {email}", folder.display()), &seen(&pilot), then);
    }
}

/// Fails unless `now` contains everything in `then`; it may contain more.
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

/// Existing databases hold the bytes of every record: no shape changes unnoticed.
#[test]
fn every_table_has_a_record_and_every_record_a_test_of_its_bytes() {
    let source = source_of(Path::new("src"));
    // Records of tests have other names.
    let declared = source.split("record!(").map(|rest| rest.split_once(':'));
    let written_out = source.split("impl Record for ").map(|rest| rest.split_once(' '));
    let records: Vec<_> = declared
        .chain(written_out)
        .flatten()
        .map(|(name, _)| name)
        .filter(|name| name.ends_with("Record"))
        .collect();
    let schema = fs::read_to_string("src/store/schema.rs").unwrap();
    assert_eq!(records.len(), schema.matches(": Table<").count());
    for record in records {
        let test = format!("assert_stored_as::<{record}>(");
        assert!(source.contains(&test), "no test says {test}");
    }
}

/// The text of every file in a folder.
fn source_of(folder: &Path) -> String {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let text = |path: PathBuf| match path.extension() {
        _ if path.is_dir() => source_of(&path),
        Some(end) if end == "rs" => fs::read_to_string(path).unwrap(),
        _ => String::new(),
    };
    entries.map(text).collect()
}

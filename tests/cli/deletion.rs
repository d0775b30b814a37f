//! Deleting a pilot removes all of the pilot's data and nothing of others, with and without a running server.

use std::collections::BTreeMap;
use std::path::Path;

use redb::{Database, ReadTransaction, ReadableDatabase, ReadableTable, TableDefinition, TableHandle};
use serde_json::json;

use fluglog::archive::check;
use fluglog_accounts::guard;
use fluglog_app::App;
use fluglog_config::Config;
use fluglog_store::{Scope, Store, deletions, schema};
use fluglog_topics::registry;

use crate::harness::calls::{BATTERY, COPTER, id_in};
use crate::harness::files::{MULTIPART, file_head};
use crate::harness::mail::{Behaviour, MailServer};
use crate::harness::process::run;
use crate::harness::raw::Connection;
use crate::harness::spaces::{CLUB, MANAGER, expect_clean};
use crate::harness::{Output, PASSWORD, Pilot, Server, pictures, run_with_input, temporary_directory, text, wait};

const ANNA: &str = "anna@example.org";
const BEN: &str = "ben@example.org";
/// Tables with the program's own data.
const OF_NO_PILOT: [&str; 3] = ["meta", "backups", "deletions"];
/// Only filled with data of an earlier version: `tests/api/voltages.rs` deletes a pilot with rows in it.
const OF_AN_UPGRADE: &str = "flight_doubts";

fn delete(directory: &Path, flags: &[&str]) -> Output {
    let arguments = [&["user", "delete", ANNA, "--data-dir", text(directory)], flags].concat();
    run_with_input(arguments, b"")
}

/// The rows of every table in the database: name → key and record.
type Tables = BTreeMap<String, Vec<(String, Vec<u8>)>>;

fn tables(directory: &Path) -> Tables {
    let database = Database::open(directory.join("fluglog.redb")).unwrap();
    let data = database.begin_read().unwrap();
    let handles = data.list_tables().unwrap();
    handles
        .map(|handle| {
            let name = handle.name().to_owned();
            let rows = rows::<u128>(&data, &name)
                .or_else(|| rows::<(u128, u128)>(&data, &name))
                .or_else(|| rows::<(u128, u128, u8)>(&data, &name))
                .or_else(|| rows::<(u128, u8, u128)>(&data, &name))
                .or_else(|| rows::<(u128, i64, u8, u128)>(&data, &name))
                .or_else(|| rows::<(u128, u128, u128)>(&data, &name))
                .or_else(|| rows::<(u128, u32, u128)>(&data, &name))
                .or_else(|| rows::<(u128, u128, u32)>(&data, &name))
                .or_else(|| rows::<(u128, u128, u128, u32)>(&data, &name))
                .or_else(|| rows::<(u128, u128, u32, u32)>(&data, &name))
                .or_else(|| rows::<(u128, i64, u128)>(&data, &name))
                .or_else(|| rows::<(u128, u128, i64, u128)>(&data, &name))
                .or_else(|| rows::<(u128, u128, u32, u128)>(&data, &name))
                .or_else(|| rows::<(u128, u128, u8, i64, u128)>(&data, &name))
                .or_else(|| rows::<(u128, u128, u8, u32, u128)>(&data, &name))
                .or_else(|| rows::<(u128, u128, u128, i64, u128)>(&data, &name));
            let rows = rows.unwrap_or_else(|| panic!("{name} has a kind of key that this test doesn't know"));
            (name, rows)
        })
        .collect()
}

/// The rows of a table; `None` if its keys have another type.
fn rows<K: redb::Key + 'static>(data: &ReadTransaction, name: &str) -> Option<Vec<(String, Vec<u8>)>> {
    if let Ok(table) = data.open_table(TableDefinition::<K, &[u8]>::new(name)) {
        let rows = table.iter().unwrap().map(Result::unwrap);
        return Some(
            rows.map(|(key, record)| (format!("{:?}", key.value()), record.value().to_vec()))
                .collect(),
        );
    }
    let index = data.open_table(TableDefinition::<K, ()>::new(name)).ok()?;
    let rows = index.iter().unwrap().map(Result::unwrap);
    Some(
        rows.map(|(key, _)| (format!("{:?}", key.value()), Vec::new()))
            .collect(),
    )
}

/// Creates a row in every table that a logged-in pilot can fill.
fn fill(pilot: &Pilot) {
    let copter = pilot.item(COPTER, "Falke");
    let battery = pilot.item(BATTERY, "Akku");
    let flight = pilot.fly(
        &copter,
        &[&battery],
        &json!({"startTime": "01.03.2026 09:05", "flightTime": "12", "batteryStartVoltage": "16,8",
            "batteryEndVoltage": "14,4"}),
    );
    pilot.add_images(&flight, &[&pictures::jpeg(30, 20)]);
    let entry = [("info", "geprüft"), ("time", "01.03.2026 09:20")];
    for (call, id) in [("SaveEquipmentLog", &copter), ("SaveFlightLog", &flight)] {
        let fields = [&entry[..], &[("dpfId", id.as_str())]].concat();
        pilot
            .upload(call, &fields, &[("file", "beleg.pdf", b"%PDF")])
            .expect_status(201);
    }
    let start = [("chargeStartTime", "02.03.2026 09:00"), ("fromVoltage", "14,8")];
    pilot.save_charging(&battery, &start).expect_status(200);
    pilot.reading(&battery, &[("voltage", "14,8"), ("time", "02.03.2026 08:00")]);
    let profile = [("battery", battery.as_str()), ("profile", r#"{"cells": 4}"#)];
    pilot.post("SaveBatteryProfile", &profile).expect_status(200);
    let second = pilot.item(BATTERY, "Akku 2");
    let members = [battery.as_str(), &second].join(";");
    pilot
        .post("SaveBatterySet", &[("name", "Lang"), ("members", &members)])
        .expect_status(200);
    let snooze = [("dpfId", battery.as_str()), ("days", "3")];
    pilot.post("SnoozeBattery", &snooze).expect_status(200);
    fill_maintenance(pilot, &copter);
    pilot.post("SaveSticker", &[("dpfId", &battery)]).expect_status(200);
    let prior = r#"{"flights": 900, "minutes": 7200}"#;
    pilot.post("SavePriorFlights", &[("prior", prior)]).expect_status(200);
    pilot
        .post("SaveContact", &[("text", "0170 1234567")])
        .expect_status(200);
    let stored = [
        ("battery", second.as_str()),
        ("voltage", "14,8"),
        ("requestId", "0198b6f0-1111-7000-8000-00000000000b"),
    ];
    pilot.post("QuickStore", &stored).expect_status(200);
    let charged = [
        ("chargeStartTime", "01.03.2026 07:00"),
        ("fromVoltage", "14,8"),
        ("chargeEndTime", "01.03.2026 08:00"),
        ("toVoltage", "16,8"),
        ("charged", "900"),
        ("measuredCapacity", "1200"),
    ];
    pilot.save_charging(&battery, &charged).expect_status(200);
    fill_account(pilot);
    fill_from_files(pilot, &copter);
    pilot.take_off(&copter);
}

/// What belongs to no item and no flight.
fn fill_account(pilot: &Pilot) {
    fill_club(pilot);
    let document = pilot.document("schein.pdf", b"%PDF");
    pilot.proof(
        "A2.jpg",
        &pictures::jpeg(30, 20),
        &json!({"kind": 1, "until": "01.01.2099"}),
    );
    pilot.post("ShareDocument", &[("dpfId", &document)]).expect_status(200);
    let photo = pictures::jpeg(20, 20);
    pilot
        .upload("SaveProfile", &[], &[("photo", "ich.jpg", &photo)])
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
}

/// A job that was done.
fn fill_maintenance(pilot: &Pilot, copter: &str) {
    let job = r#"{"title": "Propeller", "flights": 10}"#;
    let saved = pilot.post("SaveJob", &[("dpfId", copter), ("job", job)]);
    let saved = saved.expect_status(200).json();
    let done = [("dpfId", copter), ("jobId", saved["jobId"].as_str().unwrap())];
    pilot.upload("CompleteJob", &done, &[]).expect_status(201);
}

/// A club with an invitation, and a flight with its copter.
fn fill_club(pilot: &Pilot) {
    let club = pilot.post("SaveSpace", &[("kind", "2"), ("name", "MFC Falke")]);
    let club = id_in(&club.expect_status(200).json());
    pilot.post("SaveInvitation", &[("space", &club)]).expect_status(201);
    let shared = json!({"type": COPTER, "name": "Schulcopter"}).to_string();
    let shared = pilot.post("SaveNewEquipment", &[("equipment", &shared), ("space", &club)]);
    pilot.fly(
        &id_in(&shared.expect_status(200).json()),
        &[],
        &json!({"flightTime": "5"}),
    );
}

/// An accepted import, one that waits with its tracks, and one of a table with assigned columns.
fn fill_from_files(pilot: &Pilot, copter: &str) {
    let import = |name: &str| {
        let content = std::fs::read(Path::new("tests/fixtures/flights").join(name)).unwrap();
        let import = pilot.upload("UploadImport", &[], &[("files", name, &content)]);
        import.expect_status(201).json()
    };
    let accepted = import("Litchi.csv");
    let choices = json!([{"key": accepted["proposals"][0]["key"], "action": "create", "copter": copter}]).to_string();
    let fields = [("dpfId", id_in(&accepted)), ("choices", choices)];
    let fields = fields.each_ref().map(|(name, value)| (*name, value.as_str()));
    pilot.post("AcceptImport", &fields).expect_status(200);
    import("zwei.gpx");
    let table = id_in(&import("Flugbuch.csv"));
    let mapping = json!({
        "columns": {"0": "date", "1": "startTime", "2": "flightTime", "3": "copter"},
        "separator": ";", "decimal": ",", "dateOrder": "dmy"
    });
    let fields = [
        ("dpfId", table.as_str()),
        ("file", "0"),
        ("mapping", &mapping.to_string()),
    ];
    pilot.post("MapImportColumns", &fields).expect_status(200);
}

/// Imports an export with Anna's flights.
fn fill_from_export(server: &Server, anna: &Pilot) {
    let place = temporary_directory();
    let output = place.path().join("export.zip");
    let export = ["export", "--user", ANNA, "--output", text(&output), "--data-dir"];
    assert_eq!(run([&export[..], &[text(server.directory())]].concat()).code, 0);
    let archive = std::fs::read(output).unwrap();
    anna.upload("UploadImport", &[], &[("files", "export.zip", &archive)])
        .expect_status(201);
}

/// Puts a file for Anna into `import_dir`.
fn fill_from_folder(folder: &Path, anna: &Pilot) {
    let own = folder.join(ANNA);
    std::fs::create_dir(&own).unwrap();
    std::fs::copy("tests/fixtures/flights/zwei.gpx", own.join("zwei.gpx")).unwrap();
    let open = || anna.post("GetImports", &[]).json().as_array().unwrap().len();
    wait::until("the file waits as well", || (open() == 4).then_some(()));
}

/// Anna, with rows in every table, logged in, and with mails that can't be sent.
fn anna(server: &Server, mail_server: &MailServer, folder: &Path) {
    server.stranger().register(ANNA, "Anna").expect_status(200);
    server.add_user("Anna@Example.org", "Anna", PASSWORD);
    let anna = server.stranger();
    anna.log_in_and_stay(ANNA, PASSWORD).expect_status(202);
    fill(&anna);
    // Not for the other pilot: the server records each evening the state of packs, and the attempts to send a mail.
    anna.post("SaveReminder", &[("on", "true")]).expect_status(200);
    anna.save_password(PASSWORD, PASSWORD).expect_status(200);
    // A new password ends tokens.
    anna.access_token("false");
    fill_from_export(server, &anna);
    fill_from_folder(folder, &anna);
    for command in [&["reset", ANNA][..], &["change", ANNA, "--quota", "2 GB"]] {
        let arguments = [&["user"], command, &["--data-dir", text(server.directory())]].concat();
        assert_eq!(run_with_input(arguments, b"").code, 0);
    }
    server.stranger().ask_for_login(ANNA);
    // The link is made when the mail is written.
    let connections = mail_server.connections();
    wait::until("both mails were tried", || {
        (mail_server.connections() >= connections + 2).then_some(())
    });
}

fn nothing_is_left(with_server: bool) {
    let mail_server = MailServer::start(Behaviour::Busy);
    let settings = mail_server.settings();
    let mut settings: Vec<_> = settings.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let (place, folder) = (temporary_directory(), temporary_directory());
    settings.extend([
        ("FLUGLOG_IMPORT_DIR", text(folder.path())),
        ("FLUGLOG_LIMITS__IMPORT_DIR_SECONDS", "0.2"),
    ]);
    let start = || Server::start_in_with(place.path(), &settings);

    let server = start();
    fill(&server.pilot("ben"));
    let files_of_ben = server.blobs();
    assert!(server.stop().success());
    let of_ben = tables(place.path());

    let server = start();
    anna(&server, &mail_server, folder.path());
    assert!(server.blobs().len() > files_of_ben.len());
    assert!(server.stop().success());
    for (name, rows) in tables(place.path()) {
        let before = of_ben[&name].len();
        assert!(
            rows.len() > before || OF_NO_PILOT.contains(&name.as_str()) || name == OF_AN_UPGRADE,
            "this test must leave something in the table {name}"
        );
    }

    let server = with_server.then(start);
    let done = delete(place.path(), &["--yes"]);
    assert_eq!((done.code, done.stderr.as_str()), (0, ""), "{done:?}");
    assert!(done.stdout.contains(ANNA), "{done:?}");
    if let Some(server) = server {
        assert!(server.stop().success());
    }
    assert_eq!(tables(place.path()), of_ben);
    let server = start();
    assert_eq!(server.blobs(), files_of_ben);
    server.stranger().log_in(ANNA, PASSWORD).expect_status(401);
    server.stranger().log_in(BEN, PASSWORD).expect_status(202);
    server.add_user(ANNA, "Neu", PASSWORD);
}

#[test]
fn of_a_deleted_pilot_nothing_is_left_in_any_table_nor_file() {
    nothing_is_left(false);
}

#[test]
fn a_running_server_deletes_a_pilot_as_thoroughly() {
    nothing_is_left(true);
}

fn opened(directory: &Path) -> App {
    let config = Config {
        data_dir: directory.to_owned(),
        ..Config::default()
    };
    App::new(config, Store::open(directory, false).unwrap())
}

/// Begins to delete Anna, takes so many steps of a few rows, each by a process of its own, and checks all data after
/// each. Returns whether nothing is left to delete.
fn interrupted_deletion(directory: &Path, steps: usize) -> bool {
    let app = opened(directory);
    let begun = app.store.write(|writer| {
        let anna = guard::named_by_admin(writer, ANNA)?;
        registry::begin_deletion(writer, &anna, 0)
    });
    let (owners, photo) = begun.unwrap();
    app.blobs.remove_all(photo);
    drop(app);
    for owner in owners {
        for _ in 0..steps {
            let app = opened(directory);
            let step = app.store.write(move |writer| registry::take_step(writer, owner, 7));
            let Some((gone, _)) = step.unwrap() else { break };
            app.blobs.remove_all(gone);
            let report = check::check(&app, false).unwrap();
            assert_eq!((report.damage, report.orphans), (Vec::new(), Vec::new()));
        }
    }
    let left = opened(directory).store.read(deletions::all);
    left.unwrap().is_empty()
}

/// Anna and Ben, who fly with each other's items.
fn fill_two(server: &Server) -> (Pilot, String, String) {
    let (anna, ben) = (server.pilot("anna"), server.pilot("ben"));
    fill(&anna);
    let club = ben.make_space(CLUB, "Bens Verein");
    ben.take_in(&club, MANAGER, &anna, true);
    let (his, hers) = (ben.item(COPTER, "Bens"), anna.item(COPTER, "Annas"));
    anna.finish_flight(&json!({"dpfId": anna.open_flight(), "flightTime": "3"}));
    for (pilot, copter) in [(&ben, &his), (&anna, &hers)] {
        pilot.move_equipment(copter, &club);
    }
    let flight = ben.fly(&hers, &[], &json!({"flightTime": "5"}));
    for minutes in ["6", "7", "8"] {
        anna.fly(&his, &[], &json!({"flightTime": minutes}));
    }
    anna.move_equipment(&hers, "");
    anna.take_off(&his);
    (ben, his, flight)
}

fn a_deletion_goes_on(steps: usize) {
    let place = temporary_directory();
    let server = Server::start_in(place.path());
    let (ben, his, flight) = fill_two(&server);
    let (session, hours) = (ben.cookie("session").unwrap(), ben.equipment(&his)["usageTime"].clone());
    assert!(server.stop().success());
    let is_complete = interrupted_deletion(place.path(), steps);

    let server = Server::start_in(place.path());
    let ben = server.stranger();
    ben.plant_cookie("session", &session);
    server.stranger().log_in(ANNA, PASSWORD).expect_status(401);
    assert_eq!(ben.flight(&flight)["copter"]["name"], "Annas");
    ben.save_flight(&json!({"dpfId": flight, "flightTime": "9"}))
        .expect_status(200);
    assert_eq!(ben.equipment(&his)["usageTime"], hours);
    assert!(
        ben.shared_uses(&his)
            .iter()
            .all(|used| used["name"] == "ehemaliges Mitglied")
    );
    // The address is free.
    server.add_user(ANNA, "Neu", PASSWORD);
    if !is_complete {
        server.log_with("a deletion is complete");
    }
    expect_clean(place.path());
    ben.take_off(&his);
    delete(place.path(), &["--yes"]);
    let files = server.blobs();
    assert_eq!(files, Vec::<String>::new());
    assert!(server.stop().success());
    let store = opened(place.path()).store;
    let users = store.read(|data| data.record_keys(&schema::USERS, ..)).unwrap();
    let spaces = store.read(|data| data.record_keys(&schema::SPACES, ..)).unwrap();
    for table in schema::ALL.iter().filter(|table| table.scope() != Scope::Global) {
        let mut expect_owner = |key: &[u8], _: &[u8]| {
            let owner = u128::from_be_bytes(*key.first_chunk().unwrap());
            assert!(users.contains(&owner) || spaces.contains(&owner), "{}", table.name());
            Ok(())
        };
        store.read(|data| table.each(data, &mut expect_owner)).unwrap();
    }
}

#[test]
fn a_deletion_that_is_killed_after_its_first_step_goes_on_at_the_next_start() {
    a_deletion_goes_on(0);
}

#[test]
fn a_deletion_that_is_killed_after_any_step_leaves_all_data_whole() {
    a_deletion_goes_on(usize::MAX);
}

#[test]
fn a_deleted_user_is_logged_out_at_once_and_a_waiting_login_ends() {
    let server = Server::start();
    let anna = server.pilot("anna");
    let staying = server.stranger();
    staying.log_in_and_stay(ANNA, PASSWORD).expect_status(202);
    staying.forget_cookie("session");
    let waiting = server.stranger();
    let number = waiting.ask_for_login(ANNA);
    let mail = server.nth_mail(ANNA, 1);
    let answer = std::thread::scope(|scope| {
        let asked = scope.spawn(|| waiting.check_login_token(ANNA));
        assert_eq!(delete(server.directory(), &["--yes"]).code, 0);
        asked.join().unwrap()
    });
    answer.expect_status(410);
    anna.post_empty("GetDetailedUser").expect_not_logged_in();
    staying.check_session().expect_not_logged_in();
    server
        .stranger()
        .confirm_login(&mail.token(), &number)
        .expect_status(410);
}

#[test]
fn an_upload_that_is_running_leaves_nothing_of_a_deleted_pilot() {
    let server = Server::start();
    let anna = server.pilot("anna");
    let mut connection = Connection::open(server.address());
    let body = [file_head("file", "a.bin"), vec![7; 400_000]].concat();
    let end = b"\r\n------Grenze--\r\n";
    connection.send(format!(
        "POST /app/api/UploadUserDocument HTTP/1.1\r\nHost: {}\r\nCookie: {}\r\n\
         Content-Type: {MULTIPART}\r\nContent-Length: {}\r\n\r\n",
        server.address(),
        anna.cookie_header(),
        body.len() + end.len()
    ));
    connection.send(body);
    wait::until("the upload has begun", || (server.blobs().len() == 1).then_some(()));
    assert_eq!(delete(server.directory(), &["--yes"]).code, 0);
    connection.send(end);
    connection.answer().expect("an answer").expect_not_logged_in();
    assert_eq!(server.blobs(), Vec::<String>::new());
    let directory = server.directory().to_owned();
    let data = directory.join("fluglog.redb");
    server.ask_to_end();
    let mut server = server;
    assert!(server.wait_for_end().success());
    assert!(data.exists());
    for (name, rows) in tables(&directory) {
        assert!(
            rows.is_empty() || OF_NO_PILOT.contains(&name.as_str()),
            "{name} has {rows:?}"
        );
    }
}

#[test]
fn mails_to_a_deleted_pilot_leave_the_outbox_and_those_to_others_stay() {
    let server = Server::start();
    for (email, nickname) in [(ANNA, "Anna"), (BEN, "Ben")] {
        server.add_user(email, nickname, PASSWORD);
        server.stranger().ask_for_login(email);
        server.nth_mail(email, 1);
    }
    assert_eq!(delete(server.directory(), &["--yes"]).code, 0);
    let left: Vec<_> = server.outbox().into_iter().map(|mail| mail.to).collect();
    assert_eq!(left, [BEN]);
}

#[test]
fn a_deletion_wants_to_be_confirmed() {
    let server = Server::start();
    let anna = server.pilot("anna");
    delete(server.directory(), &[]).expect_refusal(1, &["--yes", "nichts gelöscht"]);
    run_with_input(
        ["user", "delete", ANNA, "--data-dir", text(server.directory())],
        b"ja\n",
    )
    .expect_refusal(1, &["--yes"]);
    anna.check_session().expect_status(200);
}

#[test]
fn nobody_is_deleted_twice() {
    let place = temporary_directory();
    let server = Server::start_in(place.path());
    server.add_user(ANNA, "Anna", PASSWORD);
    assert_eq!(delete(place.path(), &["--yes"]).code, 0);
    let running = delete(place.path(), &["--yes"]);
    running.expect_refusal(1, &["ist kein Benutzer"]);
    assert!(server.stop().success());
    assert_eq!(delete(place.path(), &["--yes"]).stderr, running.stderr);
}

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

use crate::api::{imports, matrix};
use crate::harness::calls::COPTER;
use crate::harness::files::{MULTIPART, file_head};
use crate::harness::mail::{Behaviour, MailServer};
use crate::harness::process::run;
use crate::harness::raw::Connection;
use crate::harness::spaces::{CLUB, MANAGER, expect_clean};
use crate::harness::{Output, PASSWORD, Pilot, Server, run_with_input, temporary_directory, text, wait};

const ANNA: &str = "anna@example.org";
const BEN: &str = "ben@example.org";
/// Tables with the program's own data.
const OF_NO_PILOT: [&str; 3] = ["meta", "backups", "deletions"];
/// Only filled with data of an earlier version: `tests/api/voltages.rs` deletes a pilot with rows in it.
const OF_AN_UPGRADE: &str = "flight_doubts";

/// A mail to the address of no account: the server remembers for a minute that it has tried, by the address alone.
const TO_NOBODY: &str = "ChangeEmail";
/// Calls after which the server writes by itself: each attempt to send a mail, and each evening the state of packs.
const WRITTEN_LATER: &[&str] = &["SavePassword", "SaveReminder"];

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
                .or_else(|| rows::<(u128, u128, u8, u128)>(&data, &name))
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

/// Fills the tables by every call that adds or changes something, and isn't in `without`; what these calls leave empty
/// needs a file of a program, or equipment of a space.
fn fill(server: &Server, pilot: &Pilot, without: &[&str]) {
    let hers = matrix::fill(server, pilot, without);
    let import = imports::import(pilot, &["Litchi.csv"]);
    let choices = imports::ticked(&import, &hers.copter);
    imports::accept(pilot, &import, &choices).expect_status(200);
    let shared = pilot.item_of_space(&hers.space, COPTER, "Schulcopter");
    let config = json!({"copter": shared}).to_string();
    let flight = r#"{"startTime": "02.03.2026 09:05"}"#;
    let added = pilot.post("AddFlight", &[("config", &config), ("flight", flight)]);
    added.expect_status(201);
    let log = [
        ("dpfId", shared.as_str()),
        ("info", "Beule"),
        ("time", "02.03.2026 10:00"),
    ];
    pilot.upload("SaveEquipmentLog", &log, &[]).expect_status(201);
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
    let open = || anna.post_empty("GetImports").json().as_array().unwrap().len();
    let before = open();
    let own = folder.join(ANNA);
    std::fs::create_dir(&own).unwrap();
    std::fs::copy("tests/fixtures/flights/zwei.gpx", own.join("zwei.gpx")).unwrap();
    wait::until("the file waits as well", || (open() > before).then_some(()));
}

/// Anna, with rows in every table, logged in, and with mails that can't be sent.
fn anna(server: &Server, mail_server: &MailServer, folder: &Path) {
    server.stranger().register(ANNA, "Anna").expect_status(200);
    server.add_user("Anna@Example.org", "Anna", PASSWORD);
    let anna = server.stranger();
    anna.log_in_and_stay(ANNA, PASSWORD).expect_status(202);
    fill(server, &anna, &[TO_NOBODY]);
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
    fill(&server, &server.pilot("ben"), &[&[TO_NOBODY], WRITTEN_LATER].concat());
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
            "no request of tests/api/matrix.rs leaves a row in the table {name}"
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
    fill(server, &anna, &[]);
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

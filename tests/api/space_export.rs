//! The export of a space: its equipment and what is recorded of it for who manages it, and no flights of its members.

use std::io::Cursor;

use serde_json::{Value, json};

use super::export::begin;
use super::imports::accept;
use super::spaces::{member, remove};
use crate::harness::calls::{BATTERY, COPTER, id_in};
use crate::harness::export::{Members, json_in, members};
use crate::harness::process::run;
use crate::harness::spaces::{CLUB, KEEPER, MEMBER};
use crate::harness::{Pilot, Server, temporary_directory, text};

const NO_RIGHT: &str = "Dafür fehlt Ihnen das Recht.";
/// More than a connection's buffers hold.
const LARGE_BYTES: usize = 20_000_000;
/// Entries of a private flight, of which no file may tell.
const PRIVATE: [&str; 3] = ["Waldwiese", "Rundflug am See", "52.51"];

/// A club with equipment that a member flies, and a flight of that member.
struct Club {
    server: Server,
    anna: Pilot,
    ben: Pilot,
    space: String,
    copter: String,
    flight: String,
}

fn club() -> Club {
    let server = Server::start();
    let (anna, ben, cara) = (server.pilot("Anna"), server.pilot("Ben"), server.pilot("Cara"));
    let space = anna.make_space(CLUB, "MFC Musterstadt");
    anna.take_in(&space, KEEPER, &ben, true);
    anna.take_in(&space, MEMBER, &cara, false);
    let copter = anna.item_of_space(&space, COPTER, "Schulcopter");
    let pack = anna.item_of_space(&space, BATTERY, "Vereinsakku");
    anna.item(COPTER, "Annas Copter");
    let figures = json!({"startTime": "01.03.2026 10:00", "flightTime": "6", "batteryStartVoltage": "16,8",
        "batteryEndVoltage": "14,8", "location": PRIVATE[0], "notes": PRIVATE[1], "startLatitude": PRIVATE[2],
        "startLongitude": "13.37"});
    let flight = ben.fly(&copter, &[&pack], &figures);
    cara.fly(
        &copter,
        &[],
        &json!({"startTime": "02.03.2026 10:00", "flightTime": "9"}),
    );
    let charging = [
        ("chargeStartTime", "02.03.2026 10:00"),
        ("chargeEndTime", "02.03.2026 11:00"),
        ("fromVoltage", "14,8"),
        ("toVoltage", "16,8"),
        ("charged", "900"),
    ];
    ben.save_charging(&pack, &charging).expect_status(200);
    ben.reading(&pack, &[("voltage", "16,8")]);
    let log = [
        ("dpfId", pack.as_str()),
        ("info", "Beule"),
        ("time", "01.03.2026 10:00"),
    ];
    ben.upload("SaveEquipmentLog", &log, &[("file", "Beule.txt", b"Akku")])
        .expect_status(201);
    let job = json!({"title": "Propeller", "flights": 20}).to_string();
    ben.post("SaveJob", &[("dpfId", &copter), ("job", &job)])
        .expect_status(200);
    ben.document("Bens Lizenz.txt", b"BENS LIZENZ");
    Club {
        server,
        anna,
        ben,
        space,
        copter,
        flight,
    }
}

fn export_of(space: &str) -> String {
    format!("/app/api/GetExport?space={space}")
}

fn names(list: &Value, field: &str) -> Vec<String> {
    let list = list.as_array().expect("a list").iter();
    list.map(|one| one[field].as_str().expect("a text").to_owned())
        .collect()
}

#[track_caller]
fn expect_no_flight(files: &Members, flight: &str) {
    for (name, content) in files {
        let content = String::from_utf8_lossy(content);
        let told = PRIVATE.iter().chain([&flight, &"BENS LIZENZ", &"example.org"]);
        for private in told {
            assert!(!content.contains(private), "{private} in {name}");
        }
    }
}

#[test]
fn who_manages_a_space_takes_its_equipment_and_no_member_s_flight() {
    let Club {
        server: _server,
        anna,
        space,
        flight,
        ..
    } = club();
    let size = anna
        .post("GetExportSize", &[("space", &space)])
        .expect_status(200)
        .json();
    assert!(size["bytes"].as_u64().is_some_and(|bytes| bytes > 500), "{size}");
    let answer = anna.get(&export_of(&space)).expect_status(200);
    let disposition = answer.header("content-disposition").expect("a name").to_owned();
    assert!(disposition.contains("fluglog-MFC Musterstadt-"), "{disposition}");
    let files = members(&answer.body);
    assert_eq!(files["dokumente/Beule.txt"], b"Akku");
    assert_eq!(
        names(&json_in(&files, "equipment"), "name"),
        ["Schulcopter", "Vereinsakku"]
    );
    assert_eq!(names(&json_in(&files, "uses"), "name"), ["ein Mitglied", "Ben", "Ben"]);
    assert_eq!(names(&json_in(&files, "members"), "name").len(), 3);
    assert_eq!(json_in(&files, "chargings")[0]["charged"], 900.0);
    for (list, count) in [
        ("chargings", 1),
        ("readings", 1),
        ("jobs", 1),
        ("logs", 1),
        ("flights", 0),
    ] {
        assert_eq!(json_in(&files, list).as_array().map(Vec::len), Some(count), "{list}");
    }
    let table = String::from_utf8_lossy(&files["tabellen/Benutzungen.csv"]);
    assert!(table.contains("Schulcopter;01.03.2026 10:00;Ben;6"), "{table}");
    expect_no_flight(&files, &flight);
}

#[test]
fn only_who_manages_the_space_takes_it_and_only_as_long() {
    let Club {
        server,
        anna,
        ben,
        space,
        copter,
        ..
    } = club();
    for pilot in [&ben, &server.pilot("Fremd")] {
        let size = pilot
            .post("GetExportSize", &[("space", &space)])
            .expect_status(403)
            .text();
        assert_eq!(pilot.get(&export_of(&space)).expect_status(403).text(), size);
    }
    ben.get(&export_of(&space)).expect_refusal(403, NO_RIGHT);
    for (file, bytes) in [("Kurz.txt", 5), ("Film.mp4", LARGE_BYTES)] {
        let log = [("dpfId", copter.as_str()), ("info", file), ("time", "03.03.2026 10:00")];
        ben.upload("SaveEquipmentLog", &log, &[("file", file, &vec![7; bytes])])
            .expect_status(201);
    }
    // The newest file is written first, and she is removed meanwhile.
    let mut download = begin(&server, &anna, &export_of(&space));
    let [anna_s, ben_s] = ["Anna", "Ben"].map(|name| member(&anna, &space, name));
    let role = [("space", space.as_str()), ("member", &ben_s), ("role", "4")];
    anna.post("SaveMember", &role).expect_status(200);
    remove(&ben, &space, &anna_s).expect_status(200);
    let part = download.answer().expect("a head").body;
    assert!(zip::ZipArchive::new(Cursor::new(part)).is_err());
    // An export that ends early is no error of the server.
    let log = server.log_with("an answer ends early");
    assert!(!log.contains("not sent to its end"), "{log}");
    // The pilot's own export has nothing of the space.
    let own = members(&anna.get("/app/api/GetExport").expect_status(200).body);
    assert_eq!(names(&json_in(&own, "equipment"), "name"), ["Annas Copter"]);
}

#[test]
fn the_shell_exports_a_space_and_another_fluglog_takes_its_equipment() {
    let Club {
        server, space, flight, ..
    } = club();
    let place = temporary_directory();
    let output = place.path().join("verein.zip");
    let command = |named: &str| {
        let arguments = ["export", "--space", named, "--output", text(&output)];
        run([&arguments[..], &["--data-dir", text(server.directory())]].concat())
    };
    command("FSV").expect_refusal(1, &["FSV", "fluglog space list"]);
    let done = command("MFC Musterstadt");
    assert_eq!(done.code, 0, "{done:?}");
    assert!(
        done.stdout
            .contains("MFC Musterstadt: 2 Teile Equipment, 1 Log, 1 Datei."),
        "{done:?}"
    );
    assert_eq!(command(&space).code, 0);
    let archive = std::fs::read(&output).expect("an archive");
    expect_no_flight(&members(&archive), &flight);

    let dora = Server::shared().pilot("Dora");
    let found = dora.upload("UploadImport", &[], &[("files", "verein.zip", &archive)]);
    let found = found.expect_status(201).json();
    let belongings = found["belongings"].as_array().expect("a list").iter();
    let all: Vec<_> = belongings
        .map(|one| json!({"key": one["key"], "action": "create"}))
        .collect();
    accept(&dora, &found, &json!(all)).expect_status(200);
    assert_eq!(dora.names_of(COPTER), ["Schulcopter"]);
    let pack = dora.equipments(BATTERY, false).remove(0);
    assert_eq!(
        (&pack["name"], &pack["chargeCount"]),
        (&json!("Vereinsakku"), &json!(1))
    );
    let logs = dora
        .post("GetEquipmentLogs", &[("dpfId", &id_in(&pack))])
        .expect_status(200)
        .json();
    assert_eq!(logs["logs"][0]["documentObj"]["name"], "Beule.txt");
    assert_eq!(dora.flights(), Vec::<Value>::new());
}

//! Equipment that several pilots share: who flies, charges and changes it, and what they learn of each other.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::thread;

use fluglog_accounts::guard;
use fluglog_app::App;
use fluglog_base::id::{EquipmentId, OwnerId, SpaceId};
use fluglog_config::Config;
use fluglog_store::{Scope, Store, schema};
use fluglog_topics::transfers;
use serde_json::{Value, json};

use super::matrix;
use crate::harness::calls::{BATTERY, COPTER, id_in};
use crate::harness::process::run;
use crate::harness::spaces::{CLUB, HOUSEHOLD, KEEPER, MANAGER, MEMBER, READER, expect_clean};
use crate::harness::{Pilot, Server, temporary_directory, text};

const NO_RIGHT: &str = "Dafür fehlt Ihnen das Recht.";
const LEFT: &str = "Sie sind nicht mehr Mitglied dieses Bereichs.";
const FLOWN: &str = "1:23";

/// A club with a manager and a member.
struct Club {
    server: Server,
    anna: Pilot,
    ben: Pilot,
    space: String,
}

fn club() -> Club {
    club_of(Server::start())
}

fn club_of(server: Server) -> Club {
    let (anna, ben) = (server.pilot("Anna"), server.pilot("Ben"));
    let space = anna.make_space(CLUB, "MFC Musterstadt");
    anna.take_in(&space, MEMBER, &ben, true);
    Club {
        server,
        anna,
        ben,
        space,
    }
}

fn delete_account(directory: &Path, email: &str) {
    let done = run(["user", "delete", email, "--yes", "--data-dir", text(directory)]);
    assert_eq!(done.code, 0, "{done:?}");
}

fn figures() -> Value {
    json!({"startTime": "01.03.2026 10:00", "flightTime": "6", "batteryStartVoltage": "16,8",
        "batteryEndVoltage": "14,8", "consumedCapacity": "900", "location": "Waldwiese", "notes": FLOWN})
}

#[test]
fn the_gear_of_a_space_stands_behind_the_pilot_s_own_and_says_whose_it_is() {
    let Club {
        server: _server,
        anna,
        ben,
        space,
    } = club();
    ben.item(COPTER, "Zebra");
    let shared = anna.item_of_space(&space, COPTER, "Adler");
    assert_eq!(ben.names_of(COPTER), ["Zebra", "Adler"]);
    let item = ben.equipment(&shared);
    assert_eq!(item["space"], json!({"dpfId": space, "name": "MFC Musterstadt"}));
    assert_eq!(item["rights"], "use");
    assert_eq!(anna.equipment(&shared)["rights"], "keep");
    let own = ben.equipments(COPTER, false).remove(0);
    assert!(own.get("space").is_none() && own.get("rights").is_none() && own.get("inUse").is_none());
    let only = ben.post("GetEquipments", &[("type", "0"), ("space", &space)]).json();
    assert_eq!(only.as_array().map(Vec::len), Some(1));
}

#[test]
fn the_flights_with_an_item_come_in_pages_the_newest_first() {
    let Club {
        server: _server,
        anna,
        ben,
        space,
    } = club();
    let copter = anna.item_of_space(&space, COPTER, "Schulcopter");
    for (pilot, start) in [(&ben, 10), (&anna, 12), (&ben, 11), (&anna, 9)] {
        let times = json!({"startTime": format!("01.05.2026 {start:02}:00"), "flightTime": "6"});
        pilot.fly(&copter, &[], &times);
    }
    let all = anna.shared_uses(&copter);
    let begun: Vec<_> = all
        .iter()
        .map(|used| used["start"].as_str().unwrap()[11..13].to_owned())
        .collect();
    assert_eq!(begun, ["12", "11", "10", "09"]);
    let page = |fields: &[(&str, &str)]| {
        let asked = [&[("dpfId", copter.as_str())], fields].concat();
        anna.post("GetSharedUses", &asked)
            .expect_status(200)
            .json()
            .as_array()
            .unwrap()
            .clone()
    };
    assert_eq!(page(&[("limit", "2")]), all[..2]);
    let second = all[1]["dpfId"].as_str().unwrap();
    assert_eq!(page(&[("before", second)]), all[2..]);
    assert_eq!(page(&[("before", second), ("limit", "1")]), all[2..3]);
    let unknown = [
        ("dpfId", copter.as_str()),
        ("before", "00000000-0000-4000-8000-000000000000"),
    ];
    anna.post("GetSharedUses", &unknown).expect_no_access();
}

#[test]
fn a_member_s_flight_with_shared_gear_counts_there_and_stays_private() {
    let Club {
        server,
        anna,
        ben,
        space,
    } = club();
    let copter = anna.item_of_space(&space, COPTER, "Schulcopter");
    let pack = anna.item_of_space(&space, BATTERY, "Vereinsakku");
    let flight = ben.fly(&copter, &[&pack], &figures());
    assert_eq!(anna.equipment(&copter)["usageTime"], 0.1);
    assert_eq!(anna.equipment(&pack)["endVoltage"], 14.8);
    assert_eq!(ben.flight(&flight)["copter"]["name"], "Schulcopter");
    anna.get_flight(&flight).expect_no_access();
    assert_eq!(anna.flights(), Vec::<Value>::new());
    for call in [
        "GetSharedUses",
        "GetEquipment",
        "GetBatteryPassport",
        "GetEquipmentLogs",
    ] {
        let answer = anna.post(call, &[("dpfId", &pack)]).expect_status(200).text();
        for secret in [flight.as_str(), "Waldwiese", FLOWN] {
            assert!(!answer.contains(secret), "{call}: {answer}");
        }
    }
    let chargings = anna.post("GetChargings", &[("battery", &pack)]).expect_status(200);
    assert!(!chargings.text().contains(&flight));
    let tied = chargings.json()["chargings"][0].clone();
    assert_eq!((&tied["flight"], &tied["pilot"]), (&Value::Null, &json!("Ben")));
    let used = anna.shared_uses(&copter).remove(0);
    assert_eq!(
        (&used["name"], &used["own"], &used["flight"], &used["minutes"]),
        (&json!("Ben"), &json!(false), &Value::Null, &json!(6.0))
    );
    let used = ben.shared_uses(&copter).remove(0);
    assert_eq!((&used["own"], &used["flight"]), (&json!(true), &json!(flight)));
    let listed = ben.flights_page(&[("equipment", &copter)]);
    assert_eq!(listed.len(), 1);
    assert_eq!(anna.flights_page(&[("equipment", &copter)]).len(), 0);
    ben.delete_flight(&flight).expect_status(200);
    assert_eq!(anna.equipment(&copter)["usageTime"], 0.0);
    assert_eq!(anna.shared_uses(&copter).len(), 0);
    expect_clean(server.directory());
}

#[test]
fn who_doesn_t_want_to_be_named_is_a_member() {
    let Club {
        server, anna, space, ..
    } = club();
    let cara = server.pilot("Cara");
    anna.take_in(&space, MEMBER, &cara, false);
    let copter = anna.item_of_space(&space, COPTER, "Schulcopter");
    cara.fly(&copter, &[], &figures());
    assert_eq!(anna.shared_uses(&copter)[0]["name"], "ein Mitglied");
    cara.post("LeaveSpace", &[("space", &space)]).expect_status(200);
    assert_eq!(anna.shared_uses(&copter)[0]["name"], "ehemaliges Mitglied");
}

#[test]
fn a_flight_reads_right_after_its_pilot_left_and_the_item_was_renamed() {
    let Club {
        server,
        anna,
        ben,
        space,
    } = club();
    let copter = anna.item_of_space(&space, COPTER, "Schulcopter");
    let open = ben.take_off(&copter);
    ben.post("LeaveSpace", &[("space", &space)]).expect_status(200);
    anna.save_edit_equipment(&json!({"dpfId": copter, "name": "Neu"}))
        .expect_status(200);
    ben.post("GetEquipment", &[("dpfId", &copter)])
        .expect_refusal(403, LEFT);
    ben.finish_flight(&json!({"dpfId": open, "flightTime": "6"}))
        .expect_status(200);
    assert_eq!(ben.flight(&open)["copter"]["name"], "Schulcopter");
    assert_eq!(anna.equipment(&copter)["usageTime"], 0.1);
    ben.create_flight(&json!({"copter": copter})).expect_refusal(403, LEFT);
    ben.save_flight(&json!({"dpfId": open, "flightTime": "12"}))
        .expect_status(200);
    assert_eq!(anna.equipment(&copter)["usageTime"], 0.2);
    ben.delete_flight(&open).expect_status(200);
    assert_eq!(anna.equipment(&copter)["usageTime"], 0.0);
    expect_clean(server.directory());
}

#[test]
fn an_item_is_in_one_open_flight_until_a_keeper_frees_it() {
    let Club {
        server,
        anna,
        ben,
        space,
    } = club();
    let cara = server.pilot("Cara");
    anna.take_in(&space, MEMBER, &cara, true);
    let copter = anna.item_of_space(&space, COPTER, "Schulcopter");
    let started = ben.take_off(&copter);
    let since = ben.flight(&started)["startTime"].as_str().expect("a time")[11..].to_owned();
    let sentence = format!("Dieser Copter ist gerade in einem offenen Flug (Ben, seit {since}).");
    cara.create_flight(&json!({"copter": copter}))
        .expect_refusal(409, &sentence);
    assert_eq!(cara.equipment(&copter)["inUse"]["by"], "Ben");
    cara.fly_at(&copter, "01.02.2026 09:00");
    cara.post("FreeEquipment", &[("dpfId", &copter)])
        .expect_refusal(403, NO_RIGHT);
    anna.post("DeactivateEquipment", &[("dpfId", &copter), ("info", "kaputt")])
        .expect_refusal(
            409,
            "Dieses Equipment ist gerade in einem offenen Flug. \
                              Bitte beenden Sie ihn, oder geben Sie das Equipment frei.",
        );
    anna.post("FreeEquipment", &[("dpfId", &copter)]).expect_status(200);
    anna.post("FreeEquipment", &[("dpfId", &copter)]).expect_status(200);
    expect_clean(server.directory());
    let second = cara.take_off(&copter);
    assert_eq!(ben.flight(&started)["open"], true);
    ben.save_flight(&json!({"dpfId": started, "location": "Wiese"}))
        .expect_status(200);
    let own = &cara.equipment(&copter)["inUse"];
    assert_eq!((&own["by"], &own["mine"]), (&json!("Cara"), &json!(true)));
    assert!(ben.equipment(&copter)["inUse"].get("mine").is_none());
    ben.finish_flight(&json!({"dpfId": started, "flightTime": "6"}))
        .expect_status(200);
    cara.finish_flight(&json!({"dpfId": second, "flightTime": "6"}))
        .expect_status(200);
    assert!(anna.equipment(&copter).get("inUse").is_none());
    expect_clean(server.directory());
}

#[test]
fn each_role_may_do_what_it_is_for() {
    let Club {
        server,
        anna,
        ben,
        space,
    } = club();
    let (reader, keeper) = (server.pilot("Rita"), server.pilot("Kai"));
    anna.take_in(&space, READER, &reader, true);
    anna.take_in(&space, KEEPER, &keeper, true);
    let pack = anna.item_of_space(&space, BATTERY, "Vereinsakku");
    let copter = anna.item_of_space(&space, COPTER, "Schulcopter");
    let name = |item: &str| json!({"dpfId": item, "name": "Anders"});
    reader
        .create_flight(&json!({"copter": copter}))
        .expect_refusal(403, NO_RIGHT);
    reader
        .post("QuickCharge", &[("battery", &pack)])
        .expect_refusal(403, NO_RIGHT);
    ben.post("QuickCharge", &[("battery", &pack)]).expect_status(200);
    let log = [
        ("dpfId", pack.as_str()),
        ("info", "Beule"),
        ("time", "01.03.2026 10:00"),
    ];
    reader
        .upload("SaveEquipmentLog", &log, &[("file", "a.txt", b"a")])
        .expect_refusal(403, NO_RIGHT);
    let log = ben
        .upload("SaveEquipmentLog", &log, &[("file", "a.txt", b"Akku")])
        .expect_status(201)
        .json();
    let document = log["documentObj"]["dpfId"].as_str().expect("a document");
    assert_eq!(reader.download(document).body, b"Akku");
    server
        .pilot("Fremd")
        .post("DownloadDocument", &[("dpfId", document)])
        .expect_no_access();
    keeper.post("DeleteLog", &[("dpfId", &id_in(&log))]).expect_status(200);
    ben.save_edit_equipment(&name(&pack)).expect_refusal(403, NO_RIGHT);
    keeper.save_edit_equipment(&name(&pack)).expect_status(200);
    ben.deactivate(&copter, "alt").expect_refusal(403, NO_RIGHT);
    ben.reading(&pack, &[("voltage", "15,2")]);
    keeper
        .post("MoveEquipment", &[("dpfId", &pack), ("space", "")])
        .expect_refusal(403, NO_RIGHT);
    expect_clean(server.directory());
}

/// The entries about a pack that a pilot sees as the own ones: chargings, readings and logs.
#[track_caller]
fn own_entries(pilot: &Pilot, pack: &str) -> [usize; 3] {
    let passport = pilot.post("GetBatteryPassport", &[("dpfId", pack)]).expect_status(200);
    let logs = pilot.post("GetEquipmentLogs", &[("dpfId", pack)]).expect_status(200);
    let (passport, logs) = (passport.json(), logs.json());
    let count = |entries: &[Value]| entries.iter().filter(|entry| entry["mine"] == true).count();
    let list = |entries: &Value| count(entries.as_array().expect("a list"));
    let timeline = passport["timeline"].as_array().expect("a list").iter();
    let read: Vec<_> = timeline.map(|entry| entry["reading"].clone()).collect();
    assert_eq!(count(&read), list(&passport["readings"]));
    [count(&pilot.chargings(pack)), count(&read), list(&logs["logs"])]
}

/// Corrects the first charging and log of a pack; returns the statuses.
fn correct(pilot: &Pilot, keeper: &Pilot, pack: &str) -> [u16; 2] {
    let charging = id_in(&keeper.chargings(pack)[0]);
    let logs = keeper.post("GetEquipmentLogs", &[("dpfId", pack)]).json();
    let log = id_in(&logs["logs"][0]);
    let log = [("dpfId", log.as_str()), ("info", "Delle"), ("time", "01.03.2026 10:00")];
    let charged = pilot.save_charging(pack, &[("dpfId", &charging), ("charged", "900")]);
    [charged.status, pilot.upload("EditLog", &log, &[]).status]
}

#[test]
fn a_member_sees_which_entries_are_the_own_ones_and_of_others_not_who_wrote_them() {
    let Club {
        server,
        anna,
        ben,
        space,
    } = club();
    let (cara, rita) = (server.pilot("Cara"), server.pilot("Rita"));
    anna.take_in(&space, MEMBER, &cara, true);
    anna.take_in(&space, READER, &rita, true);
    let pack = anna.item_of_space(&space, BATTERY, "Vereinsakku");
    record_history_without_sticker(&ben, &pack);
    assert_eq!(own_entries(&ben, &pack), [1, 1, 1]);
    assert_eq!(correct(&ben, &anna, &pack), [200, 200]);
    assert_eq!(own_entries(&ben, &pack), [1, 1, 1], "after a correction");
    for (pilot, status) in [(&cara, 403), (&rita, 403), (&anna, 200)] {
        for (call, field) in [
            ("GetChargings", "battery"),
            ("GetBatteryPassport", "dpfId"),
            ("GetEquipmentLogs", "dpfId"),
        ] {
            let seen = pilot.post(call, &[(field, &pack)]).expect_status(200).text();
            assert!(!seen.contains("mine") && !seen.contains("Ben"), "{call}: {seen}");
        }
        assert_eq!(correct(pilot, &anna, &pack), [status; 2]);
    }
    assert_eq!(own_entries(&ben, &pack), [1, 1, 1], "after the correction of a keeper");
    let id = super::spaces::member(&anna, &space, "Ben");
    super::spaces::set_role(&anna, &space, &id, READER).expect_status(200);
    assert_eq!(own_entries(&ben, &pack), [0, 0, 0], "of a reader");
    expect_clean(server.directory());
}

#[test]
fn a_member_corrects_the_charging_that_the_member_finished_whoever_began_it() {
    let Club {
        server,
        anna,
        ben,
        space,
    } = club();
    let cara = server.pilot("Cara");
    anna.take_in(&space, MEMBER, &cara, true);
    let pack = anna.item_of_space(&space, BATTERY, "Vereinsakku");
    let begin = |pilot: &Pilot| {
        let start = [("chargeStartTime", "02.03.2026 10:00"), ("fromVoltage", "14,8")];
        id_in(&pilot.save_charging(&pack, &start).expect_status(200).json())
    };
    let finish = |pilot: &Pilot, id: &str| {
        let end = [
            ("dpfId", id),
            ("chargeEndTime", "02.03.2026 11:00"),
            ("charged", "9000"),
        ];
        let end = [&end[..], &[("toVoltage", "16,8")]].concat();
        pilot.save_charging(&pack, &end).expect_status(200).json()
    };
    let correct = |pilot: &Pilot, id: &str| pilot.save_charging(&pack, &[("dpfId", id), ("charged", "900")]);
    let id = begin(&cara);
    assert_eq!(finish(&ben, &id)["mine"], true);
    correct(&cara, &id).expect_refusal(403, NO_RIGHT);
    correct(&ben, &id).expect_status(200);
    let id = begin(&ben);
    anna.move_equipment(&pack, "");
    assert!(finish(&anna, &id).get("mine").is_none());
    anna.move_equipment(&pack, &space);
    correct(&ben, &id).expect_refusal(403, NO_RIGHT);
    // An undone charging leaves no author.
    let said = "0198b6f0-3333-7000-8000-00000000000e";
    ben.post("QuickCharge", &[("battery", &pack), ("requestId", said)])
        .expect_status(200);
    assert_eq!(own_entries(&ben, &pack)[0], 2);
    ben.post("Undo", &[("undo", said)]).expect_status(200);
    assert_eq!(own_entries(&ben, &pack)[0], 1);
    expect_clean(server.directory());
}

#[test]
fn entries_keep_their_author_wherever_the_item_moves_and_those_it_brings_along_have_none() {
    let Club {
        server,
        anna,
        ben,
        space,
    } = club();
    let pack = anna.item_of_space(&space, BATTERY, "Vereinsakku");
    record_history_without_sticker(&ben, &pack);
    anna.move_equipment(&pack, "");
    record_history_without_sticker(&anna, &pack);
    assert_eq!(
        own_entries(&anna, &pack),
        [0, 0, 0],
        "the own pack's are all the own ones"
    );
    anna.move_equipment(&pack, &space);
    assert_eq!(own_entries(&ben, &pack), [1, 1, 1]);
    assert_eq!(own_entries(&anna, &pack), [0, 0, 0]);
    expect_clean(server.directory());
    let brought = ben.item(BATTERY, "Bens Akku");
    record_history_without_sticker(&ben, &brought);
    anna.take_in_as_manager(&space, &ben);
    ben.move_equipment(&brought, &space);
    let id = super::spaces::member(&anna, &space, "Ben");
    super::spaces::set_role(&anna, &space, &id, MEMBER).expect_status(200);
    assert_eq!(correct(&ben, &anna, &brought), [403, 403]);
    delete_account(server.directory(), "Ben@example.org");
    let newcomer = server.pilot("Ben");
    anna.take_in(&space, MEMBER, &newcomer, true);
    assert_eq!(own_entries(&newcomer, &pack), [0, 0, 0]);
    assert_eq!(correct(&anna, &anna, &pack), [200, 200]);
    expect_clean(server.directory());
}

/// Adds a charging, a reading, a log with a document and a sticker to a pack; returns the code of the sticker.
#[track_caller]
fn record_history(pilot: &Pilot, pack: &str) -> String {
    record_history_without_sticker(pilot, pack);
    let sticker = pilot.post("SaveSticker", &[("dpfId", pack)]).expect_status(200).json();
    sticker["code"].as_str().expect("a code").to_owned()
}

#[track_caller]
fn record_history_without_sticker(pilot: &Pilot, pack: &str) {
    pilot
        .save_charging(
            pack,
            &[
                ("chargeStartTime", "02.03.2026 10:00"),
                ("chargeEndTime", "02.03.2026 11:00"),
                ("fromVoltage", "14,8"),
                ("toVoltage", "16,8"),
                ("charged", "900"),
                ("measuredCapacity", "1200"),
            ],
        )
        .expect_status(200);
    pilot.reading(pack, &[("voltage", "16,8")]);
    let log = [("dpfId", pack), ("info", "Beule"), ("time", "01.03.2026 10:00")];
    pilot
        .upload("SaveEquipmentLog", &log, &[("file", "a.txt", b"Akku")])
        .expect_status(201);
}

#[test]
fn an_item_moves_with_its_history_and_back() {
    let Club {
        server,
        anna,
        ben,
        space,
    } = club();
    let copter = anna.item(COPTER, "Falke");
    let pack = anna.item(BATTERY, "Akku 1");
    let own = anna.fly(&copter, &[&pack], &figures());
    let code = record_history(&anna, &pack);
    let before = anna.equipment(&pack);
    let preview = anna
        .post("GetMovePreview", &[("dpfId", &pack)])
        .expect_status(200)
        .json();
    let expected = json!({"items": 1, "uses": 1, "chargings": 1, "readings": 1, "logs": 1, "documents": 1});
    assert_eq!(preview, expected);

    anna.move_equipment(&pack, &space);
    anna.move_equipment(&copter, &space);
    expect_clean(server.directory());
    let shared = ben.equipment(&pack);
    for field in [
        "usageTime",
        "chargeCount",
        "endVoltage",
        "currentCharge",
        "number",
        "sticker",
    ] {
        assert_eq!(shared[field], before[field], "{field}");
    }
    assert_eq!(
        id_in(&ben.post("GetSticker", &[("code", &code)]).expect_status(200).json()),
        pack
    );
    let logs = ben.post("GetEquipmentLogs", &[("dpfId", &pack)]).json();
    assert_eq!(logs["logs"][0]["documentObj"]["name"], "a.txt");
    let theirs = ben.fly(&copter, &[&pack], &figures());
    anna.save_edit_equipment(&json!({"dpfId": copter, "name": "Bussard"}))
        .expect_status(200);
    assert_eq!(anna.flight(&own)["copter"]["name"], "Falke");

    anna.move_equipment(&pack, "");
    let back = anna.move_equipment(&copter, "");
    assert!(back.get("space").is_none());
    expect_clean(server.directory());
    assert_eq!(back["usageTime"], 0.2);
    assert_eq!(anna.flight(&own)["copter"]["name"], "Bussard");
    assert_eq!(ben.flight(&theirs)["copter"]["name"], "Falke");
    ben.post("GetEquipment", &[("dpfId", &copter)]).expect_no_access();
    assert_eq!(anna.flights_page(&[("equipment", &copter)]).len(), 1);
    ben.delete_flight(&theirs).expect_status(200);
    assert_eq!(anna.equipment(&copter)["usageTime"], 0.1);
    expect_clean(server.directory());
}

/// Adds to a pack what [`record_history`] and a flight leave out.
fn record_more(pilot: &Pilot, pack: &str) {
    let (prior, job) = (r#"{"flights": 900}"#, r#"{"title": "Stecker", "flights": 10}"#);
    for (call, fields) in [
        (
            "SaveBatteryProfile",
            [("battery", pack), ("profile", r#"{"cells": 4}"#)],
        ),
        ("SnoozeBattery", [("dpfId", pack), ("days", "3")]),
        ("SavePriorFlights", [("dpfId", pack), ("prior", prior)]),
    ] {
        pilot.post(call, &fields).expect_status(200);
    }
    let saved = pilot.post("SaveJob", &[("dpfId", pack), ("job", job)]);
    let saved = saved.expect_status(200).json();
    let done = [("dpfId", pack), ("jobId", saved["jobId"].as_str().expect("an id"))];
    pilot.upload("CompleteJob", &done, &[]).expect_status(201);
}

/// The tables with rows of this owner whose keys have this item in the second place.
fn tables_about(app: &App, owner: OwnerId, item: EquipmentId) -> BTreeSet<&'static str> {
    let start = [owner.key().to_be_bytes(), item.key().to_be_bytes()].concat();
    let mut found = BTreeSet::new();
    for table in schema::ALL.iter().filter(|table| table.scope() != Scope::Global) {
        let mut note = |key: &[u8], _: &[u8]| {
            if key.starts_with(&start) {
                found.insert(table.name());
            }
            Ok(())
        };
        app.store.read(|data| table.each(data, &mut note)).unwrap();
    }
    found
}

/// The tables whose keys are declared to have an item in the second place.
fn tables_of_items() -> BTreeSet<&'static str> {
    let schema = fs::read_to_string("src/store/schema.rs").unwrap();
    let is_declared = |name: &str| {
        let mut lines = schema.lines().filter(|line| line.contains("<(Owner, Item"));
        lines.any(|line| line.contains(&format!("= \"{name}\",")))
    };
    let names = schema::ALL.iter().map(|table| table.name());
    names.filter(|name| is_declared(name)).collect()
}

#[test]
fn every_row_about_an_item_moves_with_it() {
    let place = temporary_directory();
    let Club {
        server,
        anna,
        ben,
        space,
    } = club_of(Server::start_in(place.path()));
    let copter = anna.item_of_space(&space, COPTER, "Schulcopter");
    let pack = anna.item_of_space(&space, BATTERY, "Akku 1");
    record_more(&anna, &pack);
    record_history(&anna, &pack);
    ben.fly(
        &copter,
        &[&pack],
        &json!({"flightTime": "6", "batteryEndVoltage": "14,8"}),
    );
    assert!(server.stop().success());

    let config = Config {
        data_dir: place.path().to_owned(),
        ..Config::default()
    };
    let app = App::new(config, Store::open(place.path(), false).unwrap());
    let (club, pack): (SpaceId, EquipmentId) = (space.parse().unwrap(), pack.parse().unwrap());
    let anna = app.store.read(|data| guard::named_by_admin(data, "anna@example.org"));
    let (club, anna) = (OwnerId::from(club), OwnerId::from(anna.unwrap().user()));
    let before = tables_about(&app, club, pack);
    assert_eq!(
        before,
        tables_of_items(),
        "this test leaves a row in every table of items"
    );
    transfers::move_by_operator(&app, pack, anna).unwrap();
    assert_eq!(tables_about(&app, club, pack), BTreeSet::new());
    assert_eq!(tables_about(&app, anna, pack), before);
    drop(app);
    expect_clean(place.path());
}

#[test]
fn the_book_of_a_shared_item_has_the_flights_of_all_and_no_places() {
    let Club {
        server: _server,
        anna,
        ben,
        space,
    } = club();
    let copter = anna.item_of_space(&space, COPTER, "Schulcopter");
    ben.fly(&copter, &[], &figures());
    anna.fly(&copter, &[], &figures());
    let path = format!("/app/api/GetLogbook?equipment={copter}&csv=true");
    let book = anna.get(&path).expect_status(200).text();
    assert!(book.contains("Ben") && book.contains("Anna"), "{book}");
    assert!(!book.contains("Waldwiese") && !book.contains(FLOWN), "{book}");
}

#[test]
fn files_of_a_space_s_logs_count_for_the_space() {
    let server = Server::start_with(&[("FLUGLOG_QUOTA_PER_SPACE", "1 MB")]);
    let (anna, ben) = (server.pilot("Anna"), server.pilot("Ben"));
    let space = anna.make_space(CLUB, "MFC");
    anna.take_in(&space, MEMBER, &ben, true);
    let copter = anna.item_of_space(&space, COPTER, "Schulcopter");
    let log = [
        ("dpfId", copter.as_str()),
        ("info", "Film"),
        ("time", "01.03.2026 10:00"),
    ];
    let used = |pilot: &Pilot| pilot.post_empty("GetStorageUsage").expect_status(200).json()["bytes"].clone();
    let before = used(&ben);
    let upload = || ben.upload("SaveEquipmentLog", &log, &[("file", "film.mp4", &[7; 700_000])]);
    upload().expect_status(201);
    upload().expect_status(413);
    let grown = used(&ben).as_u64().expect("bytes") - before.as_u64().expect("bytes");
    assert!(grown < 10_000, "{grown}");
    // The quota refuses a picture of a job that is done, and an item that moves in.
    let [job, ..] = matrix::jobs_of(&anna, &copter);
    let done = [("dpfId", copter.as_str()), ("jobId", &job)];
    let film: [(&str, &str, &[u8]); 1] = [("file", "film.mp4", &[7; 700_000])];
    anna.upload("CompleteJob", &done, &film).expect_status(413);
    anna.upload("CompleteJob", &done, &[]).expect_status(201);
    let own = anna.item(COPTER, "Eigener");
    let log = [("dpfId", own.as_str()), log[1], log[2]];
    anna.upload("SaveEquipmentLog", &log, &film).expect_status(201);
    let moved = [("dpfId", own.as_str()), ("space", &space)];
    anna.post("MoveEquipment", &moved).expect_status(413);
    assert!(anna.equipment(&own).get("space").is_none());
    expect_clean(server.directory());
}

#[test]
fn an_item_doesn_t_move_in_flight_and_not_to_a_space_of_others() {
    let Club {
        server,
        anna,
        ben,
        space,
    } = club();
    let copter = ben.item(COPTER, "Falke");
    ben.post("MoveEquipment", &[("dpfId", &copter), ("space", &space)])
        .expect_refusal(403, NO_RIGHT);
    let other = server.pilot("Olaf").make_space(HOUSEHOLD, "Olafs");
    anna.post("MoveEquipment", &[("dpfId", &copter), ("space", &other)])
        .expect_no_access();
    let copter = anna.item(COPTER, "Adler");
    anna.take_off(&copter);
    anna.post("MoveEquipment", &[("dpfId", &copter), ("space", &space)])
        .expect_refusal(
            409,
            "Dieses Equipment ist gerade im Flug. Es kann nach der Landung umziehen.",
        );
}

#[test]
fn the_account_of_a_pilot_in_flight_leaves_the_item_free_and_its_hours() {
    let Club {
        server,
        anna,
        ben,
        space,
    } = club();
    let copter = anna.item_of_space(&space, COPTER, "Schulcopter");
    ben.fly(&copter, &[], &figures());
    ben.take_off(&copter);
    delete_account(server.directory(), "Ben@example.org");
    let item = anna.equipment(&copter);
    assert!(item.get("inUse").is_none());
    assert_eq!(item["usageTime"], 0.1);
    let names: Vec<_> = anna
        .shared_uses(&copter)
        .iter()
        .map(|used| used["name"].clone())
        .collect();
    assert_eq!(names, ["ehemaliges Mitglied", "ehemaliges Mitglied"]);
    anna.take_off(&copter);
    expect_clean(server.directory());
}

#[test]
fn a_flight_keeps_its_name_of_an_item_whose_owner_is_gone() {
    let Club {
        server,
        anna,
        ben,
        space,
    } = club();
    anna.take_in_as_manager(&space, &ben);
    let copter = ben.item(COPTER, "Bens Copter");
    ben.move_equipment(&copter, &space);
    let flight = anna.fly(&copter, &[], &figures());
    ben.move_equipment(&copter, "");
    delete_account(server.directory(), "Ben@example.org");
    assert_eq!(anna.flight(&flight)["copter"]["name"], "Bens Copter");
    anna.save_flight(&json!({"dpfId": flight, "flightTime": "9"}))
        .expect_status(200);
    expect_clean(server.directory());
    anna.delete_flight(&flight).expect_status(200);
    expect_clean(server.directory());
}

#[test]
fn a_chosen_flight_id_never_takes_over_another_pilot_s_use() {
    let Club {
        server,
        anna,
        ben,
        space,
    } = club();
    let copter = anna.item_of_space(&space, COPTER, "Schulcopter");
    let flight = ben.fly(&copter, &[], &figures());
    let config = json!({"copter": copter}).to_string();
    anna.post("CreateFlight", &[("config", &config), ("dpfId", &flight)])
        .expect_refusal(409, "Diese Kennung gehört schon zu einem anderen Flug oder Equipment.");
    anna.delete_flight(&flight).expect_no_access();
    assert_eq!(anna.equipment(&copter)["usageTime"], 0.1);
    assert_eq!(ben.shared_uses(&copter)[0]["own"], true);
    expect_clean(server.directory());
}

#[test]
fn hints_about_shared_packs_go_to_those_who_keep_them() {
    let Club {
        server: _server,
        anna,
        ben,
        space,
    } = club();
    let pack = anna.item_of_space(&space, BATTERY, "Vereinsakku");
    ben.reading(&pack, &[("damaged", "true")]);
    let hints = |pilot: &Pilot| pilot.post_empty("GetBatteryHints").expect_status(200).json();
    assert_eq!(hints(&anna)[0]["dpfId"], pack);
    assert_eq!(hints(&ben), json!([]));
}

#[test]
fn of_two_who_start_with_one_item_at_once_one_flies() {
    let Club {
        server,
        anna,
        ben,
        space,
    } = club();
    let copter = anna.item_of_space(&space, COPTER, "Schulcopter");
    for _ in 0..5 {
        let config = json!({"copter": copter});
        let start = |pilot: &Pilot| pilot.create_flight(&config).status;
        let statuses = thread::scope(|scope| {
            let one = scope.spawn(|| start(&anna));
            let other = scope.spawn(|| start(&ben));
            [one.join().expect("an answer"), other.join().expect("an answer")]
        });
        let mut sorted = statuses;
        sorted.sort_unstable();
        assert_eq!(sorted, [200, 409]);
        for (pilot, status) in [&anna, &ben].into_iter().zip(statuses) {
            if status == 200 {
                let open = pilot.open_flight();
                pilot
                    .finish_flight(&json!({"dpfId": open, "flightTime": "1"}))
                    .expect_status(200);
            }
        }
    }
    expect_clean(server.directory());
}

#[test]
fn an_item_that_moves_while_somebody_starts_with_it_is_there_or_flies() {
    let Club {
        server,
        anna,
        ben,
        space,
    } = club();
    let copter = anna.item_of_space(&space, COPTER, "Schulcopter");
    for _ in 0..5 {
        let config = json!({"copter": copter});
        let (started, moved) = thread::scope(|scope| {
            let started = scope.spawn(|| ben.create_flight(&config).status);
            let moved = scope.spawn(|| anna.post("MoveEquipment", &[("dpfId", &copter), ("space", "")]).status);
            (started.join().expect("an answer"), moved.join().expect("an answer"))
        });
        match (started, moved) {
            (200, 409) => {
                let open = ben.open_flight();
                ben.delete_flight(open.as_str().expect("a flight")).expect_status(200);
            }
            (403, 200) => drop(anna.move_equipment(&copter, &space)),
            other => panic!("{other:?}"),
        }
    }
    expect_clean(server.directory());
}

#[test]
fn an_account_that_is_deleted_while_its_gear_flies_leaves_the_flight_whole() {
    let server = Server::start();
    let ben = server.pilot("Ben");
    for round in 0..4 {
        let name = format!("Anna{round}");
        let anna = server.pilot(&name);
        let space = anna.make_space(HOUSEHOLD, "Zuhause");
        anna.take_in(&space, MEMBER, &ben, true);
        let copter = anna.item_of_space(&space, COPTER, "Falke");
        let flight = ben.take_off(&copter);
        ben.post("LeaveSpace", &[("space", &space)]).expect_status(200);
        thread::scope(|scope| {
            let finished = || ben.finish_flight(&json!({"dpfId": flight, "flightTime": "6"}));
            let finished = scope.spawn(finished);
            scope.spawn(|| delete_account(server.directory(), &format!("{name}@example.org")));
            finished.join().expect("an answer").expect_status(200);
        });
        let flown = ben.flight(&flight);
        assert_eq!(
            (&flown["copter"]["name"], &flown["open"], &flown["flightTime"]),
            (&json!("Falke"), &json!(false), &json!(6.0))
        );
        ben.post("GetEquipment", &[("dpfId", &copter)]).expect_no_access();
        ben.take_off(&ben.item(COPTER, &format!("Eigener {round}")));
        let open = ben.open_flight();
        ben.delete_flight(open.as_str().expect("a flight")).expect_status(200);
        expect_clean(server.directory());
    }
}

#[test]
fn a_member_removed_while_starting_flies_or_reads_why_not() {
    let Club {
        server,
        anna,
        ben,
        space,
    } = club();
    let copter = anna.item_of_space(&space, COPTER, "Schulcopter");
    for _ in 0..5 {
        let member = super::spaces::member(&anna, &space, "Ben");
        let config = json!({"copter": copter});
        let (started, removed) = thread::scope(|scope| {
            let started = scope.spawn(|| ben.create_flight(&config));
            let removed = scope.spawn(|| super::spaces::remove(&anna, &space, &member).status);
            (started.join().expect("an answer"), removed.join().expect("an answer"))
        });
        assert_eq!(removed, 200);
        let in_use = anna.equipment(&copter).get("inUse").is_some();
        match started.status {
            200 => {
                assert!(in_use);
                ben.delete_flight(&started.text()).expect_status(200);
            }
            _ => {
                assert!(!in_use);
                started.expect_refusal(403, LEFT);
            }
        }
        anna.take_in(&space, MEMBER, &ben, true);
    }
    expect_clean(server.directory());
}

impl Pilot {
    /// Adds a finished flight with this start.
    #[track_caller]
    fn fly_at(&self, copter: &str, start: &str) {
        let config = json!({"copter": copter}).to_string();
        let flight = json!({"startTime": start, "flightTime": "5"}).to_string();
        self.post("AddFlight", &[("config", &config), ("flight", &flight)])
            .expect_status(201);
    }

    #[track_caller]
    fn take_in_as_manager(&self, space: &str, pilot: &Pilot) {
        let members = self.post("GetMembers", &[("space", space)]).expect_status(200).json();
        let mut members = members.as_array().expect("a list").iter();
        let member = id_in(members.find(|member| member["own"] == false).expect("another member"));
        let role = MANAGER.to_string();
        let fields = [("space", space), ("member", member.as_str()), ("role", role.as_str())];
        self.post("SaveMember", &fields).expect_status(200);
        pilot.check_session().expect_status(200);
    }
}

#[test]
fn after_leaving_the_pilot_still_finds_the_own_flights_with_the_club_s_copter() {
    let Club {
        server: _server,
        anna,
        ben,
        space,
    } = club();
    let copter = anna.item_of_space(&space, COPTER, "Schulcopter");
    let never_flown = anna.item_of_space(&space, COPTER, "Neuling");
    let flight = ben.fly(&copter, &[], &figures());
    anna.fly(
        &copter,
        &[],
        &json!({"startTime": "02.03.2026 10:00", "flightTime": "6"}),
    );
    ben.post("LeaveSpace", &[("space", &space)]).expect_status(200);
    let listed = ben.flights_page(&[("equipment", &copter)]);
    assert_eq!(listed.iter().map(id_in).collect::<Vec<_>>(), [flight]);
    let review = ben.post("GetReview", &[("copter", &copter)]).expect_status(200).json();
    assert_eq!(
        (&review["name"], &review["flights"]),
        (&json!("Schulcopter"), &json!(1))
    );
    let fields = [("equipment", never_flown.as_str())];
    ben.post("GetFlights", &fields).expect_refusal(403, LEFT);
}

#[test]
fn a_space_can_be_dissolved_after_its_log_was_deleted() {
    let Club {
        server,
        anna,
        ben: _ben,
        space,
    } = club();
    let copter = anna.item_of_space(&space, COPTER, "Schulcopter");
    let log = [
        ("dpfId", copter.as_str()),
        ("info", "Propeller"),
        ("time", "01.03.2026 09:05"),
    ];
    let log = id_in(&anna.upload("SaveEquipmentLog", &log, &[]).expect_status(201).json());
    anna.post("DeleteLog", &[("dpfId", &log)]).expect_status(200);
    anna.post("MoveEquipment", &[("dpfId", &copter)]).expect_status(200);
    let ben = anna.post("GetMembers", &[("space", &space)]).expect_status(200).json();
    let ben = ben
        .as_array()
        .unwrap()
        .iter()
        .find(|member| member["name"] == "Ben")
        .map(id_in);
    let fields = [("space", space.as_str()), ("member", &ben.unwrap())];
    anna.post("RemoveMember", &fields).expect_status(200);
    anna.post("DissolveSpace", &[("space", &space)]).expect_status(200);
    expect_clean(server.directory());
}

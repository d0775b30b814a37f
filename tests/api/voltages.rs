//! Flights that 1.4.0 imported from radios' logs with the receiver's voltage: they are found and corrected from their
//! files with one call, and values typed by pilots stay.

use std::path::Path;

use redb::{Database, TableDefinition};
use serde_json::{Value, json};

use crate::api::imports::{accept, created, proposals, send};
use crate::harness::calls::{BATTERY, COPTER, id_in};
use crate::harness::{Output, Pilot, Server, process::run, temporary_directory, text, wait};

const REQUEST: &str = "0198b6f0-4444-7000-8000-00000000000e";

/// A log of 60 s on a day in June; the pack's voltage falls to 11.5 V.
fn log(day: u32, sensors: &str, row: impl Fn(u32) -> String) -> String {
    let rows = (0..60).map(|second| format!("2026-06-{day:02},10:00:{second:02}.000,{},12.0,0\n", row(second)));
    format!("Date,Time,{sensors},Curr(A),Thr\n{}", rows.collect::<String>())
}

/// A log of which 1.4.0 used the first sensor.
fn with_receiver(day: u32) -> String {
    log(day, "RxBt(V),VFAS(V)", |second| match second {
        0..30 => "5.2,12.34".to_owned(),
        _ => "5.1,11.5".to_owned(),
    })
}

struct Hangar {
    copter: String,
    pack: String,
}

impl Hangar {
    fn of(pilot: &Pilot) -> Hangar {
        let profile = json!({"type": BATTERY, "name": "Pack", "profile": {"cells": 3}});
        Hangar {
            copter: pilot.item(COPTER, "Falke"),
            pack: pilot.item_with(&profile),
        }
    }

    /// Imports a log as a flight with these voltages, from 1.4.0 or typed.
    fn take(&self, pilot: &Pilot, log: &str, is_kept: bool, [start, end]: [f64; 2]) -> String {
        let found = send(pilot, &[("Falke.csv", log.as_bytes())]).expect_status(201).json();
        let choice = json!([{
            "key": proposals(&found)[0]["key"], "action": "create", "copter": self.copter, "equipments": [self.pack],
            "keepFile": is_kept, "flight": {"batteryStartVoltage": start, "batteryEndVoltage": end},
        }]);
        created(&accept(pilot, &found, &choice).expect_status(200).json()).remove(0)
    }
}

/// Makes a database look as if 1.4.0 had written it: without the tables of the review.
fn as_of_1_4_0(directory: &Path) {
    let database = Database::open(directory.join("fluglog.redb")).unwrap();
    let writing = database.begin_write().unwrap();
    let reviews = TableDefinition::<(u128, u128, u32), &[u8]>::new("flight_reviews");
    writing.open_table(reviews).unwrap().retain(|_, _| false).unwrap();
    writing.commit().unwrap();
}

fn voltages(pilot: &Pilot, flight: &str) -> [Value; 2] {
    let flight = pilot.flight(flight);
    ["batteryStartVoltage", "batteryEndVoltage"].map(|field| flight[field].clone())
}

fn doubts(pilot: &Pilot) -> Vec<Value> {
    let doubts = pilot.post("GetVoltageDoubts", &[]).expect_status(200).json();
    doubts.as_array().unwrap().clone()
}

fn ids(doubts: &[Value]) -> Vec<String> {
    doubts.iter().map(id_in).collect()
}

fn check(directory: &Path) -> Output {
    let done = run(["check", "--data-dir", text(directory)]);
    assert_eq!((done.code, done.stderr.as_str()), (0, ""), "{done:?}");
    done
}

fn again(place: &Path, session: &str) -> (Server, Pilot) {
    let server = Server::start_in(place);
    let anna = server.stranger();
    anna.plant_cookie("session", session);
    (server, anna)
}

#[test]
fn a_receiver_s_voltage_is_found_and_mended_by_its_file_with_one_call() {
    let place = temporary_directory();
    let server = Server::start_in(place.path());
    let anna = server.pilot("anna");
    let hangar = Hangar::of(&anna);
    let wrong = hangar.take(&anna, &with_receiver(1), true, [5.2, 5.1]);
    let half_typed = hangar.take(&anna, &with_receiver(2), true, [12.6, 5.1]);
    let lost = hangar.take(&anna, &with_receiver(3), false, [5.2, 5.1]);
    let typed = hangar.take(&anna, &with_receiver(4), true, [5.0, 4.9]);
    let right = log(5, "VFAS(V),RxBt(V)", |_| "12.34,5.2".to_owned());
    let right = hangar.take(&anna, &right, true, [12.34, 12.34]);
    let no_pack = log(6, "RxBt(V),VFAS(V)", |_| "5.2,1.2".to_owned());
    let no_pack = hangar.take(&anna, &no_pack, true, [5.2, 5.2]);
    assert_eq!(doubts(&anna), Vec::<Value>::new());
    let session = anna.cookie("session").unwrap();
    assert!(server.stop().success());
    as_of_1_4_0(place.path());

    let told = check(place.path());
    let sentence = "Hinweis: 4 Flüge von anna@example.org mit der Spannung des Empfängers statt der des Akkus; 3 davon \
                    lassen sich auf der Startseite berichtigen.";
    assert!(told.stdout.contains(sentence), "{}", told.stdout);
    let (server, anna) = again(place.path(), &session);
    let found = doubts(&anna);
    let newest_first = [&no_pack, &lost, &half_typed, &wrong].map(String::as_str);
    assert_eq!(ids(&found), newest_first);
    assert_eq!(
        found[3],
        json!({
            "dpfId": wrong, "startTime": "01.06.2026 10:00", "copter": "Falke", "isMendable": true,
            "batteryStartVoltage": 5.2, "batteryEndVoltage": 5.1,
            "rightStartVoltage": 12.34, "rightEndVoltage": 11.5,
        })
    );
    assert_eq!(found[1]["isMendable"], false);
    let low = anna.equipment(&hangar.pack)["state"].clone();

    let mend = || {
        anna.post("MendVoltages", &[("requestId", REQUEST)])
            .expect_status(200)
            .json()
    };
    assert_eq!(ids(mend().as_array().unwrap()), [lost.as_str()]);
    assert_eq!(
        ids(mend().as_array().unwrap()),
        [lost.as_str()],
        "the same request again"
    );
    for (flight, expected) in [
        (&wrong, json!([12.34, 11.5])),
        (&half_typed, json!([12.6, 11.5])),
        (&typed, json!([5.0, 4.9])),
        (&right, json!([12.34, 12.34])),
        (&no_pack, json!([null, null])),
        (&lost, json!([5.2, 5.1])),
    ] {
        assert_eq!(json!(voltages(&anna, flight)), expected);
    }
    assert_eq!(
        anna.equipment(&hangar.pack)["endVoltage"],
        12.34,
        "of the latest flight that has one"
    );
    assert_ne!(anna.equipment(&hangar.pack)["state"], low);
    let told = check(place.path());
    assert!(
        told.stdout.contains("Hinweis: 1 Flug von anna@example.org"),
        "{}",
        told.stdout
    );
    assert!(server.stop().success());
    check(place.path());
}

#[test]
fn what_was_mended_can_be_taken_back_and_what_is_typed_or_kept_is_asked_about_no_more() {
    let place = temporary_directory();
    let server = Server::start_in(place.path());
    let (anna, ben) = (server.pilot("anna"), server.pilot("ben"));
    let hangar = Hangar::of(&anna);
    let flights = [1, 2].map(|day| hangar.take(&anna, &with_receiver(day), true, [5.2, 5.1]));
    let [kept, typed] = [3, 4].map(|day| hangar.take(&anna, &with_receiver(day), false, [5.2, 5.1]));
    let session = anna.cookie("session").unwrap();
    drop(ben);
    assert!(server.stop().success());
    as_of_1_4_0(place.path());

    let (server, anna) = again(place.path(), &session);
    // The server checks the files once, by itself.
    wait::until("all four are found", || (doubts(&anna).len() == 4).then_some(()));
    anna.post("MendVoltages", &[]).expect_status(200);
    assert_eq!(voltages(&anna, &flights[0]), [json!(12.34), json!(11.5)]);
    let back = anna.post("MendVoltages", &[("takeBack", "true")]).expect_status(200);
    assert_eq!(back.json().as_array().unwrap().len(), 4);
    assert_eq!(voltages(&anna, &flights[0]), [json!(5.2), json!(5.1)]);

    let ben = server.stranger();
    ben.log_in("ben@example.org", crate::harness::PASSWORD)
        .expect_status(202);
    ben.post("MendVoltages", &[("keep", &kept)]).expect_status(403);
    assert_eq!(doubts(&ben), Vec::<Value>::new());
    anna.post("MendVoltages", &[("keep", &kept)]).expect_status(200);
    anna.save_flight(&json!({"dpfId": typed, "batteryEndVoltage": 11.4}))
        .expect_status(200);
    anna.save_flight(&json!({"dpfId": flights[0], "batteryStartVoltage": 12.5}))
        .expect_status(200);
    anna.save_flight(&json!({"dpfId": flights[1], "notes": "windig"}))
        .expect_status(200);
    assert_eq!(ids(&doubts(&anna)), [flights[1].as_str()]);
    assert_eq!(anna.post("MendVoltages", &[]).expect_status(200).json(), json!([]));
    assert_eq!(voltages(&anna, &flights[0]), [json!(12.5), json!(5.1)]);
    assert_eq!(voltages(&anna, &kept), [json!(5.2), json!(5.1)]);
    anna.delete_flight(&flights[1]).expect_status(200);
    assert!(server.stop().success());
    check(place.path());
    let delete = [
        "user",
        "delete",
        "anna@example.org",
        "--yes",
        "--data-dir",
        text(place.path()),
    ];
    assert_eq!(run(delete).code, 0);
    check(place.path());
}

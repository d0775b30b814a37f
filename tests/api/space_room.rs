//! What is written to a space's equipment counts for the space, and never for the member who writes it.

use serde_json::json;

use super::roles::{ask, calls, put_back, things};
use super::spaces::{club, join, member};
use crate::harness::answer::Answer;
use crate::harness::calls::{COPTER, id_in};
use crate::harness::files::{File, MULTIPART, multipart};
use crate::harness::process::run;
use crate::harness::spaces::{MANAGER, MEMBER, expect_clean};
use crate::harness::{Pilot, Server, temporary_directory, text};

const MEMBER_FULL: &str = "Ihr Speicherplatz auf diesem Server ist aufgebraucht. Löschen Sie Bilder oder Dokumente, die \
    Sie nicht mehr brauchen, oder wenden Sie sich an den Betreiber.";
const SPACE_FULL: &str = "Der Speicherplatz dieses Bereichs ist aufgebraucht. Löschen Sie Dokumente, die dort niemand \
    mehr braucht, oder wenden Sie sich an den Betreiber.";

/// The calls that add something to a space's equipment.
const ADDING: &[&str] = &[
    "QuickCharge",
    "QuickStore",
    "SaveCharging",
    "SaveBatteryReading",
    "SaveEquipmentLog",
    "SaveSticker",
    "SaveNewEquipment",
    "SaveBatterySet",
    "SkipJob",
    "CompleteJob",
];
/// The calls that add a flight, which is the member's own.
const FLYING: &[&str] = &["AddFlight", "CreateFlight"];

/// Leaves a pilot no room.
fn fill(server: &Server, email: &str) {
    let place = text(server.directory());
    let done = run(["user", "change", email, "--quota", "1kB", "--data-dir", place]);
    assert_eq!(done.code, 0, "{done:?}");
}

fn expect_done(answer: Answer, call: &str) -> Answer {
    assert!([200, 201].contains(&answer.status), "{call}: {}", answer.text());
    answer
}

fn bytes_of(pilot: &Pilot, of: &[(&str, &str)]) -> u64 {
    let usage = pilot.post("GetStorageUsage", of).expect_status(200).json();
    usage["bytes"].as_u64().expect("bytes")
}

/// Sends a log with its file before its fields.
fn log_with_file_first(pilot: &Pilot, fields: &[(&str, &str)], file: File<'_>) -> Answer {
    let [mut body, rest] = [multipart(&[], &[file]), multipart(fields, &[])];
    let end = body.len() - "------Grenze--\r\n".len();
    body.truncate(end);
    body.extend(rest);
    pilot
        .ask("POST", "/app/api/SaveEquipmentLog")
        .body(MULTIPART, &body)
        .send()
}

#[test]
fn a_member_without_room_does_all_that_is_written_to_the_space_s_equipment() {
    let server = Server::start();
    let (founder, pilot) = (server.pilot("founder"), server.pilot("keeper"));
    let victim = server.pilot("victim");
    let space = club(&founder);
    join(&founder, &space, &pilot, MANAGER);
    join(&founder, &space, &victim, MEMBER);
    let its = things(&founder, &space, &member(&founder, &space, "victim"));
    fill(&server, "keeper@example.org");
    for (call, _) in calls(&server).iter().filter(|(call, _)| call.method == "POST") {
        let answer = ask(&pilot, call, &its);
        match call.name.as_str() {
            "DissolveSpace" => drop(answer.expect_status(409)),
            name if FLYING.contains(&name) => drop(answer.expect_refusal(413, MEMBER_FULL)),
            // To the member's own equipment.
            "MoveEquipment" => drop(answer.expect_refusal(413, MEMBER_FULL)),
            "DeactivateEquipment" => put_back(
                &pilot,
                &founder,
                &its,
                &call.name,
                &expect_done(answer, &call.name).text(),
            ),
            "LeaveSpace" => {
                expect_done(answer, &call.name);
                break;
            }
            name => drop(expect_done(answer, name)),
        }
    }
    let item = json!({"type": COPTER, "name": "Eigener"}).to_string();
    pilot
        .post("SaveNewEquipment", &[("equipment", &item)])
        .expect_refusal(413, MEMBER_FULL);
    expect_clean(server.directory());
}

#[test]
fn a_space_without_room_gets_nothing_new_from_members_who_have_room() {
    let place = temporary_directory();
    let server = Server::start_in(place.path());
    let (founder, victim) = (server.pilot("founder"), server.pilot("victim"));
    let space = club(&founder);
    join(&founder, &space, &victim, MEMBER);
    let its = things(&founder, &space, &member(&founder, &space, "victim"));
    let session = founder.cookie("session").expect("a session");
    assert!(server.stop().success());
    let server = Server::start_in_with(place.path(), &[("FLUGLOG_QUOTA_PER_SPACE", "1 kB")]);
    let founder = server.stranger();
    founder.plant_cookie("session", &session);
    let (all, mut refused) = (calls(&server), Vec::new());
    for (call, _) in all.iter().filter(|(call, _)| call.method == "POST") {
        let answer = ask(&founder, call, &its);
        match call.name.as_str() {
            "DissolveSpace" | "LeaveSpace" => drop(answer.expect_status(409)),
            // The copter got no sticker.
            "GetLabels" => drop(answer.expect_no_access()),
            name if ADDING.contains(&name) => {
                answer.expect_refusal(413, SPACE_FULL);
                refused.push(name);
            }
            // A full space keeps nobody from flying.
            "DeactivateEquipment" | "CreateFlight" => {
                put_back(
                    &founder,
                    &founder,
                    &its,
                    &call.name,
                    &expect_done(answer, &call.name).text(),
                );
            }
            name => drop(expect_done(answer, name)),
        }
    }
    assert_eq!(refused, ADDING);
    let item = json!({"type": COPTER, "name": "Eigener"}).to_string();
    founder
        .post("SaveNewEquipment", &[("equipment", &item)])
        .expect_status(200);
    expect_clean(server.directory());
}

#[test]
fn a_file_of_a_log_counts_for_its_owner_whether_it_comes_before_the_fields_or_after() {
    let server = Server::start_with(&[("FLUGLOG_QUOTA_PER_SPACE", "2 MB"), ("FLUGLOG_QUOTA_PER_PILOT", "2 MB")]);
    let (anna, ben) = (server.pilot("anna"), server.pilot("ben"));
    let space = club(&anna);
    join(&anna, &space, &ben, MEMBER);
    let shared = anna.item_of_space(&space, COPTER, "Schulcopter");
    let own = ben.item(COPTER, "Eigener");
    let film = ("file", "film.mp4", &[7; 700_000][..]);
    let fields = |item| [("dpfId", item), ("info", "Film"), ("time", "01.03.2026 10:00")];
    fill(&server, "ben@example.org");
    let before = bytes_of(&ben, &[]);
    log_with_file_first(&ben, &fields(&own), film).expect_refusal(413, MEMBER_FULL);
    log_with_file_first(&ben, &fields(&shared), film).expect_status(201);
    ben.upload("SaveEquipmentLog", &fields(&shared), &[film])
        .expect_status(201);
    assert_eq!(bytes_of(&ben, &[]), before);
    assert!(bytes_of(&ben, &[("space", &space)]) > 1_400_000);
    // Now the space is full, too.
    log_with_file_first(&ben, &fields(&shared), film).expect_status(413);
    ben.upload("SaveEquipmentLog", &fields(&shared), &[film])
        .expect_refusal(413, SPACE_FULL);
    // Anna has room of her own, but not for the space's copter.
    log_with_file_first(&anna, &fields(&shared), film).expect_refusal(413, SPACE_FULL);
    let hers = anna.item(COPTER, "Falke");
    log_with_file_first(&anna, &fields(&hers), film).expect_status(201);
    // What is deleted there makes room there.
    let logs = anna.post("GetEquipmentLogs", &[("dpfId", &shared)]).json();
    anna.post("DeleteLog", &[("dpfId", &id_in(&logs["logs"][0]))])
        .expect_status(200);
    ben.upload("SaveEquipmentLog", &fields(&shared), &[film])
        .expect_status(201);
    expect_clean(server.directory());
}

#[test]
fn an_item_moves_only_to_whoever_has_room_for_its_history() {
    let server = Server::start_with(&[("FLUGLOG_QUOTA_PER_SPACE", "1 MB"), ("FLUGLOG_QUOTA_PER_PILOT", "1 MB")]);
    let anna = server.pilot("anna");
    let space = club(&anna);
    let shared = anna.item_of_space(&space, COPTER, "Schulcopter");
    let film = ("file", "film.mp4", &[7; 700_000][..]);
    let fields = |item| [("dpfId", item), ("info", "Film"), ("time", "01.03.2026 10:00")];
    anna.upload("SaveEquipmentLog", &fields(&shared), &[film])
        .expect_status(201);
    let own = anna.item(COPTER, "Eigener");
    anna.upload("SaveEquipmentLog", &fields(&own), &[film])
        .expect_status(201);
    anna.post("MoveEquipment", &[("dpfId", &own), ("space", &space)])
        .expect_refusal(413, SPACE_FULL);
    anna.post("MoveEquipment", &[("dpfId", &shared)])
        .expect_refusal(413, MEMBER_FULL);
    let logs = anna.post("GetEquipmentLogs", &[("dpfId", &own)]).json();
    anna.post("DeleteLog", &[("dpfId", &id_in(&logs["logs"][0]))])
        .expect_status(200);
    anna.move_equipment(&shared, "");
    // The moved items count for the pilot now, and no more for the space.
    anna.upload("SaveEquipmentLog", &fields(&own), &[film])
        .expect_refusal(413, MEMBER_FULL);
    let other = anna.item_of_space(&space, COPTER, "Zweiter");
    anna.upload("SaveEquipmentLog", &fields(&other), &[film])
        .expect_status(201);
    // Texts take room as documents do.
    let ben = server.pilot("ben");
    join(&anna, &space, &ben, MANAGER);
    let logged = ben.item(COPTER, "Vielschreiber");
    let long = "x".repeat(10_000);
    for _ in 0..40 {
        let log = [
            ("dpfId", logged.as_str()),
            ("info", &long),
            ("time", "01.03.2026 10:00"),
        ];
        ben.upload("SaveEquipmentLog", &log, &[]).expect_status(201);
    }
    ben.post("MoveEquipment", &[("dpfId", &logged), ("space", &space)])
        .expect_refusal(413, SPACE_FULL);
    expect_clean(server.directory());
}

//! Space on the disk and a pilot's quota: calls that add data are refused when there is none, all others go on.

use serde_json::json;

use crate::api::matrix::{anna_s_things, calls, question, sent};
use crate::harness::calls::{BATTERY, COPTER, id_in};
use crate::harness::files::{MULTIPART, file_head};
use crate::harness::raw::Connection;
use crate::harness::{Pilot, Server, pictures, process::run, temporary_directory, text, wait};

/// Calls that change data but add nothing permanent. Every new call that changes data belongs here or is refused
/// below.
const NOT_ADDING: &[&str] = &[
    "ConfirmEmail",
    "ResetPassword",
    "ActivateEquipment",
    "CheckLoginToken",
    "CheckSetupLink",
    "CheckSession",
    "ConfirmLogin",
    "DeactivateEquipment",
    "DeleteFlight",
    "DeleteImage",
    "DeleteLog",
    "DeleteProof",
    "DeleteUserDocument",
    "DenyLogin",
    "EditUserDocument",
    "DiscardImport",
    "EndSession",
    "LogOutFromEveryDevice",
    "Login",
    "Logout",
    "MapImportColumns",
    "SaveBatteryProfile",
    "SavePriorFlights",
    "SaveContact",
    "SnoozeBattery",
    "EndAccessToken",
    // Of a job that is there.
    "SaveJob",
    "DeleteJob",
    "DeleteJobRun",
    "PauseJob",
    "PutOffJob",
    "MendVoltages",
    "SaveReminder",
    "DeleteBatterySet",
    "Undo",
    "EditBatteryReading",
    "DeleteBatteryReading",
    "SaveEditEquipment",
    "SaveFlight",
    "SaveMember",
    "RemoveMember",
    // Invitations and memberships are few and small.
    "SaveInvitation",
    "AcceptSpaceInvitation",
    "MoveEquipment",
    "FreeEquipment",
    "LeaveSpace",
    "DissolveSpace",
    "DeleteInvitation",
    "SavePassword",
    "StopShareDocument",
    "DownloadDocument",
    // With files these do add data, and then the reserve for uploads counts.
    "EditLog",
    "SaveProfile",
];

#[test]
fn on_a_disk_that_is_nearly_full_nothing_is_added_and_all_else_goes_on() {
    let place = temporary_directory();
    let server = Server::start_in(place.path());
    let anna = server.pilot("anna");
    let hers = anna_s_things(&anna);
    let charging = anna
        .save_charging(
            &hers.battery,
            &[("chargeStartTime", "10.05.2026 18:00"), ("fromVoltage", "14,8")],
        )
        .expect_status(200)
        .json();
    let session = anna.cookie("session").unwrap();
    assert!(server.stop().success());
    let nearly_full = [("FLUGLOG_LIMITS__RECORDS_FREE_MEGABYTES", "1000000000")];
    let server = Server::start_in_with(place.path(), &nearly_full);
    let anna = server.stranger();
    anna.plant_cookie("session", &session);
    let calls = calls(&server);
    let mut refused = 0;
    for call in calls.iter().filter(|call| {
        call.method == "POST" && !call.name.starts_with("Get") && !["operator", "admin"].contains(&call.role())
    }) {
        if NOT_ADDING.contains(&call.name.as_str()) {
            continue;
        }
        let answer = question(&anna, call, &sent(&call.name, &hers)).send();
        assert_eq!(answer.status, 503, "{}: {}", call.name, answer.text());
        assert!(answer.text().contains("Speicherplatz"), "{}", answer.text());
        refused += 1;
    }
    assert!(refused >= 11, "only {refused} calls were refused");

    let finished = [
        ("dpfId", &*id_in(&charging)),
        ("toVoltage", "16,8"),
        ("chargeEndTime", "10.05.2026 19:00"),
        ("charged", "900"),
    ];
    anna.save_charging(&hers.battery, &finished).expect_status(200);
    anna.save_edit_equipment(&json!({"dpfId": hers.copter, "type": COPTER, "name": "Habicht"}))
        .expect_status(200);
    anna.finish_flight(&json!({"dpfId": hers.open, "flightTime": 5}))
        .expect_status(200);
    anna.delete_flight(&hers.open).expect_status(200);
    assert_eq!(anna.equipment(&hers.copter)["name"], "Habicht");
    server
        .stranger()
        .log_in("anna@example.org", crate::harness::PASSWORD)
        .expect_status(202);
}

#[test]
fn a_pilot_without_room_adds_nothing_until_something_is_deleted_and_others_go_on() {
    let server = Server::start_with(&[("FLUGLOG_QUOTA_PER_PILOT", "1 MB")]);
    let (anna, ben) = (server.pilot("anna"), server.pilot("ben"));
    let document = anna.document("gross.bin", &[b'x'; 700_000]);
    let copter = anna.item(COPTER, "Falke");
    let large = [("file", "noch.bin", &[b'y'; 700_000][..])];
    let refused = anna.upload("UploadUserDocument", &[], &large).expect_status(413);
    assert!(
        refused
            .text()
            .starts_with("Ihr Speicherplatz auf diesem Server ist aufgebraucht."),
        "{}",
        refused.text()
    );
    let photo = [b"\xff\xd8".as_slice(), &[0; 700_000]].concat();
    anna.upload("SaveProfile", &[], &[("photo", "a.jpg", &photo)])
        .expect_status(413);
    assert_eq!(anna.documents().len(), 1);
    assert_eq!(server.blobs().len(), 1);

    // Data that fit are accepted, with files and without.
    anna.document("klein.txt", b"klein");
    let flight = anna.fly(&copter, &[], &json!({"flightTime": 5}));
    anna.add_images(&flight, &[&pictures::jpeg(30, 20)]);
    ben.document("seins.bin", &[b'x'; 700_000]);

    anna.post("DeleteUserDocument", &[("dpfId", &document)])
        .expect_status(200);
    anna.upload("UploadUserDocument", &[], &large).expect_status(201);
}

#[test]
fn texts_count_as_files_do() {
    let server = Server::start_with(&[("FLUGLOG_QUOTA_PER_PILOT", "100 kB")]);
    let anna = server.pilot("anna");
    let battery = anna.item(BATTERY, "Akku");
    let log = [
        ("dpfId", battery.as_str()),
        ("info", &"ü".repeat(10_000)),
        ("time", "01.05.2025 10:00"),
    ];
    let taken = (0..20)
        .take_while(|_| anna.upload("SaveEquipmentLog", &log, &[]).status == 201)
        .count();
    assert!((3..=4).contains(&taken), "{taken} logs of 20 kB");
    anna.upload("SaveEquipmentLog", &log, &[]).expect_status(413);
    anna.save_new_equipment(&json!({"type": COPTER, "name": "x".repeat(150), "seller": "x".repeat(150)}));
    // Changes go on.
    anna.save_edit_equipment(&json!({"dpfId": battery, "type": BATTERY, "name": "Alter Akku"}))
        .expect_status(200);
}

#[test]
fn edits_count_as_additions_do() {
    let server = Server::start_with(&[("FLUGLOG_QUOTA_PER_PILOT", "100 kB")]);
    let anna = server.pilot("anna");
    let battery = anna.item(BATTERY, "Akku");
    let short = [
        ("dpfId", battery.as_str()),
        ("info", "kurz"),
        ("time", "01.05.2025 10:00"),
    ];
    let save = || anna.upload("SaveEquipmentLog", &short, &[]).expect_status(201).json();
    let logs: Vec<_> = (0..10).map(|_| id_in(&save())).collect();
    let long = "ü".repeat(10_000);
    let edit = |log: &str, info: &str| {
        let fields = [("dpfId", log), ("info", info), ("time", "01.05.2025 10:00")];
        anna.upload("EditLog", &fields, &[])
    };
    let grown = logs.iter().take_while(|log| edit(log, &long).status == 200).count();
    assert!((2..=4).contains(&grown), "{grown} logs of 20 kB");
    let refused = edit(&logs[9], &long).expect_status(413);
    assert!(refused.text().starts_with("Ihr Speicherplatz"), "{}", refused.text());
    // What becomes shorter, or hardly longer, is taken.
    edit(&logs[9], "etwas länger").expect_status(200);
    edit(&logs[0], "kurz").expect_status(200);
    edit(&logs[9], &long).expect_status(200);
}

#[test]
fn an_upload_counts_while_it_comes() {
    let server = Server::start_with(&[("FLUGLOG_QUOTA_PER_PILOT", "20 MB")]);
    let (anna, ben) = (server.pilot("anna"), server.pilot("ben"));
    let mut unfinished = Connection::open(server.address());
    unfinished.send(format!(
        "POST /app/api/UploadUserDocument HTTP/1.1\r\nHost: {}\r\nCookie: {}\r\nContent-Type: {MULTIPART}\r\n\
         Content-Length: 19000000\r\n\r\n",
        server.address(),
        anna.cookie_header()
    ));
    unfinished.send(file_head("file", "a.bin"));
    // The system keeps at most ten megabytes that the server has not read.
    unfinished.send(vec![b'x'; 18_000_000]);
    let other = [("file", "b.bin", &[b'y'; 15_000_000][..])];
    let upload = |pilot: &Pilot| pilot.upload("UploadUserDocument", &[], &other);
    upload(&anna).expect_status(413);
    upload(&ben).expect_status(201);
    drop(unfinished);
    wait::until("it no longer counts", || (upload(&anna).status == 201).then_some(()));
}

#[test]
fn a_request_that_was_carried_out_is_answered_though_there_is_no_room_left() {
    let server = Server::start_with(&[("FLUGLOG_QUOTA_PER_PILOT", "1 MB")]);
    let anna = server.pilot("anna");
    let id = [("requestId", "0198b6f0-1111-7000-8000-000000000000")];
    let large = [("file", "a.bin", &[b'y'; 700_000][..])];
    let first = anna.upload("UploadUserDocument", &id, &large).expect_status(201).json();
    let again = anna.upload("UploadUserDocument", &id, &large).expect_status(201).json();
    assert_eq!(first, again);
}

#[test]
fn the_operator_and_each_pilot_see_how_much_room_is_used() {
    let server = Server::start_with(&[("FLUGLOG_QUOTA_PER_PILOT", "20 MB")]);
    let (anna, ben) = (server.pilot("anna"), server.pilot("ben"));
    anna.document("gross.bin", &[b'x'; 3 * 1024 * 1024]);
    let list = |flags: &[&str]| {
        let done = run([&["user", "list", "--data-dir", text(server.directory())], flags].concat());
        assert_eq!(done.code, 0, "{done:?}");
        done.stdout
    };
    let users: serde_json::Value = serde_json::from_str(&list(&["--json"])).unwrap();
    let used = users[0]["usedBytes"].as_u64().unwrap();
    assert!((3_145_728..3_155_000).contains(&used), "{users}");
    assert!(users[1]["usedBytes"].as_u64().unwrap() < 1_000, "{users}");
    assert_eq!(users[0]["quotaBytes"], 20_971_520);
    for (pilot, user) in [(anna, &users[0]), (ben, &users[1])] {
        let own = pilot.post_empty("GetStorageUsage").expect_status(200).json();
        assert_eq!(own, json!({"bytes": user["usedBytes"], "quota": 20_971_520}));
    }
    assert!(
        list(&[]).contains("  3,0 MB von 20,0 MB  ") || list(&[]).contains("  3 MB von 20 MB  "),
        "{}",
        list(&[])
    );
}

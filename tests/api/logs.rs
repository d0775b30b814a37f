//! Logs on equipment and on flights, with their documents.

use serde_json::{Value, json};

use crate::harness::calls::{BATTERY, COPTER, id_in, keys};
use crate::harness::clock::{expect_now, in_berlin};
use crate::harness::files::File;
use crate::harness::{Pilot, Server};

const TIME: &str = "01.03.2026 09:05";

#[track_caller]
fn save(pilot: &Pilot, call: &str, subject: &str, info: &str, time: &str, files: &[File<'_>]) -> Value {
    let fields = [("dpfId", subject), ("info", info), ("time", time)];
    pilot.upload(call, &fields, files).expect_status(201).json()
}

#[track_caller]
fn logs(pilot: &Pilot, call: &str, subject: &str) -> Value {
    pilot.post(call, &[("dpfId", subject)]).expect_status(200).json()
}

#[test]
fn a_log_of_an_item_comes_back_with_its_document() {
    let server = Server::shared();
    let anna = server.pilot("anna");
    let copter = anna.item_with(&json!({"type": COPTER, "name": "Falke", "model": "X1"}));
    let empty = logs(&anna, "GetEquipmentLogs", &copter);
    assert_eq!(empty, json!({"name": "X1", "equipmentName": "Falke", "logs": []}));
    let plain = save(&anna, "SaveEquipmentLog", &copter, "Propeller\r\ngetauscht", TIME, &[]);
    assert_eq!(keys(&plain), ["createTime", "documentObj", "dpfId", "info", "time"]);
    assert_eq!(
        (&plain["info"], &plain["time"]),
        (&json!("Propeller\ngetauscht"), &json!(TIME))
    );
    assert_eq!(plain["documentObj"], Value::Null);
    expect_now(plain["createTime"].as_str().unwrap(), in_berlin);
    let later = "02.03.2026 10:00";
    let with = save(
        &anna,
        "SaveEquipmentLog",
        &copter,
        "Rechnung",
        later,
        &[("file", "r.pdf", b"inhalt")],
    );
    assert_eq!(keys(&with["documentObj"]), ["dpfId", "name", "size"]);
    assert_eq!(
        (&with["documentObj"]["name"], &with["documentObj"]["size"]),
        (&json!("r.pdf"), &json!("6 B"))
    );
    let listed = logs(&anna, "GetEquipmentLogs", &copter);
    assert_eq!(listed["logs"], json!([with, plain]));
    assert_eq!(
        anna.download(&id_in(&with["documentObj"])).expect_status(200).text(),
        "inhalt"
    );
    assert_eq!(
        anna.documents(),
        Vec::<Value>::new(),
        "a document of a log is none of the store"
    );
}

#[test]
fn a_log_without_a_model_is_called_by_the_name() {
    let server = Server::shared();
    let anna = server.pilot("anna");
    let copter = anna.item(COPTER, "Falke");
    let flight = anna.take_off(&copter);
    assert_eq!(logs(&anna, "GetEquipmentLogs", &copter)["name"], "Falke");
    let of_flight = logs(&anna, "GetFlightLogs", &flight);
    assert_eq!(of_flight, json!({"name": "Falke", "logs": []}));
}

#[test]
fn logs_stand_by_their_time_and_not_by_when_they_were_written() {
    let server = Server::shared();
    let anna = server.pilot("anna");
    let copter = anna.item(COPTER, "Falke");
    let flight = anna.take_off(&copter);
    for (save_call, get_call, subject) in [
        ("SaveEquipmentLog", "GetEquipmentLogs", &copter),
        ("SaveFlightLog", "GetFlightLogs", &flight),
    ] {
        for time in [
            "05.01.2026 08:00",
            "31.12.2025 23:59",
            "05.01.2026 08:01",
            "01.01.1999 00:00",
        ] {
            save(&anna, save_call, subject, "a", time, &[]);
        }
        let listed = logs(&anna, get_call, subject);
        let times: Vec<_> = listed["logs"]
            .as_array()
            .unwrap()
            .iter()
            .map(|log| log["time"].as_str().unwrap())
            .collect();
        assert_eq!(
            times,
            [
                "05.01.2026 08:01",
                "05.01.2026 08:00",
                "31.12.2025 23:59",
                "01.01.1999 00:00"
            ]
        );
    }
}

#[test]
fn a_log_is_edited_and_its_document_kept_replaced_or_removed() {
    let server = Server::start();
    let anna = server.pilot("anna");
    let flight = anna.take_off(&anna.item(COPTER, "Falke"));
    let log = save(
        &anna,
        "SaveFlightLog",
        &flight,
        "a",
        TIME,
        &[("file", "eins.txt", b"eins")],
    );
    let first = id_in(&log["documentObj"]);
    let id = id_in(&log);
    let edit = |info, time, more: &[(&str, &str)], files: &[File<'_>]| {
        let fields = [&[("dpfId", id.as_str()), ("info", info), ("time", time)], more].concat();
        anna.upload("EditLog", &fields, files).expect_status(200).json()
    };
    let kept = edit("b", "03.03.2026 09:05", &[], &[]);
    assert_eq!(
        (&kept["info"], &kept["documentObj"]),
        (&json!("b"), &log["documentObj"])
    );
    assert_eq!(kept["createTime"], log["createTime"]);

    let replaced = edit("b", TIME, &[], &[("file", "zwei.txt", b"zwei")]);
    let second = id_in(&replaced["documentObj"]);
    assert_eq!(replaced["documentObj"]["name"], "zwei.txt");
    anna.download(&first).expect_no_access();
    assert_eq!(
        (anna.download(&second).text().as_str(), server.blobs().len()),
        ("zwei", 1)
    );

    let both = edit(
        "b",
        TIME,
        &[("removeDocument", "true")],
        &[("file", "drei.txt", b"drei")],
    );
    assert_eq!(both["documentObj"]["name"], "drei.txt");
    let removed = edit("b", TIME, &[("removeDocument", "true")], &[]);
    assert_eq!((&removed["documentObj"], server.blobs().len()), (&Value::Null, 0));
    assert_eq!(
        edit("b", TIME, &[("removeDocument", "true")], &[])["documentObj"],
        Value::Null
    );
    assert_eq!(logs(&anna, "GetFlightLogs", &flight)["logs"], json!([removed]));
}

#[test]
fn a_deleted_log_takes_its_document_along() {
    let server = Server::start();
    let anna = server.pilot("anna");
    let battery = anna.item(BATTERY, "Akku");
    let log = save(
        &anna,
        "SaveEquipmentLog",
        &battery,
        "a",
        TIME,
        &[("file", "a.txt", b"a")],
    );
    let deleted = anna.post("DeleteLog", &[("dpfId", &id_in(&log))]).expect_status(200);
    assert_eq!(deleted.text(), "");
    assert_eq!(logs(&anna, "GetEquipmentLogs", &battery)["logs"], json!([]));
    assert_eq!(server.blobs(), Vec::<String>::new());
    anna.download(&id_in(&log["documentObj"])).expect_no_access();
    anna.post("DeleteLog", &[("dpfId", &id_in(&log))]).expect_no_access();
}

#[test]
fn a_deleted_flight_takes_images_logs_and_documents_along_and_nothing_else() {
    let server = Server::start();
    let anna = server.pilot("anna");
    let copter = anna.item(COPTER, "Falke");
    let on_copter = save(
        &anna,
        "SaveEquipmentLog",
        &copter,
        "bleibt",
        TIME,
        &[("file", "a.txt", b"a")],
    );
    let stored = anna.document("b.txt", b"b");
    let kept = anna.fly(&copter, &[], &json!({}));
    save(
        &anna,
        "SaveFlightLog",
        &kept,
        "bleibt",
        TIME,
        &[("file", "c.txt", b"c")],
    );
    let before = server.blobs();
    let flight = anna.fly(&copter, &[], &json!({}));
    let picture = crate::harness::pictures::jpeg(40, 30);
    let images = anna.add_images(&flight, &[&picture, &picture]);
    let log = save(&anna, "SaveFlightLog", &flight, "weg", TIME, &[("file", "d.txt", b"d")]);
    save(&anna, "SaveFlightLog", &flight, "auch weg", TIME, &[]);
    assert_eq!(server.blobs().len(), before.len() + 5);

    anna.delete_flight(&flight).expect_status(200);
    assert_eq!(server.blobs(), before);
    anna.post("GetFlightLogs", &[("dpfId", &flight)]).expect_no_access();
    anna.post("DeleteLog", &[("dpfId", &id_in(&log))]).expect_no_access();
    anna.download(&id_in(&log["documentObj"])).expect_no_access();
    anna.image(&images[0]).expect_no_access();
    assert_eq!(logs(&anna, "GetEquipmentLogs", &copter)["logs"], json!([on_copter]));
    assert_eq!(logs(&anna, "GetFlightLogs", &kept)["logs"].as_array().unwrap().len(), 1);
    anna.download(&stored).expect_status(200);
}

#[test]
fn missing_or_wrong_fields_are_refused_and_store_nothing() {
    let server = Server::start();
    let anna = server.pilot("anna");
    let copter = anna.item(COPTER, "Falke");
    let long = "ü".repeat(10_001);
    let file: File<'_> = ("file", "a.txt", b"a");
    for (info, time, field) in [
        ("", TIME, "info"),
        (" \n ", TIME, "info"),
        (&long, TIME, "info"),
        ("a\u{7}", TIME, "info"),
        ("a", "", "time"),
        ("a", "31.02.2026 09:05", "time"),
        ("a", "01.03.2026 24:00", "time"),
        ("a", "2026-03-01T09:05", "time"),
    ] {
        let fields = [("dpfId", copter.as_str()), ("info", info), ("time", time)];
        let refused = anna.upload("SaveEquipmentLog", &fields, &[file]).expect_status(400);
        assert_eq!(refused.header("x-field"), Some(field));
    }
    for call in ["SaveEquipmentLog", "SaveFlightLog", "EditLog"] {
        let refused = anna
            .upload(call, &[("info", "a"), ("time", TIME)], &[file])
            .expect_status(400);
        assert_eq!(refused.header("x-field"), Some("dpfId"));
        anna.post(call, &[("dpfId", &copter), ("info", "a"), ("time", TIME)])
            .expect_status(415);
    }
    anna.post("DeleteLog", &[]).expect_status(400);
    assert_eq!(logs(&anna, "GetEquipmentLogs", &copter)["logs"], json!([]));
    assert_eq!(server.blobs(), Vec::<String>::new());
    let longest = save(&anna, "SaveEquipmentLog", &copter, &long[2..], TIME, &[]);
    assert_eq!(longest["info"].as_str().map(|info| info.chars().count()), Some(10_000));
}

#[test]
fn an_id_of_someone_else_or_of_the_wrong_kind_stores_nothing() {
    let server = Server::start();
    let (anna, ben) = (server.pilot("anna"), server.pilot("ben"));
    let copter = anna.item(COPTER, "Falke");
    let flight = anna.take_off(&copter);
    let log = save(
        &anna,
        "SaveFlightLog",
        &flight,
        "geheim",
        TIME,
        &[("file", "a.txt", b"a")],
    );
    let (log, document) = (id_in(&log), id_in(&log["documentObj"]));
    let before = (logs(&anna, "GetFlightLogs", &flight), server.blobs());
    let file: File<'_> = ("file", "b.txt", b"b");
    let ask = |pilot: &Pilot, call: &str, id: &str| {
        let fields = [("dpfId", id), ("info", "b"), ("time", TIME), ("removeDocument", "true")];
        pilot.upload(call, &fields, &[file]).expect_no_access();
    };
    for (call, ids) in [
        ("SaveEquipmentLog", [&flight, &log, &document]),
        ("SaveFlightLog", [&copter, &log, &document]),
        ("EditLog", [&copter, &flight, &document]),
    ] {
        for id in ids {
            ask(&anna, call, id);
        }
    }
    for (call, id) in [
        ("SaveEquipmentLog", &copter),
        ("SaveFlightLog", &flight),
        ("EditLog", &log),
    ] {
        ask(&ben, call, id);
        let stranger = server.stranger();
        stranger.upload(call, &[("dpfId", id)], &[file]).expect_not_logged_in();
    }
    ben.post("GetEquipmentLogs", &[("dpfId", &copter)]).expect_no_access();
    ben.post("GetFlightLogs", &[("dpfId", &flight)]).expect_no_access();
    anna.post("GetEquipmentLogs", &[("dpfId", &flight)]).expect_no_access();
    anna.post("GetFlightLogs", &[("dpfId", &copter)]).expect_no_access();
    ben.post("DeleteLog", &[("dpfId", &log)]).expect_no_access();
    ben.download(&document).expect_no_access();
    // The document of a log can only be changed with the log.
    anna.post("DeleteUserDocument", &[("dpfId", &document)])
        .expect_no_access();
    anna.post("EditUserDocument", &[("dpfId", &document), ("description", "b")])
        .expect_no_access();
    anna.post("ShareDocument", &[("dpfId", &document)]).expect_no_access();
    assert_eq!((logs(&anna, "GetFlightLogs", &flight), server.blobs()), before);
}

//! Importing the export of another Fluglog: a pilot's flights move to another server.

use std::fs;

use serde_json::{Value, json};

use crate::harness::answer::Answer;
use crate::harness::calls::{BATTERY, COPTER, id_in};
use crate::harness::export::{archive_of, exported, json_in, members};
use crate::harness::process::run;
use crate::harness::spaces::{CLUB, MEMBER, READER, expect_clean};
use crate::harness::{Pilot, Server, temporary_directory, text};

const NAME: &str = "fluglog-export.zip";
const FLIGHTS: &str = "json/flights.json";

#[track_caller]
pub fn upload(pilot: &Pilot, archive: &[u8]) -> Answer {
    pilot.upload("UploadImport", &[], &[("files", NAME, archive)])
}

#[track_caller]
pub fn import(pilot: &Pilot, archive: &[u8]) -> Value {
    upload(pilot, archive).expect_status(201).json()
}

fn proposals(import: &Value) -> &Vec<Value> {
    import["proposals"].as_array().unwrap()
}

pub fn ticked(import: &Value) -> Value {
    let ticked = proposals(import).iter().filter(|proposal| proposal["ticked"] == true);
    Value::Array(
        ticked
            .map(|proposal| json!({"key": proposal["key"], "action": "create"}))
            .collect(),
    )
}

#[track_caller]
pub fn accept(pilot: &Pilot, import: &Value, choices: &Value) -> Answer {
    let choices = choices.to_string();
    pilot.post("AcceptImport", &[("dpfId", &id_in(import)), ("choices", &choices)])
}

/// A flight or an item without values specific to its server: ids, and images, which aren't imported.
pub fn without_ids(value: &Value) -> Value {
    match value {
        Value::Object(fields) => fields
            .iter()
            // Proofs come with the documents.
            .filter(|(name, _)| !["dpfId", "images", "proofs"].contains(&name.as_str()))
            .map(|(name, value)| (name.clone(), without_ids(value)))
            .collect(),
        Value::Array(items) => items.iter().map(without_ids).collect(),
        other => other.clone(),
    }
}

/// All fields of all flights, latest first.
pub fn flights(pilot: &Pilot) -> Vec<Value> {
    let ids = pilot.flights().iter().map(id_in).collect::<Vec<_>>();
    let mut flights: Vec<_> = ids.iter().map(|id| without_ids(&pilot.flight(id))).collect();
    flights.sort_by_key(Value::to_string);
    flights
}

/// What was entered about each flown item, and the sums of its flights.
fn flown_items(pilot: &Pilot) -> Vec<Value> {
    let all = (0..5).flat_map(|kind| [false, true].map(|retired| pilot.equipments(kind, retired)));
    let flown = all.flatten().filter(|item| item["lastFlight"] != "");
    let mut items: Vec<Value> = flown
        .map(|mut item| {
            // Derived from chargings and sets, which aren't imported here. A sticker's code belongs to its server.
            for field in [
                "chargeCount",
                "lastChargeTime",
                "lastCharging",
                "currentCharge",
                "state",
                "light",
                "cycles",
                "cyclesEstimated",
                "set",
                "sticker",
                "cells",
                "stateSince",
                "stateVoltage",
                "storageVoltage",
            ] {
                item.as_object_mut().unwrap().remove(field);
            }
            without_ids(&item)
        })
        .collect();
    items.sort_by_key(Value::to_string);
    items
}

fn track(pilot: &Pilot, id: &str) -> Value {
    pilot.post("GetFlightTrack", &[("dpfId", id)]).expect_status(200).json()["points"].clone()
}

#[test]
fn all_flights_of_a_pilot_move_to_another_server_once() {
    let place = temporary_directory();
    let done = run(["demo", "--data-dir", text(place.path())]);
    assert_eq!(done.code, 0, "{done:?}");
    let old = Server::start_in(place.path());
    let demo = old.stranger();
    demo.log_in("demo@example.org", "fluglog-demo").expect_status(202);
    let gpx = fs::read("tests/fixtures/flights/zwei.gpx").unwrap();
    let files = demo.upload("UploadImport", &[], &[("files", "zwei.gpx", &gpx)]);
    let copter = id_in(&demo.equipments(COPTER, false)[0]);
    let choice = json!([{"key": "0-0", "action": "create", "copter": copter}]);
    let with_track = accept(&demo, &files.expect_status(201).json(), &choice).json()["created"][0].clone();
    let archive = demo.get("/app/api/GetExport").expect_status(200).body;

    let ben = Server::shared().pilot("ben");
    let first = import(&ben, &archive);
    assert_eq!(first["files"][0]["format"], "fluglog");
    assert_eq!(
        first["files"][0]["message"],
        "Das sind 200 Flüge der Datei. 1 weiterer kommt nach dem Übernehmen: mit „Nächster Teil“, oder wenn die Datei \
         noch einmal gewählt wird."
    );
    let choices = ticked(&first);
    assert_eq!(choices.as_array().unwrap().len(), 200);
    let accepted = accept(&ben, &first, &choices).expect_status(200).json();
    assert_eq!(accepted["created"].as_array().unwrap().len(), 200);
    assert_eq!(accept(&ben, &first, &choices).json(), accepted, "asked again");

    let second = import(&ben, &archive);
    let rest = ticked(&second);
    assert_eq!((rest.as_array().unwrap().len(), &second["newItems"]), (1, &json!([])));
    assert_eq!(second["files"][0]["message"], "", "nothing is left");
    accept(&ben, &second, &rest).expect_status(200);
    assert_eq!(flights(&ben), flights(&demo));
    assert_eq!(flown_items(&ben), flown_items(&demo));
    let of_file = |row: &&Value| ben.flight(&id_in(row))["notes"] == "Aus Datei zwei.gpx (GPX).";
    let copied = ben.flights().iter().find(of_file).map(id_in).unwrap();
    let flown = track(&demo, with_track.as_str().unwrap());
    assert!(flown.as_array().unwrap().len() > 10);
    assert_eq!(track(&ben, &copied), flown);
    let profile = |pilot: &Pilot, flight: &str| pilot.post("GetFlightProfile", &[("dpfId", flight)]).json();
    let course = profile(&demo, with_track.as_str().unwrap());
    assert!(course["speed"].as_array().unwrap().len() > 10, "{course}");
    assert_eq!(profile(&ben, &copied), course);

    let third = import(&ben, &archive);
    assert_eq!(ticked(&third), json!([]));
    assert!(
        proposals(&third)
            .iter()
            .all(|proposal| proposal["twin"]["kind"] == "digest")
    );
    // The export adds nothing on its own server.
    let own = import(&demo, &archive);
    assert_eq!(ticked(&own), json!([]));
}

/// A server with a pilot who has flown three times; returns the export.
fn three_flights() -> (Server, Pilot, Vec<u8>) {
    let server = Server::start();
    let anna = server.pilot("anna");
    let copter = anna.item_with(&json!({"type": COPTER, "name": "Falke", "model": "Mini 4", "weight": 249}));
    let [one, other] = ["Akku 1", "Akku 2"]
        .map(|name| anna.item_with(&json!({"type": BATTERY, "name": name, "model": "Tattu", "weight": 80})));
    for (day, battery) in [("01", &one), ("02", &other), ("03", &one)] {
        let payloads = json!([{"name": "Kamera", "weight": 12.5}]);
        let id = anna.take_off_with(&copter, &[battery], &payloads);
        let fields = json!({
            "dpfId": id, "startTime": format!("{day}.03.2026 09:05"), "flightTime": "7,5", "flightMode": "2",
            "weatherConditions": "windig", "purpose": "Übung", "notes": "eins\nzwei", "location": "Wiese",
        });
        anna.finish_flight(&fields).expect_status(200);
    }
    // Flights keep the weight of their time.
    anna.save_edit_equipment(
        &json!({"dpfId": copter, "type": COPTER, "name": "Falke", "model": "Mini 4", "weight": 300}),
    )
    .expect_status(200);
    anna.deactivate(&one, "gebläht").expect_status(200);
    anna.take_off(&copter);
    let archive = exported(server.directory(), "anna@example.org");
    (server, anna, archive)
}

#[test]
fn flights_with_the_longest_texts_move_to_another_server() {
    let server = Server::start();
    let anna = server.pilot("anna");
    let copter = anna.item(COPTER, "Falke");
    let payloads: Vec<_> = (0..50)
        .map(|_| json!({"name": "🚁".repeat(200), "weight": 1}))
        .collect();
    let (same, quotes) = ("🚁".repeat(10_000), "\"".repeat(10_000));
    for day in ["01", "02", "03"] {
        let id = anna.take_off_with(&copter, &[], &json!(payloads));
        let fields = json!({
            "dpfId": id, "startTime": format!("{day}.03.2026 09:05"), "notes": same, "purpose": same,
            "weatherConditions": same, "location": quotes,
        });
        anna.finish_flight(&fields).expect_status(200);
    }
    let ben = Server::shared().pilot("ben");
    let found = import(&ben, &exported(server.directory(), "anna@example.org"));
    assert_eq!(found["omitted"], json!([]));
    accept(&ben, &found, &ticked(&found)).expect_status(200);
    assert_eq!((flights(&ben).len(), flights(&ben)), (3, flights(&anna)));
}

#[test]
fn items_are_the_pilots_own_or_made_with_the_first_flight_that_needs_them() {
    let (_server, anna, archive) = three_flights();
    let ben = Server::shared().pilot("ben");
    let falke = ben.item_with(&json!({"type": COPTER, "name": "FALKE", "model": "mini-4", "weight": 1}));
    ben.item_with(&json!({"type": BATTERY, "name": "Akku 1", "model": "ein anderer"}));
    let found = import(&ben, &archive);
    let named: Vec<_> = found["newItems"]
        .as_array()
        .unwrap()
        .iter()
        .map(|item| &item["name"])
        .collect();
    assert_eq!(named, ["Akku 1", "Akku 2"]);
    assert_eq!(found["omitted"][0]["reason"], "Der Flug läuft noch.");
    let proposal = &proposals(&found)[0];
    assert_eq!(proposal["copter"], json!(falke));
    assert_eq!(
        (
            &proposal["purpose"],
            &proposal["flightMode"],
            &proposal["payloads"][0]["name"]
        ),
        (&json!("Übung"), &json!("2"), &json!("Kamera"))
    );
    let choice =
        json!([{"key": proposal["key"], "action": "create", "copter": falke, "equipments": proposal["equipments"]}]);
    let answer = accept(&ben, &found, &choice).expect_status(200).json();
    let flight = ben.flight(answer["created"][0].as_str().unwrap());
    assert_eq!(flight["weight"], 341.5, "as it weighed then");
    let retired = ben.equipments(BATTERY, true);
    assert_eq!((retired.len(), &retired[0]["deactivateText"]), (1, &json!("gebläht")));
    assert_eq!(
        ben.equipments(BATTERY, false).len(),
        1,
        "of the flights that weren't chosen nothing is made"
    );

    // An item is recognized by its origin, whatever its current name.
    let renamed = json!({"dpfId": falke, "type": COPTER, "name": "Adler", "model": "X"});
    ben.save_edit_equipment(&renamed).expect_status(200);
    let found = import(&ben, &archive);
    let states: Vec<_> = proposals(&found)
        .iter()
        .map(|proposal| (&proposal["ticked"], &proposal["copter"]))
        .collect();
    let falke = json!(falke);
    assert_eq!(
        states,
        [(&json!(false), &falke), (&json!(true), &falke), (&json!(true), &falke)]
    );
    accept(&ben, &found, &ticked(&found)).expect_status(200);
    let mut own = flights(&ben);
    own.iter_mut()
        .for_each(|flight| flight["copter"]["name"] = json!("Falke"));
    own.iter_mut()
        .for_each(|flight| flight["copter"]["model"] = json!("Mini 4"));
    let mut hers = flights(&anna);
    hers.retain(|flight| flight["open"] == false);
    assert_eq!(own, hers);
    // A deleted flight is offered again.
    ben.delete_flight(answer["created"][0].as_str().unwrap())
        .expect_status(200);
    assert_eq!(ticked(&import(&ben, &archive)).as_array().unwrap().len(), 1);
}

#[test]
fn a_pilot_may_choose_and_change_what_an_export_says() {
    let (_server, _anna, archive) = three_flights();
    let ben = Server::shared().pilot("ben");
    let own = ben.item(COPTER, "Habicht");
    let found = import(&ben, &archive);
    let keys: Vec<_> = proposals(&found).iter().map(|proposal| &proposal["key"]).collect();
    let choices = json!([
        {"key": keys[0], "action": "create", "copter": own, "equipments": [],
            "flight": {"notes": "", "purpose": "Foto"}},
        {"key": keys[1], "action": "create", "startTime": "02.03.2026 10:00"},
        {"key": keys[2], "action": "skip"},
    ]);
    let answer = accept(&ben, &found, &choices).expect_status(200).json();
    let created: Vec<_> = answer["created"]
        .as_array()
        .unwrap()
        .iter()
        .map(|id| ben.flight(id.as_str().unwrap()))
        .collect();
    assert_eq!(
        (
            &created[0]["notes"],
            &created[0]["purpose"],
            &created[0]["weatherConditions"],
            &created[0]["equipments"]
        ),
        (&json!(""), &json!("Foto"), &json!("windig"), &json!([]))
    );
    assert_eq!(created[1]["startTime"], "02.03.2026 10:00");
    // From now on, her copter is mapped to the chosen one.
    assert_eq!(created[1]["copter"]["name"], "Falke");
    assert_eq!(answer["skipped"], 1);
    let strange = json!([{"key": keys[0], "action": "create", "copter": id_in(&created[0])}]);
    let found = import(&ben, &archive);
    accept(&ben, &found, &strange).expect_no_access();
    assert_eq!(ben.flights().len(), 2);
}

/// Replaces the contents of some members.
pub fn with_members(archive: &[u8], others: &[(&str, &[u8])]) -> Vec<u8> {
    let mut all = members(archive);
    all.extend(
        others
            .iter()
            .map(|(name, content)| ((*name).to_owned(), content.to_vec())),
    );
    archive_of(all)
}

#[test]
fn a_broken_export_gives_one_sentence_and_nothing_else() {
    let (server, _anna, archive) = three_flights();
    let ben = server.pilot("ben");
    let blobs = || server.blobs().len();
    let flights = FLIGHTS;
    let mut flipped = archive.clone();
    let at = archive
        .windows(flights.len())
        .position(|part| part == flights.as_bytes())
        .unwrap();
    flipped[at + 200] ^= 4;
    let endless = [b"[".as_slice(), &b"{\"a\":[1],".repeat(100_000)].concat();
    let cut = &archive[..archive.len() - archive.len() / 3];
    for (what, broken, sentence) in [
        ("cut", cut.to_vec(), "Die Datei ist beschädigt."),
        ("a wrong bit", flipped, "Die Datei ist beschädigt."),
        (
            "no list",
            with_members(&archive, &[(flights, b"{}")]),
            "Die Datei ist beschädigt.",
        ),
        (
            "an endless flight",
            with_members(&archive, &[(flights, &endless)]),
            "Die Datei ist beschädigt.",
        ),
        (
            "half a list",
            with_members(&archive, &[(flights, b"[")]),
            "Die Datei ist beschädigt.",
        ),
        (
            "no items",
            with_members(&archive, &[("json/equipment.json", b"")]),
            "Die Datei ist beschädigt.",
        ),
        (
            "120 MB",
            with_members(&archive, &[(flights, &vec![b' '; 120 * 1024 * 1024])]),
            "Die Datei ist beschädigt.",
        ),
    ] {
        let answer = upload(&ben, &broken);
        assert_eq!(answer.status, 415, "{what}: {}", answer.text());
        assert_eq!(answer.text(), sentence, "{what}");
        assert_eq!((blobs(), ben.flights().len()), (0, 0), "{what}");
    }
}

#[test]
fn flights_of_an_export_that_break_a_rule_are_left_out_each_with_its_reason() {
    let (server, _anna, archive) = three_flights();
    let ben = server.pilot("ben");
    let flights = FLIGHTS;
    let mut listed = json_in(&members(&archive), "flights");
    for (at, field, value) in [(1, "notes", json!("a".repeat(10_001))), (2, "flightTime", json!(-1))] {
        listed[at][field] = value;
    }
    let found = import(
        &ben,
        &with_members(&archive, &[(flights, listed.to_string().as_bytes())]),
    );
    assert_eq!(proposals(&found).len(), 1);
    let reasons: Vec<_> = found["omitted"]
        .as_array()
        .unwrap()
        .iter()
        .map(|omitted| &omitted["reason"])
        .collect();
    assert_eq!(
        reasons,
        [
            "Der Flug läuft noch.",
            "Der Text darf höchstens 10000 Zeichen lang sein.",
            "Ungültige Eingabe"
        ]
    );
    // Items and flights of others are unknown here.
    let carl = server.pilot("carl");
    let found = import(&carl, &archive);
    let choices = ticked(&found);
    assert_eq!(
        choices.as_array().unwrap().len(),
        3,
        "the pilot of the export is on the same server"
    );
    accept(&carl, &found, &choices).expect_status(200);
    assert_eq!((carl.flights().len(), ben.flights().len()), (3, 0));
    assert_eq!(carl.equipments(COPTER, false).len(), 1);
}

/// Changes what a pilot may do in a space.
fn set_role(manager: &Pilot, space: &str, name: &str, role: u8) {
    let members = manager
        .post("GetMembers", &[("space", space)])
        .expect_status(200)
        .json();
    let mut members = members.as_array().unwrap().iter();
    let member = id_in(members.find(|member| member["name"] == name).unwrap());
    let fields = [("space", space), ("member", &member), ("role", &role.to_string())];
    manager.post("SaveMember", &fields).expect_status(200);
}

#[test]
fn flights_with_what_a_pilot_may_only_look_at_now_come_with_an_own_item_of_that_name_made_once() {
    let server = Server::start();
    let [anna, ben] = ["anna", "ben"].map(|name| server.pilot(name));
    let club = anna.make_space(CLUB, "MFC Falke");
    anna.take_in(&club, MEMBER, &ben, true);
    let copter = ben.item_with(&json!({"type": COPTER, "name": "Falke", "model": "Mini 4", "weight": 249}));
    let prior = json!({"flights": 90, "minutes": 720}).to_string();
    ben.post("SavePriorFlights", &[("dpfId", &copter), ("prior", &prior)])
        .expect_status(200);
    for day in ["01", "02", "03"] {
        let start = format!("{day}.03.2026 09:05");
        ben.fly(&copter, &[], &json!({"startTime": start, "flightTime": "7,5"}));
    }
    let flown = flights(&ben);
    let archive = exported(server.directory(), "ben@example.org");
    let table = ben.get("/app/api/GetLogbook?full=true").expect_status(200).body;
    set_role(&anna, &club, "ben", 3);
    ben.move_equipment(&copter, &club);
    let delete_latest = || {
        let row = ben.flights().into_iter().max_by_key(|row| row["startTime"].to_string());
        ben.delete_flight(&id_in(&row.unwrap())).expect_status(200);
    };
    // While he may fly with it, a flight comes back with the club's.
    delete_latest();
    let found = import(&ben, &archive);
    accept(&ben, &found, &ticked(&found)).expect_status(200);
    assert_eq!((ben.equipments(COPTER, false).len(), flights(&ben)), (1, flown.clone()));

    set_role(&anna, &club, "ben", READER);
    assert_eq!(import(&ben, &archive)["newItems"], json!([]), "all is here");
    let others = || {
        let mut all = ben.equipments(COPTER, false);
        all.retain(|item| item["dpfId"] != *copter);
        all
    };
    for read in [&archive, &table] {
        delete_latest();
        let name = if *read == table { "Flüge.csv" } else { NAME };
        let answer = ben.upload("UploadImport", &[], &[("files", name, read)]);
        let found = answer.expect_status(201).json();
        let mut choices = ticked(&found);
        assert_eq!(choices.as_array().unwrap().len(), 1);
        for one in found["belongings"].as_array().unwrap() {
            choices
                .as_array_mut()
                .unwrap()
                .push(json!({"key": one["key"], "action": "create"}));
        }
        accept(&ben, &found, &choices).expect_status(200);
        assert_eq!(flights(&ben), flown);
        let [own] = &others()[..] else {
            panic!("{:?}", others());
        };
        assert_eq!((&own["name"], &own["prior"]), (&json!("Falke"), &json!(null)));
        let latest = ben.flights().into_iter().max_by_key(|row| row["startTime"].to_string());
        assert_eq!(ben.flight(&id_in(&latest.unwrap()))["copter"]["dpfId"], own["dpfId"]);
    }
    assert_eq!(import(&ben, &archive)["belongings"], json!([]));
    expect_clean(server.directory());
}

#[test]
fn flights_with_the_equipment_of_a_club_move_to_another_server_with_items_of_these_names() {
    let server = Server::start();
    let [anna, ben] = ["anna", "ben"].map(|name| server.pilot(name));
    let club = ben.make_space(CLUB, "MFC Falke");
    ben.take_in(&club, MEMBER, &anna, true);
    let falke = json!({"type": COPTER, "name": "Falke", "model": "Mini 4", "weight": 249}).to_string();
    let falke = ben.post("SaveNewEquipment", &[("equipment", &falke), ("space", &club)]);
    let falke = id_in(&falke.expect_status(200).json());
    let pack = ben.item_of_space(&club, BATTERY, "Vereinsakku");
    let own = anna.item(BATTERY, "Akku 1");
    for (day, batteries) in [("01", vec![&*pack, &own]), ("02", vec![&*own])] {
        let start = format!("{day}.03.2026 09:05");
        anna.fly(&falke, &batteries, &json!({"startTime": start, "flightTime": "7,5"}));
    }
    let archive = exported(server.directory(), "anna@example.org");
    let there = Server::start();
    let cara = there.pilot("cara");
    let found = import(&cara, &archive);
    assert_eq!(found["omitted"], json!([]));
    accept(&cara, &found, &ticked(&found)).expect_status(200);
    assert_eq!((flights(&cara).len(), flights(&cara)), (2, flights(&anna)));
    let falke = &cara.equipments(COPTER, false)[0];
    assert_eq!(
        (&falke["name"], &falke["model"], &falke["weight"]),
        (&json!("Falke"), &json!("Mini 4"), &json!(249.0))
    );
    assert_eq!(cara.names_of(BATTERY), ["Akku 1", "Vereinsakku"]);
    let again = import(&cara, &archive);
    assert_eq!((ticked(&again), &again["newItems"]), (json!([]), &json!([])));
    expect_clean(there.directory());
}

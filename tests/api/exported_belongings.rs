//! The rest of an export from another Fluglog: a pilot's whole logbook moves to another server.

use std::fs;

use serde_json::{Value, json};

use crate::api::exported_flights::{accept, import, ticked, with_members, without_ids};
use crate::harness::calls::{BATTERY, COPTER, GOGGLES, id_in};
use crate::harness::export::{archive_of, exported, members, noise};
use crate::harness::spaces::{HOUSEHOLD, MANAGER, expect_clean};
use crate::harness::{Pilot, Server, pictures};

/// A server with a pilot who has one object of everything that can be moved, and some that can't; returns the export.
fn logbook() -> (Server, Pilot, Vec<u8>) {
    let server = Server::start();
    let anna = server.pilot("anna");
    let copter = anna.item(COPTER, "Falke");
    let battery = anna.item(BATTERY, "Akku 1");
    anna.item(GOGGLES, "Brille");
    let flight = anna.fly(
        &copter,
        &[&battery],
        &json!({"startTime": "01.03.2026 09:05", "flightTime": "7,5", "batteryStartVoltage": "16,8",
            "batteryEndVoltage": "14,4"}),
    );
    anna.add_images(&flight, &[&pictures::jpeg(30, 20), &pictures::png(40, 20)]);
    for (start, end) in [
        ("28.02.2026 18:00", "28.02.2026 19:00"),
        ("01.03.2026 18:00", "01.03.2026 19:00"),
    ] {
        let charging = [
            ("chargeStartTime", start),
            ("fromVoltage", "14,4"),
            ("chargeEndTime", end),
            ("toVoltage", "16,8"),
            ("charged", "1100"),
            ("endCellVoltages", "4,2;4,2;4,19;4,2"),
            ("measuredCapacity", "1480"),
        ];
        anna.save_charging(&battery, &charging).expect_status(200);
    }
    anna.save_charging(
        &battery,
        &[("chargeStartTime", "02.03.2026 18:00"), ("fromVoltage", "14,8")],
    )
    .expect_status(200);
    let cells = [
        ("battery", battery.as_str()),
        ("cellVoltages", "3,7;3,71;3,7;3,69"),
        ("resistances", "4;4,5;5;4"),
    ];
    let reading = [
        &cells[..],
        &[("time", "01.03.2026 12:00"), ("temperature", "21"), ("info", "kühl")],
    ]
    .concat();
    anna.post("SaveBatteryReading", &reading).expect_status(201);
    let other = anna.item(BATTERY, "Akku 2");
    let set = [("name", "Langstrecke"), ("members", &format!("{battery};{other}"))];
    anna.post("SaveBatterySet", &set).expect_status(200);
    for (call, subject, name) in [
        ("SaveFlightLog", &flight, "Beleg.pdf"),
        ("SaveEquipmentLog", &copter, "Rechnung.pdf"),
    ] {
        let fields = [
            ("info", "geprüft\nund gut"),
            ("time", "01.03.2026 09:20"),
            ("dpfId", subject.as_str()),
        ];
        anna.upload(call, &fields, &[("file", name, format!("%PDF {name}").as_bytes())])
            .expect_status(201);
    }
    let document = [("description", "Haftpflicht 2026")];
    anna.upload(
        "UploadUserDocument",
        &document,
        &[("file", "Police.pdf", b"%PDF Police")],
    )
    .expect_status(201);
    anna.post("SendFeedback", &[("rate", "5"), ("message", "gut")])
        .expect_status(201);
    let archive = exported(server.directory(), "anna@example.org");
    (server, anna, archive)
}

pub fn all(import: &Value) -> Value {
    let mut choices = ticked(import);
    let belongings = import["belongings"].as_array().unwrap().iter();
    let belongings = belongings.map(|one| json!({"key": one["key"], "action": "create"}));
    choices.as_array_mut().unwrap().extend(belongings);
    choices
}

fn items(pilot: &Pilot) -> Vec<Value> {
    let all = (0..5).flat_map(|kind| [false, true].map(|retired| pilot.equipments(kind, retired)));
    all.flatten().collect()
}

/// All data of a pilot except flights and values specific to the server, and the content of every file.
fn belongings(pilot: &Pilot) -> Value {
    let content = |document: &Value| pilot.download(&id_in(document)).expect_status(200).text();
    let logs = |call: &str, of: &Value| {
        let found = pilot.post(call, &[("dpfId", &id_in(of))]).expect_status(200).json();
        let logs = found["logs"].as_array().unwrap().clone();
        let files: Vec<_> = logs.iter().map(|log| content(&log["documentObj"])).collect();
        json!([without_ids(&found), files])
    };
    let items: Vec<_> = items(pilot)
        .iter()
        .map(|item| {
            let chargings = match item["type"] == BATTERY {
                true => pilot.chargings(&id_in(item)),
                false => Vec::new(),
            };
            let mut chargings: Vec<_> = chargings.iter().map(without_ids).collect();
            for charging in &mut chargings {
                charging.as_object_mut().unwrap().remove("battery");
                charging["flight"] = json!(!charging["flight"].is_null());
            }
            let mut item = item.clone();
            let mut readings = Vec::new();
            if item["type"] == BATTERY {
                let passport = pilot.post("GetBatteryPassport", &[("dpfId", &id_in(&item))]).json();
                readings.extend(passport["readings"].as_array().unwrap().iter().map(|reading| {
                    let mut reading = without_ids(reading);
                    reading.as_object_mut().unwrap().remove("battery");
                    reading
                }));
                item["set"] = item["set"]["name"].take();
            }
            json!([without_ids(&item), logs("GetEquipmentLogs", &item), chargings, readings])
        })
        .collect();
    let flights: Vec<_> = pilot
        .flights()
        .iter()
        .map(|row| {
            let images = pilot.flight(&id_in(row))["images"].as_array().unwrap().clone();
            let images: Vec<_> = images.iter().map(|id| pilot.image(id.as_str().unwrap()).body).collect();
            json!([logs("GetFlightLogs", row), images])
        })
        .collect();
    let documents: Vec<_> = pilot
        .documents()
        .iter()
        .map(|document| json!([without_ids(document), content(document)]))
        .collect();
    json!({"items": items, "flights": flights, "documents": documents})
}

#[test]
fn pictures_of_a_moved_logbook_that_are_the_same_bytes_are_taken_once_or_refused() {
    let (server, _anna, archive) = logbook();
    // The file of both images, by their name in the list of flights.
    let mut once = members(&archive);
    let path = once
        .keys()
        .find(|name| name.ends_with("json/flights.json"))
        .unwrap()
        .clone();
    let mut flights: Value = serde_json::from_slice(&once[&path]).unwrap();
    let of_two = flights.as_array_mut().unwrap().iter_mut();
    let files = of_two
        .map(|flight| &mut flight["imageFiles"])
        .find(|files| files.as_array().is_some_and(|files| files.len() == 2))
        .unwrap();
    files[1] = files[0].clone();
    once.insert(path, flights.to_string().into_bytes());
    let ben = server.pilot("ben");
    let found = import(&ben, &archive_of(once));
    let moved = accept(&ben, &found, &all(&found)).expect_status(200).json()["moved"].clone();
    assert_eq!((&moved["images"], &moved["missing"]), (&json!(1), &json!(1)));

    // The bytes of both images, by their place in the archive.
    let mut shared = archive;
    let entries = shared
        .windows(4)
        .enumerate()
        .filter(|(_, bytes)| *bytes == b"PK\x01\x02");
    let pictures: Vec<_> = entries
        .map(|(at, _)| at)
        .filter(|at| {
            let length = usize::from(shared[at + 28]);
            let name = &shared[at + 46..at + 46 + length];
            name.ends_with(b".jpg") || name.ends_with(b".png")
        })
        .collect();
    shared.copy_within(pictures[0] + 16..pictures[0] + 28, pictures[1] + 16);
    shared.copy_within(pictures[0] + 42..pictures[0] + 46, pictures[1] + 42);
    let clara = server.pilot("clara");
    clara
        .upload("UploadImport", &[], &[("files", "Fluglog.zip", &shared)])
        .expect_refusal(415, "Die Datei ist beschädigt.");
}

#[test]
fn a_whole_logbook_moves_to_another_server_once() {
    let (_server, anna, archive) = logbook();
    let ben = Server::shared().pilot("ben");
    let found = import(&ben, &archive);
    assert_eq!(
        found["belongings"],
        json!([{"key": "0-belongings", "file": 0, "items": 2, "chargings": 2, "readings": 1, "sets": 1, "logs": 2,
            "documents": 1, "images": 2, "left": 0}])
    );
    let reasons: Vec<_> = found["omitted"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| &one["reason"])
        .collect();
    assert_eq!(
        reasons,
        [
            "Kommt nicht mit: 1 Ladung, die noch läuft.",
            "Kommt nicht mit: 1 Feedback."
        ]
    );
    let accepted = accept(&ben, &found, &all(&found)).expect_status(200).json();
    assert_eq!(
        accepted["moved"],
        json!({"items": 2, "chargings": 2, "readings": 1, "sets": 1, "logs": 2, "documents": 1, "images": 2,
            "missing": 0})
    );
    assert_eq!(accept(&ben, &found, &all(&found)).json(), accepted, "asked again");
    let mut hers = belongings(&anna);
    // The state of a pack that is being charged isn't imported.
    let battery = hers["items"]
        .as_array_mut()
        .unwrap()
        .iter_mut()
        .find(|item| item[0]["type"] == BATTERY);
    let battery = battery.unwrap();
    battery[2].as_array_mut().unwrap().remove(0);
    let mut his = belongings(&ben);
    for all in [&mut hers, &mut his] {
        for item in all["items"].as_array_mut().unwrap() {
            for field in [
                "lastCharging",
                "currentCharge",
                "state",
                "stateSince",
                "stateVoltage",
                "light",
            ] {
                item[0].as_object_mut().unwrap().remove(field);
            }
        }
    }
    assert_eq!(his, hers);

    let again = import(&ben, &archive);
    assert_eq!((ticked(&again), &again["belongings"]), (json!([]), &json!([])));
    // The export adds nothing on its own server.
    let own = import(&anna, &archive);
    assert_eq!((ticked(&own), &own["belongings"]), (json!([]), &json!([])));
}

#[test]
fn an_own_export_doubles_nothing_of_what_has_moved_to_a_space_since() {
    let (server, anna, archive) = logbook();
    let space = anna.make_space(HOUSEHOLD, "Familie");
    let moved: Vec<_> = items(&anna).iter().map(id_in).collect();
    for item in &moved {
        anna.move_equipment(item, &space);
    }
    let before = belongings(&anna);
    let expect_the_same = || {
        let again = import(&anna, &archive);
        assert_eq!((ticked(&again), &again["belongings"]), (json!([]), &json!([])));
        let all = json!([{"key": "0-belongings", "action": "create"}]);
        accept(&anna, &again, &all).expect_status(400);
    };
    expect_the_same();
    // Nothing is proposed to a member who may only look at the space meanwhile, either.
    let ben = server.pilot("ben");
    anna.take_in(&space, MANAGER, &ben, true);
    let members = ben.post("GetMembers", &[("space", &space)]).expect_status(200).json();
    let mut members = members.as_array().unwrap().iter();
    let hers = id_in(members.find(|member| member["name"] == "anna").unwrap());
    ben.post("SaveMember", &[("space", &space), ("member", &hers), ("role", "1")])
        .expect_status(200);
    expect_the_same();
    ben.post("SaveMember", &[("space", &space), ("member", &hers), ("role", "4")])
        .expect_status(200);
    assert_eq!(belongings(&anna), before);
    // A flight that was deleted comes back, with the items where they are now.
    anna.delete_flight(&id_in(&anna.flights()[0])).expect_status(200);
    let again = import(&anna, &archive);
    accept(&anna, &again, &all(&again)).expect_status(200);
    assert_eq!(items(&anna).iter().map(id_in).collect::<Vec<_>>(), moved);
    let flown = anna.flight(&id_in(&anna.flights()[0]))["copter"]["dpfId"].clone();
    assert!(moved.iter().any(|item| flown == **item));
    expect_clean(server.directory());
}

/// A partial archive: all lists, but only the files in some folders.
fn part(archive: &[u8], folders: &[&str]) -> Vec<u8> {
    let mut part = members(archive);
    part.retain(|path, _| path.starts_with("json/") || folders.iter().any(|folder| path.starts_with(folder)));
    part.insert("json/part.json".to_owned(), b"{}".to_vec());
    archive_of(part)
}

#[test]
fn a_logbook_comes_in_parts_whatever_their_order_and_once() {
    let (_server, anna, _) = logbook();
    let gpx = fs::read("tests/fixtures/flights/zwei.gpx").unwrap();
    let found = anna.upload("UploadImport", &[], &[("files", "zwei.gpx", &gpx)]);
    let copter = id_in(&anna.equipments(COPTER, false)[0]);
    let choices = ["0-0", "0-1"].map(|key| json!({"key": key, "action": "create", "copter": copter}));
    accept(&anna, &found.expect_status(201).json(), &json!(choices)).expect_status(200);
    let archive = anna.get("/app/api/GetExport").expect_status(200).body;

    let ben = Server::shared().pilot("ben");
    let parts =
        [vec!["bilder/"], vec!["dokumente/"], vec!["tracks/", "verlauf/"]].map(|folders| part(&archive, &folders));
    let came = parts.each_ref().map(|part| {
        let found = import(&ben, part);
        let lacking = found["omitted"].to_string();
        assert!(!lacking.contains("fehlen"), "{lacking}");
        let moved = accept(&ben, &found, &all(&found)).expect_status(200).json()["moved"].clone();
        (
            ben.flights().len(),
            moved["images"].clone(),
            moved["logs"].clone(),
            moved["documents"].clone(),
        )
    });
    assert_eq!(
        came,
        [
            (1, json!(2), json!(0), json!(0)),
            (1, json!(0), json!(2), json!(1)),
            (3, json!(0), json!(0), json!(0)),
        ]
    );
    for row in ben.flights() {
        let track = ben.post("GetFlightTrack", &[("dpfId", &id_in(&row))]).json();
        assert_eq!(
            track["points"] == json!([]),
            row["startTime"] == "01.03.2026 09:05",
            "{row}"
        );
    }
    for part in &parts {
        let again = import(&ben, part);
        assert_eq!((ticked(&again), &again["belongings"]), (json!([]), &json!([])));
    }
}

#[test]
fn what_is_beside_flights_comes_only_when_the_pilot_says_so_and_is_offered_again() {
    let (_server, _anna, archive) = logbook();
    let ben = Server::shared().pilot("ben");
    let found = import(&ben, &archive);
    let accepted = accept(&ben, &found, &ticked(&found)).expect_status(200).json();
    assert_eq!(
        accepted["moved"],
        json!({"items": 0, "chargings": 0, "readings": 0, "sets": 0, "logs": 0, "documents": 0, "images": 0, "missing": 0})
    );
    assert_eq!((ben.documents().len(), items(&ben).len()), (0, 2));

    let found = import(&ben, &archive);
    let [belongings] = found["belongings"].as_array().unwrap().as_slice() else {
        panic!("{found}");
    };
    let only = json!([{"key": belongings["key"], "action": "create"}]);
    let wrong = json!([{"key": belongings["key"], "action": "fill"}]);
    accept(&ben, &found, &wrong).expect_status(400);
    let accepted = accept(&ben, &found, &only).expect_status(200).json();
    assert_eq!(
        (
            &accepted["created"],
            &accepted["moved"]["images"],
            &accepted["moved"]["items"]
        ),
        (&json!([]), &json!(2), &json!(2))
    );
    // What was deleted since the import is offered again.
    ben.post("DeleteUserDocument", &[("dpfId", &id_in(&ben.documents()[0]))])
        .expect_status(200);
    let again = import(&ben, &archive);
    assert_eq!(
        (&again["belongings"][0]["documents"], &again["belongings"][0]["logs"]),
        (&json!(1), &json!(0))
    );
}

#[test]
fn two_imports_of_one_export_bring_it_once() {
    let (_server, _anna, archive) = logbook();
    let server = Server::start();
    let ben = server.pilot("ben");
    let both = [import(&ben, &archive), import(&ben, &archive)];
    for found in &both {
        accept(&ben, found, &all(found)).expect_status(200);
    }
    assert_eq!(
        (ben.flights().len(), ben.documents().len(), items(&ben).len()),
        (1, 1, 4)
    );
    let battery = &ben.equipments(BATTERY, false)[0];
    assert_eq!(
        (&battery["chargeCount"], ben.chargings(&id_in(battery)).len()),
        (&json!(2), 3)
    );
    let images = ben.flight(&id_in(&ben.flights()[0]))["images"]
        .as_array()
        .unwrap()
        .len();
    // Images with their previews, the documents of two logs and one more: no file is left behind.
    assert_eq!((images, server.blobs().len()), (2, 2 * 2 + 3));
}

#[test]
fn files_that_an_export_lacks_are_named_before_and_damaged_ones_after() {
    let (_server, anna, archive) = logbook();
    let ben = Server::shared().pilot("ben");
    let without = anna.get("/app/api/GetExport?withoutFiles=true").expect_status(200).body;
    let found = import(&ben, &without);
    let reasons: Vec<_> = found["omitted"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| &one["reason"])
        .collect();
    assert_eq!(
        reasons[1..3],
        [
            "Kommt nicht mit: 3 Dokumente, die in der Datei fehlen.",
            "Kommt nicht mit: 2 Bilder, die in der Datei fehlen."
        ]
    );
    accept(&ben, &found, &all(&found)).expect_status(200);
    assert_eq!((ben.documents().len(), ben.flights().len()), (0, 1));

    let carl = Server::shared().pilot("carl");
    let pictures: Vec<_> = members(&archive)
        .into_keys()
        .filter(|name| name.starts_with("bilder/"))
        .collect();
    let broken = with_members(&archive, &[(&pictures[0], b"no picture")]);
    let found = import(&carl, &broken);
    let accepted = accept(&carl, &found, &all(&found)).expect_status(200).json();
    assert_eq!(
        (&accepted["moved"]["images"], &accepted["moved"]["missing"]),
        (&json!(1), &json!(1))
    );
}

#[test]
fn a_pilot_whose_space_is_used_up_gets_nothing_of_a_logbook() {
    let (_server, _anna, archive) = logbook();
    let large = noise(600_000);
    let archive = with_members(&archive, &[("dokumente/Police.pdf", &large)]);
    let server = Server::start_with(&[("FLUGLOG_QUOTA_PER_PILOT", "1 MB")]);
    let ben = server.pilot("ben");
    let found = import(&ben, &archive);
    let before = server.blobs().len();
    let refused = accept(&ben, &found, &all(&found)).expect_status(413);
    assert!(
        refused
            .text()
            .starts_with("Ihr Speicherplatz auf diesem Server ist aufgebraucht.")
    );
    assert_eq!((ben.flights().len(), server.blobs().len()), (0, before));
}

fn jobs_of(pilot: &Pilot) -> usize {
    let jobs = pilot.post_empty("GetMaintenance").expect_status(200).json();
    jobs.as_array().map_or(0, Vec::len)
}

#[test]
fn an_export_whose_only_news_are_jobs_proofs_or_hours_from_before_is_offered() {
    let server = Server::start();
    let [anna, ben] = ["anna", "ben"].map(|name| server.pilot(name));
    let falke = anna.item(COPTER, "Falke");
    anna.fly(&falke, &[], &json!({"startTime": "01.03.2026 09:05", "flightTime": 5}));
    let news = || {
        let archive = exported(server.directory(), "anna@example.org");
        import(&ben, &archive)
    };
    let take = |found: &Value| accept(&ben, found, &all(found)).expect_status(200).json()["moved"].clone();
    take(&news());

    let job = json!({"title": "Propeller", "flights": 30}).to_string();
    anna.post("SaveJob", &[("dpfId", &falke), ("job", &job)])
        .expect_status(200);
    let jobs = news();
    assert_eq!(ticked(&jobs), json!([]));
    assert_eq!(
        (&jobs["belongings"][0]["jobs"], jobs["belongings"][0].get("prior")),
        (&json!(1), None)
    );
    assert_eq!((&take(&jobs)["jobs"], jobs_of(&ben)), (&json!(1), 1));

    let prior = json!({"flights": 900, "minutes": 7200}).to_string();
    anna.post("SavePriorFlights", &[("prior", &prior)]).expect_status(200);
    let hours = news();
    assert_eq!(
        (&hours["belongings"][0]["prior"], hours["belongings"][0].get("jobs")),
        (&json!(1), None)
    );
    assert_eq!(take(&hours)["prior"], 1);

    let document = anna.upload("UploadUserDocument", &[], &[("file", "A2.pdf", b"%PDF A2")]);
    let document = id_in(&document.expect_status(201).json());
    anna.save_proof(&document, &json!({"kind": 1, "until": "01.03.2030"}));
    let proofs = news();
    assert_eq!(proofs["belongings"][0]["documents"], 1);
    assert_eq!(take(&proofs)["documents"], 1);
    assert_eq!(news()["belongings"], json!([]));
}

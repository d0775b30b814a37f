//! Hours from before Fluglog: what a pilot or an item had flown already counts in books and jobs, never in statistics.

use serde_json::{Value, json};

use crate::api::exported_belongings::all;
use crate::api::exported_flights::{accept, import};
use crate::harness::answer::Answer;
use crate::harness::calls::{BATTERY, COPTER};
use crate::harness::export::exported;
use crate::harness::pdf::file_inside;
use crate::harness::process::run;
use crate::harness::spaces::{CLUB, KEEPER, MEMBER, expect_clean};
use crate::harness::{Pilot, Server, temporary_directory, text};

/// An older book: 900 flights in 120 hours.
fn book() -> Value {
    json!({"flights": 900, "minutes": 7200, "until": "01.03.2024", "note": "Papierbuch 1–3"})
}

fn save(pilot: &Pilot, item: Option<&str>, prior: &Value) -> Answer {
    let prior = prior.to_string();
    let mut fields = vec![("prior", prior.as_str())];
    fields.extend(item.map(|item| ("dpfId", item)));
    pilot.post("SavePriorFlights", &fields)
}

#[track_caller]
fn stored(pilot: &Pilot, item: Option<&str>) -> Value {
    let fields: Vec<_> = item.iter().map(|item| ("dpfId", *item)).collect();
    pilot.post("GetPriorFlights", &fields).expect_status(200).json()
}

fn preview(pilot: &Pilot, fields: &[(&str, &str)]) -> Value {
    pilot.post("GetLogbookPreview", fields).expect_status(200).json()
}

#[track_caller]
fn table_of(pilot: &Pilot, query: &str) -> Vec<String> {
    let book = pilot.get(&format!("/app/api/GetLogbook?{query}")).expect_status(200);
    let table = file_inside(&book.body);
    let table = String::from_utf8(table).unwrap();
    table.lines().map(str::to_owned).collect()
}

fn fly(pilot: &Pilot, copter: &str, start: &str, minutes: f64) {
    pilot.fly(copter, &[], &json!({"startTime": start, "flightTime": minutes}));
}

#[test]
fn the_pilot_s_hours_from_before_are_the_first_carry_over_of_the_book_and_in_no_statistics() {
    let server = Server::shared();
    let anna = server.pilot("anna");
    let falke = anna.item(COPTER, "Falke");
    fly(&anna, &falke, "01.05.2024 10:00", 12.4);
    fly(&anna, &falke, "01.05.2025 10:00", 8.0);
    let figures = |call: &str| anna.post_empty(call).expect_status(200).json();
    let before = [figures("GetFlightMonths"), figures("GetStatistics")];
    let plain = preview(&anna, &[]);
    assert_eq!(stored(&anna, None)["flights"], 0);

    let saved = save(&anna, None, &book()).expect_status(200).json();
    let whole = json!({"flights": 900, "minutes": 7200, "cycles": 0, "until": "01.03.2024", "note": "Papierbuch 1–3"});
    assert_eq!((&saved, &stored(&anna, None)), (&whole, &whole));
    assert_eq!(figures("GetFlightMonths"), before[0]);
    assert_eq!(figures("GetStatistics"), before[1]);

    let said = preview(&anna, &[]);
    assert_eq!((&said["flights"], &said["time"]), (&json!(2), &json!("20 min")));
    assert_eq!(
        (&said["carriedFlights"], &said["carriedTime"]),
        (&json!(900), &json!("120 h 00 min"))
    );
    assert_eq!(
        (&said["priorFlights"], &said["priorTime"]),
        (&json!(900), &json!("120 h 00 min"))
    );
    let of_2025 = preview(&anna, &[("from", "01.01.2025"), ("to", "31.12.2025")]);
    assert_eq!(of_2025["carriedFlights"], 901);
    let table = table_of(&anna, "");
    assert!(
        table[1].ends_with(";\"Vor Fluglog: 900 Flüge, 120 h 00 min (vor dem 01.03.2024, Papierbuch 1–3)\"")
            || table[1].ends_with(";Vor Fluglog: 900 Flüge, 120 h 00 min (vor dem 01.03.2024, Papierbuch 1–3)"),
        "{table:?}"
    );
    assert!(table[2].starts_with("901;01.05.2024;"), "{table:?}");
    assert_eq!(table.len(), 4);

    // What isn't sent stays, what is empty is cleared; nothing is left without a number.
    let note = save(&anna, None, &json!({"note": "Papierbuch 1–4"})).expect_status(200);
    assert_eq!(
        (&note.json()["minutes"], &note.json()["note"]),
        (&json!(7200), &json!("Papierbuch 1–4"))
    );
    save(&anna, None, &json!({"flights": "", "minutes": null})).expect_status(200);
    assert_eq!(stored(&anna, None)["note"], "");
    assert_eq!(preview(&anna, &[]), plain, "the book is as it was");
    assert_eq!(figures("GetStatistics"), before[1]);
}

#[test]
fn an_item_s_hours_from_before_stand_beside_its_own_and_in_its_book() {
    let server = Server::shared();
    let anna = server.pilot("anna");
    let [falke, pack] = [(COPTER, "Falke"), (BATTERY, "Akku 1")].map(|(kind, name)| anna.item(kind, name));
    fly(&anna, &falke, "01.05.2024 10:00", 12.0);
    assert!(anna.equipment(&falke).get("prior").is_none());
    save(&anna, Some(&falke), &book()).expect_status(200);
    let shown = anna.equipment(&falke);
    assert_eq!(
        (&shown["usageTime"], &shown["prior"]["minutes"]),
        (&json!(0.2), &json!(7200))
    );
    let table = table_of(&anna, &format!("equipment={falke}"));
    assert!(table[1].contains("Vor Fluglog: 900 Flüge, 120 h"), "{table:?}");
    assert!(table[2].starts_with("901;01.05.2024;10:00;12;120:12;"), "{table:?}");
    assert_eq!(
        preview(&anna, &[])["carriedFlights"],
        0,
        "the pilot's own book is another"
    );

    save(&anna, Some(&pack), &json!({"cycles": "40"})).expect_status(200);
    assert_eq!(anna.equipment(&pack)["prior"]["cycles"], 40);
    assert_eq!(stored(&anna, Some(&pack))["cycles"], 40);
}

#[test]
fn a_job_that_counts_since_before_has_these_hours_and_cycles_in_its_count() {
    let server = Server::start();
    let anna = server.pilot("anna");
    let [falke, pack] = [(COPTER, "Falke"), (BATTERY, "Akku 1")].map(|(kind, name)| anna.item(kind, name));
    let job = |item: &str, since: &str, limit: &str| {
        let entries = json!({"title": "Motoren wechseln", limit: 200, "since": since}).to_string();
        let saved = anna.post("SaveJob", &[("dpfId", item), ("job", &entries)]);
        saved.expect_status(200).json()["jobId"].as_str().unwrap().to_owned()
    };
    let counters = |item: &str, id: &str| {
        let jobs = anna
            .post("GetMaintenance", &[("dpfId", item)])
            .expect_status(200)
            .json();
        let jobs = jobs.as_array().unwrap();
        let found = jobs.iter().find(|job| job["jobId"] == id).unwrap();
        (found["counters"].clone(), found["text"].clone())
    };
    let ever = job(&falke, "01.01.2019", "hours");
    let later = job(&falke, "01.03.2024", "hours");
    let cycles = job(&pack, "01.01.2019", "cycles");
    fly(&anna, &falke, "01.05.2024 10:00", 60.0);
    save(&anna, Some(&falke), &book()).expect_status(200);
    let prior = json!({"cycles": 40, "until": "01.03.2024"});
    save(&anna, Some(&pack), &prior).expect_status(200);
    let (counted, said) = counters(&falke, &ever);
    assert_eq!((&counted["hours"], &counted["flights"]), (&json!(121.0), &json!(901)));
    assert!(said.as_str().unwrap().contains("121 von 200"), "{said}");
    assert_eq!(counters(&falke, &later).0["hours"], 1.0);
    assert_eq!(counters(&pack, &cycles).0["cycles"], 40);

    // Done now: the next span begins without them, and the log says with how many hours it was done.
    let done = [("dpfId", falke.as_str()), ("jobId", &ever)];
    anna.upload("CompleteJob", &done, &[]).expect_status(201);
    assert_eq!(counters(&falke, &ever).0["hours"], 0.0);
    let logs = anna.post("GetEquipmentLogs", &[("dpfId", &falke)]).json();
    let log = logs["logs"][0]["info"].as_str().unwrap();
    assert!(log.contains("121 h"), "{log}");
    expect_clean(server.directory());
}

#[test]
fn numbers_that_cannot_be_are_refused_with_a_sentence() {
    let server = Server::shared();
    let [anna, ben] = ["anna", "ben"].map(|name| server.pilot(name));
    let falke = anna.item(COPTER, "Falke");
    let long = "ä".repeat(201);
    for (prior, sentence) in [
        (json!({"flights": -1}), "Bitte geben Sie 0 bis 100.000 Flüge ein."),
        (json!({"flights": 1e9}), "Bitte geben Sie 0 bis 100.000 Flüge ein."),
        (json!({"minutes": "12,5"}), "Bitte geben Sie 0 bis 100.000 Stunden ein."),
        (
            json!({"minutes": 6_000_001}),
            "Bitte geben Sie 0 bis 100.000 Stunden ein.",
        ),
        (
            json!({"flights": 1, "until": "01.01.2099"}),
            "Dieser Tag liegt in der Zukunft.",
        ),
        (json!({"flights": 1, "cycles": 1}), "Ladezyklen zählen nur bei Akkus."),
    ] {
        for item in [None, Some(falke.as_str())] {
            save(&anna, item, &prior).expect_refusal(400, sentence);
        }
    }
    for prior in [
        json!({"note": long}),
        json!({"note": "a\nb"}),
        json!({"until": "31.02.2024"}),
    ] {
        save(&anna, None, &prior).expect_status(400);
    }
    anna.post_empty("SavePriorFlights").expect_status(400);
    save(&ben, Some(&falke), &book()).expect_status(403);
    ben.post("GetPriorFlights", &[("dpfId", &falke)]).expect_status(403);
    assert_eq!(stored(&anna, Some(&falke))["flights"], 0);
}

#[test]
fn an_item_takes_its_hours_from_before_into_a_space_and_back() {
    let server = Server::start();
    let [anna, ben, clara] = ["Anna", "Ben", "Clara"].map(|name| server.pilot(name));
    let space = anna.make_space(CLUB, "MFC Musterstadt");
    anna.take_in(&space, MEMBER, &ben, true);
    anna.take_in(&space, KEEPER, &clara, true);
    let falke = anna.item(COPTER, "Falke");
    fly(&anna, &falke, "01.05.2024 10:00", 12.0);
    save(&anna, Some(&falke), &book()).expect_status(200);
    anna.move_equipment(&falke, &space);
    assert_eq!(ben.equipment(&falke)["prior"]["flights"], 900);
    assert!(table_of(&ben, &format!("equipment={falke}"))[2].starts_with("901;"));
    save(&ben, Some(&falke), &json!({"flights": 901})).expect_refusal(403, "Dafür fehlt Ihnen das Recht.");
    save(&clara, Some(&falke), &json!({"flights": 901})).expect_status(200);
    anna.move_equipment(&falke, "");
    assert_eq!(stored(&anna, Some(&falke))["flights"], 901);
    ben.post("GetPriorFlights", &[("dpfId", &falke)]).expect_status(403);
    expect_clean(server.directory());
}

#[test]
fn hours_from_before_move_to_another_server_and_are_deleted_with_the_account() {
    let server = Server::start();
    let anna = server.pilot("anna");
    let [falke, pack] = [(COPTER, "Falke"), (BATTERY, "Akku 1")].map(|(kind, name)| anna.item(kind, name));
    fly(&anna, &falke, "01.05.2024 10:00", 12.0);
    save(&anna, None, &book()).expect_status(200);
    save(&anna, Some(&falke), &book()).expect_status(200);
    save(&anna, Some(&pack), &json!({"cycles": 40})).expect_status(200);
    let archive = exported(server.directory(), "anna@example.org");

    let [ben, clara] = ["ben", "clara"].map(|name| Server::shared().pilot(name));
    save(&clara, None, &json!({"flights": 7})).expect_status(200);
    for pilot in [&ben, &clara] {
        let found = import(pilot, &archive);
        accept(pilot, &found, &all(&found)).expect_status(200);
        for (kind, item) in [(COPTER, &falke), (BATTERY, &pack)] {
            let moved = &pilot.equipments(kind, false)[0];
            assert_eq!(moved["prior"], anna.equipment(item)["prior"]);
        }
    }
    assert_eq!(stored(&ben, None), stored(&anna, None));
    assert_eq!(stored(&clara, None)["flights"], 7, "what she has entered stays");

    let place = temporary_directory();
    let output = place.path().join("buch.csv");
    let shell = [
        "logbook",
        "--user",
        "anna@example.org",
        "--output",
        text(&output),
        "--data-dir",
        text(server.directory()),
    ];
    assert_eq!(run(shell).code, 0);
    assert!(
        std::fs::read_to_string(&output)
            .unwrap()
            .contains("Vor Fluglog: 900 Flüge")
    );

    let delete = [
        "user",
        "delete",
        "anna@example.org",
        "--yes",
        "--data-dir",
        text(server.directory()),
    ];
    assert_eq!(run(delete).code, 0);
    expect_clean(server.directory());
}

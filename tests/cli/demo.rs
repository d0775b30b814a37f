//! The demo data.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::cli::init::{contents, init};
use crate::harness::calls::{BATTERY, id_in};
use crate::harness::{Pilot, Server, run_with_input, temporary_directory, text};

fn demo(directory: &std::path::Path) -> crate::harness::Output {
    run_with_input(["demo", "--data-dir", text(directory)], b"")
}

fn logged_in(server: &Server) -> Pilot {
    let pilot = server.stranger();
    pilot.log_in("demo@example.org", "fluglog-demo").expect_status(202);
    pilot
}

fn items(pilot: &Pilot, deactivated: bool) -> Vec<Vec<Value>> {
    (0..5).map(|kind| pilot.equipments(kind, deactivated)).collect()
}

#[test]
fn the_demo_pilot_has_a_whole_year_behind() {
    let place = temporary_directory();
    let directory = place.path().join("data");
    let done = demo(&directory);
    assert_eq!((done.code, done.stderr.as_str()), (0, ""), "{done:?}");
    for said in ["200 Flüge", "24 Bilder", "demo@example.org / fluglog-demo"] {
        assert!(done.stdout.contains(said), "{said}: {}", done.stdout);
    }
    let server = Server::start_in(&directory);
    let pilot = logged_in(&server);
    let flights: Vec<_> = pilot.flights().iter().map(|row| pilot.flight(&id_in(row))).collect();
    assert_eq!(flights.len(), 200);
    the_equipment_is_used(&pilot);
    the_flights_are_plausible(&flights);
    some_flights_have_a_path(&pilot);
    the_last_copter_has_a_charged_pack(&pilot, &flights[0]);
    the_months_are_a_year(&pilot);
    images_logs_and_documents_can_be_opened(&pilot, &flights);
    assert_eq!(pilot.open_flight(), Value::Null);
    for (field, value) in pilot.statistics().as_object().unwrap() {
        assert!(
            value.as_str().is_some_and(|text| !text.is_empty()),
            "{field} has no value"
        );
    }
}

fn the_equipment_is_used(pilot: &Pilot) {
    let (active, retired) = (items(pilot, false), items(pilot, true));
    assert!(active.iter().all(|items| !items.is_empty()), "a kind is missing");
    assert!(retired.iter().flatten().count() >= 3);
    for item in retired.iter().flatten() {
        assert_ne!(item["deactivateText"], "", "{item}");
    }
    for item in active.iter().flatten() {
        assert!(item["usageTime"].as_f64().is_some_and(|hours| hours > 0.0), "{item}");
    }
    let charged = active[usize::from(BATTERY)].iter();
    let being_charged = charged.filter(|battery| !battery["lastCharging"].is_null());
    assert_eq!(being_charged.count(), 1);
    let states: BTreeSet<_> = active[usize::from(BATTERY)]
        .iter()
        .filter_map(|battery| battery["state"].as_str())
        .collect();
    assert!(
        ["full", "storage", "empty", "charging"]
            .iter()
            .all(|state| states.contains(state)),
        "the batteries are only {states:?}"
    );
    // The first battery holds less at the end of the year than at its beginning.
    let old = active[usize::from(BATTERY)]
        .iter()
        .find(|battery| battery["name"] == "Akku 1")
        .unwrap();
    let history = pilot.chargings(&id_in(old));
    let amounts: Vec<_> = history
        .iter()
        .filter(|charging| charging["flight"].is_null())
        .filter_map(|charging| charging["charged"].as_f64())
        .collect();
    let mean = |amounts: &[f64]| amounts.iter().sum::<f64>() / amounts.len() as f64;
    let (newest, oldest) = (&amounts[..5], &amounts[amounts.len() - 5..]);
    assert!(mean(newest) < mean(oldest) * 0.95, "{amounts:?}");
}

fn the_flights_are_plausible(flights: &[Value]) {
    for flight in flights {
        for (field, least, most) in [
            ("flightTime", 1.0, 30.0),
            ("maximumAltitude", 1.0, 120.0),
            ("speed", 5.0, 150.0),
            ("distance", 0.01, 20.0),
            ("maximumDistance", 5.0, 600.0),
            ("consumedCapacity", 50.0, 4000.0),
            ("startLatitude", 47.3, 55.1),
            ("startLongitude", 5.8, 15.1),
            ("endLatitude", 47.3, 55.1),
            ("endLongitude", 5.8, 15.1),
        ] {
            let value = flight[field].as_f64();
            assert!(
                value.is_some_and(|value| (least..=most).contains(&value)),
                "{field} of {flight}"
            );
        }
        let volts = |field: &str| flight[field].as_f64().unwrap();
        assert!(volts("batteryEndVoltage") < volts("batteryStartVoltage"), "{flight}");
    }
    let kinds = |field: &str| {
        flights
            .iter()
            .map(|flight| flight[field].to_string())
            .collect::<BTreeSet<_>>()
    };
    for (field, least) in [
        ("location", 6),
        ("weatherConditions", 40),
        ("purpose", 8),
        ("notes", 8),
        ("flightMode", 3),
        ("weight", 5),
    ] {
        assert!(kinds(field).len() >= least, "{field}: {:?}", kinds(field));
    }
    assert!(flights.iter().any(|flight| flight["payloads"] != serde_json::json!([])));
}

/// Home proposes the next flight on every day of the year.
fn the_last_copter_has_a_charged_pack(pilot: &Pilot, last: &Value) {
    let copter = last["copter"]["dpfId"].as_str().unwrap();
    let flown: BTreeSet<_> = pilot
        .flights()
        .iter()
        .filter(|row| row["copter"]["dpfId"] == copter)
        .flat_map(|row| pilot.flight(&id_in(row))["equipments"].as_array().unwrap().clone())
        .map(|item| id_in(&item))
        .collect();
    let packs = pilot.equipments(BATTERY, false);
    let mut charged = packs.iter().filter(|pack| pack["state"] == "full");
    assert!(charged.any(|pack| flown.contains(&id_in(pack))), "{packs:?}");
}

fn some_flights_have_a_path(pilot: &Pilot) {
    let rows = pilot.flights();
    let with_path: Vec<_> = rows.iter().filter(|row| row["path"] != serde_json::json!([])).collect();
    assert!((15..=30).contains(&with_path.len()), "{} paths", with_path.len());
    let copters: BTreeSet<_> = with_path.iter().map(|row| row["copter"]["name"].to_string()).collect();
    assert_eq!(copters.len(), 3, "{copters:?}");
    for row in with_path {
        let profile = pilot.post("GetFlightProfile", &[("dpfId", &id_in(row))]).json();
        let most = |field: &str| {
            let values = profile[field].as_array().unwrap().iter();
            values.filter_map(Value::as_f64).fold(0.0, f64::max)
        };
        let has = |field: &str, value: f64| (row[field].as_f64().unwrap() - value).abs() <= 0.5;
        assert!(
            has("speed", most("speed")) && has("maximumAltitude", most("height")),
            "{row}"
        );
    }
}

fn the_months_are_a_year(pilot: &Pilot) {
    let months = pilot.flight_months();
    let months = months.as_array().unwrap();
    // The first or the last month may be too short for an outing.
    assert!((11..=13).contains(&months.len()), "{months:?}");
    let counts: Vec<_> = months.iter().map(|month| month["flights"].as_u64().unwrap()).collect();
    assert!(
        counts.iter().max() > counts.iter().min(),
        "every month alike: {counts:?}"
    );
}

fn images_logs_and_documents_can_be_opened(pilot: &Pilot, flights: &[Value]) {
    let images: Vec<_> = flights
        .iter()
        .flat_map(|flight| flight["images"].as_array().unwrap())
        .collect();
    assert_eq!(images.len(), 24);
    for image in images {
        let image = image.as_str().unwrap();
        for call in ["GetImage", "GetImagePreview"] {
            let answer = pilot.get(&format!("/app/api/{call}?uuid={image}")).expect_status(200);
            assert_eq!(answer.header("content-type"), Some("image/jpeg"));
        }
    }
    let mut documents = Vec::new();
    let mut logs = 0;
    let of_items = items(pilot, false)
        .into_iter()
        .flatten()
        .map(|item| pilot.post("GetEquipmentLogs", &[("dpfId", &id_in(&item))]));
    let of_flights = flights
        .iter()
        .map(|flight| pilot.post("GetFlightLogs", &[("dpfId", &id_in(flight))]));
    for answer in of_items.chain(of_flights) {
        for log in answer.expect_status(200).json()["logs"].as_array().unwrap() {
            logs += 1;
            documents.extend(log["documentObj"].is_object().then(|| log["documentObj"].clone()));
        }
    }
    assert!(logs > 20, "{logs} logs");
    assert!(documents.len() >= 4, "{documents:?}");
    let proofs = pilot.post_empty("GetProofs").expect_status(200).json();
    let proofs = proofs.as_array().unwrap();
    assert_eq!(proofs.len(), 3);
    assert!(
        proofs.iter().all(|proof| proof["pages"].as_array().unwrap().len() == 1),
        "{proofs:?}"
    );
    let store = pilot.documents();
    assert!(store.len() >= 6, "{store:?}");
    documents.extend(store);
    for document in documents {
        let content = pilot
            .post("DownloadDocument", &[("dpfId", &id_in(&document))])
            .expect_status(200)
            .body;
        let begins: &[u8] = match document["name"].as_str().unwrap().rsplit('.').next() {
            Some("pdf") => b"%PDF-1.4\n",
            Some("jpg") => b"\xFF\xD8\xFF",
            _ => b"",
        };
        assert!(content.len() > 20 && content.starts_with(begins), "{document}");
    }
}

#[test]
fn the_demo_refuses_a_directory_that_holds_a_database() {
    let place = temporary_directory();
    assert_eq!(init(place.path()).code, 0);
    let before = contents(place.path());
    demo(place.path()).expect_refusal(1, &[text(place.path())]);
    assert!(contents(place.path()) == before, "a refused demo changed something");
}

#[test]
fn the_demo_refuses_a_directory_that_holds_something_else() {
    let place = temporary_directory();
    std::fs::write(place.path().join("brief.txt"), "Hallo").unwrap();
    demo(place.path()).expect_refusal(1, &[text(place.path())]);
    assert_eq!(contents(place.path()).len(), 1, "a refused demo left something");
}

#[test]
fn the_demo_refuses_a_directory_that_is_served() {
    let server = Server::start();
    demo(server.directory()).expect_refusal(1, &[text(server.directory())]);
    server
        .stranger()
        .log_in("demo@example.org", "fluglog-demo")
        .expect_status(401);
}

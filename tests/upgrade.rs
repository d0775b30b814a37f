//! Databases of earlier schemas, kept as they were written (tests/fixtures): this version serves them with everything that was
//! in them. Knows what that was; how a database is read is the program's affair.

// A test that can't go on says so by panicking.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stderr)]

#[path = "harness/mod.rs"]
mod harness;

use std::fs;
use std::path::Path;

use harness::{PASSWORD, Pilot, Server, temporary_directory};
use serde_json::{Value, json};
use tempfile::TempDir;

const OPEN_FLIGHT: &str = "01a1f8c9-0a74-748d-b7c9-ccf9e51d34a8";
/// The persistent token of the pilot whose flight is open.
const TOKEN: &str = "c7215c3ea72491adee9abfb1e307363069e265b1a03f32a895d09a9f06693700";

/// Serves a copy of the database of a schema.
fn serve(schema: &str) -> (TempDir, Server) {
    let place = temporary_directory();
    let fixture = Path::new("tests/fixtures").join(schema).join("fluglog.redb");
    fs::copy(fixture, place.path().join("fluglog.redb")).unwrap();
    fs::create_dir(place.path().join("blobs")).unwrap();
    let server = Server::start_in(place.path());
    (place, server)
}

fn demo_pilot(server: &Server) -> Pilot {
    let pilot = server.stranger();
    pilot.log_in("demo@example.org", "fluglog-demo").expect_status(202);
    pilot
}

/// Later versions may say more, but nothing else.
#[track_caller]
fn assert_says(found: &Value, expected: &Value) {
    for (field, value) in expected.as_object().unwrap() {
        assert_eq!(found[field], *value, "{field} of {found}");
    }
}

#[test]
fn every_item_of_schema_1_is_there_with_what_its_flights_made_of_it() {
    let (_place, server) = serve("schema-1");
    let pilot = demo_pilot(&server);
    let mut found = Vec::new();
    for kind in 0..5 {
        for retired in [false, true] {
            found.extend(pilot.equipments(kind, retired).into_iter().map(|item| {
                json!([
                    item["type"],
                    item["name"],
                    item["deactivateText"],
                    item["usageTime"],
                    item["lastFlight"],
                    item["endVoltage"],
                    item["currentCharge"],
                ])
            }));
        }
    }
    let broken = "Flugregler defekt, als Ersatzteilspender aufgehoben";
    assert_eq!(
        found,
        [
            json!([0, "Brummer", "", 3.77, "17.11.2026 10:35", 15.2, 15.2]),
            json!([0, "Roter Baron", "", 2.46, "11.11.2026 16:15", 21.9, 21.9]),
            json!([0, "Übungscopter", broken, 0.0, "", null, null]),
            json!([1, "Akku 1", "", 1.24, "30.10.2026 14:26", 22.8, 22.8]),
            json!([1, "Akku 2", "", 1.22, "11.11.2026 16:15", 21.9, 21.9]),
            json!([1, "Akku 3", "", 1.84, "05.11.2026 14:16", 14.4, 14.4]),
            json!([1, "Akku 4", "", 1.93, "17.11.2026 10:35", 15.2, 15.2]),
            json!([2, "Brille", "", 6.23, "17.11.2026 10:35", 15.2, 15.2]),
            json!([2, "Alte Brille", "Akku der Brille hält nicht mehr", 0.0, "", null, null]),
            json!([3, "Funke", "", 6.23, "17.11.2026 10:35", 15.2, 15.2]),
            json!([4, "Actioncam", "", 3.77, "17.11.2026 10:35", 15.2, 15.2]),
            json!([4, "Kleine Kamera", "", 0.0, "", null, null]),
        ]
    );
    assert_says(
        &pilot.equipments(1, false)[0],
        &json!({
            "model": "R-Line 6S 1300", "manufacturer": "Tattu", "seller": "Copterladen Hamburg", "purchaseDate": "14.03.2025",
            "weight": 204.0, "batteryType": "LiPo 6S", "capacity": 1300.0, "firmwareNumber": "", "deactivateTime": "",
        }),
    );
}

#[test]
fn every_flight_of_schema_1_is_there_and_adds_up() {
    let (_place, server) = serve("schema-1");
    let pilot = demo_pilot(&server);
    let flights = pilot.flights();
    assert_eq!(flights.len(), 60);
    let last = &flights[59];
    assert_says(
        last,
        &json!({"startTime": "28.11.2025 14:45", "location": "Feld hinter dem Vereinsheim"}),
    );
    let first = flights[0]["dpfId"].as_str().unwrap();
    assert_says(
        &pilot.flight(first),
        &json!({
            "startTime": "17.11.2026 10:35", "location": "Elbwiesen bei Geesthacht",
            "startLatitude": 53.4289, "startLongitude": 10.3944, "endLatitude": 53.4293, "endLongitude": 10.3944,
            "flightTime": 5.8, "maximumAltitude": 69.0, "distance": 1.54, "maximumDistance": 258.0, "speed": 35.4,
            "batteryStartVoltage": 16.7, "batteryEndVoltage": 15.2, "consumedCapacity": 767.0, "flightMode": "0",
            "weatherConditions": "Bewölkt, 12 °C, Wind 15 km/h", "purpose": "Videoaufnahmen",
            "notes": "Landung etwas hart, Landegestell geprüft: in Ordnung.",
            "payloads": [{"name": "GPS-Finder", "weight": 9.5}], "weight": 673.5, "open": false,
        }),
    );
    let flown: Vec<_> = flights[0]["equipments"].as_array().unwrap().iter().collect();
    assert_says(flown[0], &json!({"type": 1, "name": "Akku 4", "weight": 172.0}));
    assert_eq!(flown.len(), 4);
    assert_says(
        &pilot.statistics(),
        &json!({
            "totalFlightTime": "6 h 14 min", "totalFlightCount": "60", "totalDistance": "198,28 km",
            "averageSpeed": "77,67 km/h", "maximumAltitude": "77 m", "averagePowerConsumption": "907,5 mAh",
        }),
    );
}

#[test]
fn a_pilot_of_schema_1_stays_logged_in_and_finishes_the_open_flight() {
    let (_place, server) = serve("schema-1");
    let pilot = server.stranger();
    let user = pilot
        .post("CheckSession", &[("token", TOKEN)])
        .expect_status(200)
        .json();
    assert_says(&user, &json!({"nickname": "Zweite", "openFlight": OPEN_FLIGHT}));
    let rows = pilot.flights();
    assert_eq!(rows.len(), 1);
    assert_says(&rows[0], &json!({"dpfId": OPEN_FLIGHT, "weight": 252.7, "open": true}));

    let finished = json!({"dpfId": OPEN_FLIGHT, "flightTime": "6"});
    pilot
        .post(
            "SaveFlight",
            &[("flight", &finished.to_string()), ("endFlight", "true")],
        )
        .expect_status(200);
    assert_eq!(pilot.open_flight(), Value::Null);
    let copter = &pilot.equipments(0, false)[0];
    assert_says(copter, &json!({"name": "Hummel", "usageTime": 0.1}));
    server
        .stranger()
        .log_in("zweite@example.org", PASSWORD)
        .expect_status(202);
}

//! The figures of the dashboard in the form that is displayed.

use serde_json::{Value, json};

use crate::harness::calls::{COPTER, keys};
use crate::harness::{Pilot, Server};

const FIELDS: [&str; 19] = [
    "averageAltitude",
    "averageFlightTime",
    "averagePowerConsumption",
    "averageSpeed",
    "maximumAltitude",
    "maximumAltitudeDate",
    "maximumAltitudeDpfId",
    "maximumDistance",
    "maximumDistanceDate",
    "maximumDistanceDpfId",
    "maximumFlightTime",
    "maximumFlightTimeDate",
    "maximumFlightTimeDpfId",
    "maximumSpeed",
    "maximumSpeedDate",
    "maximumSpeedDpfId",
    "totalDistance",
    "totalFlightCount",
    "totalFlightTime",
];

/// Adds finished flights of one copter with these fields; returns their ids.
fn fly_all(pilot: &Pilot, flights: &[Value]) -> Vec<String> {
    let copter = pilot.item(COPTER, "Falke");
    flights.iter().map(|fields| pilot.fly(&copter, &[], fields)).collect()
}

#[track_caller]
fn expect_all(statistics: &Value, expected: &[(&str, &str)]) {
    for (field, text) in expected {
        assert_eq!(&statistics[field], text, "{field}");
    }
}

#[test]
fn without_a_flight_there_is_no_value() {
    let server = Server::shared();
    let statistics = server.pilot("Anna").statistics();
    assert_eq!(keys(&statistics), FIELDS);
    for field in FIELDS {
        // Without flights, the count may be "" or "0".
        let count = field == "totalFlightCount" && statistics[field] == "0";
        assert!(statistics[field] == "" || count, "{field}: {}", statistics[field]);
    }
}

#[test]
fn every_figure_is_a_text_with_its_unit() {
    let server = Server::shared();
    let pilot = server.pilot("Anna");
    let ids = fly_all(
        &pilot,
        &[
            json!({"startTime": "03.04.2026 10:00", "flightTime": 45, "distance": "0,75", "maximumDistance": 120,
                "speed": 45,
            "maximumAltitude": 100, "consumedCapacity": 1000}),
            json!({"startTime": "30.12.2025 16:00", "flightTime": 20, "distance": "0.5", "maximumDistance": 1850,
                "speed": 46,
            "maximumAltitude": "119,5", "consumedCapacity": 1500}),
        ],
    );
    let statistics = pilot.statistics();
    expect_all(
        &statistics,
        &[
            ("totalFlightCount", "2"),
            ("totalFlightTime", "1 h 05 min"),
            ("maximumFlightTime", "45 min"),
            ("maximumFlightTimeDate", "03.04.2026"),
            ("maximumFlightTimeDpfId", &ids[0]),
            ("totalDistance", "1,25 km"),
            ("maximumDistance", "1.850 m"),
            ("maximumDistanceDate", "30.12.2025"),
            ("maximumDistanceDpfId", &ids[1]),
            ("maximumSpeed", "46 km/h"),
            ("maximumSpeedDate", "30.12.2025"),
            ("maximumSpeedDpfId", &ids[1]),
            ("averageSpeed", "45,5 km/h"),
            ("maximumAltitude", "119,5 m"),
            ("maximumAltitudeDate", "30.12.2025"),
            ("maximumAltitudeDpfId", &ids[1]),
            ("averageAltitude", "109,75 m"),
            ("averagePowerConsumption", "1.250 mAh"),
        ],
    );
    assert_eq!(keys(&statistics), FIELDS);
}

#[test]
fn times_and_averages_are_rounded_for_people() {
    let server = Server::shared();
    let pilot = server.pilot("Anna");
    fly_all(
        &pilot,
        &[
            json!({"flightTime": 60, "speed": 10, "distance": 1000}),
            json!({"flightTime": 60, "speed": 10, "distance": "500,5"}),
            json!({"flightTime": 66, "speed": 11}),
        ],
    );
    expect_all(
        &pilot.statistics(),
        &[
            ("totalFlightTime", "3 h 06 min"),
            ("averageFlightTime", "1 h 02 min"),
            ("maximumFlightTime", "1 h 06 min"),
            ("averageSpeed", "10,33 km/h"),
            ("totalDistance", "1.500,5 km"),
            ("totalFlightCount", "3"),
        ],
    );
}

#[test]
fn an_hour_exactly_is_an_hour() {
    let server = Server::shared();
    let pilot = server.pilot("Anna");
    fly_all(&pilot, &[json!({"flightTime": 60})]);
    expect_all(
        &pilot.statistics(),
        &[("totalFlightTime", "1 h 00 min"), ("averageFlightTime", "1 h 00 min")],
    );
}

#[test]
fn averages_count_only_flights_that_have_the_value() {
    let server = Server::shared();
    let pilot = server.pilot("Anna");
    fly_all(
        &pilot,
        &[
            json!({"flightTime": 12, "speed": 40, "maximumAltitude": 50, "consumedCapacity": 900}),
            json!({"location": "nur ein Ort"}),
        ],
    );
    let statistics = pilot.statistics();
    expect_all(
        &statistics,
        &[
            ("totalFlightCount", "2"),
            ("averageFlightTime", "12 min"),
            ("averageSpeed", "40 km/h"),
            ("averageAltitude", "50 m"),
            ("averagePowerConsumption", "900 mAh"),
            ("totalDistance", ""),
            ("maximumDistance", ""),
            ("maximumDistanceDate", ""),
            ("maximumDistanceDpfId", ""),
        ],
    );
}

#[test]
fn an_open_flight_does_not_count_until_it_is_finished() {
    let server = Server::shared();
    let pilot = server.pilot("Anna");
    let id = pilot.take_off(&pilot.item(COPTER, "Falke"));
    pilot
        .save_flight(&json!({"dpfId": id, "flightTime": 12, "speed": 40}))
        .expect_status(200);
    expect_all(
        &pilot.statistics(),
        &[("totalFlightTime", ""), ("maximumSpeed", ""), ("maximumSpeedDpfId", "")],
    );
    pilot.finish_flight(&json!({"dpfId": id})).expect_status(200);
    expect_all(
        &pilot.statistics(),
        &[
            ("totalFlightTime", "12 min"),
            ("maximumSpeed", "40 km/h"),
            ("totalFlightCount", "1"),
        ],
    );
}

#[test]
fn edited_and_deleted_flights_change_the_figures() {
    let server = Server::shared();
    let pilot = server.pilot("Anna");
    let ids = fly_all(
        &pilot,
        &[
            json!({"startTime": "01.05.2026 10:00", "flightTime": 10, "speed": 80}),
            json!({"startTime": "02.05.2026 10:00", "flightTime": 20, "speed": 60}),
        ],
    );
    expect_all(
        &pilot.statistics(),
        &[("maximumSpeed", "80 km/h"), ("maximumSpeedDpfId", &ids[0])],
    );
    pilot
        .save_flight(&json!({"dpfId": ids[0], "speed": 50}))
        .expect_status(200);
    expect_all(
        &pilot.statistics(),
        &[
            ("maximumSpeed", "60 km/h"),
            ("maximumSpeedDate", "02.05.2026"),
            ("maximumSpeedDpfId", &ids[1]),
            ("averageSpeed", "55 km/h"),
        ],
    );
    pilot.delete_flight(&ids[1]).expect_status(200);
    expect_all(
        &pilot.statistics(),
        &[
            ("maximumSpeed", "50 km/h"),
            ("maximumSpeedDpfId", &ids[0]),
            ("totalFlightTime", "10 min"),
            ("totalFlightCount", "1"),
        ],
    );
}

#[test]
fn everybody_sees_only_figures_of_their_own() {
    let server = Server::shared();
    let (anna, ben) = (server.pilot("Anna"), server.pilot("Ben"));
    fly_all(&anna, &[json!({"flightTime": 10, "speed": 80})]);
    fly_all(&ben, &[json!({"flightTime": 7, "speed": 30})]);
    expect_all(
        &anna.statistics(),
        &[("totalFlightTime", "10 min"), ("maximumSpeed", "80 km/h")],
    );
    expect_all(
        &ben.statistics(),
        &[("totalFlightTime", "7 min"), ("maximumSpeed", "30 km/h")],
    );
}

fn month(month: &str, flights: u32, minutes: f64) -> Value {
    json!({"month": month, "flights": flights, "minutes": minutes})
}

#[test]
fn without_a_finished_flight_there_is_no_month() {
    let server = Server::shared();
    let pilot = server.pilot("Anna");
    assert_eq!(pilot.flight_months(), json!([]));
    let id = pilot.take_off(&pilot.item(COPTER, "Falke"));
    pilot
        .save_flight(&json!({"dpfId": id, "startTime": "03.05.2026 10:00", "flightTime": 12}))
        .expect_status(200);
    assert_eq!(pilot.flight_months(), json!([]));
    pilot.finish_flight(&json!({"dpfId": id})).expect_status(200);
    assert_eq!(pilot.flight_months(), json!([month("2026-05", 1, 12.0)]));
}

#[test]
fn months_are_listed_oldest_first_and_without_a_gap() {
    let server = Server::shared();
    let pilot = server.pilot("Anna");
    fly_all(
        &pilot,
        &[
            json!({"startTime": "01.02.2026 00:00", "flightTime": 7}),
            json!({"startTime": "30.11.2025 23:59", "flightTime": "10,6"}),
            json!({"startTime": "28.02.2026 23:59", "flightTime": 20}),
            json!({"startTime": "01.11.2025 08:00", "flightTime": "5,6"}),
            json!({"startTime": "14.02.2026 12:00", "location": "nur ein Ort"}),
        ],
    );
    assert_eq!(
        pilot.flight_months(),
        json!([
            month("2025-11", 2, 16.2),
            month("2025-12", 0, 0.0),
            month("2026-01", 0, 0.0),
            month("2026-02", 3, 27.0),
        ])
    );
}

#[test]
fn the_months_of_an_item_count_only_its_flights() {
    let server = Server::shared();
    let (pilot, ben) = (server.pilot("Anna"), server.pilot("Ben"));
    let (falke, milan) = (pilot.item(COPTER, "Falke"), pilot.item(COPTER, "Milan"));
    pilot.fly(&falke, &[], &json!({"startTime": "01.05.2026 10:00", "flightTime": 10}));
    pilot.fly(&milan, &[], &json!({"startTime": "02.05.2026 10:00", "flightTime": 20}));
    let months_of = |item: &str| pilot.post("GetFlightMonths", &[("equipment", item)]).expect_status(200);
    assert_eq!(months_of(&falke).json(), json!([month("2026-05", 1, 10.0)]));
    assert_eq!(months_of(&pilot.item(COPTER, "Neu")).json(), json!([]));
    ben.post("GetFlightMonths", &[("equipment", &falke)]).expect_status(403);
}

#[test]
fn edited_and_deleted_flights_change_the_months() {
    let server = Server::shared();
    let pilot = server.pilot("Anna");
    let ids = fly_all(
        &pilot,
        &[
            json!({"startTime": "01.05.2026 10:00", "flightTime": 10}),
            json!({"startTime": "02.05.2026 10:00", "flightTime": 20}),
        ],
    );
    pilot
        .save_flight(&json!({"dpfId": ids[0], "startTime": "30.04.2026 10:00", "flightTime": 11}))
        .expect_status(200);
    assert_eq!(
        pilot.flight_months(),
        json!([month("2026-04", 1, 11.0), month("2026-05", 1, 20.0)])
    );
    pilot.delete_flight(&ids[0]).expect_status(200);
    assert_eq!(pilot.flight_months(), json!([month("2026-05", 1, 20.0)]));
    pilot.delete_flight(&ids[1]).expect_status(200);
    assert_eq!(pilot.flight_months(), json!([]));
}

#[test]
fn everybody_sees_only_months_of_their_own() {
    let server = Server::shared();
    let (anna, ben) = (server.pilot("Anna"), server.pilot("Ben"));
    fly_all(&anna, &[json!({"startTime": "01.05.2026 10:00", "flightTime": 10})]);
    fly_all(&ben, &[json!({"startTime": "01.07.2026 10:00", "flightTime": 7})]);
    assert_eq!(anna.flight_months(), json!([month("2026-05", 1, 10.0)]));
    assert_eq!(ben.flight_months(), json!([month("2026-07", 1, 7.0)]));
}

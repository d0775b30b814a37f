//! The review of a year, of all time, of one copter and of one place.

use serde_json::{Value, json};

use crate::harness::calls::{BATTERY, COPTER};
use crate::harness::{Pilot, Server};

#[track_caller]
fn review(pilot: &Pilot, fields: &[(&str, &str)]) -> Value {
    pilot.post("GetReview", fields).expect_status(200).json()
}

fn parts(review: &Value, of: &str) -> Vec<(String, u64, f64)> {
    let parts = review[of]["most"].as_array().unwrap().iter();
    let part = |part: &Value| {
        let name = part["name"].as_str().unwrap().to_owned();
        (
            name,
            part["flights"].as_u64().unwrap(),
            part["minutes"].as_f64().unwrap(),
        )
    };
    parts.map(part).collect()
}

fn part(name: &str, flights: u64, minutes: f64) -> (String, u64, f64) {
    (name.to_owned(), flights, minutes)
}

fn place_id(review: &Value, name: &str) -> String {
    let places = review["places"]["most"].as_array().unwrap();
    let place = places.iter().find(|place| place["name"] == name).unwrap();
    place["dpfId"].as_str().unwrap().to_owned()
}

fn day(day: &str, flights: u32, minutes: f64) -> Value {
    json!({"day": day, "flights": flights, "minutes": minutes})
}

fn at(start: &str, minutes: u32, location: &str) -> Value {
    json!({"startTime": start, "flightTime": minutes, "location": location})
}

#[test]
fn without_a_flight_there_is_nothing_to_look_back_on() {
    let server = Server::shared();
    let pilot = server.pilot("Anna");
    let all = review(&pilot, &[]);
    assert_eq!(
        (&all["flights"], &all["days"], &all["years"]),
        (&json!(0), &json!([]), &json!([]))
    );
    assert_eq!(
        (&all["longest"], &all["places"]),
        (&Value::Null, &json!({"count": 0, "most": []}))
    );
    let id = pilot.take_off(&pilot.item(COPTER, "Falke"));
    assert_eq!(review(&pilot, &[])["flights"], 0, "an open flight isn't over");
    pilot.finish_flight(&json!({"dpfId": id})).expect_status(200);
    assert_eq!(review(&pilot, &[])["flights"], 1);
}

#[test]
fn a_year_has_its_days_months_and_records_beside_the_months_before() {
    let server = Server::shared();
    let pilot = server.pilot("Anna");
    let falke = pilot.item(COPTER, "Falke");
    pilot.fly(
        &falke,
        &[],
        &json!({"startTime": "31.12.2024 23:59", "flightTime": 50, "speed": 140}),
    );
    pilot.fly(&falke, &[], &json!({"startTime": "29.02.2024 10:00", "flightTime": 7}));
    let far = json!({"startTime": "01.01.2025 00:00", "flightTime": "4,5", "maximumDistance": 900, "distance": 2});
    let far = pilot.fly(&falke, &[], &far);
    let fast = json!({"startTime": "01.01.2025 09:00", "flightTime": 6, "speed": 90, "distance": "0,5",
        "location": "Wiese"});
    let fast = pilot.fly(&falke, &[], &fast);

    let year = review(&pilot, &[("year", "2025")]);
    assert_eq!(
        (&year["flights"], &year["minutes"], &year["distance"]),
        (&json!(2), &json!(10.5), &json!(2.5))
    );
    assert_eq!(year["days"], json!([day("2025-01-01", 2, 10.5)]));
    assert_eq!(
        year["months"][0],
        json!({"month": "2025-01", "flights": 2, "minutes": 10.5})
    );
    assert_eq!(
        year["monthsBefore"][1],
        json!({"month": "2024-02", "flights": 1, "minutes": 7.0})
    );
    assert_eq!(
        year["monthsBefore"][11],
        json!({"month": "2024-12", "flights": 1, "minutes": 50.0})
    );
    let fastest = json!({"dpfId": fast, "startTime": "01.01.2025 09:00", "value": 90.0, "location": "Wiese",
        "copter": "Falke", "maximumDistance": null, "maximumAltitude": null, "firstImage": null, "path": []});
    assert_eq!((&year["fastest"], &year["longest"]["dpfId"]), (&fastest, &json!(fast)));
    assert_eq!(
        (&year["furthest"]["dpfId"], &year["highest"]),
        (&json!(far), &Value::Null)
    );

    let before = review(&pilot, &[("year", "2024")]);
    assert_eq!(
        before["days"],
        json!([day("2024-02-29", 1, 7.0), day("2024-12-31", 1, 50.0)])
    );
    assert_eq!(
        (before["months"].as_array().unwrap().len(), &before["monthsBefore"]),
        (12, &json!([]))
    );

    let all = review(&pilot, &[]);
    assert_eq!((&all["flights"], &all["fastest"]["value"]), (&json!(4), &json!(140.0)));
    assert_eq!((&all["months"], all["days"].as_array().unwrap().len()), (&json!([]), 3));
    let years = json!([{"year": 2024, "flights": 2, "minutes": 57.0}, {"year": 2025, "flights": 2, "minutes": 10.5}]);
    assert_eq!((&all["years"], &year["years"]), (&years, &years));
}

#[test]
fn one_copter_and_one_place_are_looked_back_on_alone() {
    let server = Server::shared();
    let (pilot, ben) = (server.pilot("Anna"), server.pilot("Ben"));
    let (falke, milan) = (pilot.item(COPTER, "Falke"), pilot.item(COPTER, "Milan"));
    let (one, two) = (pilot.item(BATTERY, "Akku 1"), pilot.item(BATTERY, "Akku 2"));
    pilot.fly(&falke, &[&one, &two], &at("01.05.2025 10:00", 10, "Wiese"));
    pilot.fly(&falke, &[&two], &at("02.05.2025 10:00", 5, "Halle"));
    pilot.fly(&milan, &[&one], &at("03.05.2025 10:00", 20, "Wiese"));
    pilot.fly(&milan, &[], &at("03.05.2026 10:00", 1, ""));

    let all = review(&pilot, &[]);
    assert_eq!(parts(&all, "places"), [part("Wiese", 2, 30.0), part("Halle", 1, 5.0)]);
    assert_eq!(parts(&all, "copters"), [part("Milan", 2, 21.0), part("Falke", 2, 15.0)]);
    assert_eq!(
        parts(&all, "batteries"),
        [part("Akku 1", 2, 30.0), part("Akku 2", 2, 15.0)]
    );

    let of_falke = review(&pilot, &[("copter", &falke), ("year", "2025")]);
    assert_eq!(
        (&of_falke["name"], &of_falke["minutes"]),
        (&json!("Falke"), &json!(15.0))
    );
    assert_eq!(
        parts(&of_falke, "places"),
        [part("Wiese", 1, 10.0), part("Halle", 1, 5.0)]
    );
    assert_eq!(parts(&of_falke, "copters"), []);
    assert_eq!(
        parts(&of_falke, "batteries"),
        [part("Akku 2", 2, 15.0), part("Akku 1", 1, 10.0)]
    );
    assert_eq!(of_falke["longest"]["value"], 10.0);

    let meadow = place_id(&all, "Wiese");
    let there = review(&pilot, &[("place", &meadow)]);
    assert_eq!((&there["name"], &there["flights"]), (&json!("Wiese"), &json!(2)));
    assert_eq!(
        parts(&there, "copters"),
        [part("Milan", 1, 20.0), part("Falke", 1, 10.0)]
    );
    assert_eq!(
        there["days"],
        json!([day("2025-05-01", 1, 10.0), day("2025-05-03", 1, 20.0)])
    );
    let later = review(&pilot, &[("place", &meadow), ("year", "2026")]);
    assert_eq!((&later["name"], &later["flights"]), (&json!("Wiese"), &json!(0)));

    assert_eq!(
        review(&ben, &[("place", &meadow)])["flights"],
        0,
        "Anna's flights are hers"
    );
    ben.post("GetReview", &[("copter", &falke)]).expect_status(403);
    pilot.post("GetReview", &[("copter", &one)]).expect_status(403);
    let both = pilot.post("GetReview", &[("copter", &falke), ("place", &meadow)]);
    both.expect_refusal(400, "Bitte wählen Sie entweder einen Copter oder einen Ort.");
}

#[test]
fn edited_and_deleted_flights_change_what_is_looked_back_on() {
    let server = Server::shared();
    let pilot = server.pilot("Anna");
    let falke = pilot.item(COPTER, "Falke");
    let long = pilot.fly(&falke, &[], &at("01.05.2025 10:00", 30, "Wiese"));
    let short = pilot.fly(&falke, &[], &at("02.05.2025 10:00", 20, "Wiese"));

    let moved = json!({"dpfId": long, "startTime": "02.05.2025 09:00", "flightTime": 10, "location": "Halle"});
    pilot.save_flight(&moved).expect_status(200);
    let year = review(&pilot, &[("year", "2025")]);
    assert_eq!(year["days"], json!([day("2025-05-02", 2, 30.0)]));
    assert_eq!(year["longest"]["dpfId"], short);
    assert_eq!(parts(&year, "places"), [part("Wiese", 1, 20.0), part("Halle", 1, 10.0)]);

    pilot.delete_flight(&short).expect_status(200);
    let year = review(&pilot, &[("year", "2025")]);
    assert_eq!(
        (&year["longest"]["dpfId"], &year["longest"]["value"]),
        (&json!(long), &json!(10.0))
    );
    assert_eq!(parts(&year, "places"), [part("Halle", 1, 10.0)]);
    pilot.delete_flight(&long).expect_status(200);
    let all = review(&pilot, &[]);
    assert_eq!(
        (&all["flights"], &all["years"], &all["longest"]),
        (&json!(0), &json!([]), &Value::Null)
    );
    assert_eq!(parts(&all, "copters"), []);
}

//! A flight from its start to its deletion.

use serde_json::{Value, json};

use crate::api::equipment::odd_ids;
use crate::harness::calls::{COPTER, keys, with_id};
use crate::harness::{Server, clock};

const FIELDS: &[&str] = &[
    "batteryEndVoltage",
    "batteryStartVoltage",
    "consumedCapacity",
    "copter",
    "distance",
    "dpfId",
    "endInstant",
    "endLatitude",
    "endLongitude",
    "equipments",
    "flightMode",
    "flightTime",
    "images",
    "location",
    "maxDistance",
    "maximumAltitude",
    "maximumDistance",
    "notes",
    "open",
    "payloads",
    "purpose",
    "speed",
    "startInstant",
    "startLatitude",
    "startLongitude",
    "startTime",
    "weatherConditions",
    "weight",
];
const ITEM: [&str; 5] = ["dpfId", "model", "name", "type", "weight"];

/// A value for every field of the editor.
pub fn filled() -> Value {
    json!({
        "startTime": "14.06.2026 18:05", "location": "Modellflugplatz Aßling",
        "startLatitude": "48,00521", "startLongitude": 11.99872, "endLatitude": "-48.1", "endLongitude": "-179.5",
        "flightTime": "12", "maximumAltitude": "119,5", "distance": 3.25, "maximumDistance": 850, "speed": "61.2",
        "batteryStartVoltage": "16,8", "batteryEndVoltage": "14.9", "consumedCapacity": 2150, "flightMode": "2",
        "weatherConditions": "Sonnig, Böen bis 20 km/h", "purpose": "Übung", "notes": "Erste Zeile\nZweite Zeile",
    })
}

/// The values of [`filled`] as the server answers them.
fn filled_as_answered() -> Value {
    let mut flight = filled();
    for (field, value) in [
        ("startLatitude", json!(48.00521)),
        ("endLatitude", json!(-48.1)),
        ("endLongitude", json!(-179.5)),
        ("flightTime", json!(12.0)),
        ("maximumAltitude", json!(119.5)),
        ("maxDistance", json!(850.0)),
        ("speed", json!(61.2)),
        ("batteryStartVoltage", json!(16.8)),
        ("batteryEndVoltage", json!(14.9)),
    ] {
        flight[field] = value;
    }
    flight
}

/// Compares field by field; numbers by value, with or without a decimal point.
#[track_caller]
fn expect_fields(object: &Value, expected: &Value) {
    for (field, value) in expected.as_object().unwrap() {
        match value.as_f64() {
            Some(number) => assert_eq!(object[field].as_f64(), Some(number), "{field} of {object}"),
            None => assert_eq!(&object[field], value, "{field} of {object}"),
        }
    }
}

#[test]
fn a_new_flight_is_open_starts_now_and_is_empty() {
    let server = Server::shared();
    let pilot = server.pilot("Anna");
    let copter = pilot.item_with(&json!({"type": COPTER, "name": "Falke", "model": "Mavic 4", "weight": 900}));
    let id = pilot.take_off(&copter);
    let flight = pilot.flight(&id);
    assert_eq!(keys(&flight), FIELDS);
    assert_eq!(flight["dpfId"], id.as_str());
    assert_eq!(flight["open"], true);
    clock::expect_now(flight["startTime"].as_str().unwrap(), clock::in_berlin);
    assert_eq!(flight["flightMode"], "0");
    for text in ["location", "weatherConditions", "purpose", "notes"] {
        assert_eq!(flight[text], "", "{text}");
    }
    for number in [
        "startLatitude",
        "startLongitude",
        "endLatitude",
        "endLongitude",
        "flightTime",
        "maximumAltitude",
        "distance",
        "maximumDistance",
        "maxDistance",
        "speed",
        "batteryStartVoltage",
        "batteryEndVoltage",
        "consumedCapacity",
    ] {
        assert!(flight[number].is_null(), "{number}");
    }
    assert_eq!(flight["copter"]["weight"].as_f64(), Some(900.0));
    assert_eq!(keys(&flight["copter"]), ITEM);
    assert_eq!(
        (&flight["copter"]["dpfId"], &flight["copter"]["type"]),
        (&json!(copter), &json!(COPTER))
    );
    assert_eq!(
        (&flight["copter"]["name"], &flight["copter"]["model"]),
        (&json!("Falke"), &json!("Mavic 4"))
    );
    for list in ["equipments", "payloads", "images"] {
        assert_eq!(flight[list], json!([]), "{list}");
    }
    assert_eq!(pilot.open_flight(), id.as_str());
}

#[test]
fn now_is_in_the_configured_time_zone() {
    let server = Server::start_with(&[("FLUGLOG_TIME_ZONE", "Pacific/Kiritimati")]);
    let pilot = server.pilot("Anna");
    let flight = pilot.flight(&pilot.take_off(&pilot.item(COPTER, "Falke")));
    clock::expect_now(flight["startTime"].as_str().unwrap(), clock::in_kiritimati);
}

#[test]
fn the_editor_s_fields_come_back_as_they_were_saved() {
    let server = Server::shared();
    let pilot = server.pilot("Anna");
    let id = pilot.take_off(&pilot.item(COPTER, "Falke"));
    let saved = pilot.save_flight(&with_id(&filled(), &id)).expect_status(200).json();
    assert_eq!(keys(&saved), FIELDS);
    expect_fields(&saved, &filled_as_answered());
    assert_eq!(saved["open"], true);
    assert_eq!(pilot.flight(&id), saved);
}

#[test]
fn fields_that_are_absent_stay_and_empty_ones_are_cleared() {
    let server = Server::shared();
    let pilot = server.pilot("Anna");
    let id = pilot.take_off(&pilot.item(COPTER, "Falke"));
    pilot.save_flight(&with_id(&filled(), &id)).expect_status(200);
    let edit =
        json!({"dpfId": id, "notes": "", "speed": null, "distance": "", "startLatitude": null, "purpose": "Spaß"});
    let saved = pilot.save_flight(&edit).expect_status(200).json();
    let mut expected = filled_as_answered();
    for (field, value) in [
        ("notes", json!("")),
        ("speed", Value::Null),
        ("distance", Value::Null),
        ("startLatitude", Value::Null),
        ("purpose", json!("Spaß")),
    ] {
        expected[field] = value;
    }
    expect_fields(&saved, &expected);
}

#[test]
fn the_maximum_distance_has_two_names() {
    let server = Server::shared();
    let pilot = server.pilot("Anna");
    let id = pilot.take_off(&pilot.item(COPTER, "Falke"));
    let saved = pilot
        .save_flight(&json!({"dpfId": id, "maxDistance": "420"}))
        .expect_status(200)
        .json();
    expect_fields(&saved, &json!({"maxDistance": 420, "maximumDistance": 420}));
    let saved = pilot
        .save_flight(&json!({"dpfId": id, "maximumDistance": 430}))
        .expect_status(200)
        .json();
    expect_fields(&saved, &json!({"maxDistance": 430, "maximumDistance": 430}));
}

#[test]
fn values_fixed_at_the_start_can_t_be_changed_by_saving() {
    let server = Server::shared();
    let pilot = server.pilot("Anna");
    let (copter, other) = (pilot.item(COPTER, "Falke"), pilot.item(COPTER, "Milan"));
    let id = pilot.fly(&copter, &[], &filled());
    let before = pilot.flight(&id);
    let extra = json!({
        "dpfId": id, "weight": 1, "open": true, "copter": other, "equipments": [other], "images": ["x"],
        "owner": "ben@example.org",
    });
    pilot.save_flight(&extra).expect_status(200);
    assert_eq!(pilot.flight(&id), before);
}

#[test]
fn a_flight_is_finished_once() {
    let server = Server::shared();
    let pilot = server.pilot("Anna");
    let id = pilot.take_off(&pilot.item(COPTER, "Falke"));
    let finished = pilot.finish_flight(&with_id(&filled(), &id)).expect_status(200).json();
    assert_eq!(finished["open"], false);
    pilot
        .finish_flight(&json!({"dpfId": id, "notes": "zweites Mal"}))
        .expect_status(409);
    assert_eq!(pilot.flight(&id), finished, "a refused finish saves nothing");
    let edited = pilot
        .save_flight(&json!({"dpfId": id, "notes": "nachgetragen"}))
        .expect_status(200)
        .json();
    assert_eq!(
        (&edited["notes"], &edited["open"]),
        (&json!("nachgetragen"), &json!(false))
    );
}

#[test]
fn of_two_tabs_that_finish_at_once_one_does() {
    let server = Server::shared();
    let pilot = server.pilot("Anna");
    let id = pilot.take_off(&pilot.item(COPTER, "Falke"));
    let mut statuses: Vec<u16> = std::thread::scope(|scope| {
        let tabs = [pilot.another_tab(), pilot.another_tab(), pilot.another_tab()];
        let tries: Vec<_> = tabs
            .into_iter()
            .map(|tab| {
                scope.spawn({
                    let flight = json!({"dpfId": id});
                    move || tab.finish_flight(&flight).status
                })
            })
            .collect();
        tries.into_iter().map(|one| one.join().unwrap()).collect()
    });
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 409, 409]);
}

#[test]
fn the_flight_mode_may_be_a_number_or_its_text() {
    let server = Server::shared();
    let pilot = server.pilot("Anna");
    let id = pilot.take_off(&pilot.item(COPTER, "Falke"));
    for (sent, kept) in [(json!("1"), "1"), (json!(2), "2"), (json!("0"), "0"), (json!(1), "1")] {
        let saved = pilot
            .save_flight(&json!({"dpfId": id, "flightMode": sent}))
            .expect_status(200)
            .json();
        assert_eq!(saved["flightMode"], kept);
    }
}

#[test]
fn a_deleted_flight_is_gone_and_an_open_one_no_longer_blocks() {
    let server = Server::shared();
    let pilot = server.pilot("Anna");
    let copter = pilot.item(COPTER, "Falke");
    let finished = pilot.fly(&copter, &[], &filled());
    let open = pilot.take_off(&copter);
    for id in [&finished, &open] {
        let answer = pilot.delete_flight(id).expect_status(200);
        assert!(answer.body.is_empty(), "a deletion answers with an empty body");
        pilot.get_flight(id).expect_no_access();
        pilot.delete_flight(id).expect_no_access();
        pilot
            .save_flight(&json!({"dpfId": id, "notes": "zu spät"}))
            .expect_no_access();
    }
    assert!(pilot.open_flight().is_null() && pilot.flights().is_empty());
    pilot.take_off(&copter);
}

#[test]
fn nobody_reaches_the_flights_of_another_pilot() {
    let server = Server::shared();
    let (anna, ben) = (server.pilot("Anna"), server.pilot("Ben"));
    let copter = anna.item(COPTER, "Falke");
    let ids = [anna.fly(&copter, &[], &filled()), anna.take_off(&copter)];
    let before = anna.everything();
    for id in &ids {
        ben.get_flight(id).expect_no_access();
        ben.save_flight(&with_id(&filled(), id)).expect_no_access();
        ben.finish_flight(&json!({"dpfId": id})).expect_no_access();
        ben.delete_flight(id).expect_no_access();
        ben.post("GetFlights", &[("limit", "10"), ("before", id)])
            .expect_no_access();
    }
    ben.post_empty("GetFlights").expect_status(204);
    assert!(ben.open_flight().is_null());
    assert_eq!(anna.everything(), before);
}

#[test]
fn an_id_that_names_no_flight_gives_the_same_answer_as_a_foreign_one() {
    let server = Server::shared();
    let pilot = server.pilot("Anna");
    for id in odd_ids(&pilot.item(COPTER, "Falke")) {
        pilot.get_flight(&id).expect_no_access();
        pilot.save_flight(&json!({"dpfId": id})).expect_no_access();
        pilot.delete_flight(&id).expect_no_access();
        pilot.post("GetFlights", &[("before", &id)]).expect_no_access();
        pilot.post("GetFlights", &[("after", &id)]).expect_no_access();
    }
}

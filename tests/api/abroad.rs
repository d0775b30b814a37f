//! Flights and packs of a pilot in another zone than the server's: the time is that on the pilot's clock, and its
//! instant is what the server's clock judges and durations are made of.

use serde_json::{Value, json};
use uuid::Uuid;

use super::exported_flights;
use super::imports;
use crate::harness::answer::Answer;
use crate::harness::calls::{BATTERY, COPTER, id_in};
use crate::harness::export::{exported, members};
use crate::harness::{Pilot, Server, clock};

const MINUTE: i64 = 60;

/// Hours by which the clocks of a zone are ahead of UTC.
const ZONES: [i64; 7] = [-12, -5, 0, 1, 2, 9, 14];

fn config(copter: &str) -> String {
    json!({"copter": copter, "equipments": []}).to_string()
}

#[track_caller]
fn start(pilot: &Pilot, copter: &str, time: &str, instant: &str) -> Answer {
    let fields = [
        ("config", &*config(copter)),
        ("startTime", time),
        ("startInstant", instant),
    ];
    pilot.post("CreateFlight", &fields)
}

#[track_caller]
fn end(pilot: &Pilot, id: &str, minutes: f64, instant: &str) -> Value {
    let flight = json!({"dpfId": id, "flightTime": minutes}).to_string();
    let fields = [("flight", &*flight), ("endFlight", "true"), ("endInstant", instant)];
    pilot.post("SaveFlight", &fields).expect_status(200).json()
}

#[track_caller]
fn add(pilot: &Pilot, copter: &str, flight: &Value, [start, end]: [&str; 2]) -> Answer {
    let (config, flight) = (config(copter), flight.to_string());
    let fields = [
        ("dpfId", &*Uuid::now_v7().to_string()),
        ("config", &config),
        ("flight", &flight),
        ("startInstant", start),
        ("endInstant", end),
    ];
    pilot.post("AddFlight", &fields)
}

#[test]
fn a_start_and_an_end_keep_the_pilot_s_clock_and_their_instants_in_every_zone() {
    let anna = Server::shared().pilot("anna");
    let copter = anna.item(COPTER, "Falke");
    for ahead in ZONES {
        let now = clock::seconds_since_1970();
        let (time, instant) = (clock::at_offset(now, ahead), clock::rfc_3339(now));
        let id = start(&anna, &copter, &time, &instant).expect_status(200).text();
        let open = anna.flight(&id);
        assert_eq!(
            (&open["startTime"], &open["startInstant"]),
            (&json!(time), &json!(instant)),
            "{ahead}"
        );
        assert_eq!(open["endInstant"], Value::Null);
        let ended = clock::rfc_3339(now + 12);
        let flight = end(&anna, &id, 0.2, &ended);
        assert_eq!(
            (&flight["startTime"], &flight["startInstant"]),
            (&json!(time), &json!(instant)),
            "{ahead}"
        );
        assert_eq!(
            (&flight["endInstant"], &flight["flightTime"]),
            (&json!(ended), &json!(0.2))
        );

        let late = json!({"startTime": time, "flightTime": 0.2});
        let flight = add(&anna, &copter, &late, [&instant, &ended]).expect_status(201).json();
        assert_eq!(
            ["startTime", "startInstant", "endInstant"].map(|name| flight[name].clone()),
            [json!(time), json!(instant), json!(ended)]
        );
    }
}

#[test]
fn a_script_that_sends_the_time_alone_means_the_server_s_clock() {
    let anna = Server::shared().pilot("anna");
    let copter = anna.item(COPTER, "Falke");
    let ago = clock::seconds_since_1970() / MINUTE * MINUTE - 10 * MINUTE;
    let fields = [("config", config(&copter)), ("startTime", clock::in_berlin(ago))];
    let fields: Vec<_> = fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let id = anna.post("CreateFlight", &fields).expect_status(200).text();
    assert_eq!(anna.flight(&id)["startInstant"], clock::rfc_3339(ago));
    let moved = anna.save_flight(&json!({"dpfId": id, "startTime": clock::in_berlin(ago - 5 * MINUTE)}));
    assert_eq!(
        moved.expect_status(200).json()["startInstant"],
        clock::rfc_3339(ago - 5 * MINUTE)
    );
    let ended = anna
        .finish_flight(&json!({"dpfId": id, "flightTime": 5}))
        .expect_status(200)
        .json();
    assert_eq!(ended["endInstant"], Value::Null);
    // A time of Athens without its instant is in the future here.
    let athens = clock::at_offset(clock::seconds_since_1970(), 3);
    let fields = [("config", &*config(&copter)), ("startTime", &*athens)];
    anna.post("CreateFlight", &fields)
        .expect_refusal(400, "Die Startzeit liegt in der Zukunft.");
}

#[test]
fn an_instant_in_the_future_is_refused_in_words() {
    let anna = Server::shared().pilot("anna");
    let (copter, battery) = (anna.item(COPTER, "Falke"), anna.item(BATTERY, "Akku"));
    let now = clock::seconds_since_1970();
    let soon = now + 10 * MINUTE;
    let (time, instant) = (clock::at_offset(soon, 2), clock::rfc_3339(soon));
    let of_flight = "Die Startzeit liegt in der Zukunft.";
    let refused = start(&anna, &copter, &time, &instant).expect_refusal(400, of_flight);
    assert_eq!(refused.header("x-field"), Some("startTime"));
    add(&anna, &copter, &json!({"startTime": time}), [&instant, ""]).expect_refusal(400, of_flight);
    let moment = [
        ("battery", &*battery),
        ("voltage", "15"),
        ("time", &*time),
        ("instant", &*instant),
    ];
    let refused = anna.post("SaveBatteryReading", &moment);
    let refused = refused.expect_refusal(400, "Die Zeit liegt in der Zukunft.");
    assert_eq!(refused.header("x-field"), Some("time"));
    start(&anna, &copter, &clock::at_offset(now, 2), "gestern").expect_refusal(400, "Ungültige Eingabe");
}

#[test]
fn a_server_whose_clock_is_days_behind_stores_what_the_pilot_s_clock_showed() {
    let anna = Server::shared().pilot("anna");
    let copter = anna.item(COPTER, "Falke");
    let now = clock::seconds_since_1970();
    // The device knows how far it is ahead.
    let time = clock::at_offset(now + 40 * 24 * 60 * MINUTE, 1);
    let id = start(&anna, &copter, &time, &clock::rfc_3339(now))
        .expect_status(200)
        .text();
    let flight = end(&anna, &id, 0.2, &clock::rfc_3339(now + 12));
    assert_eq!(flight["startTime"], time.as_str());
}

#[test]
fn what_was_done_with_a_pack_abroad_is_stored_when_it_is_sent_late() {
    let anna = Server::shared().pilot("anna");
    for ahead in ZONES {
        let battery = anna.item_with(&json!({"type": BATTERY, "name": "Akku", "model": "6S"}));
        let done = clock::seconds_since_1970() - 3 * MINUTE;
        let (time, instant) = (clock::at_offset(done, ahead), clock::rfc_3339(done));
        let moment = [("battery", &*battery), ("time", &*time), ("instant", &*instant)];
        let with = |more: (&'static str, &'static str)| [&moment[..], &[more]].concat();
        let reading = anna
            .post("SaveBatteryReading", &with(("voltage", "22,8")))
            .expect_status(201)
            .json();
        assert_eq!(reading["time"], time.as_str(), "{ahead}");
        for call in ["QuickStore", "QuickCharge"] {
            anna.post(call, &with(("voltage", "22"))).expect_status(200);
            assert_eq!(anna.equipment(&battery)["stateSince"], time.as_str(), "{call} {ahead}");
        }
    }
}

#[test]
fn a_flight_across_the_change_to_summer_time_lasts_as_long_as_it_lasted() {
    let anna = Server::shared().pilot("anna");
    let copter = anna.item(COPTER, "Falke");
    for (time, instants) in [
        ("29.03.2026 01:55", ["2026-03-29T00:55:00Z", "2026-03-29T01:05:00Z"]),
        // The clock shows 02:55 twice.
        ("25.10.2026 02:55", ["2026-10-25T00:55:00Z", "2026-10-25T01:05:00Z"]),
        ("25.10.2026 02:55", ["2026-10-25T01:55:00Z", "2026-10-25T02:05:00Z"]),
        // Skipped in Germany, but not in Japan.
        ("29.03.2026 02:30", ["2026-03-28T17:30:00Z", "2026-03-28T17:40:00Z"]),
    ] {
        let flight = json!({"startTime": time, "flightTime": 10});
        let flight = add(&anna, &copter, &flight, instants).expect_status(201).json();
        assert_eq!(
            ["startTime", "startInstant", "endInstant"].map(|name| flight[name].clone()),
            [time, instants[0], instants[1]].map(Value::from)
        );
    }
}

#[test]
fn a_flight_abroad_is_the_one_in_the_drone_s_file() {
    let anna = Server::shared().pilot("anna");
    let copter = anna.item(COPTER, "Falke");
    // 19:00 in Germany.
    let instants = ["2026-08-17T17:00:04Z", "2026-08-17T17:03:14Z"];
    let tokyo = json!({"startTime": "18.08.2026 02:00", "flightTime": 3.2});
    let flight = add(&anna, &copter, &tokyo, instants).expect_status(201).json();
    let found = imports::import(&anna, &["zwei.gpx"]);
    let twin = &imports::proposals(&found)[0]["twin"];
    assert_eq!((&twin["kind"], &twin["dpfId"]), (&json!("time"), &flight["dpfId"]));
}

#[test]
fn an_export_has_the_instants_and_they_move_to_another_server() {
    let server = Server::start();
    let anna = server.pilot("anna");
    let copter = anna.item(COPTER, "Falke");
    let instants = ["2026-08-17T17:00:04Z", "2026-08-17T17:03:14Z"];
    let tokyo = json!({"startTime": "18.08.2026 02:00", "flightTime": 3.2});
    add(&anna, &copter, &tokyo, instants).expect_status(201);
    let archive = exported(server.directory(), "anna@example.org");
    let tables = members(&archive);
    let (_, flights) = tables.iter().find(|(name, _)| name.ends_with("/Flüge.csv")).unwrap();
    let flights = String::from_utf8_lossy(flights);
    for told in ["UTC ab", "UTC an", instants[0], instants[1]] {
        assert!(flights.contains(told), "{flights}");
    }

    let ben = Server::shared().pilot("ben");
    let found = exported_flights::import(&ben, &archive);
    exported_flights::accept(&ben, &found, &exported_flights::ticked(&found)).expect_status(200);
    let moved = ben.flight(&id_in(&ben.flights()[0]));
    assert_eq!(
        ["startTime", "startInstant", "endInstant"].map(|name| moved[name].clone()),
        ["18.08.2026 02:00", instants[0], instants[1]].map(Value::from)
    );
}

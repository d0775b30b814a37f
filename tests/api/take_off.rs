//! Choosing equipment, and the limit of one open flight.

use serde_json::json;

use crate::api::equipment::odd_ids;
use crate::harness::Server;
use crate::harness::calls::{BATTERY, COPTER, GOGGLES, TRANSMITTER, VIDEO_CAMERA, id_in, keys};

#[test]
fn the_start_weight_counts_all_but_goggles_and_transmitters_and_stays_as_it_was() {
    let server = Server::shared();
    let pilot = server.pilot("Anna");
    let item = |kind: u8, weight: &str| pilot.item_with(&json!({"type": kind, "name": "Stück", "weight": weight}));
    let (copter, battery) = (item(COPTER, "900,5"), item(BATTERY, "350"));
    let others = [
        item(BATTERY, ""),
        item(VIDEO_CAMERA, "120"),
        item(GOGGLES, "400"),
        item(TRANSMITTER, "500"),
    ];
    let equipments: Vec<&str> = std::iter::once(&battery).chain(&others).map(String::as_str).collect();
    let payloads = json!([{"name": "Lampe", "weight": "10,25"}, {"name": "Fallschirm", "weight": 80}]);
    let id = pilot.take_off_with(&copter, &equipments, &payloads);

    let flight = pilot.flight(&id);
    assert_eq!(flight["weight"].as_f64(), Some(900.5 + 350.0 + 120.0 + 10.25 + 80.0));
    assert_eq!(flight["payloads"][0]["name"], "Lampe");
    assert_eq!(flight["payloads"][0]["weight"].as_f64(), Some(10.25));
    assert_eq!(flight["payloads"][1]["weight"].as_f64(), Some(80.0));
    let chosen: Vec<_> = flight["equipments"].as_array().unwrap().iter().map(id_in).collect();
    assert_eq!(chosen.len(), 5);
    assert!(equipments.iter().all(|id| chosen.iter().any(|other| other == id)));
    assert!(
        flight["equipments"]
            .as_array()
            .unwrap()
            .iter()
            .all(|item| keys(item) == ["dpfId", "model", "name", "type", "weight"])
    );

    pilot
        .save_edit_equipment(&json!({"dpfId": copter, "type": COPTER, "name": "Falke", "weight": 5000}))
        .expect_status(200);
    pilot
        .save_flight(&json!({"dpfId": id, "notes": "danach"}))
        .expect_status(200);
    let later = pilot.flight(&id);
    assert_eq!(later["weight"], flight["weight"]);
    assert_eq!(later["copter"]["weight"], flight["copter"]["weight"]);
}

#[test]
fn items_without_a_weight_count_as_zero() {
    let server = Server::shared();
    let pilot = server.pilot("Anna");
    let flight = pilot.flight(&pilot.take_off(&pilot.item(COPTER, "Falke")));
    assert_eq!(flight["weight"].to_string(), "0.0", "without a sign");
}

#[test]
fn only_active_items_in_their_places_can_fly() {
    let server = Server::shared();
    let pilot = server.pilot("Anna");
    let (copter, second) = (pilot.item(COPTER, "Falke"), pilot.item(COPTER, "Milan"));
    let (battery, retired) = (pilot.item(BATTERY, "A"), pilot.item(BATTERY, "B"));
    let wreck = pilot.item(COPTER, "Wrack");
    pilot.deactivate(&retired, "gebläht").expect_status(200);
    pilot.deactivate(&wreck, "abgestürzt").expect_status(200);
    for (why, config) in [
        ("a battery as copter", json!({"copter": battery, "equipments": []})),
        ("a retired copter", json!({"copter": wreck, "equipments": []})),
        ("no copter", json!({"equipments": [battery]})),
        ("an empty copter", json!({"copter": "", "equipments": [battery]})),
        ("null as copter", json!({"copter": null, "equipments": []})),
        ("a second copter", json!({"copter": copter, "equipments": [second]})),
        (
            "the copter once more",
            json!({"copter": copter, "equipments": [copter]}),
        ),
        (
            "a retired battery",
            json!({"copter": copter, "equipments": [battery, retired]}),
        ),
        (
            "a battery twice",
            json!({"copter": copter, "equipments": [battery, battery]}),
        ),
    ] {
        let answer = pilot.create_flight(&config);
        assert_eq!(answer.status, 400, "{why}: {}", answer.text());
        assert!(pilot.open_flight().is_null(), "{why}");
    }
    assert!(pilot.flights().is_empty());
    pilot.take_off_with(&copter, &[&battery], &json!([]));
}

#[test]
fn a_copter_that_was_retired_after_it_was_chosen_doesn_t_fly() {
    let server = Server::shared();
    let pilot = server.pilot("Anna");
    let copter = pilot.item(COPTER, "Falke");
    let chosen = id_in(&pilot.all_equipments()["copters"][0]);
    pilot.another_tab().deactivate(&copter, "verloren").expect_status(200);
    pilot
        .create_flight(&json!({"copter": chosen, "equipments": [], "payloads": []}))
        .expect_status(400);
    assert!(pilot.open_flight().is_null());
}

#[test]
fn one_foreign_item_among_many_refuses_the_whole_flight() {
    let server = Server::shared();
    let (anna, ben) = (server.pilot("Anna"), server.pilot("Ben"));
    let foreign = [anna.item(COPTER, "Falke"), anna.item(BATTERY, "A")];
    let (copter, batteries) = (
        ben.item(COPTER, "Milan"),
        [ben.item(BATTERY, "B"), ben.item(BATTERY, "C")],
    );
    let before = anna.everything();
    ben.create_flight(&json!({"copter": foreign[0], "equipments": batteries}))
        .expect_no_access();
    let mixed = json!([batteries[0], foreign[1], batteries[1]]);
    ben.create_flight(&json!({"copter": copter, "equipments": mixed}))
        .expect_no_access();
    assert!(ben.open_flight().is_null() && ben.flights().is_empty());
    assert_eq!(anna.everything(), before);
}

#[test]
fn of_twenty_flights_created_at_once_exactly_one_takes_off() {
    let server = Server::shared();
    let pilot = server.pilot("Anna");
    let copter = pilot.item(COPTER, "Falke");
    let mut statuses: Vec<u16> = std::thread::scope(|scope| {
        let tries: Vec<_> = (0..20)
            .map(|_| pilot.another_tab())
            .map(|tab| {
                scope.spawn({
                    let config = json!({"copter": copter, "equipments": [], "payloads": []});
                    move || tab.create_flight(&config).status
                })
            })
            .collect();
        tries.into_iter().map(|one| one.join().unwrap()).collect()
    });
    statuses.sort_unstable();
    assert_eq!((statuses[0], &statuses[1..]), (200, &[409; 19][..]));
    assert_eq!(pilot.flights().len(), 1);
}

#[test]
fn while_a_flight_is_open_no_other_one_starts() {
    let server = Server::shared();
    let pilot = server.pilot("Anna");
    let copters = [pilot.item(COPTER, "Falke"), pilot.item(COPTER, "Milan")];
    let first = pilot.take_off(&copters[0]);
    pilot
        .create_flight(&json!({"copter": copters[1], "equipments": []}))
        .expect_status(409);
    assert_eq!(pilot.open_flight(), first.as_str());
    pilot.finish_flight(&json!({"dpfId": first})).expect_status(200);
    assert!(pilot.open_flight().is_null());
    assert_ne!(pilot.take_off(&copters[1]), first);
}

#[test]
fn an_id_that_names_no_item_gives_the_same_answer_as_a_foreign_one() {
    let server = Server::shared();
    let pilot = server.pilot("Anna");
    let copter = pilot.item(COPTER, "Falke");
    let flight = pilot.fly(&copter, &[], &json!({}));
    for id in odd_ids(&flight) {
        pilot
            .create_flight(&json!({"copter": id, "equipments": []}))
            .expect_no_access();
        pilot
            .create_flight(&json!({"copter": copter, "equipments": [id]}))
            .expect_no_access();
    }
    assert!(pilot.open_flight().is_null());
}

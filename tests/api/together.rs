//! Several tabs, retries and restarts: confirmed changes persist, and mutually exclusive ones never both succeed.

use serde_json::json;

use crate::harness::calls::{BATTERY, COPTER};
use crate::harness::{Server, temporary_directory};

#[test]
fn an_item_is_either_retired_or_in_the_air_never_both() {
    let server = Server::start();
    let pilot = server.pilot("Anna");
    for _ in 0..12 {
        let copter = pilot.item(COPTER, "Falke");
        let (retiring, flying) = (pilot.another_tab(), pilot.another_tab());
        let config = json!({"copter": copter, "equipments": [], "payloads": []});
        let (retired, flown) = std::thread::scope(|scope| {
            let retired = scope.spawn(|| retiring.deactivate(&copter, "verloren").status);
            let flown = flying.create_flight(&config);
            (retired.join().unwrap(), flown)
        });
        match (retired, flown.status) {
            (409, 200) => drop(pilot.delete_flight(&flown.text()).expect_status(200)),
            (200, 400) => assert!(pilot.open_flight().is_null()),
            both => panic!("retired and in the air: {both:?}"),
        }
    }
}

#[test]
fn two_tabs_that_save_different_fields_keep_both() {
    let server = Server::start();
    let pilot = server.pilot("Anna");
    let id = pilot.take_off(&pilot.item(COPTER, "Falke"));
    let other = pilot.another_tab();
    for round in 0..10 {
        let (notes, place) = (format!("Notiz {round}"), format!("Ort {round}"));
        let edit = json!({"dpfId": id, "location": place});
        std::thread::scope(|scope| {
            scope.spawn(|| other.save_flight(&edit).expect_status(200));
            pilot
                .save_flight(&json!({"dpfId": id, "notes": notes}))
                .expect_status(200);
        });
        let flight = pilot.flight(&id);
        assert_eq!((&flight["notes"], &flight["location"]), (&json!(notes), &json!(place)));
    }
}

#[test]
fn flights_saved_at_once_add_up_at_their_items() {
    let server = Server::start();
    let pilot = server.pilot("Anna");
    let (copter, battery) = (pilot.item(COPTER, "Falke"), pilot.item(BATTERY, "Akku"));
    let ids: Vec<_> = (0..8).map(|_| pilot.fly(&copter, &[&battery], &json!({}))).collect();
    std::thread::scope(|scope| {
        for id in &ids {
            let tab = pilot.another_tab();
            scope.spawn(move || {
                tab.save_flight(&json!({"dpfId": id, "flightTime": 15}))
                    .expect_status(200)
            });
        }
    });
    for item in [&copter, &battery] {
        assert_eq!(pilot.equipment(item)["usageTime"].as_f64(), Some(2.0));
    }
    assert_eq!(pilot.statistics()["totalFlightTime"], "2 h 00 min");
}

#[test]
fn confirmed_changes_survive_a_kill_without_warning() {
    let place = temporary_directory();
    let server = Server::start_in(place.path());
    let pilot = server.pilot("Anna");
    let copter = pilot.item(COPTER, "Falke");
    for number in 1..=5 {
        let battery = pilot.item(BATTERY, &format!("Akku {number}"));
        pilot.fly(&copter, &[&battery], &crate::api::flights::filled());
    }
    pilot.take_off(&copter);
    let (before, figures) = (pilot.everything(), pilot.statistics());
    let session = pilot.cookie("session").unwrap();
    drop(server); // kill -9

    let server = Server::start_in(place.path());
    let pilot = server.stranger();
    pilot.plant_cookie("session", &session);
    assert_eq!(pilot.everything(), before);
    assert_eq!(pilot.statistics(), figures);
}

#[test]
fn a_kill_in_the_middle_of_work_leaves_every_confirmed_item() {
    let place = temporary_directory();
    let server = Server::start_in(place.path());
    let pilot = server.pilot("Anna");
    let session = pilot.cookie("session").unwrap();
    let confirmed = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..4)
            .map(|worker| {
                let tab = pilot.another_tab();
                scope.spawn(move || tab.add_until_the_server_is_gone(worker))
            })
            .collect();
        crate::harness::wait::until("some items", || {
            (pilot.equipments(BATTERY, false).len() > 20).then_some(())
        });
        drop(server); // kill -9
        workers
            .into_iter()
            .flat_map(|worker| worker.join().unwrap())
            .collect::<Vec<_>>()
    });
    assert!(
        confirmed.len() > 10,
        "only {} of more than 20 were confirmed",
        confirmed.len()
    );

    let server = Server::start_in(place.path());
    let pilot = server.stranger();
    pilot.plant_cookie("session", &session);
    let names: Vec<_> = pilot
        .equipments(BATTERY, false)
        .iter()
        .map(|item| item["name"].clone())
        .collect();
    for name in confirmed {
        assert!(names.contains(&json!(name)), "{name} was confirmed and is gone");
    }
}

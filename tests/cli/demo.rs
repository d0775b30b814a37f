//! The demonstration data.

use crate::harness::{Pilot, Server, run_with_input, temporary_directory, text};
use crate::init::{contents, init};

fn demo(directory: &std::path::Path) -> crate::harness::Done {
    run_with_input(["demo", "--data-dir", text(directory)], b"")
}

fn logged_in(server: &Server) -> Pilot {
    let pilot = server.stranger();
    pilot.log_in("demo@example.org", "fluglog-demo").expect_status(202);
    pilot
}

#[test]
fn the_demo_user_has_equipment_of_every_kind_and_sixty_flights() {
    let place = temporary_directory();
    let directory = place.path().join("data");
    let done = demo(&directory);
    assert_eq!(done.code, 0, "{done:?}");
    let server = Server::start_in(&directory);
    let pilot = logged_in(&server);

    assert_eq!(pilot.flights().len(), 60);
    let items: Vec<usize> = (0..5)
        .map(|kind| pilot.equipments(kind, false).len() + pilot.equipments(kind, true).len())
        .collect();
    assert!(items.iter().all(|count| *count > 0), "{items:?}");
    assert!((10..=16).contains(&items.iter().sum::<usize>()), "a dozen: {items:?}");
    let statistics = pilot.statistics();
    for (field, value) in statistics.as_object().unwrap() {
        assert!(
            value.as_str().is_some_and(|text| !text.is_empty()),
            "{field} has no value"
        );
    }
}

#[test]
fn the_demo_s_flights_are_plausible() {
    let place = temporary_directory();
    assert_eq!(demo(place.path()).code, 0);
    let server = Server::start_in(place.path());
    for row in logged_in(&server).flights() {
        let between = |field: &str, least: f64, most: f64| {
            let value = row[field].as_f64();
            assert!(
                value.is_none_or(|value| (least..=most).contains(&value)),
                "{field} of {row}"
            );
        };
        between("flightTime", 1.0, 60.0);
        between("maximumAltitude", 1.0, 120.0);
        between("speed", 1.0, 150.0);
        between("distance", 0.01, 50.0);
        assert!(row["location"].as_str().is_some_and(|place| !place.is_empty()), "{row}");
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
fn the_demo_refuses_a_directory_that_is_served() {
    let server = Server::start();
    demo(server.directory()).expect_refusal(1, &[text(server.directory())]);
    server
        .stranger()
        .log_in("demo@example.org", "fluglog-demo")
        .expect_status(401);
}

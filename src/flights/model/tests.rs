//! What is read from a flight's fields, what is refused, and the start weight.

use super::*;
use proptest::prelude::*;

fn fields(json: &str) -> Fields {
    Fields::from_json(json).unwrap()
}

fn part() -> impl Strategy<Value = Part> {
    (
        proptest::sample::select(Kind::ALL.to_vec()),
        proptest::option::of(0.0..5000.0f64),
    )
        .prop_map(|(kind, weight)| Part {
            id: EquipmentId::fresh(),
            kind,
            weight,
        })
}

#[test]
fn what_is_absent_stays_and_what_is_empty_is_cleared() {
    let mut entries = Entries::starting(WallTime::parse("01.03.2026 09:05").unwrap());
    entries
        .apply(&fields(
            r#"{"distance": "1,5", "notes": "a\nb", "flightMode": "2", "endLatitude": -3.5}"#,
        ))
        .unwrap();
    entries
        .apply(&fields(r#"{"distance": "", "location": "Elbe", "flightMode": null}"#))
        .unwrap();
    assert_eq!((entries.distance, entries.end_latitude), (None, Some(-3.5)));
    assert_eq!((entries.location.as_str(), entries.notes.as_str()), ("Elbe", "a\nb"));
    assert_eq!(entries.mode, FlightMode::Angle);
    assert!(entries.apply(&fields(r#"{"startTime": ""}"#)).is_err());
}

#[test]
fn both_names_of_the_maximum_distance_are_taken() {
    let mut entries = Entries::starting(WallTime::parse("01.03.2026 09:05").unwrap());
    entries.apply(&fields(r#"{"maxDistance": 120}"#)).unwrap();
    assert_eq!(entries.maximum_distance, Some(120.0));
    entries.apply(&fields(r#"{"maximumDistance": "130"}"#)).unwrap();
    assert_eq!(entries.maximum_distance, Some(130.0));
}

#[test]
fn a_configuration_needs_a_copter_and_takes_nothing_twice() {
    let [copter, battery] = [EquipmentId::fresh(), EquipmentId::fresh()];
    let read = |json: String| Configuration::read(&fields(&json));
    assert!(read(r#"{"equipments": []}"#.to_owned()).is_err());
    assert!(
        read(format!(
            r#"{{"copter": "{copter}", "equipments": ["{battery}", "{battery}"]}}"#
        ))
        .is_err()
    );
    assert!(read(format!(r#"{{"copter": "{copter}", "equipments": ["{copter}"]}}"#)).is_err());
    assert_eq!(read(format!(r#"{{"copter": "x{copter}"}}"#)), Err(Error::NotYours));
    assert!(
        read(format!(
            r#"{{"copter": "{copter}", "payloads": [{{"name": "Sender"}}]}}"#
        ))
        .is_err()
    );
    let full = read(format!(
        r#"{{"copter": "{copter}", "equipments": ["{battery}"], "payloads": [{{"name": "Sender", "weight": "12,5"}}]}}"#
    ));
    assert_eq!(
        full.unwrap().payloads,
        vec![Payload {
            name: "Sender".into(),
            weight: 12.5
        }]
    );
}

#[test]
fn binary_fractions_make_no_noise_in_the_weight() {
    let payloads = [0.1, 0.2].map(|weight| Payload {
        name: "a".into(),
        weight,
    });
    assert_eq!(start_weight(&[], &payloads).to_string(), "0.3");
}

proptest! {
    #[test]
    fn goggles_and_transmitters_never_count(parts in proptest::collection::vec(part(), 0..8)) {
        let carried: Vec<_> = parts.iter().copied().filter(|part| part.kind.is_carried()).collect();
        prop_assert_eq!(start_weight(&parts, &[]), start_weight(&carried, &[]));
    }

    #[test]
    fn the_order_of_choosing_does_not_matter(parts in proptest::collection::vec(part(), 0..8)) {
        let mut turned = parts.clone();
        turned.reverse();
        prop_assert!((start_weight(&parts, &[]) - start_weight(&turned, &[])).abs() <= 0.001);
    }
}

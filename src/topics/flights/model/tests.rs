//! Reading the fields of a flight, rejecting wrong ones, and the take-off weight.

use super::*;
use fluglog_base::error::Error;
use proptest::prelude::*;

fn fields(json: &str) -> Fields {
    Fields::from_json(json).unwrap()
}

fn part() -> impl Strategy<Value = FlightPart> {
    (
        proptest::sample::select(Kind::ALL.to_vec()),
        proptest::option::of(0.0..5000.0f64),
    )
        .prop_map(|(kind, weight)| FlightPart {
            owner: OwnerId::fresh(),
            id: EquipmentId::fresh(),
            kind,
            weight,
        })
}

fn changed(mut entries: Entries, json: &str) -> Entries {
    EntryChanges::read(&fields(json)).unwrap().apply(&mut entries);
    entries
}

fn time(text: &str) -> WallTime {
    WallTime::parse(text).unwrap()
}

#[test]
fn absent_fields_stay_and_empty_ones_are_cleared() {
    let entries = Entries::starting(time("01.03.2026 09:05"));
    let entries = changed(
        entries,
        r#"{"distance": "1,5", "notes": "a\nb", "flightMode": "2", "endLatitude": -3.5}"#,
    );
    let entries = changed(entries, r#"{"distance": "", "location": "Elbe", "flightMode": null}"#);
    assert_eq!(
        (entries.fields.distance, entries.fields.end_latitude),
        (None, Some(-3.5))
    );
    assert_eq!(
        (entries.fields.location.as_str(), entries.fields.notes.as_str()),
        ("Elbe", "a\nb")
    );
    assert_eq!(entries.fields.mode, FlightMode::Angle);
    assert!(EntryChanges::read(&fields(r#"{"startTime": ""}"#)).is_err());
}

#[test]
fn both_names_of_the_maximum_distance_are_taken() {
    let entries = Entries::starting(time("01.03.2026 09:05"));
    let entries = changed(entries, r#"{"maxDistance": 120}"#);
    assert_eq!(entries.fields.maximum_distance, Some(120.0));
    let entries = changed(entries, r#"{"maxDistance": 120, "maximumDistance": "130"}"#);
    assert_eq!(entries.fields.maximum_distance, Some(130.0));
}

#[test]
fn an_open_flight_began_within_thirty_days_and_a_finished_one_at_any_time() {
    let now = time("31.03.2026 12:00");
    let sent = |start: &str| fields(&format!(r#"{{"startTime": "{start}"}}"#));
    let open = |start: &str| {
        let start = START_TIME.read(&sent(start))?;
        Ok::<_, Error>(NewEntries::read_open(start, None, now)?.entries().start)
    };
    let finished = |start: &str| NewEntries::read_finished(&sent(start), now);
    assert_eq!(open(""), Ok(now));
    for (start, is_open, is_finished) in [
        ("31.03.2026 12:05", true, true),
        ("31.03.2026 12:06", false, false),
        ("01.03.2026 12:00", true, true),
        ("01.03.2026 11:59", false, true),
        ("01.01.1900 00:00", false, true),
        ("31.12.1899 23:59", false, false),
        ("", true, false),
    ] {
        assert_eq!(
            (open(start).is_ok(), finished(start).is_ok()),
            (is_open, is_finished),
            "{start}"
        );
    }
    assert_eq!(
        finished("01.03.2026 09:05").unwrap().entries().start,
        time("01.03.2026 09:05")
    );
}

#[test]
fn what_is_known_of_a_flight_that_starts_is_entered_but_for_its_start() {
    let now = time("31.03.2026 12:00");
    let form = fields(r#"{"location": "Elbe", "batteryStartVoltage": "25,2"}"#);
    let entries = NewEntries::read_open(None, Some(&form), now).unwrap().entries();
    assert_eq!((entries.start, entries.fields.location.as_str()), (now, "Elbe"));
    assert_eq!(entries.fields.start_voltage, Some(25.2));
    assert!(NewEntries::read_open(None, Some(&fields(r#"{"startLatitude": 91}"#)), now).is_err());
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
    assert_eq!(read(format!(r#"{{"copter": "x{copter}"}}"#)), Err(Error::NotFound));
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
        let carried: Vec<_> = parts.iter().copied().filter(|part| part.kind.counts_to_weight()).collect();
        prop_assert_eq!(start_weight(&parts, &[]), start_weight(&carried, &[]));
    }

    #[test]
    fn the_order_of_choosing_does_not_matter(parts in proptest::collection::vec(part(), 0..8)) {
        let mut turned = parts.clone();
        turned.reverse();
        prop_assert!((start_weight(&parts, &[]) - start_weight(&turned, &[])).abs() <= 0.001);
    }
}

//! Reading the fields of a flight, rejecting wrong ones, and the take-off weight.

use super::*;
use fluglog_base::error::Error;
use fluglog_base::time::{Clock, Zone};
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
            id: EquipmentId::fresh(),
            kind,
            weight,
            borrowed: None,
        })
}

fn changed(mut entries: Entries, json: &str) -> Entries {
    EntryChanges::read(&fields(json)).unwrap().apply(&mut entries);
    entries
}

/// 31.03.2026 12:00 in Germany.
fn clock() -> Clock {
    Clock::fixed(1_774_951_200, Zone::GERMANY)
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
    let clock = clock();
    let sent = |start: &str| fields(&format!(r#"{{"startTime": "{start}"}}"#));
    let open = |start: &str| {
        let entries = NewEntries::read_open(&sent(start), None, &clock)?;
        Ok::<_, Error>(entries.entries().start)
    };
    let finished = |start: &str| NewEntries::read_finished(&sent(start), Instants::default(), &clock);
    assert_eq!(open(""), Ok(time("31.03.2026 12:00")));
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
    let nothing = fields("{}");
    let form = fields(r#"{"location": "Elbe", "batteryStartVoltage": "25,2"}"#);
    let entries = NewEntries::read_open(&nothing, Some(&form), &clock())
        .unwrap()
        .entries();
    let now = time("31.03.2026 12:00");
    assert_eq!((entries.start, entries.fields.location.as_str()), (now, "Elbe"));
    assert_eq!(entries.fields.start_voltage, Some(25.2));
    let nowhere = fields(r#"{"startLatitude": 91}"#);
    assert!(NewEntries::read_open(&nothing, Some(&nowhere), &clock()).is_err());
}

#[test]
fn a_start_with_its_instant_is_judged_by_it_and_shows_the_clock_of_any_zone() {
    for (start, instant, is_believed) in [
        ("31.03.2026 13:00", "2026-03-31T10:00:00Z", true),
        ("31.03.2026 19:00", "2026-03-31T10:00:00Z", true),
        ("31.03.2026 11:00", "2026-03-31T10:00:00.9Z", true),
        ("01.04.2026 00:04", "2026-03-31T10:05:59Z", true),
        ("31.03.2026 06:00", "2026-03-31T12:00:00+02:00", true),
        // The server's clock is wrong.
        ("05.04.2026 13:00", "2026-03-31T10:00:00Z", true),
        ("31.03.2026 13:10", "2026-03-31T10:10:00Z", false),
        ("31.03.2026 13:00", "2026-03-31 10:00", false),
        // Skipped in Germany, but not in Japan.
        ("29.03.2026 02:30", "2026-03-28T17:30:00Z", true),
    ] {
        let sent = fields(&format!(r#"{{"startTime": "{start}", "startInstant": "{instant}"}}"#));
        let sent = sent.in_zone(Some(Zone::GERMANY));
        let open = NewEntries::read_open(&sent, None, &clock());
        assert_eq!(open.is_ok(), is_believed, "{start} {instant}");
        if let Ok(open) = open {
            assert_eq!(open.entries().start, time(start));
        }
    }
}

#[test]
fn the_instant_of_a_start_is_known_however_it_is_sent_and_moves_with_a_corrected_time() {
    let start = |json: &str| NewEntries::read_open(&fields(json), None, &clock()).unwrap().entries();
    let instant = |entries: &Entries| entries.instants.start.unwrap().to_string();
    assert_eq!(instant(&start("{}")), "2026-03-31T10:00:00Z");
    assert_eq!(
        instant(&start(r#"{"startTime": "29.03.2026 01:30"}"#)),
        "2026-03-29T00:30:00Z"
    );
    let athens = r#"{"startTime": "31.03.2026 12:50", "startInstant": "2026-03-31T09:50:12Z"}"#;
    let corrected = changed(start(athens), r#"{"startTime": "31.03.2026 12:45"}"#);
    assert_eq!(instant(&corrected), "2026-03-31T09:45:12Z");
    let at_home = |json: &str| EntryChanges::read(&fields(json).in_zone(Some(Zone::GERMANY))).unwrap();
    let mut in_winter = start("{}");
    at_home(r#"{"startTime": "31.01.2026 12:00"}"#).apply(&mut in_winter);
    assert_eq!(instant(&in_winter), "2026-01-31T11:00:00Z", "before summer time");
    let alone = start(r#"{"startInstant": "2026-03-31T09:50:12Z"}"#);
    assert_eq!(
        (alone.start, instant(&alone).as_str()),
        (time("31.03.2026 11:50"), "2026-03-31T09:50:12Z")
    );
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
        let carried: Vec<_> = parts.iter().filter(|part| part.kind.counts_to_weight()).cloned().collect();
        prop_assert_eq!(start_weight(&parts, &[]), start_weight(&carried, &[]));
    }

    #[test]
    fn the_order_of_choosing_does_not_matter(parts in proptest::collection::vec(part(), 0..8)) {
        let mut turned = parts.clone();
        turned.reverse();
        prop_assert!((start_weight(&parts, &[]) - start_weight(&turned, &[])).abs() <= 0.001);
    }
}

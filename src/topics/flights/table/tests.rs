//! Bytes of the flight records on disk, and an index that lists each flight once, latest first.

use proptest::prelude::*;

use super::*;
use fluglog_store::Store;
use fluglog_store::record::{assert_read_from, assert_stored_as};

fn full() -> FlightRecord {
    FlightRecord {
        start: 29_000_000,
        location: "Elbe".to_owned(),
        start_latitude: Some(53.5),
        start_longitude: Some(-10.25),
        end_latitude: None,
        end_longitude: Some(0.0),
        minutes: Some(5.5),
        maximum_altitude: Some(60.0),
        distance: Some(1.5),
        maximum_distance: Some(310.0),
        speed: Some(112.0),
        start_voltage: Some(25.2),
        end_voltage: Some(21.6),
        consumed_capacity: Some(980.0),
        mode: 2,
        weather: "böig".to_owned(),
        purpose: "Training".to_owned(),
        notes: "a\nb".to_owned(),
        copter: PartRecord {
            id: 7,
            kind: 0,
            weight: Some(412.0),
        },
        equipments: vec![PartRecord {
            id: u128::MAX,
            kind: 1,
            weight: None,
        }],
        payloads: vec![PayloadRecord {
            name: "Finder".to_owned(),
            weight: 9.5,
        }],
        weight: 421.5,
        open: false,
        start_instant: Some(1_740_000_012),
        end_instant: Some(1_740_000_330),
    }
}

/// The flight as 1.5.0 stored it, which didn't know the instants.
fn of_1_5_0() -> FlightRecord {
    FlightRecord {
        start_instant: None,
        end_instant: None,
        ..full()
    }
}

#[test]
fn a_flight_keeps_its_bytes() {
    assert_read_from::<FlightRecord>(
        (1, 2),
        "01fc8002750304456c6265010000000000c04a400100000000008024c00001000000000000000001000000000000164001000000000000\
         4e4001000000000000f83f010000000000607340010000000000005c40013333333333333940019a99999999993540010000000000a08e\
         40020562c3b6696708547261696e696e6703610a620700010000000000c0794001feffffffffffffffffffffffffffffffff0100010646\
         696e64657200000000000023400000000000587a400099ace0cf",
        &of_1_5_0(),
    );
    assert_read_from::<FlightRecord>(
        (1, 2),
        "81fc8002750304456c6265010000000000c04a400100000000008024c00001000000000000000001000000000000164001000000000000\
         4e4001000000000000f83f010000000000607340010000000000005c40013333333333333940019a99999999993540010000000000a08e\
         40020562c3b6696708547261696e696e6703610a620700010000000000c0794001feffffffffffffffffffffffffffffffff0100010646\
         696e64657200000000000023400000000000587a40009fda3790",
        &of_1_5_0(),
    );
    assert_stored_as::<FlightRecord>(
        (1, 2),
        &full(),
        "82fc8002750304456c6265010000000000c04a400100000000008024c00001000000000000000001000000000000164001000000000000\
         4e4001000000000000f83f010000000000607340010000000000005c40013333333333333940019a99999999993540010000000000a08e\
         40020562c3b6696708547261696e696e6703610a620700010000000000c0794001feffffffffffffffffffffffffffffffff0100010646\
         696e64657200000000000023400000000000587a400001fc18966ccf01fc94986ccf1ce7fe0e",
    );
}

#[test]
fn a_flight_that_just_started_keeps_its_bytes() {
    let flight = StoredFlight {
        id: FlightId::from_key(1),
        entries: Entries::starting(start(0)),
        copter: FlightPart {
            id: EquipmentId::from_key(7),
            kind: Kind::Copter,
            weight: None,
            borrowed: None,
        },
        equipments: vec![],
        payloads: vec![],
        weight: 0.0,
        open: true,
    };
    assert_read_from::<FlightRecord>(
        (1, 2),
        "0100000000000000000000000000000000000007000000000000000000000000012830445e",
        &record(&flight),
    );
    assert_read_from::<FlightRecord>(
        (1, 2),
        "810000000000000000000000000000000000000700000000000000000000000001de9762d3",
        &record(&flight),
    );
    assert_stored_as::<FlightRecord>(
        (1, 2),
        &record(&flight),
        "8200000000000000000000000000000000000007000000000000000000000000010000f211dabb",
    );
}

#[test]
fn a_value_that_no_flight_can_have_is_damage_and_no_flight() {
    let damages: [fn(&mut FlightRecord); 6] = [
        |flight| flight.start = i64::MAX,
        |flight| flight.mode = 4,
        |flight| flight.copter.kind = 5,
        |flight| flight.equipments[0].kind = 255,
        |flight| flight.start_instant = Some(i64::MIN),
        |flight| flight.end_instant = Some(i64::MAX),
    ];
    for damage in damages {
        let mut flight = full();
        damage(&mut flight);
        assert!(matches!(stored(1, flight), Err(Error::Internal(_))));
    }
}

fn start(minutes: i64) -> WallTime {
    WallTime::from_minutes(minutes).unwrap()
}

fn part() -> impl Strategy<Value = FlightPart> {
    (
        any::<u128>(),
        proptest::sample::select(Kind::ALL.to_vec()),
        proptest::option::of(0.0..1e9f64),
    )
        .prop_map(|(id, kind, weight)| FlightPart {
            id: EquipmentId::from_key(id),
            kind,
            weight,
            borrowed: None,
        })
}

fn entries() -> impl Strategy<Value = Entries> {
    (
        -30_000_000..60_000_000i64,
        ["\\PC{0,20}"; 4],
        proptest::array::uniform12(proptest::option::of(-1e9..1e9f64)),
        0..3u8,
        proptest::array::uniform2(proptest::option::of(-2_000_000_000..4_000_000_000i64)),
    )
        .prop_map(|(minute, texts, numbers, mode, instants)| {
            let [location, weather, purpose, notes] = texts;
            let [begun, ended] = instants.map(|seconds| seconds.and_then(Instant::from_unix_seconds));
            Entries {
                start: start(minute),
                instants: Instants {
                    start: begun,
                    end: ended,
                },
                fields: FlightFields {
                    location,
                    start_latitude: numbers[0],
                    start_longitude: numbers[1],
                    end_latitude: numbers[2],
                    end_longitude: numbers[3],
                    minutes: numbers[4],
                    maximum_altitude: numbers[5],
                    distance: numbers[6],
                    maximum_distance: numbers[7],
                    speed: numbers[8],
                    start_voltage: numbers[9],
                    end_voltage: numbers[10],
                    consumed_capacity: numbers[11],
                    mode: FlightMode::from_code(mode).unwrap(),
                    weather,
                    purpose,
                    notes,
                },
            }
        })
}

fn flight() -> impl Strategy<Value = StoredFlight> {
    let payload = ("\\PC{0,20}", 0.0..1e9f64).prop_map(|(name, weight)| Payload { name, weight });
    (
        any::<u128>(),
        entries(),
        part(),
        proptest::collection::vec(part(), 0..5),
        proptest::collection::vec(payload, 0..3),
        0.0..1e9f64,
        any::<bool>(),
    )
        .prop_map(
            |(id, entries, copter, equipments, payloads, weight, open)| StoredFlight {
                id: FlightId::from_key(id),
                entries,
                copter,
                equipments,
                payloads,
                weight,
                open,
            },
        )
}

proptest! {
    #[test]
    fn a_flight_is_read_as_it_was_stored(flight in flight()) {
        let bytes = fluglog_store::record::encode((1, 2), &record(&flight)).unwrap();
        let read = fluglog_store::record::decode::<FlightRecord>((1, 2), &bytes).unwrap();
        prop_assert_eq!(stored(flight.id.key(), read).unwrap(), flight);
    }
}

/// Steps with few ids, so that flights are edited and removed, and few start times, so that some are equal.
#[derive(Debug, Clone)]
enum Step {
    Put { owner: u128, flight: u128, minute: i64 },
    Remove { owner: u128, flight: u128 },
}

fn step() -> impl Strategy<Value = Step> {
    let (owner, flight) = (1..=2u128, 1..=20u128);
    prop_oneof![
        3 => (owner.clone(), flight.clone(), -2..6i64)
            .prop_map(|(owner, flight, minute)| Step::Put { owner, flight, minute }),
        1 => (owner, flight).prop_map(|(owner, flight)| Step::Remove { owner, flight }),
    ]
}

fn perform(writer: &Writer<'_>, step: &Step) -> Result<()> {
    let (Step::Put { owner, flight, .. } | Step::Remove { owner, flight }) = *step;
    let owner = UserId::from_key(owner);
    let before = match find(writer, owner, FlightId::from_key(flight)) {
        Ok(before) => Some(before),
        Err(Error::NotFound) => None,
        Err(other) => return Err(other),
    };
    match (step, before) {
        (Step::Put { minute, .. }, before) => {
            let mut record = full();
            record.start = *minute;
            put(writer, owner, &stored(flight, record)?, before.as_ref())
        }
        (Step::Remove { .. }, Some(before)) => remove(writer, owner, &before),
        (Step::Remove { .. }, None) => Ok(()),
    }
}

/// Returns start and id of each flight, in the given order.
fn names(flights: &[StoredFlight]) -> Vec<(i64, u128)> {
    flights
        .iter()
        .map(|flight| (flight.entries.start.minutes(), flight.id.key()))
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn the_list_has_every_flight_once_latest_first_as_a_whole_and_page_by_page(
        steps in proptest::collection::vec(step(), 1..60),
        most_a_page in 1..7usize,
    ) {
        let directory = tempfile::tempdir().unwrap();
        let store = Store::open(directory.path(), true).unwrap();
        let mut expected = std::collections::BTreeMap::new();
        for step in &steps {
            match *step {
                Step::Put { owner, flight, minute } => expected.insert((owner, flight), minute),
                Step::Remove { owner, flight } => expected.remove(&(owner, flight)),
            };
        }
        store.write(move |writer| steps.iter().try_for_each(|step| perform(writer, step))).unwrap();

        for owner in 1..=2 {
            let mut all: Vec<_> = expected
                .iter()
                .filter(|((of, _), _)| *of == owner)
                .map(|((_, flight), minute)| (*minute, *flight))
                .collect();
            all.sort_unstable_by(|one, other| other.cmp(one));
            let owner = UserId::from_key(owner);
            let list = |before: Option<&StoredFlight>, after: Option<&StoredFlight>, most| {
                let [before, after] = [before, after].map(|flight| flight.map(StoredFlight::place));
                let flights = store.read(|data| load(data, owner, &page(data, owner, before, after, most)?));
                flights.unwrap()
            };
            prop_assert_eq!(names(&list(None, None, usize::MAX)), all.clone());
            let whole = store.read(|data| super::all(data, owner)).unwrap();
            prop_assert_eq!(names(&whole), all.clone());

            let mut walked = list(None, None, most_a_page);
            for _ in 0..=all.len() {
                if walked.is_empty() {
                    break;
                }
                let next = list(walked.last(), None, most_a_page);
                prop_assert!(next.len() <= most_a_page);
                walked.extend(next);
            }
            prop_assert_eq!(names(&walked), all.clone());

            let mut walked_back: Vec<_> = walked.pop().into_iter().collect();
            for _ in 0..=all.len() {
                let next = list(None, walked_back.first(), most_a_page);
                prop_assert!(next.len() <= most_a_page);
                walked_back.splice(..0, next);
                if walked_back.is_empty() {
                    break;
                }
            }
            prop_assert_eq!(names(&walked_back), all);
        }
    }
}

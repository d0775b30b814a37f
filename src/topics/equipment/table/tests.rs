//! Bytes of the equipment records on disk, and totals that always match the uses.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use proptest::prelude::*;

use super::*;
use crate::equipment::model::milliminutes;
use fluglog_store::Store;
use fluglog_store::record::{assert_read_from, assert_stored_as};

const NOTHING: TotalsRecord = TotalsRecord {
    milliminutes: 0,
    last_start: None,
    end_voltage: None,
    voltage: None,
    open_flight: None,
};

#[test]
fn an_item_keeps_its_bytes() {
    let item = EquipmentRecord {
        kind: 1,
        name: "Akku 1".to_owned(),
        model: "R-Line".to_owned(),
        manufacturer: "Tattu".to_owned(),
        purchase_day: Some(20_161),
        seller: "Übersee".to_owned(),
        weight: Some(204.5),
        firmware_number: String::new(),
        battery_type: "LiPo 6S".to_owned(),
        capacity: None,
        retirement: None,
    };
    assert_read_from::<EquipmentRecord>(
        (1, 2),
        "010106416b6b75203106522d4c696e6505546174747501fb829d08c39c62657273656501000000000090694000074c69506f2036530000\
         65a73ebe",
        &item,
    );
    assert_stored_as::<EquipmentRecord>(
        (1, 2),
        &item,
        "810106416b6b75203106522d4c696e6505546174747501fb829d08c39c62657273656501000000000090694000074c69506f2036530000\
         56b93031",
    );
    let retired = EquipmentRecord {
        purchase_day: Some(-1),
        retirement: Some(RetirementRecord {
            minute: 29_000_000,
            reason: "gebläht".to_owned(),
        }),
        ..item
    };
    assert_read_from::<EquipmentRecord>(
        (1, 2),
        "010106416b6b75203106522d4c696e65055461747475010108c39c62657273656501000000000090694000074c69506f2036530001fc80\
         027503086765626cc3a4687478285746",
        &retired,
    );
    assert_stored_as::<EquipmentRecord>(
        (1, 2),
        &retired,
        "810106416b6b75203106522d4c696e65055461747475010108c39c62657273656501000000000090694000074c69506f2036530001fc80\
         027503086765626cc3a468746cdc457e",
    );
}

#[test]
fn the_totals_of_an_item_keep_their_bytes() {
    let totals = TotalsRecord {
        milliminutes: 65_500,
        last_start: Some(29_000_000),
        end_voltage: Some(21.6),
        voltage: Some((29_000_065, 25.2)),
        open_flight: Some(9),
    };
    assert_read_from::<TotalsRecord>(
        (1, 2),
        "01fcb8ff010001fc80027503019a9999999999354001fc0203750333333333333339400109718e9311",
        &totals,
    );
    assert_stored_as::<TotalsRecord>(
        (1, 2),
        &totals,
        "81fcb8ff010001fc80027503019a9999999999354001fc020375033333333333333940010936bd56c3",
    );
    assert_read_from::<TotalsRecord>((1, 2), "01000000000006729e7a", &NOTHING);
    assert_stored_as::<TotalsRecord>((1, 2), &NOTHING, "81000000000068fe93dc");
}

#[test]
fn a_use_of_an_item_keeps_its_bytes() {
    let used = UseRecord {
        start: -1,
        milliminutes: 5_250,
        start_voltage: Some(25.1),
        end_voltage: None,
        consumed: Some(1100.0),
        open: true,
        shared: None,
    };
    assert_read_from::<UseRecord>(
        (1, 2, 3),
        "0101fb0429019a999999991939400001000000000030914001a2a32fe5",
        &used,
    );
    assert_read_from::<UseRecord>(
        (1, 2, 3),
        "8101fb0429019a9999999919394000010000000000309140012ce25b65",
        &used,
    );
    let shared = UseRecord {
        consumed: None,
        shared: Some(550.0),
        ..used
    };
    assert_stored_as::<UseRecord>(
        (1, 2, 3),
        &shared,
        "8201fb0429019a99999999193940000001010000000000308140051aac96",
    );
}

/// Two owners whose items have the same ids, so that a key without its owner would mix them up.
const OWNERS: RangeInclusive<u128> = 1..=2;
const ITEMS: RangeInclusive<u128> = 1..=2;

#[derive(Debug, Clone)]
enum Step {
    Put { place: (u128, u128), used: Use },
    Remove { place: (u128, u128), flight: FlightId },
}

fn start(minutes: i64) -> WallTime {
    WallTime::from_minutes(minutes).unwrap()
}

/// Generates steps with few flights, so that some are changed and removed, few start times, so that some are equal, and
/// an occasional voltage.
fn step() -> impl Strategy<Value = Step> {
    let place = (OWNERS, ITEMS);
    let flight = (1..=40u128).prop_map(FlightId::from_key);
    let voltage = || proptest::option::weighted(0.2, (30..252u32).prop_map(|tenths| f64::from(tenths) / 10.0));
    let used = (
        flight.clone(),
        -3..12i64,
        proptest::option::of((0..90_000u32).prop_map(|thousandths| f64::from(thousandths) / 1000.0)),
        voltage(),
        voltage(),
        any::<bool>(),
    )
        .prop_map(|(flight, minute, minutes, start_voltage, end_voltage, open)| Use {
            flight,
            start: start(minute),
            minutes,
            start_voltage,
            end_voltage,
            consumed: None,
            shared: end_voltage,
            open,
        });
    prop_oneof![
        4 => (place.clone(), used).prop_map(|(place, used)| Step::Put { place, used }),
        1 => (place, flight).prop_map(|(place, flight)| Step::Remove { place, flight }),
    ]
}

/// Expected rows of one item.
#[derive(Debug, Clone, Default, PartialEq)]
struct Expected {
    uses: BTreeMap<FlightId, Use>,
    open: Option<FlightId>,
}

impl Expected {
    fn apply(&mut self, step: &Step) {
        let (flight, open) = match step {
            Step::Put { used, .. } => {
                // A use that isn't open any more stays so.
                let was_open = self.uses.get(&used.flight).is_none_or(|before| before.open);
                let used = Use {
                    open: used.open && was_open,
                    ..*used
                };
                // An unchanged use isn't written.
                if self.uses.insert(used.flight, used) == Some(used) {
                    return;
                }
                (used.flight, used.open)
            }
            Step::Remove { flight, .. } => {
                self.uses.remove(flight);
                (*flight, false)
            }
        };
        if open {
            self.open = Some(flight);
        } else if self.open == Some(flight) {
            self.open = None;
        }
    }

    /// Returns the uses, latest first; of two that start in the same minute the one with the larger id comes first.
    fn latest_first(&self) -> Vec<&Use> {
        let mut uses: Vec<_> = self.uses.values().collect();
        uses.sort_by_key(|used| std::cmp::Reverse((used.start, used.flight)));
        uses
    }

    /// Returns the index in descending order: uses with an end voltage, uses with a voltage, all uses.
    fn index(&self) -> Vec<(u8, i64, u128)> {
        let listed: [fn(&Use) -> bool; 3] = [
            |_| true,
            |used| used.start_voltage.is_some() || used.end_voltage.is_some(),
            |used| used.end_voltage.is_some(),
        ];
        let mut index = Vec::new();
        for (aspect, listed) in [(2, listed[2]), (1, listed[1]), (0, listed[0])] {
            let uses = self.latest_first().into_iter().filter(|used| listed(used));
            index.extend(uses.map(|used| (aspect, used.start.minutes(), used.flight.key())));
        }
        index
    }

    fn totals(&self) -> TotalsRecord {
        let uses = self.latest_first();
        TotalsRecord {
            milliminutes: uses.iter().map(|used| milliminutes(used.minutes)).sum(),
            last_start: uses.first().map(|used| used.start.minutes()),
            end_voltage: uses.iter().find_map(|used| used.end_voltage),
            voltage: uses.iter().find_map(|used| {
                let landed = used
                    .start
                    .plus_minutes(used.minutes.unwrap_or_default().round() as i64)
                    .unwrap();
                let end = used.end_voltage.map(|volts| (landed.minutes(), volts));
                end.or(used.start_voltage.map(|volts| (used.start.minutes(), volts)))
            }),
            open_flight: self.open.map(FlightId::key),
        }
    }
}

/// Stored rows of one item: its totals, its index entries (aspect, start, flight; descending), and its uses.
type Found = (TotalsRecord, Vec<(u8, i64, u128)>, Vec<(u128, UseRecord)>);

fn look(data: &Snapshot<'_>, (owner, item): (u128, u128)) -> Result<Found> {
    let totals = data.get::<TotalsRecord>((owner, item))?;
    let all = (owner, item, u8::MIN, i64::MIN, 0)..=(owner, item, u8::MAX, i64::MAX, u128::MAX);
    let index = data.keys_descending(&schema::EQUIPMENT_USES_BY_START, all, usize::MAX)?;
    let uses = data.scan::<UseRecord>((owner, item, 0)..=(owner, item, u128::MAX))?;
    Ok((
        totals.unwrap_or(NOTHING),
        index
            .into_iter()
            .map(|(.., aspect, start, flight)| (aspect, start, flight))
            .collect(),
        uses.into_iter().map(|((.., flight), used)| (flight, used)).collect(),
    ))
}

fn places() -> Vec<(u128, u128)> {
    OWNERS.flat_map(|owner| ITEMS.map(move |item| (owner, item))).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn the_totals_are_what_the_uses_add_up_to_after_every_step(
        steps in proptest::collection::vec(step(), 1..150),
    ) {
        let directory = tempfile::tempdir().unwrap();
        let store = Store::open(directory.path(), true).unwrap();
        let taken = steps.clone();
        let found = store.write(move |writer| {
            taken
                .iter()
                .map(|step| {
                    match step {
                        Step::Put { place: (owner, item), used } => {
                            put_use(writer, OwnerId::from_key(*owner), EquipmentId::from_key(*item), used)?;
                        }
                        Step::Remove { place: (owner, item), flight } => {
                            remove_use(writer, OwnerId::from_key(*owner), EquipmentId::from_key(*item), *flight)?;
                        }
                    }
                    places().into_iter().map(|place| look(writer, place)).collect()
                })
                .collect::<Result<Vec<Vec<Found>>>>()
        }).unwrap();

        let mut expected: BTreeMap<_, _> = places().into_iter().map(|place| (place, Expected::default())).collect();
        for (step, found) in steps.iter().zip(found) {
            let (Step::Put { place, .. } | Step::Remove { place, .. }) = step;
            expected.entry(*place).or_default().apply(step);
            for (place, (totals, index, uses)) in places().into_iter().zip(found) {
                let expected = &expected[&place];
                prop_assert_eq!(totals, expected.totals());
                prop_assert_eq!(index, expected.index());
                let kept: Vec<_> = expected
                    .uses
                    .values()
                    .map(|used| {
                        let record = UseRecord {
                            start: used.start.minutes(),
                            milliminutes: milliminutes(used.minutes),
                            start_voltage: used.start_voltage,
                            end_voltage: used.end_voltage,
                            consumed: used.consumed,
                            open: used.open,
                            shared: used.shared,
                        };
                        (used.flight.key(), record)
                    })
                    .collect();
                prop_assert_eq!(uses, kept);
            }
        }
    }

    #[test]
    fn an_item_is_found_as_it_was_stored(item in item(), owner: u128, stranger: u128) {
        prop_assume!(owner != stranger);
        let directory = tempfile::tempdir().unwrap();
        let store = Store::open(directory.path(), true).unwrap();
        let stored = item.clone();
        store.write(move |writer| put(writer, OwnerId::from_key(owner), &stored)).unwrap();
        let find = |owner| store.read(|data| find(data, OwnerId::from_key(owner), item.id));
        prop_assert_eq!(find(owner).unwrap(), item.clone());
        prop_assert_eq!(find(stranger), Err(Error::NotFound));
        prop_assert_eq!(store.read(|data| all(data, OwnerId::from_key(stranger))).unwrap(), vec![]);
    }
}

fn item() -> impl Strategy<Value = Item> {
    let text = "\\PC{0,20}";
    let number = proptest::option::of(0.0..1e9f64);
    (
        (any::<u128>(), proptest::sample::select(Kind::ALL.to_vec())),
        [text; 6],
        proptest::option::of((-25_567..47_482).prop_map(|day| Date::from_days(day).unwrap())),
        (number.clone(), number),
        proptest::option::of((0..70_000_000i64, text).prop_map(|(minute, reason)| Retirement {
            time: start(minute % 40_000_000),
            reason,
        })),
    )
        .prop_map(|((id, kind), texts, purchase_date, (weight, capacity), retirement)| {
            let [name, model, manufacturer, seller, firmware_number, battery_type] = texts;
            Item {
                id: EquipmentId::from_key(id),
                kind,
                details: Details {
                    name,
                    model,
                    manufacturer,
                    purchase_date,
                    seller,
                    weight,
                    firmware_number,
                    battery_type,
                    capacity,
                },
                retirement,
                totals: Totals::default(),
                prior: Prior::default(),
                profile: Profile::default(),
                sticker: None,
            }
        })
}

//! Hints in the words that a pilot reads: what happened to a pack, and which hints it has at which time.

use proptest::prelude::*;

use super::*;
use crate::equipment::battery_profile::Profile;
use crate::equipment::model::{Details, Kind, Retirement};
use crate::equipment::unused;
use crate::packs::aging::{CapacityMeasurement, Charge};
use crate::packs::compare::assign_sets;
use crate::packs::records::charging::details::ChargerFigures;
use crate::packs::records::charging::model::{ChargingTotals, StoredCharging};
use crate::packs::records::health::{Health, Records, charge};
use crate::packs::records::readings::model::{ReadingKind, StoredReading};
use crate::packs::records::sets::model::StoredSet;
use fluglog_base::id::{ChargingId, EquipmentId, ReadingId, SetId};

fn at(time: &str) -> WallTime {
    WallTime::parse(time).unwrap()
}

/// Creates a pack of six cells with these readings, charged to `charged_to` V at 10.05.2026 10:00.
fn pack(charged_to: f64, readings: &[StoredReading]) -> Pack {
    let charged = charging(Some(charged_to));
    let details = Details {
        name: "Akku 1".to_owned(),
        model: "R-Line 6S 1300".to_owned(),
        ..Details::default()
    };
    let chargings = [charged];
    Pack {
        charging: ChargingTotals::of(&chargings),
        health: Health::of(Records {
            chargings: &chargings,
            readings,
            flights: &[],
        }),
        ..unused(EquipmentId::fresh(), Kind::Battery, details, None).into()
    }
}

fn charging(to: Option<f64>) -> StoredCharging {
    StoredCharging {
        id: ChargingId::fresh(),
        start: at("10.05.2026 09:00"),
        end: to.map(|_| at("10.05.2026 10:00")),
        from_voltage: Some(21.6),
        to_voltage: to,
        from_cell_voltage: None,
        to_cell_voltage: None,
        charged: to.map(|_| 900.0),
        flight: None,
        figures: ChargerFigures::default(),
    }
}

fn reading(time: &str) -> StoredReading {
    StoredReading::new(ReadingId::fresh(), at(time))
}

/// Returns the hints as `amber: …` or `red: …`.
fn said(pack: &Pack, now: &str) -> Vec<String> {
    let hints = hints(pack, at(now));
    let said = hints.into_iter().map(|hint| match hint.level {
        Level::Amber => format!("amber: {}", hint.text),
        Level::Red => format!("red: {}", hint.text),
    });
    said.collect()
}

#[test]
fn a_pack_that_is_full_empty_or_low_for_too_long_says_so() {
    const FLY: &str = "Fliegen oder auf Lagerspannung bringen (etwa 22,9 V).";
    for (volts, now, text) in [
        (25.2, "13.05.2026 09:59", ""),
        (25.2, "13.05.2026 10:00", &*format!("amber: Seit 3 Tagen voll. {FLY}")),
        (25.2, "17.05.2026 09:59", &*format!("amber: Seit 6 Tagen voll. {FLY}")),
        (25.2, "17.05.2026 10:00", &*format!("red: Seit 7 Tagen voll. {FLY}")),
        (24.6, "13.05.2026 10:00", &*format!("amber: Seit 3 Tagen voll. {FLY}")),
        (24.5, "30.05.2026 10:00", ""),
        (22.1, "12.05.2026 09:59", ""),
        (22.1, "12.05.2026 10:00", "amber: Seit 2 Tagen leer."),
        (22.1, "17.05.2026 10:00", "red: Seit 7 Tagen leer."),
        (
            18.6,
            "10.05.2026 10:00",
            "red: Zuletzt 3,1 V je Zelle. Vor dem Laden prüfen.",
        ),
        (22.9, "08.08.2026 09:59", ""),
        (22.9, "08.08.2026 10:00", "amber: Seit 3 Monaten nicht geprüft."),
        // The clock was set back.
        (25.2, "01.05.2026 10:00", ""),
    ] {
        let hints = said(&pack(volts, &[]), now);
        assert_eq!(hints.join(" "), text, "{volts} V at {now}");
    }
}

#[test]
fn the_pilot_says_how_long_a_pack_may_be_full_and_nobody_warns_of_guessed_cells() {
    let full = pack(25.2, &[]);
    for (full_days, now, count) in [
        (Some(0), "30.05.2026 10:00", 0),
        (Some(1), "11.05.2026 10:00", 1),
        (Some(10), "19.05.2026 10:00", 0),
        (Some(10), "20.05.2026 10:00", 1),
    ] {
        let mut pack = full.clone();
        pack.item.profile.full_days = full_days;
        assert_eq!(said(&pack, now).len(), count, "{full_days:?} at {now}");
    }
    let mut unknown = full;
    unknown.item.details.model = "R-Line".to_owned();
    assert_eq!(said(&unknown, "30.05.2026 10:00"), [""; 0]);
}

#[test]
fn a_check_of_a_stored_pack_is_good_for_three_months() {
    let checked = StoredReading {
        kind: ReadingKind::Stored,
        voltage: Some(22.8),
        ..reading("01.08.2026 10:00")
    };
    let readings = [checked];
    let pack = pack(22.9, &readings);
    assert_eq!(said(&pack, "08.08.2026 10:00"), [""; 0]);
    assert_eq!(
        said(&pack, "30.10.2026 10:00"),
        ["amber: Seit 3 Monaten nicht geprüft."]
    );
}

#[test]
fn a_smart_pack_looks_after_itself_but_not_for_ever() {
    let mut smart = pack(25.2, &[]);
    smart.item.profile = Profile {
        chemistry: Some(Chemistry::Smart),
        cells: Some(6),
        ..Profile::default()
    };
    assert_eq!(said(&smart, "20.05.2026 09:59"), [""; 0]);
    assert_eq!(
        said(&smart, "20.05.2026 10:00"),
        ["amber: Seit 10 Tagen unbenutzt. DJI rät zu 40–65 %."]
    );
}

#[test]
fn a_charger_that_nobody_looks_after_is_said() {
    let mut pack = pack(22.9, &[]);
    pack.charging.open = Some(charging(None));
    assert_eq!(said(&pack, "10.05.2026 12:59"), [""; 0]);
    assert_eq!(said(&pack, "10.05.2026 13:00"), ["amber: Lädt seit 4 Stunden."]);
}

#[test]
fn a_flight_that_ended_low_is_said_by_the_voltage_of_a_cell() {
    for (volts, text) in [
        (19.8, ""),
        (19.2, "amber: Letzter Flug endete bei 3,2 V je Zelle."),
        (18.0, "amber: Letzter Flug endete bei 3 V je Zelle."),
        (17.4, "red: Letzter Flug endete bei 2,9 V je Zelle."),
    ] {
        let mut pack = pack(22.9, &[]);
        pack.item.totals.end_voltage = Some(volts);
        assert_eq!(said(&pack, "10.05.2026 10:00").join(" "), text, "{volts} V");
    }
}

#[test]
fn cells_are_compared_after_charging_only() {
    let with = |kind, cells: &[f64]| StoredReading {
        kind,
        cell_voltages: cells.to_vec(),
        ..reading("10.05.2026 10:00")
    };
    for (kind, cells, text) in [
        (ReadingKind::Charged, &[4.2, 4.18, 4.2][..], ""),
        (
            ReadingKind::Charged,
            &[4.2, 4.17, 4.2],
            "amber: Zellen 0,03 V auseinander.",
        ),
        (
            ReadingKind::Charged,
            &[4.2, 4.16, 4.2],
            "amber: Zellen 0,04 V auseinander.",
        ),
        (ReadingKind::Charged, &[4.2, 4.1, 4.2], "red: Zellen 0,1 V auseinander."),
        (ReadingKind::Rest, &[4.2, 3.9, 4.2], ""),
        (ReadingKind::Charged, &[4.2], ""),
    ] {
        assert_eq!(cells_said(&with(kind, cells)), text, "{cells:?}");
    }
}

fn cells_said(reading: &StoredReading) -> String {
    let readings = [reading.clone()];
    said(&pack(22.9, &readings), "10.05.2026 10:00").join(" ")
}

#[test]
fn cells_that_do_not_add_up_to_the_pack_are_said() {
    let with = |voltage| StoredReading {
        voltage: Some(voltage),
        cell_voltages: vec![4.1; 6],
        ..reading("10.05.2026 10:00")
    };
    assert_eq!(cells_said(&with(24.9)), "");
    assert_eq!(
        cells_said(&with(25.2)),
        "amber: Summe der Zellen 24,6 V, Akku 25,2 V: Wert prüfen."
    );
}

#[test]
fn inner_resistance_is_compared_with_the_packs_own_first_values_at_the_same_temperature() {
    let read = |day: &str, third: f64, temperature: Option<f64>| StoredReading {
        resistances: vec![4.4, 4.5, third, 4.6, 4.5, 4.4],
        temperature,
        ..reading(&format!("{day}.05.2026 10:00"))
    };
    let warm = Some(20.0);
    let first = [read("01", 4.4, warm), read("02", 4.4, warm), read("03", 4.6, warm)];
    let grown = |now: StoredReading| {
        let readings = [&first[..], &[now]].concat();
        said(&pack(22.9, &readings), "10.05.2026 10:00")
    };
    assert_eq!(
        grown(read("09", 6.5, warm)),
        ["amber: Zelle 3 liegt 44 % über den anderen."; 0]
    );
    assert_eq!(
        grown(read("09", 7.0, warm)),
        [
            "amber: Zelle 3: 7,0 mΩ, 1,6-mal so viel wie am Anfang (4,4).",
            "amber: Zelle 3 liegt 56 % über den anderen."
        ]
    );
    assert_eq!(
        grown(read("09", 9.2, warm))[0],
        "red: Zelle 3: 9,2 mΩ, 2,1-mal so viel wie am Anfang (4,4)."
    );
    // Cold packs have a higher resistance; without a temperature nothing can be compared.
    assert_eq!(
        grown(read("09", 9.2, Some(14.0))),
        ["amber: Zelle 3 liegt 104 % über den anderen."]
    );
    assert_eq!(grown(read("09", 9.2, None)).len(), 2);
    // A baseline needs three readings.
    let two = [first[0].clone(), read("09", 9.2, warm)];
    assert_eq!(
        said(&pack(22.9, &two), "10.05.2026 10:00"),
        ["amber: Zelle 3 liegt 104 % über den anderen."]
    );
}

#[test]
fn a_profile_that_changed_from_four_cells_to_six_compares_only_what_is_alike() {
    let four = StoredReading {
        resistances: vec![4.0; 4],
        ..reading("01.05.2026 10:00")
    };
    let six = StoredReading {
        resistances: vec![9.0; 6],
        ..reading("05.05.2026 10:00")
    };
    let readings = [four.clone(), four.clone(), four, six];
    assert_eq!(said(&pack(22.9, &readings), "10.05.2026 10:00"), [""; 0]);
}

#[test]
fn what_is_left_of_the_capacity_is_said_below_nine_tenths() {
    for (percent, is_measured, text) in [
        (90.0, true, ""),
        (86.4, true, "amber: Noch etwa 86 % der Nennkapazität."),
        (80.0, true, "amber: Noch etwa 80 % der Nennkapazität."),
        (78.0, true, "red: Noch etwa 78 % der Nennkapazität."),
        // An estimate is never urgent.
        (90.0, false, ""),
        (86.4, false, "amber: Noch etwa 86 % der Nennkapazität."),
        (60.0, false, "amber: Noch etwa 60 % der Nennkapazität."),
    ] {
        let mut pack = pack(22.9, &[]);
        pack.item.details.capacity = Some(1000.0);
        let whole = percent * 10.0;
        // From the voltage of a tenth.
        let estimated = charge(&StoredCharging {
            from_voltage: Some(22.14),
            charged: Some(whole * 0.9),
            ..charging(Some(25.2))
        });
        let telling = CapacityMeasurement {
            charge: Charge {
                measured: is_measured.then_some(whole),
                ..estimated.unwrap()
            },
            is_rested: true,
        };
        pack.health.aging.capacity_charges = vec![telling; 3];
        assert_eq!(said(&pack, "10.05.2026 10:00").join(" "), text, "{percent} %");
    }
}

#[test]
fn a_swollen_pack_is_red_until_its_reading_says_otherwise_and_comes_first() {
    let swollen = StoredReading {
        swollen: true,
        ..reading("01.05.2026 10:00")
    };
    let damaged = StoredReading {
        damaged: true,
        ..reading("02.05.2026 10:00")
    };
    let readings = [swollen, damaged, reading("09.05.2026 10:00")];
    let mut pack = pack(25.2, &readings);
    let hints = said(&pack, "13.05.2026 10:00");
    assert_eq!(
        hints[0],
        "red: Aufgebläht. Nicht mehr laden, nach Angaben des Herstellers entsorgen."
    );
    assert_eq!(
        hints[1],
        "red: Beschädigt. Nicht mehr laden, nach Angaben des Herstellers entsorgen."
    );
    assert!(hints[2].starts_with("amber: Seit 3 Tagen voll."));
    pack.item.retirement = Some(Retirement {
        time: at("12.05.2026 10:00"),
        reason: "gebläht".to_owned(),
    });
    assert_eq!(said(&pack, "13.05.2026 10:00"), [""; 0]);
}

#[test]
fn a_set_whose_packs_are_unlike_says_so_and_gravely_before_a_flight_only() {
    let member = |volts: f64, cycles: i64| {
        let mut pack = pack(volts, &[]);
        pack.item.id = EquipmentId::fresh();
        pack.item.details.capacity = Some(1000.0);
        pack.health.aging.charged = cycles * 1_000_000;
        pack
    };
    for (volts, cycles, said_of_it) in [
        ([25.2, 25.14], [4, 4], ""),
        (
            [24.36, 24.0],
            [4, 4],
            "amber: Satz „Lang“: 0,06 V je Zelle auseinander.",
        ),
        ([24.36, 23.7], [4, 4], "red: Satz „Lang“: 0,11 V je Zelle auseinander."),
        ([23.1, 22.5], [4, 4], "amber: Satz „Lang“: 0,1 V je Zelle auseinander."),
        ([24.0, 24.0], [8, 10], ""),
        (
            [24.0, 24.0],
            [7, 10],
            "amber: Satz „Lang“: von 7,0 bis 10,0 Vollzyklen.",
        ),
        // Too few cycles.
        ([24.0, 24.0], [1, 4], ""),
    ] {
        let mut packs = [member(volts[0], cycles[0]), member(volts[1], cycles[1])];
        let set = StoredSet {
            id: SetId::fresh(),
            name: "Lang".to_owned(),
            members: packs.iter().map(|pack| pack.item.id).collect(),
        };
        assign_sets(&mut packs, std::slice::from_ref(&set));
        for pack in &packs {
            assert_eq!(
                said(pack, "10.05.2026 11:00").join(" "),
                said_of_it,
                "{volts:?} {cycles:?}"
            );
        }
        // A set with a pack on the charger isn't compared.
        packs[1].charging.open = Some(charging(None));
        packs[1].item.details.capacity = None;
        assign_sets(&mut packs, &[set]);
        assert_eq!(said(&packs[0], "10.05.2026 11:00").join(" "), "");
    }
}

#[test]
fn the_light_of_a_pack_is_that_of_its_gravest_hint_and_grey_when_nobody_looked() {
    let traffic_light = |pack: &Pack, now: &str| traffic_light(pack, &hints(pack, at(now)), at(now));
    let full = pack(25.2, &[]);
    for (now, shown) in [
        ("10.05.2026 10:00", Light::Green),
        ("13.05.2026 10:00", Light::Amber),
        ("17.05.2026 10:00", Light::Red),
    ] {
        assert_eq!(traffic_light(&full, now), Some(shown), "{now}");
    }
    let partly = pack(24.0, &[]);
    assert_eq!(traffic_light(&partly, "08.08.2026 09:59"), Some(Light::Green));
    assert_eq!(traffic_light(&partly, "08.08.2026 10:00"), Some(Light::Grey));
    let new = unused(EquipmentId::fresh(), Kind::Battery, full.item.details.clone(), None).into();
    assert_eq!(traffic_light(&new, "10.05.2026 10:00"), Some(Light::Grey));
    let copter = unused(EquipmentId::fresh(), Kind::Copter, full.item.details, None).into();
    assert_eq!(traffic_light(&copter, "10.05.2026 10:00"), None);
}

proptest! {
    #[test]
    fn any_history_has_its_hints_and_the_gravest_come_first(
        charged_to in 0.0..30.0_f64, minutes in -100_000..900_000_i64,
        cells in proptest::collection::vec(
            (proptest::collection::vec(0.0..5.0_f64, 0..8), proptest::collection::vec(0.1..500.0_f64, 0..8), 0..4_u8),
            0..8,
        ),
    ) {
        let readings: Vec<_> = cells.into_iter().map(|(cell_voltages, resistances, kind)| StoredReading {
            cell_voltages, resistances, kind: ReadingKind::from_code(kind).unwrap(), ..reading("01.05.2026 10:00")
        }).collect();
        let now = at("10.05.2026 10:00").plus_minutes(minutes).unwrap();
        let hints = hints(&pack(charged_to, &readings), now);
        prop_assert!(hints.is_sorted_by_key(|hint| std::cmp::Reverse(hint.level)));
        prop_assert!(hints.iter().all(|hint| hint.text.ends_with(|end: char| ".)".contains(end))));
    }
}

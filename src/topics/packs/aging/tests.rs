//! State of health and forecasts of made-up packs.

use proptest::prelude::*;

use super::*;

const SIX_CELLS: Nominal = Nominal {
    cells: Some(6),
    chemistry: Chemistry::Polymer,
    full: Some(25.2),
    capacity: Some(1300.0),
};

fn day(day: i64) -> WallTime {
    WallTime::from_minutes(29_000_000 + day * 24 * 60).unwrap()
}

/// Creates a charging on day `at` from 3.69 V per cell, a resting voltage at a tenth of the charge.
fn charged(at: i64, amount: f64) -> Charge {
    Charge {
        start: day(at),
        end: day(at),
        from: 22.14,
        to: 25.2,
        charged: Some(amount),
        measured: None,
    }
}

/// Creates a charging every `days_between` days, each showing a percentage of 1300 mAh; nine tenths of that are
/// charged.
fn showing(percents: &[f64], days_between: i64) -> Trend {
    let charges: Vec<_> = percents
        .iter()
        .zip(0..)
        .map(|(percent, place)| charged(place * days_between, percent / 100.0 * 1300.0 * 0.9))
        .collect();
    trend(SIX_CELLS, &charges, &[])
}

#[test]
fn the_charge_of_a_cell_follows_the_table_of_chargers() {
    for (volts, part) in [
        (4.2, 1.0),
        (4.3, 1.0),
        (4.08, 0.85),
        (3.95, 0.7),
        (3.85, 0.55),
        (3.825, 0.475),
        (3.8, 0.4),
        (3.75, 0.25),
        (3.69, 0.1),
        (3.27, 0.0),
        (3.0, 0.0),
    ] {
        assert!((state_of_charge(volts) - part).abs() < 1e-9, "{volts} V");
    }
}

#[test]
fn full_cycles_are_what_was_charged_or_else_what_the_flights_took() {
    let flight = |at: i64, consumed| Discharge {
        start: day(at),
        landing: day(at),
        consumed,
        is_shared: false,
    };
    let unknown = |at| Charge {
        charged: None,
        ..charged(at, 0.0)
    };
    let flights = [flight(1, Some(650.0)), flight(2, None), flight(3, Some(650.0))];
    for (charges, cycles) in [
        (vec![], 1.0),
        (vec![charged(0, 1300.0), charged(4, 1040.0)], 1.8),
        // Between the charges were two flights with a known consumption.
        (vec![charged(0, 1300.0), unknown(4)], 2.0),
        (vec![unknown(0)], 0.0),
        (vec![unknown(2)], 0.5),
    ] {
        assert_eq!(trend(SIX_CELLS, &charges, &flights).cycles, Some(cycles), "{charges:?}");
    }
    let without_capacity = Nominal {
        capacity: None,
        ..SIX_CELLS
    };
    assert_eq!(trend(without_capacity, &[], &flights).cycles, None);
}

#[test]
fn a_charging_tells_the_capacity_when_it_began_at_rest_and_ended_full() {
    let flown = [Discharge {
        start: day(9),
        landing: day(10),
        consumed: None,
        is_shared: false,
    }];
    let at = |minutes: i64| day(10).plus_minutes(minutes).unwrap();
    let whole = charged(12, 1053.0);
    for (charge, nominal, tells) in [
        (whole, SIX_CELLS, true),
        (Charge { start: at(60), ..whole }, SIX_CELLS, true),
        (Charge { start: at(59), ..whole }, SIX_CELLS, false),
        (Charge { to: 25.02, ..whole }, SIX_CELLS, true),
        (Charge { to: 25.01, ..whole }, SIX_CELLS, false),
        (Charge { from: 22.95, ..whole }, SIX_CELLS, true),
        (Charge { from: 23.2, ..whole }, SIX_CELLS, false),
        (Charge { charged: None, ..whole }, SIX_CELLS, false),
        (
            whole,
            Nominal {
                cells: None,
                ..SIX_CELLS
            },
            false,
        ),
        (
            whole,
            Nominal {
                capacity: None,
                ..SIX_CELLS
            },
            false,
        ),
        (
            whole,
            Nominal {
                chemistry: Chemistry::Ion,
                ..SIX_CELLS
            },
            false,
        ),
    ] {
        let points = trend(nominal, &[charge], &flown).capacity;
        assert_eq!(points.len(), usize::from(tells), "{charge:?} {nominal:?}");
    }
    // 1053 mAh are nine tenths of 1170, which is 90 % of 1300.
    assert_eq!(trend(SIX_CELLS, &[whole], &flown).capacity[0].percent, 90.0);
}

#[test]
fn the_measurement_of_a_charger_outranks_the_estimate_and_needs_neither_rest_nor_cells() {
    let measured = Charge {
        from: 25.0,
        measured: Some(1170.0),
        ..charged(1, 100.0)
    };
    let unknown = Nominal {
        cells: None,
        full: None,
        ..SIX_CELLS
    };
    for nominal in [SIX_CELLS, unknown] {
        assert_eq!(trend(nominal, &[measured], &[]).capacity[0].percent, 90.0);
    }
}

#[test]
fn the_capacity_of_today_follows_from_the_latest_charges_alone() {
    let old: Vec<_> = (0..5).map(|day| charged(day, 1170.0)).collect();
    // From half full to full, which doesn't show the capacity.
    let partial = |day| Charge {
        from: 23.4,
        ..charged(day, 400.0)
    };
    let lately: Vec<_> = (5..21).map(partial).collect();
    let percent = |charges: &[Charge]| trend(SIX_CELLS, charges, &[]).percent;
    assert_eq!(percent(&old), Some(100.0));
    assert_eq!(percent(&[&old[..], &lately[..13]].concat()), Some(100.0));
    assert_eq!(percent(&[&old[..], &lately[..14]].concat()), None);
}

#[test]
fn the_forecast_says_what_is_missing_or_what_may_be_left() {
    let straight: Vec<_> = (0..30).map(|place| 100.0 - f64::from(place) * 0.4).collect();
    let mut outlier = straight.clone();
    outlier[15] = 40.0;
    let noisy: Vec<_> = straight
        .iter()
        .zip(0..)
        .map(|(p, at)| p + [0.6, -0.5, 0.2, -0.3][at % 4])
        .collect();
    let flat = vec![97.0; 30];
    let rising: Vec<_> = straight.iter().rev().copied().collect();
    for (name, percents, days, said) in [
        ("none", &[][..], 5, ""),
        (
            "five",
            &straight[..5],
            20,
            "Für eine Prognose fehlen Messungen (5 von 8).",
        ),
        (
            "seven",
            &straight[..7],
            20,
            "Für eine Prognose fehlen Messungen (7 von 8).",
        ),
        (
            "a day each",
            &straight,
            1,
            "Für eine Prognose ist der Zeitraum zu kurz (29 von 60 Tagen).",
        ),
        (
            "ten",
            &straight[..10],
            10,
            "Für eine Prognose fehlen Vollzyklen (7 von 20).",
        ),
        (
            "straight",
            &straight,
            5,
            "Bei dieser Nutzung etwa 20 weitere Zyklen bis 80 %.",
        ),
        (
            "outlier",
            &outlier,
            5,
            "Bei dieser Nutzung etwa 20 weitere Zyklen bis 80 %.",
        ),
        (
            "noisy",
            &noisy,
            5,
            "Bei dieser Nutzung etwa 10 bis 40 weitere Zyklen bis 80 %.",
        ),
        ("flat", &flat, 5, "Kein Nachlassen zu erkennen."),
        ("rising", &rising, 5, "Kein Nachlassen zu erkennen."),
        ("worn", &[78.0, 79.0, 77.0][..], 5, "Schon unter 80 %."),
    ] {
        assert_eq!(showing(percents, days).forecast, said, "{name}");
    }
}

/// Expected values from scipy 1.17.1: `theilslopes(percents, cycles, method='joint')` of these five points.
#[test]
fn the_line_is_that_of_theil_and_sen() {
    let point = |cycles, percent| CapacityPoint {
        cycles,
        percent,
        day: 0.0,
    };
    let points = [(0.0, 100.0), (5.0, 98.0), (10.0, 99.0), (15.0, 60.0), (20.0, 92.0)].map(|(x, y)| point(x, y));
    let line = line(&points).unwrap();
    // Slopes of the ten pairs, sorted: −7.8, −3.8, −2.667, −0.7, −0.4, −0.4, −0.4, −0.1, 0.2, 6.4.
    assert!((line.slope - -0.4).abs() < 1e-9, "{}", line.slope);
    assert!((line.start - 100.0).abs() < 1e-9, "{}", line.start);
}

proptest! {
    #[test]
    fn any_history_has_a_trend(
        charges in proptest::collection::vec((0..900_i64, 0..3000_i64, 10.0..26.0_f64, 10.0..26.0_f64,
            proptest::option::of(0.0..3000.0_f64)), 0..40),
        flights in proptest::collection::vec((0..900_i64, proptest::option::of(0.0..2000.0_f64)), 0..40),
        cells in proptest::option::of(1..=14_u8), capacity in proptest::option::of(0.0..5000.0_f64),
    ) {
        let charges: Vec<_> = charges.into_iter().map(|(start, minutes, from, to, charged)| Charge {
            start: day(start), end: day(start).plus_minutes(minutes).unwrap(), from, to, charged, measured: None,
        }).collect();
        let flights: Vec<_> = flights.into_iter().map(|(start, consumed)| Discharge {
            start: day(start), landing: day(start), consumed, is_shared: false,
        }).collect();
        let nominal = Nominal { cells, capacity, full: cells.map(|cells| f64::from(cells) * 4.2), ..SIX_CELLS };
        let trend = trend(nominal, &charges, &flights);
        prop_assert!(trend.cycles.is_none_or(|cycles| cycles >= 0.0 && cycles.is_finite()));
        prop_assert!(trend.capacity.iter().all(|point| point.percent.is_finite() && point.cycles.is_finite()));
        prop_assert!(trend.line.is_none_or(|line| line.iter().all(|value| value.is_finite())));
    }
}

#[test]
fn cycles_by_flights_with_several_packs_are_marked_as_estimated() {
    let flight = |at: i64, is_shared| Discharge {
        start: day(at),
        landing: day(at),
        consumed: Some(500.0),
        is_shared,
    };
    let alone = Aging::of(&[], &[flight(1, false), flight(2, false)]);
    let shared = Aging::of(&[], &[flight(1, false), flight(2, true)]);
    assert_eq!((alone.charged, alone.is_estimated), (1_000_000, false));
    assert_eq!((shared.charged, shared.is_estimated), (1_000_000, true));
    // An amount shown by the charger leaves nothing to estimate.
    let told = Aging::of(&[charged(3, 900.0)], &[flight(2, true)]);
    assert_eq!((told.charged, told.is_estimated), (900_000, false));
    let untold = Charge {
        charged: None,
        ..charged(3, 900.0)
    };
    let untold = Aging::of(&[untold], &[flight(2, true)]);
    assert_eq!((untold.charged, untold.is_estimated), (500_000, true));
}

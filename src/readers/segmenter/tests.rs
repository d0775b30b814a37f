//! The segmenter, with all kinds of samples.

use proptest::prelude::*;

use super::*;
use crate::samples::{Clock, Point};
use crate::track;

const METRES_NORTH: f64 = 1.0 / 111_195.0;

fn at(seconds: f64, metres_north: f64) -> Sample {
    Sample {
        seconds: Some(seconds),
        point: Some(Point {
            latitude: 53.0 + metres_north * METRES_NORTH,
            longitude: 8.0,
        }),
        ..Sample::default()
    }
}

fn folded(metadata: Metadata, samples: &[Sample]) -> Segmented {
    let mut segmenter = Segmenter::default();
    segmenter.begin(metadata);
    samples.iter().for_each(|sample| segmenter.sample(sample).unwrap());
    segmenter.finish()
}

fn of_radio() -> Metadata {
    Metadata {
        clock: Clock::Local,
        is_continuous: true,
        ..Metadata::default()
    }
}

fn near(found: Option<f64>, expected: f64) -> bool {
    found.is_some_and(|found| (found - expected).abs() < 0.01 * expected.abs().max(1.0))
}

#[test]
fn a_straight_flight_has_its_length_and_hovering_has_none() {
    let there: Vec<_> = (0..100)
        .map(|step| at(f64::from(step), f64::from(step) * 10.0))
        .collect();
    let hover: Vec<_> = (0..100)
        .map(|step| at(100.0 + f64::from(step), 990.0 + f64::from(step % 2) * 2.0))
        .collect();
    let found = folded(Metadata::default(), &[there, hover].concat()).found;
    assert_eq!(found.len(), 1);
    assert!(near(found[0].figures.distance, 0.99), "{:?}", found[0].figures);
    assert!(near(found[0].figures.farthest, 990.0));
    assert_eq!(found[0].duration, Some(199.0));
}

#[test]
fn what_says_that_it_is_above_its_take_off_flies_however_slowly() {
    let hovering = |height: f64| {
        let samples: Vec<_> = (0..120)
            .map(|second| Sample {
                speed: Some(4.0),
                height: Some(if second > 60 { height } else { 0.0 }),
                ..at(f64::from(second), f64::from(second) * 0.5)
            })
            .collect();
        folded(Metadata::default(), &samples).found[0].clone()
    };
    let (flown, walked) = (hovering(6.3), hovering(1.4));
    assert_eq!((flown.is_motionless, flown.duration), (false, Some(119.0)));
    assert!(walked.is_motionless, "{walked:?}");
}

#[test]
fn a_glider_flies_by_its_height_alone_and_a_sensor_that_comes_and_goes_moves_nothing() {
    let log = |altitude: fn(u32) -> f64, other: Sample| {
        let samples: Vec<_> = (0..300u32)
            .map(|second| Sample {
                seconds: Some(f64::from(second)),
                altitude: Some(altitude(second)),
                ..other
            })
            .collect();
        folded(of_radio(), &samples).found.remove(0)
    };
    let climb = |second: u32| 80.0 + f64::from(second.saturating_sub(60).min(240 - second.min(240)));
    let [still, current, throttle] = [
        Sample {
            speed: Some(0.0),
            ..Sample::default()
        },
        Sample {
            amperes: Some(0.0),
            ..Sample::default()
        },
        Sample {
            throttle: Some(-1024.0),
            ..Sample::default()
        },
    ];
    for other in [still, current, throttle] {
        let glider = log(climb, other);
        assert!(!glider.is_motionless, "{glider:?}");
        assert_eq!((glider.start, glider.duration), (Some(71.0), Some(158.0)));
        // Height above the ground, not above the first sample in flight.
        assert!(near(glider.figures.height, 90.0), "{:?}", glider.figures);
        let hill = log(|second| if second % 100 < 50 { 0.0 } else { 120.0 }, other);
        assert!(hill.is_motionless, "{hill:?}");
    }
    // If a motor shows when it flies, a drifting GPS doesn't make the flight longer.
    let flown: Vec<_> = (0..300u32)
        .map(|second| Sample {
            seconds: Some(f64::from(second)),
            altitude: Some(f64::from(second) / 10.0),
            speed: Some(if (100..160).contains(&second) { 30.0 } else { 0.0 }),
            ..Sample::default()
        })
        .collect();
    let found = folded(of_radio(), &flown).found.remove(0);
    assert_eq!((found.start, found.duration), (Some(100.0), Some(59.0)));
}

#[test]
fn a_gap_and_a_step_back_divide_and_a_pause_does_not() {
    let flight = |from: f64| (0..30).map(move |step| at(from + f64::from(step), f64::from(step) * 10.0));
    let count = |starts: &[f64]| {
        let samples: Vec<_> = starts.iter().flat_map(|from| flight(*from)).collect();
        folded(Metadata::default(), &samples).found.len()
    };
    assert_eq!(
        (count(&[0.0, 80.0]), count(&[0.0, 100.0]), count(&[1000.0, 0.0])),
        (1, 2, 2)
    );
}

#[test]
fn the_voltage_at_rest_is_that_of_the_same_pack_once_it_has_recovered() {
    let logged = |after: &[f64]| {
        let flown = (0..60).map(|second| (second, true, 16.0 - f64::from(second) * 0.03));
        let rests = (60..).zip(after).map(|(second, volts)| (second, false, *volts));
        let samples: Vec<_> = flown
            .chain(rests)
            .map(|(second, armed, volts)| Sample {
                seconds: Some(f64::from(second)),
                armed: Some(armed),
                volts: Some(volts),
                height: Some(f64::from(second)),
                ..Sample::default()
            })
            .collect();
        folded(of_radio(), &samples).found[0].profile.resting_voltage
    };
    // The voltage recovers for five seconds.
    assert_eq!(logged(&[14.3, 14.4, 14.5, 14.6, 14.7, 14.8, 14.8, 14.82]), Some(1480));
    assert_eq!(
        logged(&[14.3, 14.4, 14.5, 14.6, 14.7, 14.8]),
        None,
        "the log ends too early"
    );
    assert_eq!(logged(&[16.6; 12]), None, "a full pack was plugged in");
    assert_eq!(logged(&[5.0; 12]), None, "nothing is plugged in");
    assert_eq!(logged(&[]), None);
}

#[test]
fn only_what_is_armed_is_flown_but_a_short_pause_belongs_to_it() {
    let armed = |from: u32, to: u32, armed: bool| {
        (from..to).map(move |second| Sample {
            seconds: Some(f64::from(second)),
            armed: Some(armed),
            volts: Some(if armed { 16.0 } else { 5.0 }),
            ..Sample::default()
        })
    };
    let samples: Vec<_> = armed(0, 50, false)
        .chain(armed(50, 100, true))
        .chain(armed(100, 120, false))
        .chain(armed(120, 200, true))
        .chain(armed(200, 240, false))
        .chain(armed(240, 300, true))
        .collect();
    let found = folded(of_radio(), &samples).found;
    let times: Vec<_> = found.iter().map(|flight| (flight.start, flight.duration)).collect();
    assert_eq!(times, [(Some(50.0), Some(149.0)), (Some(240.0), Some(59.0))]);
    assert_eq!(
        (found[0].figures.start_volts, found[0].figures.end_volts),
        (Some(16.0), Some(16.0))
    );
    let never = folded(of_radio(), &armed(0, 100, false).collect::<Vec<_>>());
    assert_eq!((never.found.len(), never.omitted.len()), (0, 1));
}

#[test]
fn a_counter_that_begins_anew_is_added_up() {
    let values = [100.0, 300.0, 600.0, 20.0, 220.0];
    let samples: Vec<_> = (0..)
        .zip(values)
        .map(|(second, consumed)| Sample {
            consumed: Some(consumed),
            ..at(f64::from(second), 0.0)
        })
        .collect();
    assert_eq!(
        folded(Metadata::default(), &samples).found[0].figures.consumed,
        Some(700.0)
    );
}

#[test]
fn a_fix_that_no_copter_reaches_is_dropped() {
    let mut samples: Vec<_> = (0..60)
        .map(|step| at(f64::from(step), f64::from(step) * 10.0))
        .collect();
    samples[30] = at(30.0, 50_000.0);
    let few = Sample {
        satellites: Some(3.0),
        ..at(60.0, 900.0)
    };
    samples.push(few);
    let found = folded(Metadata::default(), &samples).found;
    assert!(near(found[0].figures.farthest, 590.0), "{:?}", found[0].figures);
}

#[test]
fn the_last_place_of_the_receiver_before_its_first_fix_is_no_part_of_the_flight() {
    let far = |second: f64| Sample {
        altitude: Some(300.0),
        ..at(second, 45_000.0)
    };
    let flown = |second: f64| Sample {
        altitude: Some(80.0 + second.min(40.0)),
        ..at(second, (second - 300.0).abs() * 5.0)
    };
    for (old, first) in [(1, 1), (12, 12), (250, 250), (5, 15)] {
        let before = (0..old).map(|second| far(f64::from(second)));
        let samples: Vec<_> = before
            .chain((first..600).map(|second| flown(f64::from(second))))
            .collect();
        let metadata = Metadata {
            speed_from_positions: true,
            ..Metadata::default()
        };
        let found = folded(metadata, &samples).found.remove(0);
        let figures = found.figures;
        let metres = f64::from(300 - first + 299) * 5.0;
        assert!(near(figures.distance, metres / 1000.0), "{figures:?}");
        assert!(
            near(figures.farthest, f64::from(300 - first).max(1.0) * 5.0) || first > 200,
            "{figures:?}"
        );
        assert!(
            near(figures.speed, 18.0) && figures.height.unwrap() <= 40.0,
            "{figures:?}"
        );
        assert!(
            found.track.iter().all(|point| point.latitude < 53.1),
            "{:?}",
            found.track
        );
        assert_eq!(found.duration, Some(599.0));
    }
}

#[test]
fn a_sensor_that_never_shows_anything_does_not_say_that_the_copter_stood() {
    let log = |other: Sample, armed: Option<bool>, throttle: fn(u32) -> Option<f64>| {
        let samples: Vec<_> = (0..200u32)
            .map(|second| Sample {
                seconds: Some(f64::from(second)),
                throttle: throttle(second),
                armed: armed.map(|_| second > 20),
                ..other
            })
            .collect();
        folded(of_radio(), &samples).found.remove(0)
    };
    let dead = Sample {
        amperes: Some(0.0),
        speed: Some(0.0),
        altitude: Some(0.0),
        ..Sample::default()
    };
    let thrown = |second: u32| Some(if second > 30 { 200.0 } else { -1024.0 });
    let idle = |_: u32| Some(-1024.0);
    let flown = log(dead, Some(true), thrown);
    assert_eq!((flown.is_motionless, flown.start), (false, Some(21.0)));
    let flown = log(dead, None, thrown);
    assert_eq!((flown.is_motionless, flown.start), (false, Some(31.0)));
    assert!(!log(dead, Some(true), |_| None).is_motionless);
    assert!(!log(dead, None, |_| None).is_motionless);
    // Whatever is alive shows that it stood.
    assert!(log(dead, Some(true), idle).is_motionless);
    let powered = Sample {
        amperes: Some(0.4),
        ..dead
    };
    assert!(log(powered, Some(true), thrown).is_motionless);
    let placed = Sample {
        point: at(0.0, 0.0).point,
        ..dead
    };
    assert!(log(placed, Some(true), |_| None).is_motionless);
}

#[test]
fn coordinates_in_the_wrong_order_are_found_by_the_speed() {
    let log = |latitude: f64, longitude: f64, (north, east): (f64, f64), knows_speed: bool, is_exchanged: bool| {
        let samples: Vec<_> = (0..200u32)
            .map(|second| {
                let metres = f64::from(second.min(200 - second)) * 8.0;
                let along = latitude + metres * north * METRES_NORTH;
                let across = longitude + metres * east * METRES_NORTH / latitude.to_radians().cos();
                let (latitude, longitude) = match is_exchanged {
                    true => (across, along),
                    false => (along, across),
                };
                Sample {
                    seconds: Some(f64::from(second)),
                    point: Some(Point { latitude, longitude }),
                    speed: knows_speed.then_some(8.0 * 3.6),
                    ..Sample::default()
                }
            })
            .collect();
        let metadata = Metadata {
            may_exchange_coordinates: true,
            ..of_radio()
        };
        folded(metadata, &samples).found.remove(0)
    };
    for (latitude, longitude, direction) in [
        (50.93, 6.95, (1.0, 0.0)),
        (50.93, 6.95, (0.0, 1.0)),
        (50.93, 6.95, (0.6, 0.8)),
        (-36.2, 70.1, (1.0, 0.0)),
        (-36.2, 70.1, (0.0, 1.0)),
    ] {
        let found = log(latitude, longitude, direction, true, true);
        let start = found.figures.start_point.unwrap();
        assert!((start.latitude - latitude).abs() < 1e-9, "{start:?}");
        assert!(
            near(found.figures.farthest, 800.0) && near(found.figures.distance, 1.592),
            "{:?}",
            found.figures
        );
        assert_eq!(found.metadata.hints, [fluglog_base::text::IMPORT_COORDINATES_EXCHANGED]);
        let [Some(first), ..] = found.profile.points.as_slice() else {
            panic!("no points")
        };
        assert!((f64::from(first.0) / 1e6 - latitude).abs() < 1e-5, "{first:?}");
    }
    // In the right order, and where nothing tells the order, the coordinates stay as they are.
    for (latitude, longitude, direction, knows_speed) in [
        (50.93, 6.95, (1.0, 0.0), true),
        (50.93, 6.95, (0.0, 1.0), true),
        (6.95, 50.93, (1.0, 0.0), true),
        (6.95, 50.93, (0.6, 0.8), true),
        (48.1, 11.6, (1.0, 0.0), false),
        (-33.9, 151.2, (0.0, 1.0), false),
    ] {
        let found = log(latitude, longitude, direction, knows_speed, false);
        let start = found.figures.start_point.unwrap();
        assert!((start.latitude - latitude).abs() < 1e-9, "{start:?}");
        assert!(found.metadata.hints.is_empty(), "{start:?}");
    }
}

proptest! {
    #[test]
    fn no_samples_give_impossible_values(
        rows in proptest::collection::vec(
            (any::<f64>(), any::<f64>(), any::<f64>(), any::<f64>(), any::<f64>(), proptest::option::of(any::<bool>())),
            0..200,
        ),
        is_continuous: bool,
    ) {
        let samples: Vec<_> = rows
            .into_iter()
            .map(|(seconds, latitude, longitude, value, other, armed)| Sample {
                seconds: Some(seconds).filter(|seconds| seconds.is_finite()),
                point: Some(Point { latitude, longitude }),
                altitude: Some(value),
                speed: Some(value),
                volts: Some(other),
                consumed: Some(other),
                amperes: Some(value),
                throttle: Some(other),
                armed,
                ..Sample::default()
            })
            .collect();
        let metadata = Metadata { is_continuous, speed_from_positions: true, ..Metadata::default() };
        for found in folded(metadata, &samples).found {
            let figures = found.figures;
            let numbers = [figures.height, figures.distance, figures.farthest, figures.speed, figures.start_volts,
                figures.end_volts, figures.consumed, found.duration];
            prop_assert!(numbers.iter().flatten().all(|number| number.is_finite() && *number >= 0.0));
            prop_assert!(found.track.len() <= track::MAX_POINTS);
        }
    }

    #[test]
    fn a_flight_is_as_long_as_its_samples(steps in 20u32..400, hertz in 1u32..20, speed in 3.0..30.0f64) {
        let samples: Vec<_> = (0..=steps)
            .map(|step| {
                let seconds = f64::from(step) / f64::from(hertz);
                at(1e9 + seconds, seconds * speed)
            })
            .collect();
        let metadata = Metadata { clock: Clock::Utc, speed_from_positions: true, ..Metadata::default() };
        let found = folded(metadata, &samples).found;
        prop_assert_eq!(found.len(), 1);
        let seconds = f64::from(steps) / f64::from(hertz);
        prop_assert!((found[0].duration.unwrap() - seconds).abs() < 1e-3);
        let flown = found[0].figures.distance.unwrap() * 1000.0;
        prop_assert!((flown - seconds * speed).abs() < 6.0 + 0.01 * flown, "{} {}", flown, seconds * speed);
        prop_assert!(near(found[0].figures.farthest, seconds * speed));
    }
}

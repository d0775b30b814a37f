//! Ranges of plausible values. Values outside are glitches or corrupt.

use crate::samples::{Figures, Point, Sample};

/// Degrees: receivers without a fix report positions this close to 0° N 0° E.
const NOWHERE_DEGREES: f64 = 0.0001;
/// km/h
pub(crate) const MAX_SPEED: f64 = 400.0;
/// A
const MAX_CURRENT: f64 = 500.0;
/// m above or below any place of take-off.
const MAX_HEIGHT: f64 = 20_000.0;
/// V
const MAX_VOLTS: f64 = 100.0;
/// mAh
const MAX_CONSUMED: f64 = 500_000.0;
/// m
const MAX_HOME_DISTANCE: f64 = 100_000.0;

/// Removes implausible values from a sample.
pub(crate) fn sanitized(sample: &Sample) -> Sample {
    let within = |value: Option<f64>, least: f64, most: f64| value.filter(|value| (least..=most).contains(value));
    Sample {
        seconds: within(sample.seconds, -1e11, 1e11),
        point: sample.point.filter(|point| is_somewhere(*point)),
        satellites: sample.satellites,
        height: within(sample.height, -MAX_HEIGHT, MAX_HEIGHT),
        altitude: within(sample.altitude, -MAX_HEIGHT, MAX_HEIGHT),
        speed: within(sample.speed, 0.0, MAX_SPEED),
        volts: within(sample.volts, 0.0, MAX_VOLTS),
        sensor_rank: sample.sensor_rank,
        consumed: within(sample.consumed, 0.0, MAX_CONSUMED),
        amperes: within(sample.amperes, -MAX_CURRENT, MAX_CURRENT),
        throttle: sample.throttle.filter(|throttle| throttle.is_finite()),
        armed: sample.armed,
        mode: sample.mode,
        home_distance: within(sample.home_distance, 0.0, MAX_HOME_DISTANCE),
    }
}

/// Removes implausible figures.
pub(crate) fn sanitized_figures(figures: Figures) -> Figures {
    let within = |value: Option<f64>, most: f64| value.filter(|value| (0.0..=most).contains(value));
    Figures {
        start_point: figures.start_point.filter(|point| is_somewhere(*point)),
        end_point: figures.end_point.filter(|point| is_somewhere(*point)),
        height: within(figures.height, MAX_HEIGHT),
        distance: within(figures.distance, 10_000.0),
        farthest: within(figures.farthest, MAX_HOME_DISTANCE),
        speed: within(figures.speed, MAX_SPEED),
        start_volts: within(figures.start_volts, MAX_VOLTS),
        end_volts: within(figures.end_volts, MAX_VOLTS),
        consumed: within(figures.consumed, MAX_CONSUMED),
        mode: figures.mode,
    }
}

fn is_somewhere(Point { latitude, longitude }: Point) -> bool {
    let in_range = (-90.0..=90.0).contains(&latitude) && (-180.0..=180.0).contains(&longitude);
    in_range && !(latitude.abs() < NOWHERE_DEGREES && longitude.abs() < NOWHERE_DEGREES)
}

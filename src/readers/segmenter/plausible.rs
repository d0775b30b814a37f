//! Ranges of plausible values. Values outside are glitches or corrupt.

use crate::samples::{Figures, Point, Sample};

/// Degrees: receivers without a fix report positions this close to 0° N 0° E.
const NOWHERE_DEGREES: f64 = 0.0001;
/// km/h
pub(crate) const SPEED_MOST: f64 = 400.0;
/// A
const CURRENT_MOST: f64 = 500.0;
/// m above or below any place of take-off.
const HEIGHT_MOST: f64 = 20_000.0;
/// V
const VOLTS_MOST: f64 = 100.0;
/// mAh
const CONSUMED_MOST: f64 = 500_000.0;
/// m
const HOME_DISTANCE_MOST: f64 = 100_000.0;

/// Removes implausible values from a sample.
pub(crate) fn sanitized(sample: &Sample) -> Sample {
    let within = |value: Option<f64>, least: f64, most: f64| value.filter(|value| (least..=most).contains(value));
    Sample {
        seconds: within(sample.seconds, -1e11, 1e11),
        point: sample.point.filter(|point| is_somewhere(*point)),
        satellites: sample.satellites,
        height: within(sample.height, -HEIGHT_MOST, HEIGHT_MOST),
        altitude: within(sample.altitude, -HEIGHT_MOST, HEIGHT_MOST),
        speed: within(sample.speed, 0.0, SPEED_MOST),
        volts: within(sample.volts, 0.0, VOLTS_MOST),
        sensor_rank: sample.sensor_rank,
        consumed: within(sample.consumed, 0.0, CONSUMED_MOST),
        amperes: within(sample.amperes, -CURRENT_MOST, CURRENT_MOST),
        throttle: sample.throttle.filter(|throttle| throttle.is_finite()),
        armed: sample.armed,
        mode: sample.mode,
        home_distance: within(sample.home_distance, 0.0, HOME_DISTANCE_MOST),
    }
}

/// Removes implausible figures.
pub(crate) fn sanitized_figures(figures: Figures) -> Figures {
    let within = |value: Option<f64>, most: f64| value.filter(|value| (0.0..=most).contains(value));
    Figures {
        start_point: figures.start_point.filter(|point| is_somewhere(*point)),
        end_point: figures.end_point.filter(|point| is_somewhere(*point)),
        height: within(figures.height, HEIGHT_MOST),
        distance: within(figures.distance, 10_000.0),
        farthest: within(figures.farthest, HOME_DISTANCE_MOST),
        speed: within(figures.speed, SPEED_MOST),
        start_volts: within(figures.start_volts, VOLTS_MOST),
        end_volts: within(figures.end_volts, VOLTS_MOST),
        consumed: within(figures.consumed, CONSUMED_MOST),
        mode: figures.mode,
    }
}

fn is_somewhere(Point { latitude, longitude }: Point) -> bool {
    let in_range = (-90.0..=90.0).contains(&latitude) && (-180.0..=180.0).contains(&longitude);
    in_range && !(latitude.abs() < NOWHERE_DEGREES && longitude.abs() < NOWHERE_DEGREES)
}

//! Figures of values and points.

use crate::imports::samples::Point;

/// The greater one, of those that are known.
pub fn most(known: Option<f64>, value: Option<f64>) -> Option<f64> {
    match (known, value) {
        (Some(known), Some(value)) => Some(known.max(value)),
        (known, value) => known.or(value),
    }
}

/// `None` of no values.
pub fn median(values: &mut [f64]) -> Option<f64> {
    if values.is_empty() {
        return None;
    }
    let middle = values.len() / 2;
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    sorted.get(middle).copied()
}

/// m between two points on a sphere of the earth's mean radius (haversine).
#[must_use]
pub fn metres(from: Point, to: Point) -> f64 {
    const RADIUS: f64 = 6_371_008.8;
    let [from_latitude, to_latitude] = [from.latitude, to.latitude].map(f64::to_radians);
    let half_north = (to_latitude - from_latitude) / 2.0;
    let half_east = (to.longitude - from.longitude).to_radians() / 2.0;
    let a = half_north.sin().powi(2) + from_latitude.cos() * to_latitude.cos() * half_east.sin().powi(2);
    2.0 * RADIUS * a.sqrt().min(1.0).asin()
}

//! Arithmetic of values and points.

use crate::samples::Point;

/// Returns the greater of the known values.
pub(crate) fn max_known(known: Option<f64>, value: Option<f64>) -> Option<f64> {
    match (known, value) {
        (Some(known), Some(value)) => Some(known.max(value)),
        (known, value) => known.or(value),
    }
}

/// Returns the median; `None` without values.
pub fn median(values: impl IntoIterator<Item = f64>) -> Option<f64> {
    let mut sorted: Vec<f64> = values.into_iter().collect();
    sorted.sort_unstable_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied()
}

/// Mean radius of the earth in m (IUGG).
const RADIUS: f64 = 6_371_008.8;

/// A point with its vector from the centre of the earth in m, so that its sines and cosines are computed once.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Position {
    pub point: Point,
    vector: [f64; 3],
}

impl Position {
    pub fn of(point: Point) -> Position {
        let (north, level) = point.latitude.to_radians().sin_cos();
        let (east, forward) = point.longitude.to_radians().sin_cos();
        Position {
            point,
            vector: [level * forward, level * east, north].map(|axis| axis * RADIUS),
        }
    }

    /// Returns the distance in m on a sphere of the earth's mean radius.
    pub fn metres(&self, to: &Position) -> f64 {
        arc(self.chord_squared(to))
    }

    /// Returns the square of the chord in m², for comparing distances. The chord, straight through the earth, is
    /// shorter than the arc by a millionth at 30 km.
    pub(crate) fn chord_squared(&self, to: &Position) -> f64 {
        let [x, y, z] = [0, 1, 2].map(|axis| to.vector[axis] - self.vector[axis]);
        x * x + y * y + z * z
    }
}

/// Returns the distance over ground in m from the square of the chord in m².
pub(crate) fn arc(chord_squared: f64) -> f64 {
    let half_chord = chord_squared.sqrt() / 2.0;
    2.0 * RADIUS * (half_chord / RADIUS).min(1.0).asin()
}

/// Returns the distance in m between two points on a sphere of the earth's mean radius.
#[must_use]
pub fn metres(from: Point, to: Point) -> f64 {
    Position::of(from).metres(&Position::of(to))
}

//! Sources, tracks and profiles of flights. No store, no web.

use serde::Serialize;

use fluglog_readers::samples::Profile;
use fluglog_readers::{samples, track};

/// A part of a file that a flight was created from or completed by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// Digest of the file's content.
    pub digest: u128,
    pub part: u32,
    pub format: String,
    pub file: String,
    /// Seconds since 1970 on the clock of the file.
    pub start: Option<i64>,
    /// Whether that clock is in UTC.
    pub is_utc: bool,
    /// Unix seconds.
    pub added: i64,
}

/// A point of a track, in degrees.
pub type Point = (f64, f64);

/// Returns a track seen from above as whole decimetres east and north of its start, alternating, reduced to `most`
/// points. A flight is so small that a degree of longitude has one length.
#[must_use]
#[expect(clippy::cast_possible_truncation, reason = "the earth's circumference in dm fits")]
pub(crate) fn path(points: &[Point], most: usize) -> Vec<i32> {
    const DM_OF_DEGREE: f64 = 1_111_949.0;
    let points: Vec<_> = points
        .iter()
        .map(|(latitude, longitude)| samples::Point {
            latitude: *latitude,
            longitude: *longitude,
        })
        .collect();
    let Some(start) = points.first().copied() else {
        return Vec::new();
    };
    let narrowing = start.latitude.to_radians().cos();
    let path = track::simplify(&points, most).into_iter().flat_map(|point| {
        let east = (point.longitude - start.longitude + 540.0).rem_euclid(360.0) - 180.0;
        [east * narrowing, point.latitude - start.latitude]
    });
    path.map(|degrees| (degrees * DM_OF_DEGREE).round() as i32).collect()
}

/// Track of a flight.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct FlightTrack {
    /// Latitude and longitude of each point, in degrees; empty without a track.
    pub points: Vec<Vec<f64>>,
    /// Files that the flight was created from or completed by.
    pub files: Vec<String>,
}

/// Profile of a flight as lists of equal length, empty without a profile. `null` where the file has no value.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct FlightProfile {
    /// Seconds since the start of the flight, ascending.
    pub seconds: Vec<f64>,
    /// m above the start
    pub height: Vec<Option<f64>>,
    /// km/h
    pub speed: Vec<Option<f64>>,
    /// V
    pub voltage: Vec<Option<f64>>,
    /// A
    pub current: Vec<Option<f64>>,
    /// Latitude and longitude in degrees; empty when the file has no positions.
    pub points: Vec<Option<Vec<f64>>>,
}

impl From<&Profile> for FlightProfile {
    fn from(profile: &Profile) -> FlightProfile {
        let column = |values: &[Option<i32>], scale: f64| {
            let value = |row: usize| values.get(row).copied().flatten().map(|value| f64::from(value) / scale);
            (0..profile.seconds.len()).map(value).collect()
        };
        let degrees = |(latitude, longitude): (i32, i32)| vec![f64::from(latitude) / 1e6, f64::from(longitude) / 1e6];
        FlightProfile {
            seconds: profile
                .seconds
                .iter()
                .map(|seconds| f64::from(*seconds) / 100.0)
                .collect(),
            height: column(&profile.height, 10.0),
            speed: column(&profile.speed, 10.0),
            voltage: column(&profile.voltage, 100.0),
            current: column(&profile.current, 100.0),
            points: profile.points.iter().map(|point| point.map(degrees)).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_begins_at_its_start_also_across_the_antimeridian() {
        let path = path(&[(60.0, 179.9999), (60.0, -179.9999), (59.9998, 179.9999)], 10);
        assert_eq!(path, [0, 0, 111, 0, 0, -222]);
    }

    #[test]
    fn a_path_has_no_more_points_than_asked_for() {
        let circle: Vec<_> = (0..500)
            .map(|step| f64::from(step) / 80.0)
            .map(|turn| (53.0 + turn.sin() / 1000.0, 8.0 + turn.cos() / 1000.0))
            .collect();
        assert_eq!(path(&circle, 48).len(), 96);
        assert_eq!(path(&[], 48), [0; 0]);
    }
}

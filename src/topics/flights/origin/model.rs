//! Sources, tracks and profiles of flights. No store, no web.

use serde::Serialize;

use fluglog_readers::samples::Profile;

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

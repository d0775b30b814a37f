//! Sources and tracks of flights. No store, no web.

use serde::Serialize;

/// A part of a file that a flight was made of, or completed with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// Of the file's content.
    pub digest: u128,
    pub part: u32,
    pub format: String,
    pub file: String,
    /// Seconds since 1970 on the clock of the file.
    pub start: Option<i64>,
    /// Whether that clock goes by UTC.
    pub is_utc: bool,
    /// Unix seconds.
    pub added: i64,
}

/// A point of a track, in degrees.
pub type Point = (f64, f64);

/// The track of a flight on the wire.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS, utoipa::ToSchema), ts(export))]
pub struct FlightTrack {
    /// Latitude and longitude of each point, in degrees; empty without a track.
    pub points: Vec<Vec<f64>>,
    /// The files that the flight was made of or completed with.
    pub files: Vec<String>,
}

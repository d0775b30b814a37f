//! Exports of Open DroneLog: CSV whose first row has the flight's metadata as JSON, or JSON with the metadata in its
//! object `flight`; the values are in columns.

use std::fmt;

use serde::Deserialize;
use serde::de::{IgnoredAny, MapAccess, Visitor};

use super::columns::{Columns, Value, index_of};
use super::geojson::{Flattened, Number};
use super::json;
use super::kml::sample;
use super::lines::{Table, Utf8Reader};
use super::values::{display_text, moment, speed_unit};
use crate::samples::{Clock, Figures, FoundFlight, Metadata, Point, ReadResult, Sample};
use crate::segmenter::{Segmenter, metres};
use crate::track;
use fluglog_base::text;

const COLUMNS: &[(&str, Value)] = &[
    ("lat", Value::Latitude),
    ("lng", Value::Longitude),
    ("height_m", Value::Height),
    ("height_ft", Value::Height),
    ("alt_m", Value::Altitude),
    ("alt_ft", Value::Altitude),
    ("speed_kmh", Value::Speed),
    ("speed_ms", Value::Speed),
    ("speed_mph", Value::Speed),
    ("speed_kts", Value::Speed),
    ("satellites", Value::Satellites),
    ("battery_voltage_v", Value::Volts),
    ("battery_current_a", Value::Amperes),
    ("battery_remained_capacity_mah", Value::Left),
];

/// Returns whether a CSV header is that of an export.
pub(crate) fn is_header(header: &[String]) -> bool {
    ["time_s", "lat", "lng"]
        .iter()
        .all(|wanted| header.iter().any(|cell| cell.trim() == *wanted))
}

/// The metadata of the flight. CSV and JSON spell the names differently.
#[derive(Default, Deserialize)]
#[serde(default)]
struct ExportMetadata {
    #[serde(alias = "displayName")]
    display_name: String,
    #[serde(alias = "droneModel")]
    drone_model: String,
    #[serde(alias = "droneSerial")]
    drone_serial: String,
    #[serde(alias = "aircraftName")]
    aircraft_name: String,
    #[serde(alias = "batterySerial")]
    battery_serial: String,
    #[serde(alias = "startTime")]
    start_time: String,
    #[serde(alias = "durationSecs")]
    duration_secs: Option<f64>,
    #[serde(alias = "totalDistance")]
    total_distance_m: Option<f64>,
    #[serde(alias = "maxAltitude")]
    max_altitude_m: Option<f64>,
    #[serde(alias = "maxSpeed")]
    max_speed_ms: Option<f64>,
    #[serde(alias = "homeLat")]
    home_lat: Option<f64>,
    #[serde(alias = "homeLon")]
    home_lon: Option<f64>,
    notes: Option<String>,
}

impl ExportMetadata {
    fn start(&self) -> Option<f64> {
        moment(&self.start_time).map(super::values::Moment::utc)
    }

    fn metadata(&self) -> Metadata {
        Metadata {
            clock: if self.start().is_some() {
                Clock::Utc
            } else {
                Clock::Unknown
            },
            name: display_text(
                if self.aircraft_name.is_empty() {
                    &self.drone_model
                } else {
                    &self.aircraft_name
                },
                100,
            ),
            model: display_text(&self.drone_model, 100),
            copter_serial: display_text(&self.drone_serial, 100),
            battery_serial: display_text(&self.battery_serial, 100),
            notes: display_text(self.notes.as_deref().unwrap_or_default(), 2000),
            ..Metadata::default()
        }
    }
}

/// Reads a CSV export.
///
/// # Errors
/// See [`crate::samples::ReadError`].
pub(crate) fn read_table(mut table: Table<'_>, segmenter: &mut Segmenter) -> ReadResult {
    let Some(row) = table.next()? else { return Ok(()) };
    let header: Vec<String> = row.iter().map(|cell| cell.into_owned()).collect();
    let columns = Columns::find(&header, COLUMNS);
    let (time, metadata) = (index_of(&header, &["time_s"]), index_of(&header, &["metadata"]));
    let mut series: Option<Series> = None;
    while let Some(row) = table.next()? {
        let said = metadata.map(|index| row.cell(index)).filter(|cell| !cell.is_empty());
        if said.is_some() || series.is_none() {
            if let Some(ended) = series.take() {
                ended.end(segmenter)?;
            }
            let metadata = said
                .and_then(|json| serde_json::from_str(&json).ok())
                .unwrap_or_default();
            series = Some(Series {
                metadata,
                first: None,
                is_begun: false,
            });
        }
        let seconds = time.and_then(|index| row.number(index));
        let (Some(series), Some(seconds)) = (&mut series, seconds) else {
            segmenter.count_untimed_row()?;
            continue;
        };
        let zero = series.metadata.start().unwrap_or_default();
        series.sample(columns.sample(row, Some(zero + seconds)), segmenter)?;
    }
    series.map_or(Ok(()), |ended| ended.end(segmenter))
}

/// The rows of a flight. A flight that was typed has a single one.
struct Series {
    metadata: ExportMetadata,
    first: Option<Sample>,
    is_begun: bool,
}

impl Series {
    fn sample(&mut self, sample: Sample, segmenter: &mut Segmenter) -> ReadResult {
        match (self.is_begun, self.first.take()) {
            (false, None) => {
                self.first = Some(sample);
                return Ok(());
            }
            (false, Some(first)) => self.begin(&first, segmenter)?,
            (true, _) => {}
        }
        segmenter.sample(&sample)
    }

    fn begin(&mut self, first: &Sample, segmenter: &mut Segmenter) -> ReadResult {
        self.is_begun = true;
        segmenter.begin(self.metadata.metadata());
        segmenter.sample(first)
    }

    fn end(mut self, segmenter: &mut Segmenter) -> ReadResult {
        let Some(first) = self.first.take() else { return Ok(()) };
        if self.metadata.duration_secs.is_none() {
            return self.begin(&first, segmenter);
        }
        let ExportMetadata {
            duration_secs,
            total_distance_m,
            max_altitude_m,
            max_speed_ms,
            ..
        } = self.metadata;
        segmenter.count_row()?;
        segmenter.flight(FoundFlight {
            start: self.metadata.start(),
            duration: duration_secs,
            figures: Figures {
                start_point: first.point,
                height: max_altitude_m,
                distance: total_distance_m.map(|metres| metres / 1000.0),
                speed: max_speed_ms.map(|speed| speed * 3.6),
                ..Figures::default()
            },
            metadata: self.metadata.metadata(),
            ..FoundFlight::default()
        });
        Ok(())
    }
}

/// Reads a JSON export: metadata, voltages and track.
///
/// # Errors
/// See [`crate::samples::ReadError`].
pub(crate) fn read_json(source: Utf8Reader<'_>, segmenter: &mut Segmenter) -> ReadResult {
    let guarded = json::LimitedJson::new(source);
    let mut reader = serde_json::Deserializer::from_reader(guarded);
    let export = Export::deserialize(&mut reader).map_err(json::fault)?;
    let flight = export.flight;
    let unit = export
        .info
        .units
        .and_then(|units| units.speed)
        .unwrap_or_else(|| "m/s".to_owned());
    let factor = speed_unit(&unit).unwrap_or(3.6);
    let mut metadata = flight.metadata();
    if flight.total_distance_m.is_some() {
        metadata.hints.push(text::IMPORT_DISTANCE_ESTIMATED.to_owned());
    }
    let track: Vec<Point> = export
        .track
        .0
        .iter()
        .filter_map(|position| sample(position, None).point)
        .collect();
    let home = match (flight.home_lat, flight.home_lon) {
        (Some(latitude), Some(longitude)) => Some(Point { latitude, longitude }),
        _ => None,
    };
    segmenter.flight(FoundFlight {
        start: flight.start(),
        duration: flight.duration_secs,
        figures: Figures {
            start_point: track.first().copied().or(home),
            end_point: track.last().copied(),
            farthest: track
                .iter()
                .filter_map(|point| Some(metres(*track.first()?, *point)))
                .max_by(f64::total_cmp),
            start_volts: export.telemetry.volts(false),
            end_volts: export.telemetry.volts(true),
            height: flight.max_altitude_m,
            distance: flight.total_distance_m.map(|metres| metres / 1000.0),
            speed: flight.max_speed_ms.map(|speed| speed * factor),
            ..Figures::default()
        },
        track: track::simplify(&track, track::MAX_POINTS),
        metadata,
        ..FoundFlight::default()
    });
    Ok(())
}

#[derive(Default, Deserialize)]
struct Info {
    units: Option<Units>,
}

#[derive(Deserialize)]
struct Units {
    speed: Option<String>,
}

#[derive(Default)]
struct Export {
    info: Info,
    flight: ExportMetadata,
    telemetry: Telemetry,
    track: Flattened<[Option<f64>; 3]>,
}

/// Columns with one value per sample.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Telemetry {
    time: Flattened<Number>,
    #[serde(rename = "batteryVoltage")]
    voltage: Flattened<Number>,
}

impl Telemetry {
    /// Returns the voltage at the start or at the end, the median of three seconds.
    fn volts(&self, at_end: bool) -> Option<f64> {
        let pairs = || {
            self.time
                .0
                .iter()
                .zip(&self.voltage.0)
                .filter(|(_, volts)| volts.0 > 0.0)
        };
        let edge = if at_end { pairs().next_back() } else { pairs().next() }?.0.0;
        let mut near: Vec<f64> = pairs()
            .filter(|(time, _)| (time.0 - edge).abs() <= 3.0)
            .map(|(_, volts)| volts.0)
            .collect();
        near.sort_unstable_by(f64::total_cmp);
        near.get(near.len() / 2).copied()
    }
}

impl<'de> Deserialize<'de> for Export {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Export, D::Error> {
        struct Members;
        impl<'de> Visitor<'de> for Members {
            type Value = Export;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("an export")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Export, A::Error> {
                let mut export = Export::default();
                while let Some(name) = map.next_key::<String>()? {
                    match name.as_str() {
                        "_exportInfo" => export.info = map.next_value()?,
                        "flight" => export.flight = map.next_value()?,
                        "telemetry" => export.telemetry = map.next_value()?,
                        "track" => export.track = map.next_value()?,
                        _ => drop(map.next_value::<IgnoredAny>()?),
                    }
                }
                Ok(export)
            }
        }
        deserializer.deserialize_map(Members)
    }
}

/// Returns whether JSON begins like an export.
pub fn matches(head: &str) -> bool {
    head.trim_start().starts_with('{') && head.contains("_exportInfo") && head.contains("Open DroneLog")
}

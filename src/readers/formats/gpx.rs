//! GPX 1.0 and 1.1: each track is a flight, split where its points have gaps. Tracks without times are joined into one
//! flight, since loggers split tracks arbitrarily.

use super::lines::Utf8Reader;
use super::values::{Moment, display_text, moment, number};
use super::xml::{self, XmlEvent, append};
use crate::samples::{Clock, Metadata, Point, ReadResult, Sample};
use crate::segmenter::Segmenter;

/// A track point.
#[derive(Default)]
struct TrackPoint {
    point: Option<Point>,
    altitude: Option<f64>,
    /// m/s
    speed: Option<f64>,
    time: Option<f64>,
}

/// Reads the tracks of a file.
///
/// # Errors
/// See [`crate::samples::ReadError`].
pub fn read(source: Utf8Reader<'_>, segmenter: &mut Segmenter) -> ReadResult {
    let mut text = String::new();
    let mut name = String::new();
    let mut in_track = false;
    let mut has_begun = false;
    // `speed` is standard in GPX 1.0 only, in m/s; in 1.1 programs write it in any unit.
    let mut has_speed = true;
    let mut untimed = 0;
    let mut point: Option<TrackPoint> = None;
    xml::read(source, |piece| {
        match piece {
            XmlEvent::Begin(element, attributes) => {
                text.clear();
                match element {
                    "gpx" => {
                        has_speed = !attributes
                            .iter()
                            .any(|(name, value)| name == "version" && value == "1.1")
                    }
                    "trk" => {
                        in_track = true;
                        has_begun = false;
                        if untimed == 0 {
                            name.clear();
                        }
                    }
                    "trkpt" => point = Some(begin(attributes)),
                    _ => {}
                }
            }
            XmlEvent::Text(more) => append(&mut text, more),
            XmlEvent::End(element) => {
                if let Some(point) = &mut point {
                    match element {
                        "ele" => point.altitude = number(&text),
                        "speed" if has_speed => point.speed = number(&text),
                        "time" => point.time = moment(&text).map(Moment::utc),
                        _ => {}
                    }
                }
                match element {
                    "name" if in_track && point.is_none() && name.is_empty() => name = display_text(&text, 100),
                    "trk" => {
                        in_track = false;
                        untimed += u32::from(!has_begun);
                    }
                    "trkpt" => {
                        let point = point.take().unwrap_or_default();
                        match (has_begun, point.time, segmenter.metadata()) {
                            (true, ..) => {}
                            (false, None, Some(series)) if series.clock == Clock::Unknown => series.joins_tracks = true,
                            (false, time, _) => segmenter.begin(metadata(&name, time.is_some())),
                        }
                        has_begun = true;
                        untimed += u32::from(point.time.is_none());
                        let is_timed = matches!(segmenter.metadata(), Some(series) if series.clock == Clock::Utc);
                        segmenter.sample(&Sample {
                            seconds: point.time.filter(|_| is_timed),
                            point: point.point,
                            altitude: point.altitude,
                            speed: point.speed.map(|speed| speed * 3.6),
                            ..Sample::default()
                        })?;
                    }
                    _ => {}
                }
                text.clear();
            }
        }
        Ok(())
    })
}

fn begin(attributes: &[(String, String)]) -> TrackPoint {
    let value = |wanted: &str| {
        let attribute = attributes.iter().find(|(name, _)| name == wanted);
        attribute.and_then(|(_, value)| number(value))
    };
    let point = match (value("lat"), value("lon")) {
        (Some(latitude), Some(longitude)) => Some(Point { latitude, longitude }),
        _ => None,
    };
    TrackPoint {
        point,
        ..TrackPoint::default()
    }
}

/// Returns the metadata of a track.
#[must_use]
pub fn metadata(name: &str, has_times: bool) -> Metadata {
    Metadata {
        clock: if has_times { Clock::Utc } else { Clock::Unknown },
        name: name.to_owned(),
        speed_from_positions: true,
        ..Metadata::default()
    }
}

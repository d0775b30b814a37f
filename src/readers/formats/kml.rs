//! KML: lines, and tracks with times. Longitude precedes latitude.

use std::collections::VecDeque;

use super::gpx::metadata;
use super::lines::Utf8Reader;
use super::values::{Moment, display_text, moment, number};
use super::xml::{self, XmlEvent, append};
use crate::samples::{Point, ReadError, ReadResult, Sample};
use crate::segmenter::Segmenter;

/// The most times of a track: all of them precede the coordinates.
const MAX_TIMES: usize = 500_000;

/// Reads lines and tracks.
///
/// # Errors
/// See [`ReadError`].
pub fn read(source: Utf8Reader<'_>, segmenter: &mut Segmenter) -> ReadResult {
    let mut text = String::new();
    let mut name = String::new();
    let mut times: VecDeque<Option<f64>> = VecDeque::new();
    let mut path: Vec<String> = Vec::new();
    let mut pieces = 0;
    // Airdata writes each step as a separate line, with the same name.
    let mut line_of: Option<String> = None;
    xml::read(source, |piece| {
        pieces += 1;
        match piece {
            XmlEvent::Begin(element, _) => {
                text.clear();
                match element {
                    "Placemark" => name.clear(),
                    "Track" => {
                        times.clear();
                        line_of = None;
                    }
                    _ => {}
                }
                path.push(element.to_owned());
            }
            XmlEvent::Text(more) => append(&mut text, more),
            XmlEvent::End(element) => {
                path.pop();
                let parent = path.last().map_or("", String::as_str);
                match (parent, element) {
                    ("Placemark", "name") => name = display_text(&text, 100),
                    ("Track", "when") => {
                        if times.len() == MAX_TIMES {
                            return Err(ReadError::LimitExceeded);
                        }
                        times.push_back(moment(&text).map(Moment::utc));
                    }
                    ("Track", "coord") => {
                        let time = times.pop_front().flatten();
                        if line_of.as_deref() != Some("") {
                            line_of = Some(String::new());
                            segmenter.begin(metadata(&name, time.is_some()));
                        }
                        let values: Vec<_> = text.split_whitespace().map(number).collect();
                        segmenter.sample(&sample(&values, time))?;
                    }
                    ("LineString", "coordinates") => {
                        if line_of.as_deref() != Some(name.as_str()) || name.is_empty() {
                            line_of = Some(name.clone());
                            segmenter.begin(metadata(&name, false));
                        }
                        for tuple in text.split_whitespace() {
                            let values: Vec<_> = tuple.split(',').map(number).collect();
                            segmenter.sample(&sample(&values, None))?;
                        }
                    }
                    _ => {}
                }
                text.clear();
            }
        }
        Ok(())
    })
}

/// Makes a sample from longitude, latitude and an optional altitude.
#[must_use]
pub fn sample(values: &[Option<f64>], seconds: Option<f64>) -> Sample {
    let value = |at: usize| values.get(at).copied().flatten();
    let point = match (value(1), value(0)) {
        (Some(latitude), Some(longitude)) => Some(Point { latitude, longitude }),
        _ => None,
    };
    Sample {
        seconds,
        point,
        altitude: value(2),
        ..Sample::default()
    }
}

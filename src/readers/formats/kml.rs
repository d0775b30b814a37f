//! KML: lines, and tracks with times. Longitude precedes latitude.

use std::collections::VecDeque;

use super::gpx::about;
use super::lines::Decoded;
use super::values::{Moment, moment, number, shown};
use super::xml::{self, Piece, append};
use crate::fold::Fold;
use crate::samples::{Fault, Point, ReadOutcome, Sample};

/// The most times of a track: all of them precede the coordinates.
const TIMES_MOST: usize = 500_000;

/// Reads lines and tracks.
///
/// # Errors
/// See [`Fault`].
pub fn read(source: Decoded<'_>, fold: &mut Fold) -> ReadOutcome {
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
            Piece::Begin(element, _) => {
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
            Piece::Text(more) => append(&mut text, more),
            Piece::End(element) => {
                path.pop();
                let parent = path.last().map_or("", String::as_str);
                match (parent, element) {
                    ("Placemark", "name") => name = shown(&text, 100),
                    ("Track", "when") => {
                        if times.len() == TIMES_MOST {
                            return Err(Fault::TooMuch);
                        }
                        times.push_back(moment(&text).map(Moment::utc));
                    }
                    ("Track", "coord") => {
                        let time = times.pop_front().flatten();
                        if line_of.as_deref() != Some("") {
                            line_of = Some(String::new());
                            fold.begin(about(&name, time.is_some()));
                        }
                        let values: Vec<_> = text.split_whitespace().map(number).collect();
                        fold.sample(&sample(&values, time))?;
                    }
                    ("LineString", "coordinates") => {
                        if line_of.as_deref() != Some(name.as_str()) || name.is_empty() {
                            line_of = Some(name.clone());
                            fold.begin(about(&name, false));
                        }
                        for tuple in text.split_whitespace() {
                            let values: Vec<_> = tuple.split(',').map(number).collect();
                            fold.sample(&sample(&values, None))?;
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

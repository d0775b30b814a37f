//! The values of a flight as its fields have them, and its place.

use super::known::Known;
use crate::base::text;
use crate::base::time::WallTime;
use crate::flights::model::Entries;
use crate::imports::fold::metres;
use crate::imports::formats::Format;
use crate::imports::samples::Point;
use crate::imports::table::{FileRecord, FlightRecord};

/// A flight's place is that of another one that began so near, in m.
const SAME_PLACE_METRES: f64 = 300.0;

impl Known<'_> {
    /// The values of a flight, each with as many decimals as our fields have.
    pub fn entries(&self, flight: &FlightRecord, file: &FileRecord, start: Option<WallTime>) -> Entries {
        let start = start.unwrap_or_else(|| WallTime::nearest(0));
        if let Some(copy) = self.copies.of(flight) {
            return Entries {
                start,
                ..copy.entries.clone()
            };
        }
        let mut entries = Entries::starting(start);
        let rounded = |value: Option<f64>, decimals: i32| {
            value.map(|value| {
                let factor = 10_f64.powi(decimals);
                (value * factor).round() / factor + 0.0
            })
        };
        (entries.start_latitude, entries.start_longitude) = degrees(flight.start_point);
        (entries.end_latitude, entries.end_longitude) = degrees(flight.end_point);
        entries.minutes = rounded(seconds(flight.duration).map(|seconds| seconds / 60.0), 1);
        entries.maximum_altitude = rounded(flight.height, 0);
        entries.distance = rounded(flight.distance, 2);
        entries.maximum_distance = rounded(flight.farthest, 0);
        entries.speed = rounded(flight.speed, 1);
        entries.start_voltage = rounded(flight.start_volts, 2);
        entries.end_voltage = rounded(flight.end_volts, 2);
        entries.consumed_capacity = rounded(flight.consumed, 0);
        entries.location = self.location(flight);
        let format = file.format.and_then(Format::from_code).map_or("", Format::title);
        let origin = text::import_origin(&file.name, format);
        entries.notes = match flight.notes.is_empty() {
            true => origin,
            false => format!("{}\n{origin}", flight.notes),
        };
        entries
    }

    /// The place: that of the own flight that began nearest, else as the file has it.
    fn location(&self, flight: &FlightRecord) -> String {
        let Some((latitude, longitude)) = flight.start_point else {
            return flight.location.clone();
        };
        let own = Point { latitude, longitude };
        let near = self.flights.iter().filter(|flown| !flown.entries.location.is_empty());
        let near = near.filter_map(|flown| {
            let (latitude, longitude) = (flown.entries.start_latitude?, flown.entries.start_longitude?);
            Some((metres(own, Point { latitude, longitude }), flown))
        });
        let nearest = near.min_by(|one, other| one.0.total_cmp(&other.0));
        match nearest {
            Some((distance, flown)) if distance <= SAME_PLACE_METRES => flown.entries.location.clone(),
            _ => flight.location.clone(),
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "milliseconds of this century fit")]
pub fn seconds(millis: Option<i64>) -> Option<f64> {
    millis.map(|millis| millis as f64 / 1000.0)
}

fn degrees(point: Option<(f64, f64)>) -> (Option<f64>, Option<f64>) {
    let rounded = |degrees: f64| (degrees * 1e6).round() / 1e6 + 0.0;
    point.map_or((None, None), |(latitude, longitude)| {
        (Some(rounded(latitude)), Some(rounded(longitude)))
    })
}

//! Values of a flight as a form has them, and its place.

use super::matcher::Matcher;
use crate::equipment::model::Kind;
use crate::flights::model::{Entries, FlightMode};
use crate::imports::model::guess_cells;
use crate::imports::table::{FileRecord, FoundFlightRecord};
use fluglog_base::id::EquipmentId;
use fluglog_base::number;
use fluglog_base::text;
use fluglog_base::time::WallTime;
use fluglog_readers::formats::Format;
use fluglog_readers::samples::{Mode, Point, is_of_pack};
use fluglog_readers::segmenter::metres;

/// Greatest distance in m between the starts of two flights at the same place.
const SAME_PLACE_METRES: f64 = 300.0;

impl Matcher<'_> {
    /// Returns the values of a flight with these items, rounded to the decimals of each field. Voltages that its pack
    /// can't have are left out.
    pub fn entries(
        &self,
        flight: &FoundFlightRecord,
        file: &FileRecord,
        start: Option<WallTime>,
        items: &[EquipmentId],
    ) -> Entries {
        let start = start.unwrap_or_else(|| WallTime::from_minutes_clamped(0));
        if let Some(foreign) = self.foreign.of(flight) {
            let mut entries = foreign.entries.clone();
            entries.move_start(start, Some(self.clock.zone()));
            return entries;
        }
        let figures = &flight.figures;
        let mut entries = Entries::starting(start);
        let rounded = |value: Option<f64>, decimals: i32| {
            value.map(|value| {
                let factor = 10_f64.powi(decimals);
                (value * factor).round() / factor + 0.0
            })
        };
        (entries.fields.start_latitude, entries.fields.start_longitude) = degrees(figures.start_point);
        (entries.fields.end_latitude, entries.fields.end_longitude) = degrees(figures.end_point);
        entries.fields.minutes = rounded(seconds(flight.duration).map(|seconds| seconds / 60.0), 1);
        entries.fields.maximum_altitude = rounded(figures.height, 0);
        entries.fields.distance = rounded(figures.distance, 2);
        entries.fields.maximum_distance = rounded(figures.farthest, 0);
        entries.fields.speed = rounded(figures.speed, 1);
        let cells = self.cells(flight, items);
        let of_pack = |volts: Option<f64>| volts.filter(|volts| is_of_pack(*volts, cells));
        entries.fields.start_voltage = rounded(of_pack(figures.start_volts), 2);
        entries.fields.end_voltage = rounded(of_pack(figures.end_volts), 2);
        entries.fields.consumed_capacity = rounded(figures.consumed, 0);
        entries.fields.mode = mode(flight);
        entries.fields.weather.clone_from(&flight.about.weather);
        entries.fields.purpose.clone_from(&flight.about.purpose);
        entries.fields.location = self.location(flight);
        let format = file.format.and_then(Format::from_code).map_or("", Format::title);
        let origin = text::import_origin(&file.name, format);
        entries.fields.notes = match flight.about.notes.is_empty() {
            true => origin,
            false => format!("{}\n{origin}", flight.about.notes),
        };
        entries
    }

    /// Returns the number of cells: of the pack among the items, or, without one, as many as fit the voltage at the
    /// start.
    fn cells(&self, flight: &FoundFlightRecord, items: &[EquipmentId]) -> Option<u8> {
        let items = items.iter().filter_map(|id| self.items.get(id));
        let packs: Vec<_> = items.filter(|item| item.kind == Kind::Battery).collect();
        match packs.as_slice() {
            [] => flight.figures.start_volts.and_then(guess_cells),
            [pack] => self.cells.get(&pack.id).copied(),
            // With several packs the wiring (series or parallel) is unknown.
            _ => None,
        }
    }

    /// Returns a hint that names the voltages of the file that the pack can't have, if there are any.
    pub(crate) fn implausible_voltages(&self, flight: &FoundFlightRecord, items: &[EquipmentId]) -> Option<String> {
        let cells = self.cells(flight, items);
        let figures = &flight.figures;
        let both = [figures.start_volts, figures.end_volts].into_iter().flatten();
        let odd: Vec<_> = both
            .filter(|volts| !is_of_pack(*volts, cells))
            .map(|volts| number::with_unit(volts, 2, "V"))
            .collect();
        (!odd.is_empty()).then(|| text::import_suspect_voltages(&odd.join(" und ")))
    }

    /// Returns the place: that of the pilot's nearest start, else that in the file.
    fn location(&self, flight: &FoundFlightRecord) -> String {
        let Some((latitude, longitude)) = flight.figures.start_point else {
            return flight.about.location.clone();
        };
        let own = Point { latitude, longitude };
        let near = self
            .flights
            .iter()
            .filter(|flown| !flown.entries.fields.location.is_empty());
        let near = near.filter_map(|flown| {
            let (latitude, longitude) = (
                flown.entries.fields.start_latitude?,
                flown.entries.fields.start_longitude?,
            );
            Some((metres(own, Point { latitude, longitude }), flown))
        });
        let nearest = near.min_by(|one, other| one.0.total_cmp(&other.0));
        match nearest {
            Some((distance, flown)) if distance <= SAME_PLACE_METRES => flown.entries.fields.location.clone(),
            _ => flight.about.location.clone(),
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "milliseconds of this century fit")]
pub fn seconds(millis: Option<i64>) -> Option<f64> {
    millis.map(|millis| millis as f64 / 1000.0)
}

/// Returns the mode in the file.
fn mode(flight: &FoundFlightRecord) -> FlightMode {
    let mode = flight.mode.and_then(|place| Mode::ALL.get(usize::from(place)));
    mode.map_or(FlightMode::Unknown, |mode| match mode {
        Mode::Angle => FlightMode::Angle,
        Mode::Horizon => FlightMode::Horizontal,
        Mode::Manual => FlightMode::Manual,
    })
}

fn degrees(point: Option<(f64, f64)>) -> (Option<f64>, Option<f64>) {
    let rounded = |degrees: f64| (degrees * 1e6).round() / 1e6 + 0.0;
    point.map_or((None, None), |(latitude, longitude)| {
        (Some(rounded(latitude)), Some(rounded(longitude)))
    })
}
